# SPDX-License-Identifier: GPL-2.0-only
"""Make units of far transfers and of traps. The selector of the code segment depends on the
kernel."""

from differential import forms
from differential.builder import FAR, SYSTEM_CALL
from differential.program import Access, Address
from differential.units_integer import guard, unguard
from differential.units_stack import push, push_step, top
from differential.units_transfer import JUMP

# Far jumps at the same privilege level read the code segment's descriptor.
FAR_JUMP = {"branch": "far", "jumps": True, "segments": 1, "plain": (1, 0)}
TRAP = {"traps": True, **SYSTEM_CALL[32]}


def far(builder):
    """Add a far jump, call or return, or an IRET."""
    units = (far_return, interrupt_return, far_memory, far_direct)
    if builder.mode.bits == 64:
        units = (far_return, interrupt_return, far_memory)
    builder.random.choice(units)(builder)


def pops(builder, number, size=0):
    """Return this number of reads from the stack."""
    size = size or builder.mode.word
    return [top(builder, size, size * n) for n in range(number)]


def push_code_segment(builder):
    """Add a PUSH of CS. 64-bit programs use other instructions for this."""
    if builder.mode.bits == 32:
        builder.step("pushl %cs", push(builder))
    else:
        builder.step("movl %cs, %ecx")
        push_step(builder, "%rcx")


def far_return(builder):
    """Add a RETF to an address that has been pushed."""
    label = builder.program.new_label()
    letter = builder.mode.letter
    more = builder.chance(3)
    if more:
        push_step(builder, "$0")
    push_code_segment(builder)
    push_step(builder, f"${label}")
    builder.step(f"lret{letter} ${builder.mode.word}" if more else f"lret{letter}",
                 *pops(builder, 2), **FAR_JUMP)
    builder.program.label(label)


def interrupt_return(builder):
    """Add an IRET to an address that has been pushed. With 64 bits it also pops the address of
    the stack."""
    label = builder.program.new_label()
    flags = 0x202 | builder.random.choice((0, 1, 0x40, 0x881, 0x94))
    if builder.mode.bits == 64:
        builder.step("movq %rsp, %rdx")
        builder.step("movl %ss, %ecx")
        push_step(builder, "%rcx")
        push_step(builder, "%rdx")
    push_step(builder, f"${flags:#x}")
    push_code_segment(builder)
    push_step(builder, f"${label}")
    if builder.mode.bits == 32:
        builder.step("iretl", *pops(builder, 3), **FAR_JUMP)
    else:
        builder.step("iretq", *pops(builder, 5), **(FAR_JUMP | {"plain": (2, 0)}))
    builder.program.label(label)
    builder.defined = set(forms.ALL)


def far_memory(builder):
    """Add a JMP or CALL through a far pointer in memory, with an address of 32 bits in any mode."""
    step, program = builder.step, builder.program
    target, after = program.new_label(), program.new_label()
    where = FAR + builder.random.randrange(4)
    pointer = (Access("r", 4, Address(displacement=where)),
               Access("r", 2, Address(displacement=where + 4)))
    step(f"movw %cs, {where + 4:#x}", Access("w", 2, Address(displacement=where + 4)))
    step(f"movl ${target}, {where:#x}", pointer_store(where))
    if builder.chance(2):
        step(f"ljmpl *{where:#x}", *pointer, **FAR_JUMP)
        program.label(target)
    else:
        step(f"lcalll *{where:#x}", *pointer, push(builder, 4), push(builder, 4, -4), **FAR_JUMP)
        step(f"jmp {after}", **JUMP)
        program.label(target)
        step("lretl", *pops(builder, 2, 4), **FAR_JUMP)
        program.label(after)


def pointer_store(where):
    """Return the access of a store of 4 bytes."""
    return Access("w", 4, Address(displacement=where))


def far_direct(builder):
    """Add a JMP or CALL with a far pointer in the instruction. The selector is written into it
    first."""
    step, program = builder.step, builder.program
    target, after = program.new_label(), program.new_label()
    number = len(program.steps) + 1
    step(f"movw %cs, s{number} + 5", Access("w", 2, Address(code=number, displacement=5)))
    if builder.chance(2):
        step(f"ljmp $0, ${target}", **FAR_JUMP)
        program.label(target)
    else:
        step(f"lcall $0, ${target}", push(builder), push(builder, 4, -4), **FAR_JUMP)
        step(f"jmp {after}", **JUMP)
        program.label(target)
        step("lretl", *pops(builder, 2), **FAR_JUMP)
        program.label(after)


# These instructions fault in both modes, and FAULTS64 has some that fault in 64-bit mode only.
FAULTS = ("ud2", "hlt", "cli", "inb $0x80, %al", "int $0x81", "clts")
FAULTS64 = (*FAULTS, ".byte 0x06", ".byte 0x27", ".byte 0xce", "rdmsr", "swapgs", "wbinvd",
            "movq %cr3, %rax", "outl %eax, %dx")


def trap(builder):
    """Add an instruction that ends in a signal."""
    kind = builder.random.randrange(5)
    if kind == 0 or (kind >= 2 and builder.mode.bits == 64):
        label = guard(builder)
        builder.step(builder.random.choice(FAULTS if builder.mode.bits == 32 else FAULTS64))
        unguard(builder, label)
    elif kind == 1:
        label = guard(builder)
        builder.step(builder.random.choice(("int3", ".byte 0xcd, 0x03")), **TRAP)
        unguard(builder, label)
    else:
        trap32(builder, kind)


def trap32(builder, kind):
    """Add an instruction that ends in a signal and that 64-bit programs do not have."""
    step = builder.step
    if kind == 2:
        step("testl %eax, %eax")  # to clear OF
        builder.changed("CPZSO", "A")
        step("into", branch="serializing")
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
