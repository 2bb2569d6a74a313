# SPDX-License-Identifier: GPL-2.0-only
"""List forms of instructions with an operand in memory, as tables.

A form's text has {m} for the operand, {r} for any register of its size, {s} for the size's
letter and {i} for an immediate. Flags are C, P, A, Z, S and O. A form lists the flags that it
needs, that it defines, and that are undefined afterwards. It keeps all others.
"""

import dataclasses

ALL = "CPAZSO"
CONDITIONS = {"o": "O", "no": "O", "b": "C", "ae": "C", "e": "Z", "ne": "Z", "be": "CZ", "a": "CZ",
              "s": "S", "ns": "S", "p": "P", "np": "P", "l": "SO", "ge": "SO", "le": "ZSO",
              "g": "ZSO"}

# These are the levels of instruction sets of 64-bit processors. Each level includes the level
# before it. The first processors of the levels are K8, Core 2 (Penryn), Nehalem, Sandy Bridge,
# Haswell and Zen.
LEVELS = ("sse2", "sse4.1", "sse4.2", "avx", "avx2", "adx")


@dataclasses.dataclass(frozen=True)
class Form:
    """A form of instructions.

    access: as in program.Access, or "rw" for a read and a write
    sizes: the letters of the sizes that its operand can have needs, defines, undefines: the
    flags that it needs, that it defines, and that it makes undefined
    count: whether CL must be a number of bits
    bits: whether {r} is the number of a bit, counted from the operand on
    quotient: whether it may raise #DE
    stays: whether its operand must be accessible, because processors differ if it is read-only
    aligned: whether its operand must be aligned
    level: the first level of processors that have it
    """

    text: str
    access: str
    sizes: str = "bwl"
    needs: str = ""
    defines: str = ""
    undefines: str = ""
    count: bool = False
    bits: bool = False
    quotient: bool = False
    stays: bool = False
    aligned: bool = False
    level: str = LEVELS[0]


def arithmetic():
    """Yield ADD to CMP."""
    for name in ("add", "sub", "adc", "sbb", "and", "or", "xor", "cmp"):
        flags = {"defines": "CPZSO", "undefines": "A"} if name in ("and", "or", "xor") else \
            {"defines": ALL}
        flags["needs"] = "C" if name in ("adc", "sbb") else ""
        target = "r" if name == "cmp" else "rw"
        yield Form(f"{name}{{s}} {{m}}, {{r}}", "r", **flags)
        yield Form(f"{name}{{s}} {{r}}, {{m}}", target, **flags)
        yield Form(f"{name}{{s}} ${{i}}, {{m}}", target, **flags)
        yield Form(f"{name}{{s}} $5, {{m}}", target, **flags)
        if target == "rw":
            yield Form(f"lock {name}{{s}} {{r}}, {{m}}", "l", **flags)
            yield Form(f"lock {name}{{s}} ${{i}}, {{m}}", "l", **flags)


def unary():
    """Yield INC, DEC, NEG and NOT."""
    for name, defines in (("inc", "PAZSO"), ("dec", "PAZSO"), ("neg", ALL), ("not", "")):
        yield Form(f"{name}{{s}} {{m}}", "rw", defines=defines)
        yield Form(f"lock {name}{{s}} {{m}}", "l", defines=defines)


def products():
    """Yield multiplications and divisions."""
    flags = {"defines": "CO", "undefines": "PAZS"}
    yield Form("mul{s} {m}", "r", **flags)
    yield Form("imul{s} {m}", "r", **flags)
    yield Form("imul{s} {m}, {r}", "r", "wl", **flags)
    yield Form("imul{s} ${i}, {m}, {r}", "r", "wl", **flags)
    yield Form("imul{s} $-3, {m}, {r}", "r", "wl", **flags)
    yield Form("div{s} {m}", "r", undefines=ALL, quotient=True)
    yield Form("idiv{s} {m}", "r", undefines=ALL, quotient=True)


