# SPDX-License-Identifier: GPL-2.0-only
"""Jumps, calls, loops, far transfers, traps, and code that changes itself."""

from differential import forms
from differential.builder import FAR, POINTER, SYSTEM_CALL
from differential.program import Access, Address
from differential.units_integer import guard, memory, push, register, unguard

JUMP = {"branches": 1, "jumps": True}
# Far transfers at the same privilege level read the code segment's descriptor.
FAR_JUMP = {"branches": 1, "jumps": True, "segments": 1, "plain": (1, 0)}
TRAP = {"traps": True, **SYSTEM_CALL}

# Instructions of one byte that change the same flags.
ONE_BYTE = (0x41, 0x42, 0x43, 0x49, 0x4a, 0x4b)  # INC and DEC of ECX, EDX, EBX


def some(builder):
    """A few instructions."""
    for _ in range(builder.random.randrange(1, 4)):
        builder.random.choice((memory, memory, register))(builder)


def maybe_skipped(builder, unit, label):
    """A unit up to a label, to which a jump may have gone: then flags that it defines are not."""
    before = set(builder.defined)
    unit(builder)
    builder.defined &= before
    builder.program.label(label)


def jump(builder):
    """A jump over some instructions."""
    builder.random.choice((conditional, conditional, unconditional, indirect, counted))(builder)


def conditional(builder):
    """Jcc, near or short."""
    condition, needs = builder.random.choice(list(forms.CONDITIONS.items()))
    builder.define(needs)
    label = builder.program.new_label()
    # The assembler makes it short if it can, unless asked not to.
    builder.step(f"{'{disp32} ' if builder.chance(3) else ''}j{condition} {label}", **JUMP)
    maybe_skipped(builder, some, label)


def unconditional(builder):
    """JMP over what is never executed."""
    label = builder.program.new_label()
    builder.step(f"jmp {label}", **JUMP)
    builder.step("hlt")
    builder.program.label(label)


def indirect(builder):
    """JMP through a register or memory."""
    label = builder.program.new_label()
    if builder.chance(2):
        builder.step(f"movl ${label}, %edx")
        builder.step("jmp *%edx", **JUMP)
    else:
        builder.store(label, POINTER)
        builder.step(f"jmp *{POINTER:#x}", Access("r", 4, Address(displacement=POINTER)), **JUMP)
    builder.step("hlt")
    builder.program.label(label)


def counted(builder):
    """JCXZ, JECXZ."""
    label = builder.program.new_label()
    builder.step(f"movl ${builder.random.choice((0, 1, 0x10000))}, %ecx")
    builder.step(f"{builder.random.choice(('jcxz', 'jecxz'))} {label}", **JUMP)
    maybe_skipped(builder, register, label)


def loop(builder):
    """Some instructions several times."""
    builder.random.choice((loop_by_count, loop_instruction))(builder)


def loop_by_count(builder):
    """The count is on the stack."""
    top = Address("esp")
    builder.step(f"pushl ${builder.random.randrange(2, 5)}", push())
    label = builder.program.new_label()
    builder.program.label(label)
    builder.defined = set()
    for _ in range(builder.random.randrange(1, 4)):
        builder.random.choice((some, some, rewrite, call))(builder)
    builder.step("decl (%esp)", Access("r", 4, top), Access("w", 4, top))
    builder.step(f"jnz {label}", **JUMP)
    builder.defined = set("PAZSO")
    builder.step("popl %ecx", Access("r", 4, top))


def loop_instruction(builder):
    """LOOP, LOOPE, LOOPNE."""
    name = builder.random.choice(("loop", "loope", "loopne", "loopw"))
    builder.step(f"movl ${builder.random.randrange(1, 6)}, %ecx")
    label = builder.program.new_label()
    builder.program.label(label)
    builder.step(f"{builder.random.choice(('incl', 'negl'))} %edx")
    builder.step(f"{name} {label}", **JUMP)
    builder.defined = set("PAZSO")


def call(builder):
    """CALL and RET, near."""
    step, program = builder.step, builder.program
    target, after = program.new_label(), program.new_label()
    kind = builder.random.randrange(3)
    if builder.chance(3):
        step("pushl $3", push())
        leave = "ret $4"
    else:
        leave = "ret"
    if kind == 0:
        step(f"call {target}", push(), **JUMP)
    elif kind == 1:
        step(f"movl ${target}, %ebx")
        step("call *%ebx", push(), **JUMP)
    else:
        builder.store(target, POINTER)
        step(f"call *{POINTER:#x}", Access("r", 4, Address(displacement=POINTER)), push(),
             **JUMP)
    step(f"jmp {after}", **JUMP)
    program.label(target)
    some(builder)
    step(leave, Access("r", 4, Address("esp")), **JUMP)
    program.label(after)


def far(builder):
    """Far jumps, calls and returns, IRET. The code segment's selector depends on the kernel."""
    builder.random.choice((far_return, interrupt_return, far_memory, far_direct))(builder)


def pops(number):
    """So many reads from the stack."""
    return [Access("r", 4, Address("esp", displacement=4 * n)) for n in range(number)]


