# SPDX-License-Identifier: GPL-2.0-only
"""Make units of segment registers, and of instructions that belong to no other file."""

from differential.builder import BASE, CALL, EDGE, FAR, NAMES, SYSTEM_CALL
from differential.program import Access, Address
from differential.units_integer import guard, unguard
from differential.units_stack import pop_step, push, push_step, top

LOADS = {"segments": 1, "plain": (1, 0)}
SELECTOR = Address(displacement=FAR + 4)


def data_segment(builder):
    """Return the name of a segment register that has the data selector."""
    return "ds" if builder.mode.bits == 32 else "ss"


def segments(builder):
    """Add uses of segment registers. All of them lead to the same descriptor as before."""
    step, data = builder.step, data_segment(builder)
    step(f"movw %{data}, {FAR + 4:#x}", Access("w", 2, SELECTOR))
    for _ in range(builder.random.randrange(1, 5)):
        name = builder.random.choice(("es", "fs", "gs"))
        load_segment(builder, data, name, builder.random.randrange(7))
    step(f"movl %{data}, %ecx")
    step("movl %ecx, %es", **LOADS)
    step("xorl %ecx, %ecx")
    builder.changed("CPZSO", "A")
    builder.store(0, FAR + 4)


def load_segment(builder, data, name, kind):
    """Add a load of a segment register, or an instruction that tests a selector."""
    step = builder.step
    if builder.mode.bits == 64 and kind in (2, 3) and name == "es":
        name = "gs"
    if kind == 0:
        step(f"movw {FAR + 4:#x}, %{name}", Access("r", 2, SELECTOR), **LOADS)
    elif kind == 1:
        step(f"movl %{data}, %ecx")
        step(f"movl %ecx, %{name}", **LOADS)
    elif kind == 2:
        push_and_pop_segment(builder, data, name)
    elif kind == 3:
        step(f"l{name} {FAR:#x}, %ecx", Access("r", 4, Address(displacement=FAR)),
             Access("r", 2, SELECTOR), **LOADS)
    elif kind == 4:
        check_selector(builder, data)
    elif kind == 5:
        step(f"movl %{data}, %ecx")
        # The processor does not stop between this instruction and the next one.
        step("movl %ecx, %ss", instructions=2, **LOADS)
        step("nop")
    else:
        step("xorl %ecx, %ecx")
        builder.changed("CPZSO", "A")
        step("movl %ecx, %fs", segments=1)


def push_and_pop_segment(builder, data, name):
    """Push and pop a segment register.

    64-bit programs can push FS and GS, but no other data segments.
    """
    letter = builder.mode.letter
    if builder.mode.bits == 32:
        builder.step(f"pushl %{data}", push(builder))
    else:
        builder.step(f"movl %{data}, %ecx")
        push_step(builder, "%rcx")
    builder.step(f"pop{letter} %{name}", top(builder), **LOADS)
    if builder.mode.bits == 64:
        builder.step(f"pushq %{name}", push(builder))
        pop_step(builder, "%rcx")


def check_selector(builder, data):
    """Add LAR, LSL, VERR or VERW. Their results differ between kernels, so drop them."""
    name = builder.random.choice(("lar", "lsl", "verr", "verw"))
    target, kind = (", %ecx", "") if name in ("lar", "lsl") else ("", "serializing")
    if builder.chance(2):
        builder.step(f"{name} {FAR + 4:#x}{target}", Access("r", 2, SELECTOR), plain=(1, 0),
                     branch=kind)
    else:
        builder.step(f"movl %{data}, %ecx")
        builder.step(f"{name} %cx{target}", plain=(1, 0), branch=kind)
    builder.step("movl $3, %ecx")
    builder.changed("Z")


def odds(builder):
    """Add an instruction that belongs to no other function."""
    units = (xlat, bound, cpuid, absolute, widths)
    if builder.mode.bits == 64:
        units = (xlat, cpuid, absolute, widths, no_address, segment_base, interrupt, state)
    builder.random.choice(units)(builder)


def xlat(builder):
    """Look up a byte in a table that is 256 bytes below the boundary."""
    builder.step(f"movl ${EDGE - 256:#x}, %ebx")
    builder.step("xlat", Access("r", 1, Address(builder.full("bx"), byte=builder.full("ax"))))


def bound(builder):
    """Add BOUND, with a value within its bounds or beyond them."""
    size, letter, name = builder.random.choice(((4, "l", "ecx"), (2, "w", "cx")))
    limits = builder.operand(2 * size)
    label = guard(builder)
    second = Address(limits.base, limits.index, limits.scale, limits.displacement + size)
    builder.step(f"bound{letter} %{name}, {limits.text()}", Access("r", size, limits),
                 Access("r", size, second))
    unguard(builder, label)