def shifts():
    """Yield shifts and rotations."""
    for name in ("rol", "ror", "rcl", "rcr"):
        flags = {"needs": "C" if name in ("rcl", "rcr") else ""}
        yield Form(f"{name}{{s}} {{m}}", "rw", defines="CO", **flags)
        yield Form(f"{name}{{s}} $3, {{m}}", "rw", defines="C", undefines="O", **flags)
        yield Form(f"{name}{{s}} %cl, {{m}}", "rw", defines="C", undefines="O", count=True, **flags)
    for name in ("shl", "shr", "sar"):
        yield Form(f"{name}{{s}} {{m}}", "rw", defines="CPZSO", undefines="A")
        yield Form(f"{name}{{s}} $5, {{m}}", "rw", defines="CPZS", undefines="AO")
        yield Form(f"{name}{{s}} %cl, {{m}}", "rw", defines="CPZS", undefines="AO", count=True)
    for name in ("shld", "shrd"):
        yield Form(f"{name}{{s}} $7, {{r}}, {{m}}", "rw", "wl", defines="CPZS", undefines="AO")
        yield Form(f"{name}{{s}} %cl, {{r}}, {{m}}", "rw", "wl", defines="CPZS", undefines="AO",
                   count=True)


def bits():
    """Yield tests and scans of bits."""
    flags = {"defines": "C", "undefines": "PAZSO"}
    for name, access in (("bt", "r"), ("bts", "rw"), ("btr", "rw"), ("btc", "rw")):
        yield Form(f"{name}{{s}} $3, {{m}}", access, "wl", **flags)
        yield Form(f"{name}{{s}} {{r}}, {{m}}", access, "wl", bits=True, **flags)
        if access == "rw":
            yield Form(f"lock {name}{{s}} $3, {{m}}", "l", "wl", **flags)
            yield Form(f"lock {name}{{s}} {{r}}, {{m}}", "l", "wl", bits=True, **flags)
    for name in ("bsf", "bsr"):
        yield Form(f"{name}{{s}} {{m}}, {{r}}", "r", "wl", defines="Z", undefines="CPASO")


def moves():
    """Yield moves, exchanges and comparisons."""
    yield Form("mov{s} {r}, {m}", "w")
    yield Form("mov{s} {m}, {r}", "r")
    yield Form("mov{s} ${i}, {m}", "w")
    for name in ("movzbw", "movsbw"):
        yield Form(f"{name} {{m}}, %cx", "r", "b")
    for name in ("movzbl", "movsbl"):
        yield Form(f"{name} {{m}}, %edx", "r", "b")
    for name in ("movzwl", "movswl"):
        yield Form(f"{name} {{m}}, %ebx", "r", "w")
    yield Form("test{s} {r}, {m}", "r", defines="CPZSO", undefines="A")
    yield Form("test{s} ${i}, {m}", "r", defines="CPZSO", undefines="A")
    yield Form("xchg{s} {r}, {m}", "l")
    yield Form("xadd{s} {r}, {m}", "rw", defines=ALL)
    yield Form("lock xadd{s} {r}, {m}", "l", defines=ALL)
    yield Form("cmpxchg{s} {r}, {m}", "rw", defines=ALL)
    yield Form("lock cmpxchg{s} {r}, {m}", "l", defines=ALL)
    yield Form("cmpxchg8b {m}", "rw", "q", defines="Z")
    yield Form("lock cmpxchg8b {m}", "l", "q", defines="Z")
    yield Form("arpl {r}, {m}", "rw", "w", defines="Z", stays=True)
    for condition, needs in CONDITIONS.items():
        yield Form(f"set{condition} {{m}}", "w", "b", needs=needs)


MEMORY32 = (*arithmetic(), *unary(), *products(), *shifts(), *bits(), *moves())


def with_quadwords(form):
    """Return a form together with the same form for operands of 64 bits."""
    if form.text[:3] in ("bsf", "bsr"):
        # If no bit is set, processors differ in the upper half of the register.
        return dataclasses.replace(form, sizes="wq")
    return dataclasses.replace(form, sizes=form.sizes + "q" * (form.sizes in ("bwl", "wl")))


def moves64():
    """Yield forms that only 64-bit programs have, and forms that are newer than the Pentium."""
    for kind in ("movzbq", "movsbq", "movzwq", "movswq", "movslq"):
        yield Form(f"{kind} {{m}}, %r14", "r", {"b": "b", "w": "w", "l": "l"}[kind[4]])
    for prefix, access in (("", "rw"), ("lock ", "l")):
        yield Form(f"{prefix}cmpxchg16b {{m}}", access, "o", defines="Z", aligned=True,
                   level="sse4.1")
    yield Form("movnti{s} {r}, {m}", "w", "lq")
    yield Form("nop{s} {m}", "", "wl")
    yield Form("prefetcht0 {m}", "", "b")
    for condition, needs in CONDITIONS.items():
        yield Form(f"cmov{condition}{{s}} {{m}}, {{r}}", "r", "wlq", needs=needs)
    yield Form("popcnt{s} {m}, {r}", "r", "wlq", defines=ALL, level="sse4.2")
    for letter in "bwlq":
        yield Form(f"crc32{letter} {{m}}, %r9{'' if letter == 'q' else 'd'}", "r", letter,
                   level="sse4.2")