def far_return(builder):
    """RETF to an address that was pushed."""
    label = builder.program.new_label()
    more = builder.chance(3)
    if more:
        builder.step("pushl $0", push())
    builder.step("pushl %cs", push())
    builder.step(f"pushl ${label}", push())
    builder.step("lret $4" if more else "lret", *pops(2), **FAR_JUMP)
    builder.program.label(label)


def interrupt_return(builder):
    """IRET to an address that was pushed."""
    label = builder.program.new_label()
    builder.step(f"pushl ${0x202 | builder.random.choice((0, 1, 0x40, 0x881, 0x94)):#x}",
                 push())
    builder.step("pushl %cs", push())
    builder.step(f"pushl ${label}", push())
    builder.step("iret", *pops(3), **FAR_JUMP)
    builder.program.label(label)
    builder.defined = set(forms.ALL)


def far_memory(builder):
    """JMP and CALL through a far pointer in memory."""
    step, program = builder.step, builder.program
    target, after = program.new_label(), program.new_label()
    where = FAR + builder.random.randrange(4)
    pointer = (Access("r", 4, Address(displacement=where)),
               Access("r", 2, Address(displacement=where + 4)))
    step(f"movw %cs, {where + 4:#x}", Access("w", 2, Address(displacement=where + 4)))
    builder.store(target, where)
    if builder.chance(2):
        step(f"ljmp *{where:#x}", *pointer, **FAR_JUMP)
        program.label(target)
    else:
        step(f"lcall *{where:#x}", *pointer, push(), push(4, -4), **FAR_JUMP)
        step(f"jmp {after}", **JUMP)
        program.label(target)
        step("lret", *pops(2), **FAR_JUMP)
        program.label(after)


def far_direct(builder):
    """JMP and CALL with a far pointer in the instruction, where the selector is put first."""
    step, program = builder.step, builder.program
    target, after = program.new_label(), program.new_label()
    number = len(program.steps) + 1
    step(f"movw %cs, s{number} + 5", Access("w", 2, Address(code=number, displacement=5)))
    if builder.chance(2):
        step(f"ljmp $0, ${target}", **FAR_JUMP)
        program.label(target)
    else:
        step(f"lcall $0, ${target}", push(), push(4, -4), **FAR_JUMP)
        step(f"jmp {after}", **JUMP)
        program.label(target)
        step("lret", *pops(2), **FAR_JUMP)
        program.label(after)


def trap(builder):
    """Instructions that end in a signal."""
    step = builder.step
    kind = builder.random.randrange(5)
    if kind == 0:
        label = guard(builder)
        step(builder.random.choice(("ud2", "hlt", "cli", "inb $0x80, %al", "int $0x81", "clts")))
        unguard(builder, label)
    elif kind == 1:
        label = guard(builder)
        step(builder.random.choice(("int3", ".byte 0xcd, 0x03")), **TRAP)
        unguard(builder, label)
    elif kind == 2:
        step("testl %eax, %eax")  # OF is 0
        builder.changed("CPZSO", "A")
        step("into", branches=1)
    elif kind == 3:
        step("movb $127, %dl")
        step("incb %dl")
        builder.changed("PAZSO")
        label = guard(builder)
        step("into", **TRAP)
        unguard(builder, label)
    else:
        label = guard(builder)
        step("aam $0")
        unguard(builder, label)


def rewrite(builder):
    """Code that changes what comes next."""
    builder.random.choice((rewrite_constant, rewrite_opcode, rewrite_by_string))(builder)


def rewrite_constant(builder):
    """The constant of the next MOV is replaced, or a part of it."""
    number = len(builder.program.steps) + 1
    kind = builder.random.randrange(6)
    size = builder.random.choice((1, 2, 4))
    where = Address(code=number, displacement=builder.random.randrange(1, 6 - size))
    name = builder.register(size)
    letter = {1: "b", 2: "w", 4: "l"}[size]
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
    builder.step(f"movl $0x12345678, %{builder.register(4)}")


def rewrite_opcode(builder):
    """The next instruction becomes another one."""
    code = builder.random.choice(ONE_BYTE)
    number = len(builder.program.steps) + builder.random.randrange(1, 3)
    where = Address(code=number)
    builder.step(f"movb ${code:#x}, {where.text()}", Access("w", 1, where))
    for _ in range(2):
        builder.step(f".byte {builder.random.choice(ONE_BYTE):#x}")
    builder.changed("PAZSO")


def rewrite_by_string(builder):
    """Several instructions are replaced by others."""
    step = builder.step
    step(f"movb ${builder.random.choice(ONE_BYTE):#x}, %al")
    number = len(builder.program.steps) + 3
    step(f"movl $s{number}, %edi")
    count = builder.random.randrange(1, 4)
    step(f"movl ${count}, %ecx")
    step("rep stosb", Access("w", 1, Address("edi")), repeats=True)
    for _ in range(3):
        step(f".byte {builder.random.choice(ONE_BYTE):#x}")
    builder.changed("PAZSO")