def cpuid(builder):
    """Add a serializing instruction, or a read of the time, and drop the results, which are not
    known."""
    builder.step("xorl %eax, %eax")
    builder.step("cpuid", branch="serializing")
    builder.step("rdtsc")
    for name in NAMES[32][4]:
        builder.step(f"movl ${builder.random.getrandbits(31)}, %{name}")
    builder.defined = set()


def absolute(builder):
    """Add the short forms of MOV with an absolute address."""
    forms = [(4, "l", "eax"), (2, "w", "ax"), (1, "b", "al")]
    name = "mov"
    if builder.mode.bits == 64:
        forms.append((8, "q", "rax"))
        name = "movabs"
    for size, letter, register in forms:
        where = Address(displacement=EDGE + builder.offset(size))
        if builder.chance(2):
            builder.step(f"{name}{letter} {where.text()}, %{register}", Access("r", size, where))
        else:
            builder.step(f"{name}{letter} %{register}, {where.text()}", Access("w", size, where))


def widths(builder):
    """Write parts of registers. The other parts must keep their values or become zero."""
    builder.step(f"movb ${builder.random.randrange(256)}, %{builder.register(1)}")
    builder.step(f"movw ${builder.random.randrange(65536)}, %{builder.register(2)}")
    builder.step(f"leal {BASE - EDGE}(%{builder.full('bp')}), %{builder.register(4)}")
    builder.system_call("getpid")
    builder.step("movl $9, %eax")


def no_address(builder):
    """Add an instruction with an address that is invalid for any operand."""
    label = guard(builder)
    address = builder.random.choice((1 << 47, 1 << 63, 0x123456789abcdef0))
    builder.step(f"movabsq ${address:#x}, %rdi")
    text, *accesses = builder.random.choice((
        ("movq (%rdi), %rcx", "r"), ("movb %cl, 8(%rdi)", "w"), ("lock incl (%rdi)", "l"),
        ("pushq (%rdi)", "r", "w"), ("popq (%rdi)", "r", "w"), ("jmp *(%rdi)", "r"),
        ("movups (%rdi), %xmm1", "r"), ("fldl (%rdi)", "r"), ("stosq", "w")))
    builder.step(text, *(Access(kind, 8, Address("rdi")) for kind in accesses))
    unguard(builder, label)


def segment_base(builder):
    """Set the base of FS or GS."""
    name, code = builder.random.choice((("fs", 0x1002), ("gs", 0x1001)))
    base = EDGE - builder.random.randrange(200)
    builder.system_call("arch_prctl", code, base)
    for size, letter in builder.random.choices(((1, "b"), (2, "w"), (4, "l"), (8, "q")), k=3):
        where = Address(displacement=EDGE + builder.offset(size) - base)
        builder.step(f"mov{letter} %{name}:{where.text()}, %{builder.register(size)}",
                     Access("r", size, where))
        builder.step(f"add{letter} %{builder.register(size)}, %{name}:{where.text()}",
                     Access("r", size, where), Access("w", size, where))
        builder.changed("CPAZSO")


def interrupt(builder):
    """Add the system call of 32-bit programs."""
    builder.step("movl $20, %eax")  # number of getpid
    builder.step(CALL[32], **SYSTEM_CALL[32])
    builder.step("movl $9, %eax")
    for number in range(8, 12):
        builder.step(f"movl ${number}, %r{number}d")


# These instructions save and restore the state of x87 and SSE. Each has the size and alignment of
# the state, and the level of processors that have it.
STATES = (("fxsave", "fxrstor", 512, 16, "sse2"), ("fxsave64", "fxrstor64", 512, 16, "sse2"),
          ("xsave", "xrstor", 832, 64, "avx"), ("xsave64", "xrstor64", 832, 64, "avx"))


def state(builder):
    """Add FXSAVE and FXRSTOR, or XSAVE and XRSTOR. In the end, overwrite the stored data."""
    save, restore, size, unit, _ = builder.random.choice(
        [state for state in STATES if builder.has(state[-1])])
    # The emulator does not access the last 96 bytes of FXSAVE, which are not used.
    place = EDGE - builder.random.randrange((size - 96) // unit) * unit
    builder.step("fninit")
    if save[0] == "x":
        builder.step(f"movl ${place:#x}, %edi")
        builder.step(f"movl ${size}, %ecx")
        builder.step("movl $0, %eax")
        builder.step("rep stosb", Access("w", 1, Address("rdi")), repeats=True)
        builder.step("movl $7, %eax")
        builder.step("movl $0, %edx")
    where = Address(displacement=place)
    for name, kind in ((save, "w"), (restore, "r")):
        if builder.chance(3):
            builder.forbid()
        builder.step(f"{name} {where.text()}", Access(kind, size, where))
    builder.step(f"movl ${place:#x}, %edi")
    builder.step(f"movl ${size}, %ecx")
    builder.step("rep stosb", Access("w", 1, Address("rdi")), repeats=True)