def moves_avx2():
    """Yield the forms that AVX2 and ADX added."""
    yield Form("movbe{s} {m}, {r}", "r", "wlq", level="avx2")
    yield Form("movbe{s} {r}, {m}", "w", "wlq", level="avx2")
    yield Form("andn{s} {m}, {r}, {r}", "r", "lq", defines="CZSO", undefines="PA", level="avx2")
    for name in ("blsi", "blsr", "blsmsk"):
        yield Form(f"{name}{{s}} {{m}}, {{r}}", "r", "lq", defines="CZSO", undefines="PA",
                   level="avx2")
    yield Form("bextr{s} {r}, {m}, {r}", "r", "lq", defines="CZO", undefines="PAS", level="avx2")
    yield Form("bzhi{s} {r}, {m}, {r}", "r", "lq", defines="CZSO", undefines="PA", level="avx2")
    for name in ("lzcnt", "tzcnt"):
        yield Form(f"{name}{{s}} {{m}}, {{r}}", "r", "wlq", defines="CZ", undefines="PASO",
                   level="avx2")
    for name in ("sarx", "shlx", "shrx"):
        yield Form(f"{name}{{s}} {{r}}, {{m}}, {{r}}", "r", "lq", level="avx2")
    yield Form("rorx{s} $11, {m}, {r}", "r", "lq", level="avx2")
    yield Form("mulxl {m}, %r8d, %r9d", "r", "l", level="avx2")
    yield Form("mulxq {m}, %r8, %r9", "r", "q", level="avx2")
    for name in ("pdep", "pext"):
        yield Form(f"{name}{{s}} {{m}}, {{r}}, {{r}}", "r", "lq", level="avx2")
    yield Form("adcx{s} {m}, {r}", "r", "lq", needs="C", defines="C", level="adx")
    yield Form("adox{s} {m}, {r}", "r", "lq", needs="O", defines="O", level="adx")


MEMORY64 = (*(with_quadwords(form) for form in MEMORY32 if not form.text.startswith("arpl")),
            *moves64(), *moves_avx2())

# These forms have no operand in memory. Each has its text, and the flags that it needs, that it
# defines, and that it makes undefined.
REGISTER32 = (
    ("clc", "", "C", ""), ("stc", "", "C", ""), ("cmc", "C", "C", ""),
    ("cld", "", "", ""), ("nop", "", "", ""), ("lahf", "CPAZS", "", ""),
    ("sahf", "", "CPAZS", ""), ("cwtl", "", "", ""), ("cbtw", "", "", ""), ("cltd", "", "", ""),
    ("cwtd", "", "", ""), ("daa", "CA", "CPAZS", "O"), ("das", "CA", "CPAZS", "O"),
    ("aaa", "A", "CA", "PZSO"), ("aas", "A", "CA", "PZSO"), ("aam", "", "PZS", "CAO"),
    ("aad", "", "PZS", "CAO"), ("aam $7", "", "PZS", "CAO"),
    ("leal 5(%eax, %ecx, 4), %edx", "", "", ""), ("bswap %ebx", "", "", ""),
    ("incl %edx", "", "PAZSO", ""), ("decb %ch", "", "PAZSO", ""), ("negl %ebx", "", ALL, ""),
    ("notw %cx", "", "", ""), ("addl %ecx, %eax", "", ALL, ""), ("sbbl %edx, %ebx", "C", ALL, ""),
    ("adcb %ah, %dl", "C", ALL, ""), ("xorl %ecx, %edx", "", "CPZSO", "A"),
    ("subl %ecx, %ecx", "", ALL, ""), ("xorl %edx, %edx", "", "CPZSO", "A"),
    ("cmpw %ax, %bx", "", ALL, ""), ("rcll %edx", "C", "CO", ""), ("rorw $3, %bx", "", "C", "O"),
    ("shrl $9, %eax", "", "CPZS", "AO"), ("btsl $5, %edx", "", "C", "PAZSO"),
    ("imull %ecx, %ebx", "", "CO", "PAZS"), ("mull %ebx", "", "CO", "PAZS"),
    ("xchgl %ecx, %ebx", "", "", ""), ("xaddw %cx, %dx", "", ALL, ""),
    ("cmpxchgl %ecx, %ebx", "", ALL, ""), ("setbe %dh", "CZ", "", ""), ("setp %ah", "P", "", ""),
    ("movb %dh, %al", "", "", ""), ("movsbl %bh, %ecx", "", "", ""),
)

