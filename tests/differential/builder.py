# SPDX-License-Identifier: GPL-2.0-only
"""What all units of random programs are made with."""

from differential.forms import ALL
from differential.program import DATA, Access, Address, Program

# Operands lie around a boundary between two pages, of which the second is taken away now and then.
EDGE = DATA + 0x1000
BELOW, ABOVE = 128, 64
# EBP points here.
BASE = EDGE - 40

# Where the handler continues if it is not to repeat the instruction; 0 if it is.
SKIP = DATA
SAVED_ESP = DATA + 4
FAR = DATA + 16
POINTER = DATA + 32

NAMES = {1: ("al", "cl", "dl", "bl", "ah", "ch", "dh", "bh"), 2: ("ax", "cx", "dx", "bx"),
         4: ("eax", "ecx", "edx", "ebx"), 8: ("eax",)}
SIZES = {"b": 1, "w": 2, "l": 4, "q": 8}

SYSTEM_CALL = {"plain": (5, 5), "segments": 2, "branches": 1}
SYS_MPROTECT = 125
PROT_NONE, PROT_READ, PROT_ALL = 0, 1, 3


class Builder:
    """A program, a source of random numbers, and the flags that have a defined value."""

    def __init__(self, source):
        self.random = source
        self.program = Program()
        self.step = self.program.step
        self.defined = set()

    def chance(self, one_in):
        """True once in so many times."""
        return self.random.randrange(one_in) == 0

    def register(self, size):
        """Any register of a size, but for those that address operands."""
        return self.random.choice(NAMES[size])

    def define(self, needs=ALL):
        """See that flags have a defined value."""
        if not set(needs) <= self.defined:
            self.step(f"cmpl %{self.register(4)}, %{self.register(4)}")
            self.defined = set(ALL)

    def changed(self, defines="", undefines=""):
        """An instruction has changed flags."""
        self.defined = (self.defined | set(defines)) - set(undefines)

    def offset(self, size, crossing=False, below=False):
        """Where an operand is, from the boundary: anywhere, touching the second page, or below."""
        if crossing:
            return self.random.randrange(1 - size, 12)
        high = -size if below else ABOVE - size
        offset = self.random.randrange(-BELOW, high + 1)
        return offset if self.chance(2) else offset // size * size

    def place(self, offset):
        """A way to address a place, with the instructions that prepare it."""
        address = EDGE + offset
        kind = self.random.randrange(4)
        if kind == 0:
            return Address(displacement=address)
        if kind == 1:
            return Address("ebp", displacement=address - BASE)
        if kind == 2:
            self.step(f"movl ${address - 16:#x}, %edi")
            return Address("edi", displacement=16)
        scale = self.random.choice((1, 2, 4, 8))
        count = self.random.randrange(9)
        self.step(f"movl ${count}, %esi")
        return Address("ebp", "esi", scale, address - BASE - count * scale)

    def operand(self, size, crossing=False, below=False):
        """The address of an operand."""
        return self.place(self.offset(size, crossing, below))

    def system_call(self, number):
        """The registers have its arguments, but for the number."""
        self.step(f"movl ${number}, %eax")
        self.step("int $0x80", **SYSTEM_CALL)

    def protect(self, protection):
        """Change the rights to the second page. Registers and flags stay."""
        self.step("pushal", *(Access("w", 4, Address("esp", displacement=-4 * n))
                              for n in range(1, 9)))
        self.step(f"movl ${EDGE:#x}, %ebx")
        self.step("movl $4096, %ecx")
        self.step(f"movl ${protection}, %edx")
        self.system_call(SYS_MPROTECT)
        self.step("popal", *(Access("r", 4, Address("esp", displacement=4 * n))
                             for n in range(8) if n != 3))

    def forbid(self):
        """Take rights away."""
        self.protect(self.random.choice((PROT_NONE, PROT_READ)))

    def store(self, value, address):
        """Store a constant of 4 bytes."""
        self.step(f"movl ${value}, {address:#x}", Access("w", 4, Address(displacement=address)))
