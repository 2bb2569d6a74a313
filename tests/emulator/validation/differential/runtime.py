# SPDX-License-Identifier: GPL-2.0-only
"""Write the beginning and the end of a random program, and its signal handler."""

from differential.builder import ABOVE, BASE, BELOW, EDGE, PROT_ALL, SKIP
from differential.program import DATA, STACK, Access, Address

# The handler must not block SIGTRAP, because it is single-stepped, too.
SA_FLAGS = 0x04000000 | 0x08000000 | 0x40000000  # RESTORER, ONSTACK, NODEFER
# An invalid address relative to the stack raises SIGBUS.
SIGNALS = {32: (4, 5, 8, 11), 64: (4, 5, 7, 8, 11)}  # ILL, TRAP, BUS, FPE, SEGV

STACK_TOP = STACK + 0x800
ALTERNATE = STACK + 0x1000
ACTION = DATA + 64
ALTERNATE_STACK = DATA + 112

# x87 instructions load from these addresses and store to them (see units_fpu.py).
CONSTANTS = DATA + 0x100
# SSE instructions have their operands here, aligned to 32 bytes: see units_sse.py.
VECTORS = DATA + 0x200
SINK, SINK_SIZE = DATA + 0x400, 64
# At the end, all vector registers are stored here, in this number of bytes.
REGISTERS, REGISTERS_SIZE = DATA + 0x600, 512

# The exit status depends on these registers.
GENERAL = {32: ("cx", "dx", "bx", "si", "di"),
           64: ("cx", "dx", "bx", "si", "di", *(f"r{n}" for n in range(8, 16)))}

# At the handler's first instruction, its frame has the instruction pointer at these offsets.
# The 32-bit frame is that without SA_SIGINFO.
FRAME_IP = {32: 64, 64: 176}


def handler(builder):
    """Add a handler that continues at the address in SKIP, or makes the page accessible again.
    Return the handler's first step."""
    step, program, mode = builder.step, builder.program, builder.mode
    repeat, leave = program.new_label(), program.new_label()
    letter, ax, sp = mode.letter, mode.full("ax"), mode.full("sp")
    first = step(f"mov{letter} {SKIP:#x}, %{ax}",
                 Access("r", mode.word, Address(displacement=SKIP)))
    step(f"test{letter} %{ax}, %{ax}")
    step(f"jz {repeat}", branch="conditional", jumps=True)
    step(f"mov{letter} %{ax}, {FRAME_IP[mode.bits]}(%{sp})",
         Access("w", mode.word, Address(sp, displacement=FRAME_IP[mode.bits])))
    builder.store(0, SKIP)
    step(f"jmp {leave}", branch="jump", jumps=True)
    program.label(repeat)
    builder.system_call("mprotect", EDGE, 4096, PROT_ALL)
    program.label(leave)
    step(f"add{letter} ${mode.word}, %{sp}")
    if mode.bits == 32:
        step("popl %eax", Access("r", 4, Address("esp")))
    builder.system_call("sigreturn", jumps=True)
    return first


def begin(builder):
    """Add the start of the program: signal handlers, a stack for them, and first values of
    registers."""
    step, program, mode = builder.step, builder.program, builder.mode
    start = program.new_label()
    step(f"jmp {start}", branch="jump", jumps=True)
    first = handler(builder)
    if mode.bits == 64:
        program.put(DATA, "data:")
    word = mode.directive
    program.put(ACTION, f"{word} s{first}, {SA_FLAGS:#x}, s{first}, 0, 0")
    # The structure has a pointer, flags and a size.
    program.put(ALTERNATE_STACK, f"{word} {ALTERNATE:#x}, 0, 0x4000")
    random_data(builder)
    program.label(start)
    step(f"movl ${STACK_TOP:#x}, %esp")
    builder.system_call("sigaltstack", ALTERNATE_STACK, 0)
    for signal in SIGNALS[mode.bits]:
        builder.system_call("rt_sigaction", signal, ACTION, 0, 8)
    for register in ("ax", "cx", "dx", "bx", "si", "di"):
        step(f"movl ${builder.random.getrandbits(32):#x}, %e{register}")
    if mode.bits == 64:
        for number in range(8, 16):
            step(f"movabsq ${builder.random.getrandbits(64):#x}, %r{number}")
    step(f"movl ${BASE:#x}, %ebp")


def random_data(builder):
    """Add the first values of operands, and numbers for x87 and SSE instructions."""
    constants = [
        ".float 1.5, -2.25, 3, 1e10", ".double 0.1, -7.75, 1e-3, 123456.789",
        ".tfloat 1.25", ".tfloat -1e5", ".byte 0x21, 0x43, 0x65, 0x87, 0x09, 0, 0, 0, 0, 0x80",
        ".short 7, -300", ".long 100000, -12", ".quad 5000000000, -3",
        ".short 0x37f, 0xf7f, 0x27f, 0x07f"]
    builder.program.put(CONSTANTS, "\n".join(constants))
    if builder.mode.bits == 64:
        builder.program.put(VECTORS, "\n".join([
            ".float 1.5, -2.25, 3, 1024, -0.5, 0, 65536, -7",
            ".double 0.75, -7.75, 1e3, 123456.5",
            ".float 0.1, 1e30, -1e-30, 3.3, 1e-40, 2.5, -0.0, 1e10",
            ".double 0.1, -1e200, 1e-310, 2.5",
            ".long 0x1f80, 0x3f80, 0x5f80, 0x7f80, 0x9f80"]))
    values = [f"{builder.random.getrandbits(32):#x}" for _ in range((BELOW + ABOVE) // 4)]
    builder.program.put(EDGE - BELOW, ".long " + ", ".join(values))
    builder.program.put(EDGE + 0x1000 - 1, ".byte 0")


def vectors(builder):
    """Store the vector registers. Where they have 256 bits, store all bits."""
    wide = builder.has("avx")
    for number in range(16):
        address = Address(displacement=REGISTERS + 32 * number)
        text = f"vmovups %ymm{number}" if wide else f"movups %xmm{number}"
        builder.step(f"{text}, {address.text()}", Access("w", 32 if wide else 16, address))
    return (REGISTERS, REGISTERS_SIZE)


def end(builder):
    """Exit with a status that depends on all operands and registers."""
    step, mode = builder.step, builder.mode
    letter, ax, bx = mode.letter, mode.full("ax"), mode.full("bx")
    ranges = [(EDGE - BELOW, BELOW + ABOVE), (SINK, SINK_SIZE)]
    if mode.bits == 64:
        ranges.append(vectors(builder))
    for name in GENERAL[mode.bits]:
        step(f"rol{letter} $3, %{ax}")
        step(f"xor{letter} %{name if name[0] == 'r' else mode.full(name)}, %{ax}")
    for start, size in ranges:
        for address in range(start, start + size, mode.word):
            step(f"rol{letter} $3, %{ax}")
            step(f"xor{letter} {address:#x}, %{ax}",
                 Access("r", mode.word, Address(displacement=address)))
    for bits in (32, 16, 8)[mode.bits == 32:]:
        step(f"mov{letter} %{ax}, %{bx}")
        step(f"shr{letter} ${bits}, %{bx}")
        step(f"xor{letter} %{bx}, %{ax}")
    if mode.bits == 32:
        step("movzbl %al, %ebx")
    else:
        step("movzbl %al, %edi")
    builder.system_call("exit")
