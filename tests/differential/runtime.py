# SPDX-License-Identifier: GPL-2.0-only
"""How a random program begins and ends, and its signal handler."""

from differential.builder import (ABOVE, BASE, BELOW, EDGE, PROT_ALL, SKIP, SYS_MPROTECT)
from differential.program import DATA, STACK, Access, Address

SYS_EXIT = 1
SYS_SIGRETURN = 119
SYS_RT_SIGACTION = 174
SYS_SIGALTSTACK = 186
# SIGTRAP must not be blocked in its handler, or it could not be stepped through.
SA_FLAGS = 0x04000000 | 0x08000000 | 0x40000000  # RESTORER, ONSTACK, NODEFER
SIGILL, SIGTRAP, SIGFPE, SIGSEGV = 4, 5, 8, 11

STACK_TOP = STACK + 0x800
ALTERNATE = STACK + 0x1000
ACTION = DATA + 64
ALTERNATE_STACK = DATA + 96

# What x87 instructions load and where they store: units_fpu.py.
CONSTANTS = DATA + 0x100
SINK, SINK_SIZE = DATA + 0x400, 64

# In the frame of a handler without SA_SIGINFO, at its first instruction.
FRAME_SIGNAL, FRAME_EIP = 4, 64


def handler(builder):
    """Continue where SKIP says, or else give the page back; return the handler's first step."""
    step, program = builder.step, builder.program
    repeat, leave = program.new_label(), program.new_label()
    first = step(f"movl {SKIP:#x}, %eax", Access("r", 4, Address(displacement=SKIP)))
    step("testl %eax, %eax")
    step(f"jz {repeat}", branches=1, jumps=True)
    step(f"movl %eax, {FRAME_EIP}(%esp)", Access("w", 4, Address("esp", displacement=FRAME_EIP)))
    builder.store(0, SKIP)
    step(f"jmp {leave}", branches=1, jumps=True)
    program.label(repeat)
    step(f"movl ${EDGE:#x}, %ebx")
    step("movl $4096, %ecx")
    step(f"movl ${PROT_ALL}, %edx")
    builder.system_call(SYS_MPROTECT)
    program.label(leave)
    step("addl $4, %esp")
    step("popl %eax", Access("r", 4, Address("esp")))
    step(f"movl ${SYS_SIGRETURN}, %eax")
    step("int $0x80", plain=(5, 5), segments=2, branches=1, jumps=True)
    return first


def begin(builder):
    """Handlers, a stack for them, and registers with a value."""
    step, program = builder.step, builder.program
    start = program.new_label()
    step(f"jmp {start}", branches=1, jumps=True)
    first = handler(builder)
    program.put(ACTION, f".long s{first}, {SA_FLAGS:#x}, s{first}, 0, 0")
    program.put(ALTERNATE_STACK, f".long {ALTERNATE:#x}, 0, 0x4000")
    random_data(builder)
    program.label(start)
    step(f"movl ${STACK_TOP:#x}, %esp")
    step(f"movl ${ALTERNATE_STACK:#x}, %ebx")
    step("xorl %ecx, %ecx")
    builder.system_call(SYS_SIGALTSTACK)
    for signal in (SIGILL, SIGTRAP, SIGFPE, SIGSEGV):
        step(f"movl ${signal}, %ebx")
        step(f"movl ${ACTION:#x}, %ecx")
        step("xorl %edx, %edx")
        step("movl $8, %esi")
        builder.system_call(SYS_RT_SIGACTION)
    for register in ("eax", "ecx", "edx", "ebx", "esi", "edi"):
        step(f"movl ${builder.random.getrandbits(32):#x}, %{register}")
    step(f"movl ${BASE:#x}, %ebp")


def random_data(builder):
    """What operands are at first, and numbers for the x87."""
    constants = [
        ".float 1.5, -2.25, 3, 1e10", ".double 0.1, -7.75, 1e-3, 123456.789",
        ".tfloat 1.25", ".tfloat -1e5", ".byte 0x21, 0x43, 0x65, 0x87, 0x09, 0, 0, 0, 0, 0x80",
        ".short 7, -300", ".long 100000, -12", ".quad 5000000000, -3",
        ".short 0x37f, 0xf7f, 0x27f, 0x07f"]
    builder.program.put(CONSTANTS, "\n".join(constants))
    values = [f"{builder.random.getrandbits(32):#x}" for _ in range((BELOW + ABOVE) // 4)]
    builder.program.put(EDGE - BELOW, ".long " + ", ".join(values))
    builder.program.put(EDGE + 0x1000 - 1, ".byte 0")


def end(builder):
    """Exit with a status that depends on all operands and registers."""
    step = builder.step
    for register in ("ecx", "edx", "ebx", "esi", "edi"):
        step("roll $3, %eax")
        step(f"xorl %{register}, %eax")
    for start, size in ((EDGE - BELOW, BELOW + ABOVE), (SINK, SINK_SIZE)):
        for address in range(start, start + size, 4):
            step("roll $3, %eax")
            step(f"xorl {address:#x}, %eax", Access("r", 4, Address(displacement=address)))
    for bits in (16, 8):
        step("movl %eax, %ebx")
        step(f"shrl ${bits}, %ebx")
        step("xorl %ebx, %eax")
    step("movzbl %al, %ebx")
    builder.system_call(SYS_EXIT)
