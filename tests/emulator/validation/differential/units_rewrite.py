# SPDX-License-Identifier: GPL-2.0-only
"""Make units of code that changes the next instructions."""

from differential import forms
from differential.builder import NAMES, SUFFIXES
from differential.program import Access, Address

# These are instructions of one byte, and the flags that they change. With 32 bits they are INC
# and DEC of ECX, EDX and EBX. With 64 bits, their opcodes are prefixes, so the
# instructions are NOP, exchanges with EAX, and CWDE.
ONE_BYTE = {32: (0x41, 0x42, 0x43, 0x49, 0x4a, 0x4b), 64: (0x90, 0x91, 0x92, 0x93, 0x98, 0x99)}
ONE_BYTE_CHANGES = {32: "PAZSO", 64: ""}

# These are REX prefixes.
PREFIXES = (0x40, 0x41, 0x48, 0x49)


def rewrite(builder):
    """Add code that changes the next instructions."""
    units = [rewrite_constant, rewrite_opcode, rewrite_by_string]
    if builder.mode.bits == 64:
        units.append(rewrite_prefix)
    builder.random.choice(units)(builder)


def rewrite_constant(builder):
    """Replace the constant of the next MOV, or a part of it."""
    number = len(builder.program.steps) + 1
    kind = builder.random.randrange(6)
    size = builder.random.choice((1, 2, 4))
    where = Address(code=number, displacement=builder.random.randrange(1, 6 - size))
    name = builder.register(size)
    letter = SUFFIXES[size]
    store, load = Access("w", size, where), Access("r", size, where)
    if kind < 3:
        builder.step(f"mov{letter} %{name}, {where.text()}", store)
    elif kind == 3:
        builder.step(f"add{letter} %{name}, {where.text()}", load, store)
        builder.changed(forms.ALL)
    elif kind == 4:
        builder.step(f"lock xorb $0x5a, {where.text()}", Access("l", 1, where))
        builder.changed("CPZSO", "A")
    else:
        builder.step(f"xchg{letter} %{name}, {where.text()}", Access("l", size, where))
    # With R8D to R15D, the constant would be at another place in the instruction.
    builder.step(f"movl $0x12345678, %{builder.random.choice(NAMES[32][4])}")


def one_byte(builder):
    """Return the code of an instruction of one byte."""
    return f"{builder.random.choice(ONE_BYTE[builder.mode.bits]):#x}"


def rewrite_opcode(builder):
    """Replace the next instruction by another one."""
    code = one_byte(builder)
    number = len(builder.program.steps) + builder.random.randrange(1, 3)
    where = Address(code=number)
    builder.step(f"movb ${code}, {where.text()}", Access("w", 1, where))
    for _ in range(2):
        builder.step(f".byte {one_byte(builder)}")
    builder.changed(ONE_BYTE_CHANGES[builder.mode.bits])


def rewrite_by_string(builder):
    """Replace several instructions by others, with a string instruction."""
    step = builder.step
    step(f"movb ${one_byte(builder)}, %al")
    number = len(builder.program.steps) + 3
    step(f"movl $s{number}, %edi")
    count = builder.random.randrange(1, 4)
    step(f"movl ${count}, %ecx")
    step("rep stosb", Access("w", 1, Address(builder.full("di"))), repeats=True)
    for _ in range(3):
        step(f".byte {one_byte(builder)}")
    builder.changed(ONE_BYTE_CHANGES[builder.mode.bits])


def rewrite_prefix(builder):
    """Replace a REX prefix, so that the instruction uses another register or another size."""
    where = Address(code=len(builder.program.steps) + 1)
    old, new = builder.random.choices(PREFIXES, k=2)
    builder.step(f"movb ${new:#x}, {where.text()}", Access("w", 1, where))
    # This is INC of ECX, R9D, RCX or R9.
    builder.step(f".byte {old:#x}, 0xff, 0xc1")
    builder.changed("PAZSO")
