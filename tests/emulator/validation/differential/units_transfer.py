# SPDX-License-Identifier: GPL-2.0-only
"""Make units of jumps, calls and loops."""

from differential import forms
from differential.builder import POINTER
from differential.program import Access, Address
from differential.units_integer import memory, register
from differential.units_rewrite import rewrite
from differential.units_stack import pop_step, push, push_step, top

CONDITIONAL = {"branch": "conditional", "jumps": True}
JUMP = {"branch": "jump", "jumps": True}
CALL = {"branch": "call", "jumps": True}
RETURN = {"branch": "return", "jumps": True}


def some(builder):
    """Add a few instructions."""
    for _ in range(builder.random.randrange(1, 4)):
        builder.random.choice((memory, memory, register))(builder)


def maybe_skipped(builder, unit, label):
    """Add a unit, and then a label to which a jump may have skipped it. After the label, the
    flags are undefined."""
    before = set(builder.defined)
    unit(builder)
    builder.defined &= before
    builder.program.label(label)


def jump(builder):
    """Add a jump over some instructions."""
    builder.random.choice((conditional, conditional, unconditional, indirect, counted))(builder)


def conditional(builder):
    """Add a Jcc, near or short."""
    condition, needs = builder.random.choice(list(forms.CONDITIONS.items()))
    builder.define(needs)
    label = builder.program.new_label()
    # The assembler makes the jump short if it can. {disp32} keeps it near.
    builder.step(f"{'{disp32} ' if builder.chance(3) else ''}j{condition} {label}", **CONDITIONAL)
    maybe_skipped(builder, some, label)


def unconditional(builder):
    """Add a JMP over code that is never executed."""
    label = builder.program.new_label()
    builder.step(f"jmp {label}", **JUMP)
    builder.step("hlt")
    builder.program.label(label)


def pointer(builder):
    """Return the access to an address in memory."""
    return Access("r", builder.mode.word, Address(displacement=POINTER))


def indirect(builder):
    """Add a JMP through a register or memory."""
    label = builder.program.new_label()
    if builder.chance(2):
        builder.step(f"movl ${label}, %edx")
        builder.step(f"jmp *%{builder.full('dx')}", **JUMP)
    else:
        builder.store(label, POINTER)
        builder.step(f"jmp *{POINTER:#x}", pointer(builder), **JUMP)
    builder.step("hlt")
    builder.program.label(label)


def counted(builder):
    """Add JCXZ, JECXZ or JRCXZ."""
    label = builder.program.new_label()
    if builder.mode.bits == 32:
        count, names = builder.random.choice((0, 1, 0x10000)), ("jcxz", "jecxz")
        builder.step(f"movl ${count}, %ecx")
    else:
        count, names = builder.random.choice((0, 1, 1 << 32)), ("jrcxz", "jecxz")
        builder.step(f"movq ${count}, %rcx")
    builder.step(f"{builder.random.choice(names)} {label}", **CONDITIONAL)
    maybe_skipped(builder, register, label)


def loop(builder):
    """Repeat some instructions."""
    builder.random.choice((loop_by_count, loop_instruction))(builder)


def loop_by_count(builder):
    """Add a loop whose count is on the stack."""
    where, letter = Address(builder.full("sp")), builder.mode.letter
    push_step(builder, f"${builder.random.randrange(2, 5)}")
    label = builder.program.new_label()
    builder.program.label(label)
    builder.defined = set()
    for _ in range(builder.random.randrange(1, 4)):
        builder.random.choice((some, some, rewrite, call))(builder)
    builder.step(f"dec{letter} (%{where.base})", Access("r", builder.mode.word, where),
                 Access("w", builder.mode.word, where))
    builder.step(f"jnz {label}", **CONDITIONAL)
    builder.defined = set("PAZSO")
    pop_step(builder, f"%{builder.full('cx')}")


def loop_instruction(builder):
    """Add LOOP, LOOPE or LOOPNE, also with another size of the count."""
    name = builder.random.choice(("loop", "loope", "loopne",
                                  "loopw" if builder.mode.bits == 32 else "addr32 loop"))
    count = builder.random.randrange(1, 6)
    if name == "addr32 loop":
        builder.step(f"movq ${count | 1 << 32}, %rcx")
    else:
        builder.step(f"movl ${count}, %ecx")
    label = builder.program.new_label()
    builder.program.label(label)
    builder.step(f"{builder.random.choice(('incl', 'negl'))} %edx")
    builder.step(f"{name} {label}", **CONDITIONAL)
    builder.defined = set("PAZSO")


def call(builder):
    """Add near CALL and RET."""
    step, program = builder.step, builder.program
    target, after = program.new_label(), program.new_label()
    kind = builder.random.randrange(3)
    if builder.chance(3):
        push_step(builder, "$3")
        leave = f"ret ${builder.mode.word}"
    else:
        leave = "ret"
    if kind == 0:
        step(f"call {target}", push(builder), **CALL)
    elif kind == 1:
        step(f"movl ${target}, %ebx")
        step(f"call *%{builder.full('bx')}", push(builder), **CALL)
    else:
        builder.store(target, POINTER)
        step(f"call *{POINTER:#x}", pointer(builder), push(builder), **CALL)
    step(f"jmp {after}", **JUMP)
    program.label(target)
    some(builder)
    step(leave, top(builder), **RETURN)
    program.label(after)
