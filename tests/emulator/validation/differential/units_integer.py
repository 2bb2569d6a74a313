# SPDX-License-Identifier: GPL-2.0-only
"""Make units of integer instructions: with an operand in memory, with faults, and strings."""

import dataclasses

from differential import forms
from differential.builder import EDGE, PROT_NONE, SIZES, SKIP, SUFFIXES
from differential.program import Access, Address


def forms_of(builder, *, quotient=False, may_skip=False):
    """Return the forms with an operand in memory that the processor has.

    quotient: return the forms that may raise #DE instead of all others
    may_skip: return only forms that may be skipped after their operand has faulted
    """
    every = forms.MEMORY32 if builder.mode.bits == 32 else forms.MEMORY64
    return [form for form in every if form.quotient == quotient and builder.has(form.level)
            and not (may_skip and form.stays)]


def prefix(builder, form, address):
    """Return a segment override that has no effect, or usually no prefix."""
    if "lock" in form.text or address.base == builder.full("bp") or not builder.chance(6):
        return ""
    return builder.random.choice(("%es:", "%ss:"))


def bit_operand(builder, size, crossing):
    """Return an operand whose place depends on the number of a bit, and the register that has
    this number."""
    builder.step(f"mov{builder.mode.letter} ${builder.random.randrange(-90, 90)}, "
                 f"%{builder.full('dx')}")
    address = builder.place(builder.random.randrange(-40, 12) if crossing else
                            builder.random.randrange(-90, 30))
    operand = dataclasses.replace(address, bits=(builder.full("dx"), size))
    return address, operand, {2: "dx", 4: "edx", 8: "rdx"}[size]


def plain_operand(builder, form, size, crossing):
    """Return an operand, and a register of its size."""
    if form.aligned:
        address = builder.place(builder.aligned_offset(size, crossing))
    else:
        address = builder.operand(size, crossing and not form.stays, form.stays)
    return address, address, builder.register(size, address.text())


def most_bits(size):
    """Return the largest number of bits by which an operand can be shifted so that all
    processors set the flags alike."""
    return 64 if size == 8 else 8 * min(size, 2)


def emit(builder, form, crossing=False):
    """Add one instruction of a form, after instructions that prepare it."""
    size = SIZES[builder.random.choice(form.sizes)]
    if form.bits:
        address, operand, name = bit_operand(builder, size, crossing)
    else:
        address, operand, name = plain_operand(builder, form, size, crossing)
    if form.count:
        builder.step(f"movb ${builder.random.randrange(1, most_bits(size))}, %cl")
    builder.define(form.needs)
    text = form.text.format(m=prefix(builder, form, address) + address.text(), r="%" + name,
                            s=SUFFIXES[size], i=builder.random.randrange(1 << min(8 * size, 31)))
    builder.step(text, *(Access(kind, size, operand) for kind in form.access))
    builder.changed(form.defines, form.undefines)


def memory(builder):
    """Add an instruction with an operand in memory."""
    emit(builder, builder.random.choice(forms_of(builder)))


def register(builder):
    """Add an instruction without an operand in memory."""
    every = forms.REGISTER32 if builder.mode.bits == 32 else forms.REGISTER64
    text, needs, defines, undefines = builder.random.choice(every)
    builder.define(needs)
    builder.step(text)
    builder.changed(defines, undefines)


def faulting(builder):
    """Add an instruction whose operand faults. The handler lets the instruction be repeated."""
    builder.forbid()
    emit(builder, builder.random.choice(forms_of(builder)), crossing=True)


def skipped(builder):
    """Add an instruction whose operand may fault. The handler then skips the instruction."""
    form = builder.random.choice(forms_of(builder, may_skip=True))
    builder.define(form.needs)
    skip = guard(builder)
    builder.forbid()
    before = set(builder.defined)
    emit(builder, form, crossing=True)
    builder.defined &= before
    unguard(builder, skip)


def guard(builder):
    """Let the handler skip the following instructions if one of them faults. Return the label
    after them, at which execution then continues."""
    label = builder.program.new_label()
    builder.store(label, SKIP)
    return label


def unguard(builder, label):
    """End the instructions that guard() has begun."""
    builder.program.label(label)
    builder.store(0, SKIP)


def quotient(builder):
    """Add a division that may fail."""
    form = builder.random.choice(forms_of(builder, quotient=True))
    label = guard(builder)
    if builder.chance(2):
        builder.step("movl $1, %edx")
    emit(builder, form, builder.chance(4))
    unguard(builder, label)


# Each string instruction has its accesses by ESI and by EDI in an iteration, and the prefixes
# that make sense.
STRINGS = (("movs", "rw", ("rep ",)), ("cmps", "rr", ("repe ", "repne ")),
           ("scas", " r", ("repe ", "repne ")), ("lods", "r ", ("rep ",)),
           ("stos", " w", ("rep ",)))


def string_accesses(builder, kinds, size):
    """Return the accesses of an iteration of a string instruction."""
    return [Access(kind, size, Address(builder.full(index)))
            for kind, index in zip(kinds, ("si", "di")) if kind != " "]


def string(builder):
    """Add a string instruction, usually with a REP prefix."""
    name, kinds, prefixes = builder.random.choice(STRINGS)
    letter = builder.random.choice(builder.mode.letters)
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
    rep = builder.random.choice(prefixes) if repeated else ""
    builder.step(f"{rep}{name}{letter}", *string_accesses(builder, kinds, size), repeats=repeated)
    builder.step("cld")
    # If there is no iteration, the flags stay as they were.
    if name in ("cmps", "scas") and (not repeated or count):
        builder.changed(forms.ALL)


def long_string(builder):
    """Add a string instruction with a count of more than 32 bits.

    A fault ends the instruction, or it uses only 32 bits of the count.
    """
    name, kinds, _ = builder.random.choice([form for form in STRINGS if form[0] != "cmps"])
    letter = builder.random.choice(builder.mode.letters)
    size = SIZES[letter]
    short = builder.chance(2)
    for index in ("rsi", "rdi"):
        place = EDGE - size * builder.random.randrange(3, 9) - builder.random.randrange(size)
        builder.step(f"movq ${place | short << 32:#x}, %{index}")
    builder.define()
    label = guard(builder)
    builder.protect(PROT_NONE)
    builder.step(f"movq ${builder.random.randrange(1, 12) | 1 << 32:#x}, %rcx")
    rep = "repne " if name == "scas" else "rep "
    builder.step(f"{'addr32 ' * short}{rep}{name}{letter}",
                 *string_accesses(builder, kinds, size), repeats=True)
    # If a fault has ended the instruction, processors differ in the flags.
    builder.defined = set()
    unguard(builder, label)
    for index in ("esi", "edi"):
        builder.step(f"movl $0, %{index}")
