# SPDX-License-Identifier: GPL-2.0-only
"""Provide the common code of all units of random programs."""

from differential.forms import ALL, LEVELS
from differential.program import DATA, MODE32, Access, Address, Program

# Operands lie near a boundary between two pages. Now and then the second page is made
# inaccessible.
EDGE = DATA + 0x1000
BELOW, ABOVE = 128, 64
# EBP or RBP points here.
BASE = EDGE - 40

# SKIP has the address at which the handler continues, or 0 if it must repeat the instruction.
SKIP = DATA
SAVED_SP = DATA + 8
FAR = DATA + 16
POINTER = DATA + 32

# These are the registers for operands, by bits of the program and bytes of the operand, except
# those that address operands. For 64 bits, they include some of the additional registers.
NAMES = {
    32: {1: ("al", "cl", "dl", "bl", "ah", "ch", "dh", "bh"), 2: ("ax", "cx", "dx", "bx"),
         4: ("eax", "ecx", "edx", "ebx"), 8: ("eax",)},
    64: {1: ("al", "cl", "dl", "bl", "ah", "ch", "dh", "bh", "sil", "r8b", "r10b", "r14b"),
         2: ("ax", "cx", "dx", "bx", "r9w", "r10w", "r15w"),
         4: ("eax", "ecx", "edx", "ebx", "r8d", "r11d", "r14d", "r15d"),
         8: ("rax", "rcx", "rdx", "rbx", "r8", "r9", "r10", "r14"), 16: ("rax",)},
}
# An instruction with one of R8 to R15 cannot name these registers.
HIGH_BYTES = ("ah", "ch", "dh", "bh")
SIZES = {"b": 1, "w": 2, "l": 4, "q": 8, "o": 16}
SUFFIXES = {size: letter for letter, size in SIZES.items()}

# For 32 and 64 bits, these are the effects of a system call, its instruction, the numbers of
# calls, and the registers of the arguments.
SYSTEM_CALL = {32: {"plain": (5, 5), "segments": 2, "branch": "far"}, 64: {"branch": "far"}}
CALL = {32: "int $0x80", 64: "syscall"}
NUMBERS = {32: {"exit": 1, "getpid": 20, "sigreturn": 119, "mprotect": 125, "rt_sigaction": 174,
                "sigaltstack": 186},
           64: {"mprotect": 10, "rt_sigaction": 13, "sigreturn": 15, "getpid": 39, "exit": 60,
                "sigaltstack": 131, "arch_prctl": 158}}
ARGUMENTS = {32: ("ebx", "ecx", "edx", "esi"), 64: ("edi", "esi", "edx", "r10d")}
# A system call changes these registers, or protect() uses them. R11 has the flags after a call,
# which differ in single steps.
CHANGED64 = ("rax", "rcx", "rdx", "rsi", "rdi", "r11")
PROT_NONE, PROT_READ, PROT_ALL = 0, 1, 3


