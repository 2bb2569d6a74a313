#!/usr/bin/python3 -B
# SPDX-License-Identifier: GPL-2.0-only
"""forms.py BITS DIRECTORY: write forms of instructions with an operand in memory.

Writes forms.h, with entries of the table in operands.c, and forms.S, with the code, into
DIRECTORY. Sizes and alignments come from the pages of the instructions in Intel's Software
Developer's Manual, volume 2.
"""

import os
import sys

# One of these instructions precedes a form, so that the emulator keeps the flags in different
# ways. They may change BX.
WAYS = ("", "addl $-16, %ebx", "subl $-16, %ebx", "stc; incl %ebx", "xorl %ebx, %ebx",
        "shll $7, %ebx", "sarl $1, %ebx", "stc; adcl $-1, %ebx", "stc; sbbl $1, %ebx",
        "btl $1, %ebx", "imull $0x10000, %ebx, %ebx", "negl %ebx", "stc; rcll $1, %ebx",
        "stc; roll $1, %ebx")

CONDITIONS = "o no b ae e ne be a s ns p np l ge le g".split()
# Each suffix has its size, and the names of AX, DX and CX.
INTEGERS = {"b": (1, "%al", "%dl", "%cl"), "w": (2, "%ax", "%dx", "%cx"),
            "l": (4, "%eax", "%edx", "%ecx"), "q": (8, "%rax", "%rdx", "%rcx")}

# These are instructions with vectors of integers: those of MMX, and those that SSE and SSE2
# added.
MMX = """paddb paddw paddd paddsb paddsw paddusb paddusw psubb psubw psubd psubsb psubsw psubusb
    psubusw pand pandn por pxor pcmpeqb pcmpeqw pcmpeqd pcmpgtb pcmpgtw pcmpgtd pmaddwd pmulhw
    pmullw packssdw packsswb packuswb punpckhbw punpckhwd punpckhdq psllw pslld psllq psrlw psrld
    psrlq psraw psrad""".split()
MMX_LATER = """paddq psubq pmulhuw pmuludq pavgb pavgw pmaxsw pmaxub pminsw pminub
    psadbw""".split()
SHIFTS = "psllw pslld psllq psrlw psrld psrlq psraw psrad".split()
LOW_HALVES = "punpcklbw punpcklwd punpckldq".split()
SSSE3 = """pshufb phaddw phaddd phaddsw phsubw phsubd phsubsw pmaddubsw pmulhrsw psignb psignw
    psignd pabsb pabsw pabsd""".split()
SSE41 = """pmulld pmuldq pmaxsb pmaxsd pmaxud pmaxuw pminsb pminsd pminud pminuw packusdw
    pcmpeqq""".split()


class Forms:
    """A list of forms, for 32-bit or 64-bit programs."""

    def __init__(self, bits):
        self.bits = bits
        self.forms = []

    def add(self, kind, size, text, *, group="BASE", base="DI", alignment=1):
        """Add a form. In its text, {m} is the operand."""
        letter = "r" if self.bits == 64 else "e"
        text = text.replace("{m}", f"(%{letter}{base.lower()})")
        self.forms.append((text, group, kind, base, size, alignment))

    def load(self, size, text, **options):
        """Add a form that reads its operand."""
        self.add("LOAD", size, text, **options)

    def store(self, size, text, **options):
        """Add a form that writes its operand, and perhaps reads it before."""
        self.add("STORE", size, text, **options)

    def push(self, size, text):
        """Add a form that writes below the stack pointer."""
        self.add("PUSH", size, text, base="SP")

    def vector(self, name, size=16, *, group="BASE", constant="", operands=3, ymm=0, wide="AVX",
               alignment=None):
        """Add a legacy form and its VEX forms, whose operands need not be aligned.

        operands: number of operands of the VEX forms
        ymm: number of bytes that the YMM form accesses, if there is one; it needs the feature
        @wide
        """
        aligned = alignment or (16 if size == 16 else 1)
        middle = {2: "", 3: "%{}mm2, "}[operands]
        self.load(size, f"{name} {constant}{{m}}, %xmm1", group=group, alignment=aligned)
        self.load(size, f"v{name} {constant}{{m}}, {middle.format('x')}%xmm1", group="AVX")
        if ymm:
            self.load(ymm, f"v{name} {constant}{{m}}, {middle.format('y')}%ymm1", group=wide)


