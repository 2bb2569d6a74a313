# SPDX-License-Identifier: GPL-2.0-only
"""Integer instructions: with an operand in memory, faults, strings, the stack, segments."""

from differential import forms
from differential.builder import (BASE, EDGE, FAR, NAMES, PROT_NONE, SAVED_ESP, SIZES, SKIP,
                                  SYSTEM_CALL)
from differential.program import Access, Address

SIMPLE = [form for form in forms.MEMORY if not form.quotient]
# An operand may fault, and the instruction be left undone.
SKIPPABLE = [form for form in SIMPLE if not form.stays]


def prefix(builder, form, address):
    """A segment override that changes nothing, now and then."""
    if "lock" in form.text or address.base == "ebp" or not builder.chance(6):
        return ""
    return builder.random.choice(("%es:", "%ss:"))


def emit(builder, form, crossing=False):
    """One instruction of a form, with what it needs before it."""
    size = SIZES[builder.random.choice(form.sizes)]
    accesses = {"rw": ("r", "w")}.get(form.access, (form.access,))
    if form.bits:
        builder.step(f"movl ${builder.random.randrange(-90, 90)}, %edx")
        address = builder.place(builder.random.randrange(-40, 12) if crossing else
                                builder.random.randrange(-90, 30))
        operand = Address(address.base, address.index, address.scale, address.displacement,
                          bits=("edx", size))
        name = {2: "dx", 4: "edx"}[size]
    else:
        address = operand = builder.operand(size, crossing and not form.stays, form.stays)
        name = builder.register(size)
    if form.count:
        builder.step(f"movb ${builder.random.randrange(1, 8 * min(size, 2))}, %cl")
    builder.define(form.needs)
    letter = {1: "b", 2: "w", 4: "l", 8: "q"}[size]
    text = form.text.format(m=prefix(builder, form, address) + address.text(), r="%" + name,
                            s=letter, i=builder.random.randrange(1 << min(8 * size, 31)))
    builder.step(text, *(Access(kind, size, operand) for kind in accesses))
    builder.changed(form.defines, form.undefines)


def memory(builder):
    """An instruction with an operand in memory."""
    emit(builder, builder.random.choice(SIMPLE))


def register(builder):
    """One without."""
    text, needs, defines, undefines = builder.random.choice(forms.REGISTER)
    builder.define(needs)
    builder.step(text)
    builder.changed(defines, undefines)


def faulting(builder):
    """An instruction whose operand faults, and that is repeated."""
    builder.forbid()
    emit(builder, builder.random.choice(SIMPLE), crossing=True)


def skipped(builder):
    """One whose operand may fault, and that is then left undone."""
    form = builder.random.choice(SKIPPABLE)
    builder.define(form.needs)
    skip = guard(builder)
    builder.forbid()
    before = set(builder.defined)
    emit(builder, form, crossing=True)
    builder.defined &= before
    unguard(builder, skip)


def guard(builder):
    """What follows is left if it faults; return where to."""
    label = builder.program.new_label()
    builder.store(label, SKIP)
    return label


def unguard(builder, label):
    """The end of what may be left."""
    builder.program.label(label)
    builder.store(0, SKIP)


def quotient(builder):
    """A division that may fail."""
    form = builder.random.choice([form for form in forms.MEMORY if form.quotient])
    label = guard(builder)
    if builder.chance(2):
        builder.step("movl $1, %edx")
    emit(builder, form, builder.chance(4))
    unguard(builder, label)


# CF, PF, AF, ZF, SF, OF
FLAGS = 0x8d5

# Name, accesses of an iteration: of ESI and of EDI; and the prefixes that make sense.
STRINGS = (("movs", "rw", ("rep ",)), ("cmps", "rr", ("repe ", "repne ")),
           ("scas", " r", ("repe ", "repne ")), ("lods", "r ", ("rep ",)),
           ("stos", " w", ("rep ",)))


def string(builder):
    """A string instruction, most with a REP prefix."""
    name, kinds, prefixes = builder.random.choice(STRINGS)
    letter = builder.random.choice("bwl")
    size = SIZES[letter]
    count = builder.random.choice((0, 1, 2, 3, 7))
    down = builder.chance(3)
    if builder.chance(3):
        builder.forbid()
    builder.step("std" if down else "cld")
    for index in ("esi", "edi"):
        offset = builder.offset(size, builder.chance(2)) + (-20 if builder.chance(2) else 0)
        offset = min(max(offset, -90), 60 - size * 8)
        if down:
            offset = min(offset + 7 * size, 60 - size)
        builder.step(f"movl ${EDGE + offset:#x}, %{index}")
    repeated = not builder.chance(4)
    if repeated:
        builder.step(f"movl ${count}, %ecx")
    if name in ("cmps", "scas"):
        builder.define()
    accesses = [Access(kind, size, Address(index)) for kind, index in zip(kinds, ("esi", "edi"))
                if kind != " "]
    rep = builder.random.choice(prefixes) if repeated else ""
    builder.step(f"{rep}{name}{letter}", *accesses, repeats=repeated)
    builder.step("cld")
    # If no iteration compares, the flags are those from before.
    if name in ("cmps", "scas") and (not repeated or count):
        builder.changed(forms.ALL)


