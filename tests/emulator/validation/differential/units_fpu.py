# SPDX-License-Identifier: GPL-2.0-only
"""Make units of x87 and MMX instructions."""

import dataclasses

from differential import forms
from differential.builder import EDGE
from differential.program import Access, Address
from differential.runtime import CONSTANTS, SINK, SINK_SIZE

# runtime.random_data() puts operands of each kind in these places. Each kind has its size.
OPERANDS = {"m32": ((0, 4, 8, 12), 4), "m64": ((16, 24, 32, 40), 8), "m80": ((48, 58), 10),
            "bcd": ((68,), 10), "i16": ((78, 80), 2), "i32": ((82, 86), 4), "i64": ((90, 98), 8)}
CONTROL_WORDS = (106, 108, 110, 112)


def constant(builder, kind):
    """Return an operand that holds a number, in its original place or copied to another place."""
    offsets, size = OPERANDS[kind]
    source = CONSTANTS + builder.random.choice(offsets)
    if not builder.chance(2):
        return Address(displacement=source), size
    offset = builder.offset(size, builder.chance(2))
    for start, length, letter, name in ((0, 4, "l", "eax"), (4, 4, "l", "eax"), (8, 2, "w", "ax")):
        length = min(length, size - start)
        if length < 2:
            break
        if length == 2:
            letter, name = "w", "ax"
        origin = Address(displacement=source + start)
        target = Address(displacement=EDGE + offset + start)
        builder.step(f"mov{letter} {origin.text()}, %{name}", Access("r", length, origin))
        builder.step(f"mov{letter} %{name}, {target.text()}", Access("w", length, target))
    if builder.chance(3):
        builder.forbid()
    return builder.place(offset), size


def sink(builder, size):
    """Return a place for a result."""
    if builder.chance(3):
        if builder.chance(2):
            builder.forbid()
        return builder.operand(size, builder.chance(2))
    return Address(displacement=SINK + builder.random.randrange(SINK_SIZE - size + 1))


def x87(builder):
    """Add some x87 instructions. The depth of the register stack is known."""
    builder.step("fninit")
    depth = 0
    for _ in range(builder.random.randrange(3, 10)):
        if depth == 0 or (depth < 5 and builder.chance(3)):
            load(builder)
            depth += 1
        else:
            depth -= builder.random.choice((calculate, calculate, in_registers, store, store_pop,
                                            compare, control, state))(builder)
    builder.step("fninit")


def load(builder):
    """Add a load of a number onto the stack."""
    if builder.chance(4):
        builder.step(builder.random.choice(forms.X87_CONSTANTS))
        return
    name, kind = builder.random.choice(forms.X87_LOADS)
    address, size = constant(builder, kind)
    builder.step(f"{name} {address.text()}", Access("r", size, address))


def calculate(builder):
    """Add a calculation with an operand in memory.

    Like the other functions, return how many numbers are popped from the register stack.
    """
    name, kind = builder.random.choice(forms.X87_SUMS + forms.X87_COMPARE_POP)
    address, size = constant(builder, kind)
    builder.step(f"{name} {address.text()}", Access("r", size, address))
    return (name, kind) in forms.X87_COMPARE_POP


def in_registers(builder):
    """Add a calculation without memory."""
    builder.step(builder.random.choice(forms.X87_REGISTERS))
    return 0


def store(builder):
    """Store the top of the stack."""
    name, kind, size = builder.random.choice(forms.X87_STORES)
    address = sink(builder, size)
    builder.step(f"{name} {address.text()}", Access(kind, size, address))
    return 0


def store_pop(builder):
    """Store the top of the stack and pop it."""
    name, kind, size = builder.random.choice(forms.X87_STORE_POPS)
    address = sink(builder, size)
    builder.step(f"{name} {address.text()}", Access(kind, size, address))
    return 1


def compare(builder):
    """Add a comparison, and store the bits of its result.

    The other bits of the status word are cleared. They report rounding, for example.
    """
    builder.step("ftst")
    if builder.chance(2):
        builder.step("fnstsw %ax")
        builder.step("andl $0x4500, %eax")
    else:
        address = Address(displacement=EDGE + builder.offset(2))
        builder.step(f"fnstsw {address.text()}", Access("w", 2, address))
        builder.step(f"andw $0x4500, {address.text()}", Access("r", 2, address),
                     Access("w", 2, address))
    builder.changed("CPZSO", "A")
    return 0


def control(builder):
    """Change precision and rounding."""
    if builder.chance(2):
        address = Address(displacement=CONSTANTS + builder.random.choice(CONTROL_WORDS))
        builder.step(f"fldcw {address.text()}", Access("r", 2, address))
    else:
        address = sink(builder, 2)
        builder.step(f"fnstcw {address.text()}", Access("w", 2, address))
    return 0


def state(builder):
    """Add FSTENV and FLDENV, or FSAVE and FRSTOR. Then overwrite the stored data."""
    step = builder.step
    size = builder.random.choice((4, 2))
    prefix = "data16 " if size == 2 else ""
    registers = builder.chance(2)
    length = 7 * size + 80 * registers
    offset = builder.random.randrange(-128, 65 - length)
    for name, kind in (("fnsave", "w"), ("frstor", "r")) if registers else \
            (("fnstenv", "w"), ("fldenv", "r")):
        if builder.chance(3):
            builder.forbid()
        address = builder.place(offset)
        accesses = [(size * n, size) for n in range(7)]
        accesses += [(7 * size + 10 * n, 10) for n in range(8 * registers)]
        step(f"{prefix}{name} {address.text()}",
             *(Access(kind, length, dataclasses.replace(
                 address, displacement=address.displacement + start))
               for start, length in accesses))
    step(f"movl ${EDGE + offset:#x}, %edi")
    step(f"movl ${length}, %ecx")
    step("rep stosb", Access("w", 1, Address(builder.full("di"))), repeats=True)
    return 0


def mmx(builder):
    """Add some MMX instructions."""
    names = []
    for register in builder.random.sample(range(8), 3):
        address = builder.operand(8)
        builder.step(f"movq {address.text()}, %mm{register}", Access("r", 8, address))
        names.append(f"%mm{register}")
    for _ in range(builder.random.randrange(2, 8)):
        name = builder.random.choice(names)
        kind = builder.random.randrange(8)
        crossing = builder.chance(4)
        if crossing:
            builder.forbid()
        if kind < 4:
            address = builder.operand(8, crossing)
            builder.step(f"{builder.random.choice(forms.MMX_8)} {address.text()}, {name}",
                         Access("r", 8, address))
        elif kind < 6:
            address = builder.operand(4, crossing)
            builder.step(f"{builder.random.choice(forms.MMX_4)} {address.text()}, {name}",
                         Access("r", 4, address))
        elif kind == 6:
            size, text = builder.random.choice(((8, "movq"), (4, "movd")))
            address = builder.operand(size, crossing)
            builder.step(f"{text} {name}, {address.text()}", Access("w", size, address))
        else:
            builder.step(f"{builder.random.choice(forms.MMX_8[:-1])} {builder.random.choice(names)}"
                         f", {name}")
    builder.step("emms")