class Builder:
    """A program, a source of random numbers, and the flags that have a defined value.

    level: the instruction set of the processor, one of forms.LEVELS
    """

    def __init__(self, source, mode=MODE32, level=LEVELS[0]):
        self.random = source
        self.mode = mode
        self.level = level
        self.program = Program(mode)
        self.step = self.program.step
        self.defined = set()

    def chance(self, one_in):
        """Return True at random, once in this number of times."""
        return self.random.randrange(one_in) == 0

    def has(self, level):
        """Return whether the processor has instructions of a level."""
        return LEVELS.index(level) <= LEVELS.index(self.level)

    def full(self, name):
        """Return a register in full: AX is EAX or RAX."""
        return self.mode.full(name)

    def register(self, size, beside=""):
        """Return any register of a size, except those that address operands."""
        names = NAMES[self.mode.bits][size]
        if size == 1 and any(f"%r{n}" in beside for n in range(8, 16)):
            names = [name for name in names if name not in HIGH_BYTES]
        return self.random.choice(names)

    def define(self, needs=ALL):
        """Let these flags have a defined value."""
        if not set(needs) <= self.defined:
            self.step(f"cmpl %{self.register(4)}, %{self.register(4)}")
            self.defined = set(ALL)

    def changed(self, defines="", undefines=""):
        """Note that an instruction has changed flags."""
        self.defined = (self.defined | set(defines)) - set(undefines)

    def offset(self, size, crossing=False, below=False):
        """Return the offset of an operand from the boundary: anywhere, or touching the second
        page, or below the boundary."""
        if crossing:
            return self.random.randrange(1 - size, 12)
        high = -size if below else ABOVE - size
        offset = self.random.randrange(-BELOW, high + 1)
        return offset if self.chance(2) else offset // size * size

    def aligned_offset(self, size, crossing=False):
        """Return the offset of an operand that must be aligned."""
        if crossing:
            return 0
        return self.random.randrange(-BELOW // size, ABOVE // size) * size

    def place(self, offset):
        """Return a way to address a place, with the instructions that prepare it."""
        address = EDGE + offset
        kind = self.random.randrange(4 if self.mode.bits == 32 else 8)
        if kind == 0:
            return Address(displacement=address)
        if kind == 1:
            return Address(self.full("bp"), displacement=address - BASE)
        if kind == 2:
            self.step(f"movl ${address - 16:#x}, %edi")
            return Address(self.full("di"), displacement=16)
        if kind == 3:
            scale = self.random.choice((1, 2, 4, 8))
            count = self.random.randrange(9)
            self.step(f"movl ${count}, %esi")
            return Address(self.full("bp"), self.full("si"), scale, address - BASE - count * scale)
        return self.place64(kind, address)

    def place64(self, kind, address):
        """Return an address for a place, in a form that only 64-bit programs have."""
        if kind <= 5:
            return Address(displacement=address, relative=True)
        if kind == 6:
            # Use 32-bit addresses, so that the upper half of the register must not matter.
            self.step(f"movq ${address - 5 | 1 << 32:#x}, %rdi")
            return Address("edi", displacement=5)
        # Instructions encode R12 and R13 in special ways.
        base = self.random.choice(("r8", "r12", "r13", "r15"))
        index = self.random.choice(("", "r9", "r12", "rsi"))
        self.step(f"movq ${address + 1000:#x}, %{base}")
        if not index or index == base:
            return Address(base, displacement=-1000)
        scale = self.random.choice((1, 2, 4, 8))
        self.step(f"movq ${-scale}, %{index}")
        return Address(base, index, scale, scale * scale - 1000)

    def operand(self, size, crossing=False, below=False):
        """Return the address of an operand."""
        return self.place(self.offset(size, crossing, below))

    def system_call(self, name, *arguments, **what):
        """Call the kernel."""
        bits = self.mode.bits
        for register, argument in zip(ARGUMENTS[bits], arguments):
            self.step(f"movl ${argument:#x}, %{register}")
        self.step(f"movl ${NUMBERS[bits][name]}, %eax")
        self.step(CALL[bits], **SYSTEM_CALL[bits], **what)
        if bits == 64:
            self.step("movl $5, %r11d")

    def protect(self, protection):
        """Change the rights to the second page. Registers and flags keep their values."""
        if self.mode.bits == 32:
            self.step("pushal", *(Access("w", 4, Address("esp", displacement=-4 * n))
                                  for n in range(1, 9)))
        else:
            for name in CHANGED64:
                self.step(f"pushq %{name}", Access("w", 8, Address("rsp", displacement=-8)))
        self.system_call("mprotect", EDGE, 4096, protection)
        if self.mode.bits == 32:
            self.step("popal", *(Access("r", 4, Address("esp", displacement=4 * n))
                                 for n in range(8) if n != 3))
        else:
            for name in reversed(CHANGED64):
                self.step(f"popq %{name}", Access("r", 8, Address("rsp")))

    def forbid(self):
        """Make the second page inaccessible."""
        self.protect(self.random.choice((PROT_NONE, PROT_READ)))

    def store(self, value, address):
        """Store a constant of 4 bytes, or a constant that is sign-extended to 8 bytes."""
        self.step(f"mov{self.mode.letter} ${value}, {address:#x}",
                  Access("w", self.mode.word, Address(displacement=address)))