def push(size=4, displacement=0):
    """An access of PUSH."""
    return Access("w", size, Address("esp", displacement=-size + displacement))


def stack(builder):
    """Instructions that use the stack, which they leave as it was."""
    builder.random.choice((push_and_pop, push_memory, push_flags, push_all, frame, push_esp,
                           push_word, pop_relative))(builder)


def push_and_pop(builder):
    """PUSH and POP of registers and constants."""
    source = builder.random.choice(("%ecx", "$5", "$0x12345", "%ebx"))
    builder.step(f"pushl {source}", push())
    builder.step(f"popl %{builder.register(4)}", Access("r", 4, Address("esp")))


def push_word(builder):
    """The same with words: the stack is misaligned in between."""
    builder.step(f"pushw %{builder.register(2)}", push(2))
    builder.step("pushl $77", push())
    builder.step(f"popl %{builder.register(4)}", Access("r", 4, Address("esp")))
    builder.step(f"popw %{builder.register(2)}", Access("r", 2, Address("esp")))


def push_memory(builder):
    """PUSH and POP of memory."""
    for size, letter in ((4, "l"), (2, "w")):
        source = builder.operand(size)
        builder.step(f"push{letter} {source.text()}", Access("r", size, source), push(size))
        if builder.chance(3):
            builder.forbid()
        target = builder.operand(size, builder.chance(2))
        builder.step(f"pop{letter} {target.text()}", Access("r", size, Address("esp")),
                     Access("w", size, target))


def pop_relative(builder):
    """PUSH of what is relative to ESP before, POP to what is relative to ESP afterwards."""
    builder.step("pushl $1", push())
    builder.step("pushl (%esp)", Access("r", 4, Address("esp")), push())
    builder.step("popl 0(%esp)", Access("r", 4, Address("esp")),
                 Access("w", 4, Address("esp", displacement=4)))
    builder.step("popl %ebx", Access("r", 4, Address("esp")))


def push_flags(builder):
    """PUSHF, POPF. What is pushed while stepping has TF set."""
    builder.define()
    for letter, size, name in (("l", 4, "eax"), ("w", 2, "ax")):
        if builder.chance(2):
            builder.step(f"pushf{letter}", push(size))
            builder.step(f"pop{letter} %{name}", Access("r", size, Address("esp")))
            builder.step(f"andl ${FLAGS:#x}, %eax")
            builder.changed("CPZSO", "A")
            builder.define()
        else:
            builder.step(f"push{letter} ${builder.random.randrange(1 << 12) & FLAGS | 2:#x}",
                         push(size))
            builder.step(f"popf{letter}", Access("r", size, Address("esp")))
            builder.changed(forms.ALL)


def push_all(builder):
    """PUSHA, POPA."""
    for letter, size in (("l", 4), ("w", 2)):
        builder.step(f"pusha{letter}", *(push(size, -size * n) for n in range(8)))
        builder.step(f"incb {size}(%esp)", Access("r", 1, Address("esp", displacement=size)),
                     Access("w", 1, Address("esp", displacement=size)))
        builder.changed("PAZSO")
        builder.step(f"popa{letter}", *(Access("r", size, Address("esp", displacement=size * n))
                                        for n in range(8) if n != 3))


def push_esp(builder):
    """ESP itself is pushed and popped."""
    builder.step("pushl %esp", push())
    builder.step("popl %esp", Access("r", 4, Address("esp")))


def frame(builder):
    """ENTER of several levels, LEAVE."""
    level = builder.random.choice((0, 0, 1, 2, 4))
    builder.step("pushl %ebp", push())
    builder.step("leal 24(%esp), %ebp")
    accesses = [push()]
    for n in range(1, level):
        accesses += [Access("r", 4, Address("ebp", displacement=-4 * n)),
                     push(4, -4 * n)]
    if level:
        accesses.append(push(4, -4 * level))
    builder.step(f"enter ${builder.random.choice((0, 8, 13))}, ${level}", *accesses)
    builder.step("leave", Access("r", 4, Address("ebp")))
    builder.step("popl %ebp", Access("r", 4, Address("esp")))


def strange_stack(builder):
    """The same on a stack that is misaligned, and of which a part is taken away."""
    step = builder.step
    saved = Address(displacement=SAVED_ESP)
    step(f"movl %esp, {SAVED_ESP:#x}", Access("w", 4, saved))
    step(f"movl ${EDGE + builder.random.randrange(-8, 48):#x}, %esp")
    kind = builder.random.choice(("push", "all", "frame", "call", "pop"))
    if kind in ("call", "pop"):
        # They read what they find there.
        step("pushl $0", push())
    if builder.chance(2):
        builder.protect(PROT_NONE)
    if kind == "push":
        step(f"pushl %{builder.register(4)}", push())
        step("pushw $7", push(2))
        step("popw %cx", Access("r", 2, Address("esp")))
    elif kind == "all":
        step("pushal", *(push(4, -4 * n) for n in range(8)))
        step("popal", *(Access("r", 4, Address("esp", displacement=4 * n))
                        for n in range(8) if n != 3))
    elif kind == "frame":
        frame(builder)
    elif kind == "call":
        label = builder.program.new_label()
        step(f"call {label}", push(), branches=1, jumps=True)
        builder.program.label(label)
        step("popl %ecx", Access("r", 4, Address("esp")))
    else:
        step("popl %edx", Access("r", 4, Address("esp")))
    step(f"movl {SAVED_ESP:#x}, %esp", Access("r", 4, saved))


