# SPDX-License-Identifier: GPL-2.0-only
"""Forms of instructions with an operand in memory, as tables.

A form's text has {m} for the operand, {r} for any register of its size, {s} for the size's letter
and {i} for an immediate. Flags are C, P, A, Z, S, O: those that it needs, that it defines, and
that are undefined afterwards; it keeps the others.
"""

import dataclasses

ALL = "CPAZSO"
CONDITIONS = {"o": "O", "no": "O", "b": "C", "ae": "C", "e": "Z", "ne": "Z", "be": "CZ", "a": "CZ",
              "s": "S", "ns": "S", "p": "P", "np": "P", "l": "SO", "ge": "SO", "le": "ZSO",
              "g": "ZSO"}


@dataclasses.dataclass(frozen=True)
class Form:
    """One form.

    access: as in program.Access, or "r" and "w" for one of each
    sizes: the letters of its operand's sizes
    needs, defines, undefines: flags
    count: CL is to be a number of bits
    bits: {r} is the number of a bit from the operand on
    quotient: it may raise #DE
    stays: its operand must be accessible: processors differ in what they do if it is read-only
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


def arithmetic():
    """ADD to CMP."""
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
    """INC, DEC, NEG, NOT."""
    for name, defines in (("inc", "PAZSO"), ("dec", "PAZSO"), ("neg", ALL), ("not", "")):
        yield Form(f"{name}{{s}} {{m}}", "rw", defines=defines)
        yield Form(f"lock {name}{{s}} {{m}}", "l", defines=defines)


def products():
    """Multiplication and division."""
    flags = {"defines": "CO", "undefines": "PAZS"}
    yield Form("mul{s} {m}", "r", **flags)
    yield Form("imul{s} {m}", "r", **flags)
    yield Form("imul{s} {m}, {r}", "r", "wl", **flags)
    yield Form("imul{s} ${i}, {m}, {r}", "r", "wl", **flags)
    yield Form("imul{s} $-3, {m}, {r}", "r", "wl", **flags)
    yield Form("div{s} {m}", "r", undefines=ALL, quotient=True)
    yield Form("idiv{s} {m}", "r", undefines=ALL, quotient=True)


def shifts():
    """Shifts and rotations."""
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
    """Tests and scans of bits."""
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
    """Moves, exchanges and comparisons."""
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


MEMORY = (*arithmetic(), *unary(), *products(), *shifts(), *bits(), *moves())

# Without a memory operand: text, and the flags that it needs, defines and makes undefined.
REGISTER = (
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

# MMX: what reads 8 bytes of memory, and 4.
MMX_8 = """paddb paddw paddd paddsb paddsw paddusb paddusw psubb psubw psubd psubsb psubsw psubusb
psubusw pand pandn por pxor pcmpeqb pcmpeqw pcmpeqd pcmpgtb pcmpgtw pcmpgtd pmaddwd pmulhw pmullw
packssdw packsswb packuswb punpckhbw punpckhwd punpckhdq psllw pslld psllq psrlw psrld psrlq psraw
psrad movq""".split()
MMX_4 = ("punpcklbw", "punpcklwd", "punpckldq", "movd")

# x87: what loads, what calculates with memory, what stores; with the operand's kind.
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