def arithmetic(forms, letter):
    """Add instructions that calculate with integers of a size."""
    size, ax, dx, cx = INTEGERS[letter]
    for name in "add or adc sbb and sub xor".split():
        forms.load(size, f"{name} {{m}}, {ax}")
        forms.store(size, f"{name} {ax}, {{m}}")
        forms.store(size, f"lock {name} {ax}, {{m}}")
        forms.store(size, f"{name}{letter} $1, {{m}}")
    for name in ("cmp", "test"):
        forms.load(size, f"{name} {ax}, {{m}}")
        forms.load(size, f"{name}{letter} $1, {{m}}")
    forms.load(size, f"cmp {{m}}, {ax}")
    for name in "inc dec not neg".split():
        forms.store(size, f"{name}{letter} {{m}}")
        forms.store(size, f"lock {name}{letter} {{m}}")
    for name in "rol ror rcl rcr shl shr sar".split():
        for count in ("", "$3, ", "%cl, "):
            forms.store(size, f"{name}{letter} {count}{{m}}")
    for name in "mul imul div idiv".split():
        forms.load(size, f"{name}{letter} {{m}}")
    forms.store(size, f"xchg {ax}, {{m}}")
    for prefix in ("", "lock "):
        forms.store(size, f"{prefix}xadd {ax}, {{m}}")
        forms.store(size, f"{prefix}cmpxchg {dx}, {{m}}")
    if letter == "b":
        return
    for name in ("bt", "bts", "btr", "btc"):
        for number in ("$3", cx):
            forms.add("LOAD" if name == "bt" else "STORE", size,
                      f"{name}{letter} {number}, {{m}}")
        if name != "bt":
            forms.store(size, f"lock {name}{letter} $3, {{m}}")
    for name in ("shld", "shrd"):
        forms.store(size, f"{name} $3, {ax}, {{m}}")
        forms.store(size, f"{name} %cl, {ax}, {{m}}")
    for name in ("bsf", "bsr", "imul"):
        forms.load(size, f"{name} {{m}}, {ax}")
    forms.load(size, f"imul $3, {{m}}, {ax}")