# Not every processor has these forms in 64-bit mode.
GONE = ("daa", "das", "aaa", "aas", "aam", "aad", "lahf", "sahf")
REGISTER64 = (
    *(form for form in REGISTER32 if form[0].split()[0] not in GONE),
    ("leaq 5(%rax, %r9, 8), %r10", "", "", ""), ("leal -3(%r8d, %ecx, 2), %edx", "", "", ""),
    ("leaq data+77(%rip), %r14", "", "", ""), ("bswapq %r8", "", "", ""),
    ("cqto", "", "", ""), ("cltq", "", "", ""), ("movslq %edx, %r9", "", "", ""),
    ("incq %rdx", "", "PAZSO", ""), ("decb %sil", "", "PAZSO", ""), ("negq %r15", "", ALL, ""),
    ("addq %r9, %rax", "", ALL, ""), ("sbbq %r8, %rbx", "C", ALL, ""),
    ("adcb %r10b, %dl", "C", ALL, ""), ("xorl %r9d, %r9d", "", "CPZSO", "A"),
    ("rclq %rdx", "C", "CO", ""), ("rorq $3, %rbx", "", "C", "O"),
    ("shlq $33, %r10", "", "CPZS", "AO"), ("btcq $45, %rdx", "", "C", "PAZSO"),
    ("imulq %rcx, %rbx", "", "CO", "PAZS"), ("mulq %r14", "", "CO", "PAZS"),
    ("xchgq %r8, %rbx", "", "", ""), ("xchgl %eax, %r8d", "", "", ""),
    ("xaddq %rcx, %r15", "", ALL, ""), ("cmpxchgq %rcx, %r14", "", ALL, ""),
    ("setbe %r9b", "CZ", "", ""), ("movabsq $0x123456789abcdef0, %r11", "", "", ""),
    ("movq $-5, %rcx", "", "", ""), ("movl $-5, %ebx", "", "", ""), ("pause", "", "", ""),
    ("mfence", "", "", ""), ("lfence", "", "", ""), ("cmovsl %ecx, %r9d", "S", "", ""),
    ("endbr64", "", "", ""), ("nopw 5(%rax)", "", "", ""),
)

# MMX_8 are MMX instructions that read 8 bytes of memory; others read 4 bytes.
MMX_8 = """paddb paddw paddd paddsb paddsw paddusb paddusw psubb psubw psubd psubsb psubsw psubusb
psubusw pand pandn por pxor pcmpeqb pcmpeqw pcmpeqd pcmpgtb pcmpgtw pcmpgtd pmaddwd pmulhw pmullw
packssdw packsswb packuswb punpckhbw punpckhwd punpckhdq psllw pslld psllq psrlw psrld psrlq psraw
psrad movq""".split()
MMX_4 = ("punpcklbw", "punpcklwd", "punpckldq", "movd")

# These are x87 instructions with an operand in memory: loads, calculations and stores, each
# with the kind of the operand.
X87_LOADS = (("flds", "m32"), ("fldl", "m64"), ("fldt", "m80"), ("filds", "i16"), ("fildl", "i32"),
             ("fildll", "i64"), ("fbld", "bcd"))
X87_CONSTANTS = ("fld1", "fldz", "fldpi")
X87_SUMS = tuple((f"f{name}{letter}", kind) for name in
                 ("add", "sub", "subr", "mul", "div", "divr", "com")
                 for letter, kind in (("s", "m32"), ("l", "m64"))) + \
    tuple((f"fi{name}{letter}", kind) for name in
          ("add", "sub", "subr", "mul", "div", "divr", "com")
          for letter, kind in (("s", "i16"), ("l", "i32")))
X87_COMPARE_POP = (("fcomps", "m32"), ("fcompl", "m64"), ("ficomps", "i16"), ("ficompl", "i32"))
X87_STORES = (("fsts", "f", 4), ("fstl", "f", 8), ("fists", "w", 2), ("fistl", "w", 4))
X87_STORE_POPS = (("fstps", "f", 4), ("fstpl", "f", 8), ("fstpt", "f", 10), ("fistps", "w", 2),
                  ("fistpl", "w", 4), ("fistpll", "w", 8), ("fbstp", "w", 10))
X87_REGISTERS = ("fabs", "fchs", "frndint", "ftst", "fxam", "fnop", "fwait", "fnclex",
                 "fadd %st(0), %st", "fmul %st(0), %st", "fxch %st(0)", "fst %st(0)")