def segments(builder):
    """Segment registers, which the kernel has given the same descriptor as before."""
    step = builder.step
    selector = Address(displacement=FAR + 4)
    step(f"movw %ds, {FAR + 4:#x}", Access("w", 2, selector))
    loads = {"segments": 1, "plain": (1, 0)}
    for _ in range(builder.random.randrange(1, 5)):
        name = builder.random.choice(("es", "fs", "gs"))
        kind = builder.random.randrange(7)
        if kind == 0:
            step(f"movw {FAR + 4:#x}, %{name}", Access("r", 2, selector), **loads)
        elif kind == 1:
            step("movl %ds, %ecx")
            step(f"movl %ecx, %{name}", **loads)
        elif kind == 2:
            step("pushl %ds", push())
            step(f"popl %{name}", Access("r", 4, Address("esp")), **loads)
        elif kind == 3:
            step(f"l{name} {FAR:#x}, %ecx", Access("r", 4, Address(displacement=FAR)),
                 Access("r", 2, selector), **loads)
        elif kind == 4:
            check_selector(builder, selector)
        elif kind == 5:
            step("movl %ds, %ecx")
            # The processor does not stop in front of the next instruction.
            step("movl %ecx, %ss", instructions=2, **loads)
            step("nop")
        else:
            step("xorl %ecx, %ecx")
            builder.changed("CPZSO", "A")
            step("movl %ecx, %fs", segments=1)
    step("movl %ds, %ecx")
    step("movl %ecx, %es", **loads)
    step("xorl %ecx, %ecx")
    builder.changed("CPZSO", "A")
    builder.store(0, FAR + 4)


def check_selector(builder, selector):
    """LAR, LSL, VERR, VERW. What they find differs from kernel to kernel."""
    name = builder.random.choice(("lar", "lsl", "verr", "verw"))
    target = ", %ecx" if name in ("lar", "lsl") else ""
    if builder.chance(2):
        builder.step(f"{name} {FAR + 4:#x}{target}", Access("r", 2, selector), plain=(1, 0))
    else:
        builder.step("movl %ds, %ecx")
        builder.step(f"{name} %cx{target}", plain=(1, 0))
    builder.step("movl $3, %ecx")
    builder.changed("Z")


def odds(builder):
    """What has no other place."""
    builder.random.choice((xlat, bound, cpuid, absolute, widths))(builder)


def xlat(builder):
    """A table look-up: the table is 256 bytes below the boundary."""
    builder.step(f"movl ${EDGE - 256:#x}, %ebx")
    builder.step("xlat", Access("r", 1, Address("ebx", byte="eax")))


def bound(builder):
    """BOUND, within and beyond."""
    size, letter, name = builder.random.choice(((4, "l", "ecx"), (2, "w", "cx")))
    limits = builder.operand(2 * size)
    label = guard(builder)
    second = Address(limits.base, limits.index, limits.scale, limits.displacement + size)
    builder.step(f"bound{letter} %{name}, {limits.text()}", Access("r", size, limits),
                 Access("r", size, second))
    unguard(builder, label)


def cpuid(builder):
    """A serializing instruction; and the time, which nobody knows."""
    builder.step("xorl %eax, %eax")
    builder.step("cpuid", branches=1)
    builder.step("rdtsc")
    for name in NAMES[4]:
        builder.step(f"movl ${builder.random.getrandbits(31)}, %{name}")
    builder.defined = set()


def absolute(builder):
    """The short forms of MOV with an absolute address."""
    for size, letter, name in ((4, "l", "eax"), (2, "w", "ax"), (1, "b", "al")):
        where = Address(displacement=EDGE + builder.offset(size))
        if builder.chance(2):
            builder.step(f"mov{letter} {where.text()}, %{name}", Access("r", size, where))
        else:
            builder.step(f"mov{letter} %{name}, {where.text()}", Access("w", size, where))


def widths(builder):
    """What a write to a part of a register leaves of the rest."""
    builder.step(f"movb ${builder.random.randrange(256)}, %{builder.register(1)}")
    builder.step(f"movw ${builder.random.randrange(65536)}, %{builder.register(2)}")
    builder.step(f"leal {BASE - EDGE}(%ebp), %{builder.register(4)}")
    builder.step("movl $20, %eax")
    builder.step("int $0x80", **SYSTEM_CALL)  # getpid
    builder.step("movl $9, %eax")