def integers(forms):
    """Add moves, arithmetic of the general registers, and strings."""
    for letter in "bwl" if forms.bits == 32 else "bwlq":
        size, ax = INTEGERS[letter][:2]
        forms.load(size, f"mov {{m}}, {ax}")
        forms.store(size, f"mov {ax}, {{m}}")
        forms.store(size, f"mov{letter} $1, {{m}}")
        arithmetic(forms, letter)
        for name in ("lods", "movs", "cmps"):
            forms.load(size, f"{name}{letter}", base="SI")
        for name in ("stos", "movs"):
            forms.store(size, f"{name}{letter}")
        for name in ("scas", "cmps"):
            forms.load(size, f"{name}{letter}")
    for condition in CONDITIONS:
        forms.store(1, f"set{condition} {{m}}")
    for name, size in (("movzbl", 1), ("movsbl", 1), ("movzwl", 2), ("movswl", 2)):
        forms.load(size, f"{name} {{m}}, %eax")
    for prefix in ("", "lock "):
        forms.store(8, f"{prefix}cmpxchg8b {{m}}")
    forms.load(1, "xlat", base="BX")
    forms.store(2, "movw %ds, {m}")
    forms.load(2, "mov {m}, %es")
    for size, name in ((4, "sldt"), (4, "str")):
        forms.store(size // 2, f"{name} {{m}}", group="NO_UMIP")
    for name in ("sgdt", "sidt"):
        forms.store(6 if forms.bits == 32 else 10, f"{name} {{m}}", group="NO_UMIP")


def integers64(forms):
    """Add instructions with integers that later processors have."""
    for prefix in ("", "lock "):
        forms.store(16, f"{prefix}cmpxchg16b {{m}}", group="CX16", alignment=16)
    forms.load(4, "movslq {m}, %rax")
    for letter in "wlq":
        size, ax = INTEGERS[letter][:2]
        for name in ("cmovnz", "cmovz"):
            forms.load(size, f"{name} {{m}}, {ax}")
        forms.load(size, f"movbe {{m}}, {ax}", group="MOVBE")
        forms.store(size, f"movbe {ax}, {{m}}", group="MOVBE")
        forms.load(size, f"popcnt {{m}}, {ax}", group="SSE42")
        for name in ("tzcnt", "lzcnt"):
            forms.load(size, f"{name} {{m}}, {ax}", group="BMI")
    for letter, size in (("b", 1), ("w", 2), ("l", 4), ("q", 8)):
        forms.load(size, f"crc32{letter} {{m}}, %{'r' if size == 8 else 'e'}ax", group="SSE42")
    for letter in "lq":
        size, ax, dx = INTEGERS[letter][:3]
        forms.store(size, f"movnti {ax}, {{m}}")
        for name in ("andn", "pdep", "pext", "mulx"):
            forms.load(size, f"{name} {{m}}, {ax}, {dx}", group="BMI")
        for name in ("bextr", "bzhi", "sarx", "shlx", "shrx"):
            forms.load(size, f"{name} {dx}, {{m}}, {ax}", group="BMI")
        for name in ("blsi", "blsr", "blsmsk"):
            forms.load(size, f"{name} {{m}}, {ax}", group="BMI")
        forms.load(size, f"rorx $3, {{m}}, {ax}", group="BMI")
        for name in ("adcx", "adox"):
            forms.load(size, f"{name} {{m}}, {ax}", group="ADX")


def stack(forms):
    """Add stack instructions, and near and far transfers of control."""
    word, letter, name = (8, "q", "rax") if forms.bits == 64 else (4, "l", "eax")
    for size, suffix, register in ((word, letter, name), (2, "w", "ax")):
        forms.push(size, f"push %{register}")
        forms.push(size, f"push{suffix} $1")
        forms.push(size, f"push{suffix} (%{name[0]}di)")
        forms.load(size, f"push{suffix} {{m}}")
        forms.load(size, f"pop %{register}", base="SP")
        forms.load(size, f"pop{suffix} (%{name[0]}di)", base="SP")
        forms.store(size, f"pop{suffix} {{m}}")
        forms.push(size, f"pushf{suffix}")
        forms.load(size, f"popf{suffix}", base="SP")
        forms.push(size, f"push{suffix} %fs")
    forms.push(word, "enter $0, $0")
    # ENTER also faults if a store to the new stack pointer would fault.
    forms.add("PUSH|ANY_ORDER|STORES_FIRST", 16 + word, "enter $16, $0", base="SP")
    forms.load(word, "leave", base="BP")
    forms.push(word, "call runner_end")
    forms.load(word, "call *{m}")
    forms.load(word, "jmp *{m}")
    forms.load(word, "ret", base="SP")
    forms.load(word, "ret $8", base="SP")
    # These are far transfers with 32-bit operands.
    forms.load(6, "ljmp *{m}")
    forms.load(6, "lcall *{m}")
    forms.add("PUSH|ANY_ORDER|STORES_FIRST", 8, f"lcall *(%{name[0]}si)", base="SP")
    for text, size in (("lretl", 8), ("lretl $8", 8), *((("lretq", 16),) if word == 8 else ())):
        forms.add("LOAD|ANY_ORDER", size, text, base="SP")
    if forms.bits == 64:
        forms.add("LOAD|ANY_ORDER", 20, "iretl", base="SP")
        forms.add("LOAD|ANY_ORDER", 40, "iretq", base="SP")
    else:
        forms.add("LOAD|ANY_ORDER", 12, "iretl", base="SP")


def stack32(forms):
    """Add instructions that only programs of 32 bits have."""
    # Processors may push or pop the registers one by one.
    for text, size in (("pushal", 32), ("pushaw", 16)):
        forms.add("PUSH|ANY_ORDER|STORES_FIRST", size, text, base="SP")
    for text, size in (("popal", 32), ("popaw", 16)):
        forms.add("LOAD|ANY_ORDER|PARTIAL", size, text, base="SP")
    forms.push(4, "pushl %es")
    forms.load(4, "pop %es", base="SP")
    for name in ("lds", "les"):
        forms.add("LOAD|ANY_ORDER", 6, f"{name} {{m}}, %eax")
    forms.add("LOAD|ANY_ORDER", 8, "bound %eax, {m}")
    forms.add("LOAD|ANY_ORDER", 4, "bound %ax, {m}")


def x87(forms):
    """Add x87 instructions: with numbers, and with the state of the x87."""
    for name, size in (("flds", 4), ("fldl", 8), ("fldt", 10), ("fbld", 10), ("filds", 2),
                       ("fildl", 4), ("fildll", 8), ("fldcw", 2)):
        forms.load(size, f"{name} {{m}}")
    for name, size in (("fsts", 4), ("fstps", 4), ("fstl", 8), ("fstpl", 8), ("fstpt", 10),
                       ("fbstp", 10), ("fists", 2), ("fistps", 2), ("fistl", 4), ("fistpl", 4),
                       ("fistpll", 8), ("fnstcw", 2), ("fnstsw", 2)):
        forms.store(size, f"{name} {{m}}")
    for name in "add mul com comp sub subr div divr".split():
        for text, size in (("f{}s", 4), ("f{}l", 8), ("fi{}s", 2), ("fi{}l", 4)):
            forms.load(size, text.format(name) + " {m}")
    for prefix, environment in (("", 28), ("data16 ", 14)):
        for name, size in (("env", environment), ("save", environment + 80)):
            load = {"env": "fldenv", "save": "frstor"}[name]
            store = {"env": "fnstenv", "save": "fnsave"}[name]
            forms.add("LOAD|ANY_ORDER", size, f"{prefix}{load} {{m}}")
            forms.add("STORE|ANY_ORDER", size, f"{prefix}{store} {{m}}")


def states(forms):
    """Add FXSAVE and XSAVE. AX and DX select the lower halves of the vectors."""
    for name, size in (("fisttps", 2), ("fisttpl", 4), ("fisttpll", 8)):
        forms.store(size, f"{name} {{m}}")
    for suffix in ("", "64"):
        for name, size, group, alignment in (("fx", 512, "BASE", 16), ("x", 576, "XSAVE", 64)):
            forms.add("STORE|ANY_ORDER", size, f"{name}save{suffix} {{m}}", group=group,
                      alignment=alignment)
            forms.add("LOAD|ANY_ORDER", size, f"{name}rstor{suffix} {{m}}", group=group,
                      alignment=alignment)
    forms.store(4, "stmxcsr {m}")
    forms.load(4, "ldmxcsr {m}")


def mmx(forms):
    """Add the MMX instructions of the Pentium."""
    for name in MMX:
        forms.load(8, f"{name} {{m}}, %mm1", group="MMX")
    for name in LOW_HALVES:
        forms.load(4, f"{name} {{m}}, %mm1", group="MMX")
    for name, size in (("movd", 4), ("movq", 8)):
        forms.load(size, f"{name} {{m}}, %mm1", group="MMX")
        forms.store(size, f"{name} %mm1, {{m}}", group="MMX")


def mmx_later(forms):
    """Add the MMX instructions of SSE to SSSE3."""
    for name in MMX_LATER:
        forms.load(8, f"{name} {{m}}, %mm1")
    for name in SSSE3:
        forms.load(8, f"{name} {{m}}, %mm1", group="SSSE3")
    forms.load(8, "pshufw $1, {m}, %mm1")
    forms.load(8, "palignr $3, {m}, %mm1", group="SSSE3")
    forms.load(2, "pinsrw $1, {m}, %mm1")
    forms.store(8, "movntq %mm1, {m}")
    # The mask in MM1 selects all bytes. Even if the instruction faults, a processor may change
    # the state of the x87.
    forms.add("STORE|PARTIAL", 8, "maskmovq %mm1, %mm7")
    for name in ("ps", "pd"):
        forms.load(8, f"cvtpi2{name} {{m}}, %xmm1")
        for truncate in ("", "t"):
            size = {"ps": 8, "pd": 16}[name]
            forms.load(size, f"cvt{truncate}{name}2pi {{m}}, %mm1",
                       alignment=16 if size == 16 else 1)


def vector_integers(forms):
    """Add instructions with vectors of integers, from SSE2 to AVX2."""
    for name in (*MMX, *MMX_LATER, *LOW_HALVES, "punpcklqdq", "punpckhqdq"):
        forms.vector(name, ymm=16 if name in SHIFTS else 32, wide="AVX2")
    for name in SSSE3:
        forms.vector(name, group="SSSE3", operands=2 if name[:4] == "pabs" else 3, ymm=32,
                     wide="AVX2")
    forms.vector("palignr", group="SSSE3", constant="$3, ", ymm=32, wide="AVX2")
    for name in SSE41:
        forms.vector(name, group="SSE41", ymm=32, wide="AVX2")
    forms.vector("phminposuw", group="SSE41", operands=2)
    forms.vector("ptest", group="SSE41", operands=2, ymm=32)
    forms.vector("pcmpgtq", group="SSE42", ymm=32, wide="AVX2")
    for name in ("pshufd", "pshufhw", "pshuflw"):
        forms.vector(name, constant="$1, ", operands=2, ymm=32, wide="AVX2")
    for name in ("pblendw", "mpsadbw"):
        forms.vector(name, group="SSE41", constant="$1, ", ymm=32, wide="AVX2")
    for name in "pcmpestri pcmpestrm pcmpistri pcmpistrm".split():
        forms.vector(name, group="SSE42", constant="$1, ", operands=2, alignment=1)
    for name in "aesenc aesenclast aesdec aesdeclast".split():
        forms.vector(name, group="AES")
    forms.vector("aesimc", group="AES", operands=2)
    forms.vector("aeskeygenassist", group="AES", constant="$1, ", operands=2)
    forms.vector("pclmulqdq", group="PCLMUL", constant="$1, ")
    for kind, size in (("bw", 8), ("bd", 4), ("bq", 2), ("wd", 8), ("wq", 4), ("dq", 8)):
        for extension in "sz":
            forms.vector(f"pmov{extension}x{kind}", size, group="SSE41", operands=2,
                         ymm=2 * size, wide="AVX2")


def vector_floats(forms):
    """Add instructions with vectors of floating-point numbers, from SSE to AVX."""
    for name in "add sub mul div min max sqrt".split():
        for kind in ("ps", "pd"):
            forms.vector(name + kind, operands=2 if name == "sqrt" else 3, ymm=32)
        for kind, size in (("ss", 4), ("sd", 8)):
            forms.vector(name + kind, size)
    for name in "and andn or xor unpckl unpckh cmplt".split():
        for kind in ("ps", "pd"):
            forms.vector(name + kind, ymm=32)
    for kind, size in (("ss", 4), ("sd", 8)):
        forms.vector("cmplt" + kind, size)
        for name in ("comi", "ucomi"):
            forms.vector(name + kind, size, operands=2)
        forms.vector("round" + kind, size, group="SSE41", constant="$1, ")
    for name in "addsubps addsubpd haddps haddpd hsubps hsubpd".split():
        forms.vector(name, ymm=32)
    for name in ("rcp", "rsqrt"):
        forms.vector(f"{name}ps", operands=2, ymm=32)
        forms.vector(f"{name}ss", 4)
    for kind in ("ps", "pd"):
        forms.vector(f"shuf{kind}", constant="$1, ", ymm=32)
        forms.vector(f"blend{kind}", group="SSE41", constant="$1, ", ymm=32)
        forms.vector(f"round{kind}", group="SSE41", constant="$1, ", operands=2, ymm=32)
    forms.vector("dpps", group="SSE41", constant="$1, ", ymm=32)
    forms.vector("dppd", group="SSE41", constant="$1, ")
    forms.vector("insertps", 4, group="SSE41", constant="$1, ")
    for name, wide in (("blendvps", "AVX"), ("blendvpd", "AVX"), ("pblendvb", "AVX2")):
        forms.load(16, f"{name} %xmm0, {{m}}, %xmm1", group="SSE41", alignment=16)
        forms.load(16, f"v{name} %xmm0, {{m}}, %xmm2, %xmm1", group="AVX")
        forms.load(32, f"v{name} %ymm0, {{m}}, %ymm2, %ymm1", group=wide)


def conversions(forms):
    """Add conversions of vectors and scalars."""
    forms.vector("cvtss2sd", 4)
    forms.vector("cvtsd2ss", 8)
    for name in ("cvtps2pd", "cvtdq2pd"):
        forms.vector(name, 8, operands=2, ymm=16)
    for name in ("cvtdq2ps", "cvtps2dq", "cvttps2dq"):
        forms.vector(name, operands=2, ymm=32)
    for name in ("cvtpd2ps", "cvtpd2dq", "cvttpd2dq"):
        forms.load(16, f"{name} {{m}}, %xmm1", alignment=16)
        forms.load(16, f"v{name}x {{m}}, %xmm1", group="AVX")
        forms.load(32, f"v{name}y {{m}}, %xmm1", group="AVX")
    for vex, group in (("", "BASE"), ("v", "AVX")):
        for name, size in (("cvtss2si", 4), ("cvttss2si", 4), ("cvtsd2si", 8), ("cvttsd2si", 8)):
            for register in ("eax", "rax"):
                forms.load(size, f"{vex}{name} {{m}}, %{register}", group=group)
        for name in ("cvtsi2ss", "cvtsi2sd"):
            for letter, size in (("l", 4), ("q", 8)):
                forms.load(size, f"{vex}{name}{letter} {{m}}, {'%xmm2, ' if vex else ''}%xmm1",
                           group=group)
    forms.load(8, "vcvtph2ps {m}, %xmm1", group="F16C")
    forms.load(16, "vcvtph2ps {m}, %ymm1", group="F16C")
    forms.store(8, "vcvtps2ph $0, %xmm1, {m}", group="F16C")
    forms.store(16, "vcvtps2ph $0, %ymm1, {m}", group="F16C")
    for name in "vfmadd132 vfmsub213 vfnmadd231 vfnmsub132 vfmaddsub231 vfmsubadd213".split():
        for kind in ("ps", "pd"):
            forms.load(16, f"{name}{kind} {{m}}, %xmm2, %xmm1", group="FMA")
            forms.load(32, f"{name}{kind} {{m}}, %ymm2, %ymm1", group="FMA")
        if len(name) <= 10:
            forms.load(4, f"{name}ss {{m}}, %xmm2, %xmm1", group="FMA")
            forms.load(8, f"{name}sd {{m}}, %xmm2, %xmm1", group="FMA")


def moves(forms):
    """Add moves of whole vectors, and of parts of vectors."""
    for name, aligned in (("movaps", True), ("movapd", True), ("movdqa", True), ("movups", False),
                          ("movupd", False), ("movdqu", False)):
        for vex, register, size in (("", "xmm", 16), ("v", "xmm", 16), ("v", "ymm", 32)):
            options = {"group": "AVX" if vex else "BASE", "alignment": size if aligned else 1}
            forms.load(size, f"{vex}{name} {{m}}, %{register}1", **options)
            forms.store(size, f"{vex}{name} %{register}1, {{m}}", **options)
    forms.vector("lddqu", operands=2, alignment=1, ymm=32)
    for name in ("movntps", "movntpd", "movntdq"):
        forms.store(16, f"{name} %xmm1, {{m}}", alignment=16)
        forms.store(16, f"v{name} %xmm1, {{m}}", group="AVX", alignment=16)
        forms.store(32, f"v{name} %ymm1, {{m}}", group="AVX", alignment=32)
    forms.load(16, "movntdqa {m}, %xmm1", group="SSE41", alignment=16)
    forms.load(16, "vmovntdqa {m}, %xmm1", group="AVX", alignment=16)
    forms.load(32, "vmovntdqa {m}, %ymm1", group="AVX2", alignment=32)
    for vex, group, source in (("", "BASE", ""), ("v", "AVX", "%xmm2, ")):
        for name, size in (("movss", 4), ("movsd", 8), ("movd", 4), ("movq", 8)):
            forms.load(size, f"{vex}{name} {{m}}, %xmm1", group=group)
            forms.store(size, f"{vex}{name} %xmm1, {{m}}", group=group)
        for name in ("movlps", "movhps", "movlpd", "movhpd"):
            forms.load(8, f"{vex}{name} {{m}}, {source}%xmm1", group=group)
            forms.store(8, f"{vex}{name} %xmm1, {{m}}", group=group)
        forms.load(2, f"{vex}pinsrw $1, {{m}}, {source}%xmm1", group=group)
        group = "AVX" if vex else "SSE41"
        for letter, size in (("b", 1), ("d", 4), ("q", 8)):
            forms.load(size, f"{vex}pinsr{letter} $1, {{m}}, {source}%xmm1", group=group)
        for letter, size in (("b", 1), ("w", 2), ("d", 4), ("q", 8)):
            forms.store(size, f"{vex}pextr{letter} $1, %xmm1, {{m}}", group=group)
        forms.store(4, f"{vex}extractps $1, %xmm1, {{m}}", group=group)
    forms.vector("movddup", 8, operands=2, ymm=32)
    for name in ("movsldup", "movshdup"):
        forms.vector(name, operands=2, ymm=32)


def avx(forms):
    """Add the new instructions of AVX and AVX2, except gathers and those with masks."""
    for register in ("xmm1", "ymm1"):
        forms.load(4, f"vbroadcastss {{m}}, %{register}", group="AVX")
        for letter, size in (("b", 1), ("w", 2), ("d", 4), ("q", 8)):
            forms.load(size, f"vpbroadcast{letter} {{m}}, %{register}", group="AVX2")
    forms.load(8, "vbroadcastsd {m}, %ymm1", group="AVX")
    for letter, group in (("f", "AVX"), ("i", "AVX2")):
        forms.load(16, f"vbroadcast{letter}128 {{m}}, %ymm1", group=group)
        forms.load(16, f"vinsert{letter}128 $1, {{m}}, %ymm2, %ymm1", group=group)
        forms.store(16, f"vextract{letter}128 $1, %ymm1, {{m}}", group=group)
        forms.load(32, f"vperm2{letter}128 $1, {{m}}, %ymm2, %ymm1", group=group)
    for register, size in (("x", 16), ("y", 32)):
        for name in ("vpermilps", "vpermilpd"):
            forms.load(size, f"{name} $1, {{m}}, %{register}mm1", group="AVX")
            forms.load(size, f"{name} {{m}}, %{register}mm2, %{register}mm1", group="AVX")
        for name in ("vtestps", "vtestpd"):
            forms.load(size, f"{name} {{m}}, %{register}mm1", group="AVX")
        for name in ("vpblendd $1,", "vpsllvd", "vpsllvq", "vpsrlvd", "vpsrlvq", "vpsravd"):
            forms.load(size, f"{name} {{m}}, %{register}mm2, %{register}mm1", group="AVX2")
    for name in ("vpermq", "vpermpd"):
        forms.load(32, f"{name} $1, {{m}}, %ymm1", group="AVX2")
    for name in ("vpermd", "vpermps"):
        forms.load(32, f"{name} {{m}}, %ymm2, %ymm1", group="AVX2")


def selected(number, element, size):
    """Return the first byte that a mask selects, and the byte after the last one.

    XMM8 selects all bytes, XMM9 the lower 16, XMM10 the upper 16, and XMM11 none. XMM12 selects
    the lowest 4; it also has bits that are not the sign of an element.
    """
    first, end = {8: (0, 32), 9: (0, 16), 10: (16, 32), 11: (0, 0), 12: (0, 4)}[number]
    return (first, min(end, size)) if number != 12 or element == 4 else (0, 0)


def masks(forms):
    """Add moves with a mask. The operand is the part that the mask selects."""
    for name, element, group in (("vmaskmovps", 4, "AVX"), ("vmaskmovpd", 8, "AVX"),
                                 ("vpmaskmovd", 4, "AVX2"), ("vpmaskmovq", 8, "AVX2")):
        for register, size in (("x", 16), ("y", 32)):
            for number in range(8, 13):
                first, end = selected(number, element, size)
                if first > end or (number == 12 and not end):
                    continue
                place = f"{-first or ''}{{m}}"
                mask, data = f"%{register}mm{number}", f"%{register}mm1"
                forms.load(end - first, f"{name} {place}, {mask}, {data}", group=group)
                forms.store(end - first, f"{name} {data}, {mask}, {place}", group=group)
    forms.store(16, "maskmovdqu %xmm8, %xmm1")


def gathers(forms):
    """Add gathers of adjacent elements.

    XMM14 and XMM13 have indices of 4 bytes: 0, 4 and so on. XMM15 has indices of 8 bytes, which
    are twice as large.
    """
    for kind in ("dd", "dps", "dq", "dpd", "qd", "qps", "qq", "qpd"):
        index = 4 if kind[0] == "d" else 8
        element = 4 if kind[1:] in ("d", "ps") else 8
        for width in (16, 32):
            number = min(width // index, width // element)
            data = "x" if number * element <= 16 else "y"
            indices = "x" if number * index <= 16 else "y"
            vector, scale = (14, element // 4) if index == 4 else (11 + element // 2, 1)
            if (index, element) == (8, 4):
                vector = 13
            for mask in (8, 9, 10, 11, 12):
                first, end = selected(mask, element, number * element)
                if first > end or (first == end and mask != 11):
                    continue
                name = f"v{'' if kind[1] == 'p' else 'p'}gather{kind}"
                forms.add("LOAD|ANY_ORDER|PARTIAL", end - first,
                          f"{name} %{data}mm{mask}, {-first or ''}(%rdi,%{indices}mm{vector},"
                          f"{scale}), %{data}mm1", group="AVX2")


def collect(bits):
    """Return the forms of 32-bit or 64-bit programs, without duplicates."""
    forms = Forms(bits)
    common = (integers, stack, x87, mmx)
    others = (integers64, states, mmx_later, vector_integers, vector_floats, conversions, moves,
              avx, masks, gathers)
    for kind in common + ((stack32,) if bits == 32 else others):
        kind(forms)
    return list(dict.fromkeys(forms.forms))


def code_of(forms, bits):
    """Yield the lines of the assembler file."""
    word = ".quad" if bits == 64 else ".long"
    yield "\t.text"
    for way, before in enumerate(WAYS):
        yield f"nothing_{way}:\t{before}\n\tjmp\trunner_end"
        for number, (text, *_) in enumerate(forms):
            yield (f"form_{number}_{way}:\t{before}\nat_{number}_{way}:\t{text}\n"
                   "\tjmp\trunner_end")
    yield "\t.data\n\t.globl\trunner_codes, runner_nothing, runner_ways\nrunner_codes:"
    for number in range(len(forms)):
        for way in range(len(WAYS)):
            yield f"\t{word}\tform_{number}_{way}, at_{number}_{way}"
    yield "runner_nothing:"
    for way in range(len(WAYS)):
        yield f"\t{word}\tnothing_{way}"
    yield "runner_ways:"
    for way in range(len(WAYS)):
        yield f"\t{word}\tname_{way}"
    for way, before in enumerate(WAYS):
        yield f'name_{way}:\t.asciz "all is missing, after \'{before}\'"'
    yield "\t.section .note.GNU-stack, \"\", @progbits"


def main():
    """Write both files."""
    bits, directory = int(sys.argv[1]), sys.argv[2]
    forms = collect(bits)
    with open(os.path.join(directory, "forms.S"), "w", encoding="ascii") as file:
        file.writelines(line + "\n" for line in code_of(forms, bits))
    with open(os.path.join(directory, "forms.h"), "w", encoding="ascii") as file:
        file.write(f"#define NR_WAYS {len(WAYS)}\n")
    with open(os.path.join(directory, "forms-table.h"), "w", encoding="ascii") as file:
        for text, group, kind, base, size, alignment in forms:
            file.write(f'{{ "{text}", {group}, {kind.replace("|", " | ")}, {base}, {size}, '
                       f"{alignment} }},\n")


main()
