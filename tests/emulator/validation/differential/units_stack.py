# SPDX-License-Identifier: GPL-2.0-only
"""Make units of instructions that use the stack."""

from differential import forms
from differential.builder import EDGE, PROT_NONE, SAVED_SP
from differential.program import Access, Address


def push(builder, size=0, displacement=0):
    """Return the access of a PUSH. Without a size, it is a full word."""
    size = size or builder.mode.word
    return Access("w", size, Address(builder.full("sp"), displacement=-size + displacement))


def top(builder, size=0, displacement=0):
    """Return the access of a POP. Without a size, it is a full word."""
    return Access("r", size or builder.mode.word,
                  Address(builder.full("sp"), displacement=displacement))


def push_step(builder, source, size=0):
    """Add a PUSH of a register or a constant."""
    letter = "w" if size == 2 else builder.mode.letter
    builder.step(f"push{letter} {source}", push(builder, size))


def pop_step(builder, target, size=0):
    """Add a POP to a register."""
    letter = "w" if size == 2 else builder.mode.letter
    builder.step(f"pop{letter} {target}", top(builder, size))


def stack(builder):
    """Add instructions that use the stack and leave the stack pointer as it was."""
    units = [push_and_pop, push_memory, push_flags, push_all, frame, push_sp, push_word,
             pop_relative]
    if builder.mode.bits == 64:
        units.remove(push_all)
    builder.random.choice(units)(builder)


def push_and_pop(builder):
    """Add PUSH and POP of registers and constants."""
    sources = ["%ecx", "$5", "$0x12345", "%ebx"]
    if builder.mode.bits == 64:
        sources = ["%rcx", "$5", "$-0x12345", "%rbx", "%r12", "%r15"]
    push_step(builder, builder.random.choice(sources))
    pop_step(builder, f"%{builder.register(builder.mode.word)}")


def push_word(builder):
    """Push a word, which misaligns the stack until it is popped."""
    push_step(builder, f"%{builder.register(2)}", 2)
    push_step(builder, "$77")
    pop_step(builder, f"%{builder.register(builder.mode.word)}")
    pop_step(builder, f"%{builder.register(2)}", 2)


def push_memory(builder):
    """Add PUSH and POP of memory."""
    for size, letter in ((builder.mode.word, builder.mode.letter), (2, "w")):
        source = builder.operand(size)
        builder.step(f"push{letter} {source.text()}", Access("r", size, source),
                     push(builder, size))
        if builder.chance(3):
            builder.forbid()
        target = builder.operand(size, builder.chance(2))
        builder.step(f"pop{letter} {target.text()}", top(builder, size), Access("w", size, target))


def pop_relative(builder):
    """Add a PUSH and a POP of memory relative to ESP. PUSH uses ESP before its change, and POP
    after it."""
    letter, word, sp = builder.mode.letter, builder.mode.word, builder.full("sp")
    push_step(builder, "$1")
    builder.step(f"push{letter} (%{sp})", top(builder), push(builder))
    builder.step(f"pop{letter} 0(%{sp})", top(builder),
                 Access("w", word, Address(sp, displacement=word)))
    pop_step(builder, f"%{builder.full('bx')}")


# These flags are CF, PF, AF, ZF, SF and OF.
FLAGS = 0x8d5


def push_flags(builder):
    """Add PUSHF and POPF. In a single step, the pushed value has TF set."""
    builder.define()
    for letter, size, name in ((builder.mode.letter, builder.mode.word, builder.full("ax")),
                               ("w", 2, "ax")):
        if builder.chance(2):
            builder.step(f"pushf{letter}", push(builder, size))
            builder.step(f"pop{letter} %{name}", top(builder, size))
            builder.step(f"andl ${FLAGS:#x}, %eax")
            builder.changed("CPZSO", "A")
            builder.define()
        else:
            value = builder.random.randrange(1 << 12) & FLAGS | 2
            builder.step(f"push{letter} ${value:#x}", push(builder, size))
            builder.step(f"popf{letter}", top(builder, size))
            builder.changed(forms.ALL)


def push_all(builder):
    """Add PUSHA and POPA."""
    for letter, size in (("l", 4), ("w", 2)):
        builder.step(f"pusha{letter}", *(push(builder, size, -size * n) for n in range(8)))
        builder.step(f"incb {size}(%esp)", Access("r", 1, Address("esp", displacement=size)),
                     Access("w", 1, Address("esp", displacement=size)))
        builder.changed("PAZSO")
        builder.step(f"popa{letter}", *(top(builder, size, size * n) for n in range(8) if n != 3))


def push_sp(builder):
    """Push and pop ESP itself."""
    push_step(builder, f"%{builder.full('sp')}")
    pop_step(builder, f"%{builder.full('sp')}")


def frame(builder):
    """Add ENTER of several levels and LEAVE."""
    word, bp, sp = builder.mode.word, builder.full("bp"), builder.full("sp")
    level = builder.random.choice((0, 0, 1, 2, 4))
    push_step(builder, f"%{bp}")
    builder.step(f"lea{builder.mode.letter} {6 * word}(%{sp}), %{bp}")
    accesses = [push(builder)]
    for n in range(1, level):
        accesses += [Access("r", word, Address(bp, displacement=-word * n)),
                     push(builder, word, -word * n)]
    if level:
        accesses.append(push(builder, word, -word * level))
    builder.step(f"enter ${builder.random.choice((0, 8, 13))}, ${level}", *accesses)
    builder.step("leave", Access("r", word, Address(bp)))
    pop_step(builder, f"%{bp}")


def strange_stack(builder):
    """Push and pop on a misaligned stack. A part of the stack becomes inaccessible."""
    step, word, letter = builder.step, builder.mode.word, builder.mode.letter
    sp, saved = builder.full("sp"), Address(displacement=SAVED_SP)
    step(f"mov{letter} %{sp}, {SAVED_SP:#x}", Access("w", word, saved))
    step(f"movl ${EDGE + builder.random.randrange(-8, 48):#x}, %esp")
    kind = builder.random.choice(("push", "all", "frame", "call", "pop"))
    if kind in ("call", "pop"):
        # POP reads the stack, so push a known value first.
        push_step(builder, "$0")
    if builder.chance(2):
        builder.protect(PROT_NONE)
    if kind == "push" or (kind == "all" and builder.mode.bits == 64):
        push_step(builder, f"%{builder.register(word)}")
        push_step(builder, "$7", 2)
        pop_step(builder, "%cx", 2)
    elif kind == "all":
        step("pushal", *(push(builder, 4, -4 * n) for n in range(8)))
        step("popal", *(top(builder, 4, 4 * n) for n in range(8) if n != 3))
    elif kind == "frame":
        frame(builder)
    elif kind == "call":
        label = builder.program.new_label()
        step(f"call {label}", push(builder), branch="call", jumps=True)
        builder.program.label(label)
        pop_step(builder, f"%{builder.full('cx')}")
    else:
        pop_step(builder, f"%{builder.full('dx')}")
    step(f"mov{letter} {SAVED_SP:#x}, %{sp}", Access("r", word, saved))
