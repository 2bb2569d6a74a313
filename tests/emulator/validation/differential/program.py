# SPDX-License-Identifier: GPL-2.0-only
"""Write programs as assembler text, with a table of steps that says the effect of each
instruction."""

import dataclasses
import os
import struct
import subprocess

CODE = 0x08048000
DATA = 0x10000000
STACK = 0x10010000

LINK = ["ld", "-s", "-z", "noexecstack", "--no-warn-rwx-segments",
        f"--section-start=.code={CODE:#x}", f"--section-start=.data={DATA:#x}",
        f"--section-start=.bss={STACK:#x}"]


@dataclasses.dataclass(frozen=True)
class Mode:
    """The differences between programs of 32 and of 64 bits.

    word: the size of an address, and of the operand of PUSH, in bytes
    letter: the suffix of an instruction with an operand of this size
    prefix: the first letter of registers of this size
    letters: the letters of the sizes that most instructions have
    target: the linker's name for such programs
    directive: the assembler's directive for an address
    """

    bits: int
    word: int
    letter: str
    prefix: str
    letters: str
    target: str
    directive: str

    def full(self, name):
        """Return a register of the full size: AX is EAX or RAX."""
        return self.prefix + name


MODE32 = Mode(32, 4, "l", "e", "bwl", "elf_i386", ".long")
MODE64 = Mode(64, 8, "q", "r", "bwlq", "elf_x86_64", ".quad")


@dataclasses.dataclass(frozen=True)
class Address:
    """The address of an operand: a sum of registers, with their values before the instruction,
    and of a constant.

    code: a step of the program, whose address is added
    bits: the register that holds a bit's number, and the size of the operand that it selects
    byte: the register whose lowest byte is added
    relative: whether the assembler addresses the operand relative to RIP
    """

    base: str = ""
    index: str = ""
    scale: int = 1
    displacement: int = 0
    code: int | None = None
    bits: tuple[str, int] | None = None
    byte: str = ""
    relative: bool = False

    def text(self):
        """Return the operand in the assembler's language, without the prefix of the instruction."""
        if self.code is not None:
            return f"s{self.code} + {self.displacement}"
        if self.relative:
            return f"data + {self.displacement - DATA:#x}(%rip)"
        inner = ""
        if self.index:
            inner = f"(%{self.base}, %{self.index}, {self.scale})" if self.base else \
                f"(, %{self.index}, {self.scale})"
        elif self.base:
            inner = f"(%{self.base})"
        return f"{self.displacement:#x}{inner}"


@dataclasses.dataclass(frozen=True)
class Access:
    """One access to memory: "r", "w", "l" (locked read-modify-write) or "f" (store of FST)."""

    kind: str
    size: int
    address: Address


@dataclasses.dataclass(frozen=True)
class Step:
    """The effect of a completed instruction, or of an iteration of REP.

    text: the instruction
    accesses: its accesses to memory
    plain: numbers of further aligned reads and writes, such as reads of descriptors
    branch: its kind if it is a branch: "conditional", "jump", "call", "return", "far", or
    "serializing", which only the Pentium counts as a branch
    segments: number of loads of segment registers
    instructions: number of instructions in this step; more than one if the processor does not
    stop between them
    repeats: whether it has a REP prefix
    resumes: whether it may stop before it is complete, and begin again
    jumps: whether the next step may be any other one
    traps: whether a signal is delivered after it
    """

    text: str
    accesses: tuple[Access, ...] = ()
    plain: tuple[int, int] = (0, 0)
    branch: str = ""
    segments: int = 0
    instructions: int = 1
    repeats: bool = False
    resumes: bool = False
    jumps: bool = False
    traps: bool = False


class Program:
    """A program to which steps are added."""

    def __init__(self, mode):
        self.mode = mode
        self.lines = []
        self.steps = []
        self.data = []
        self.labels = 0

    def step(self, text, *accesses, **what):
        """Append an instruction; return its number."""
        number = len(self.steps)
        self.lines.append(f"s{number}: {text}")
        self.steps.append(Step(text, accesses, **what))
        return number

    def new_label(self):
        """Return a new name for a label."""
        self.labels += 1
        return f"l{self.labels}"

    def label(self, name):
        """Put a label before the next instruction."""
        self.lines.append(f"{name}:")

    def put(self, address, directive):
        """Put data at an address of the data section. Addresses must ascend."""
        self.data.append(f".org {address - DATA:#x}\n{directive}")

    def source(self):
        """Return the whole text of the program."""
        table = "\n".join(f"{self.mode.directive} s{n}" for n in range(len(self.steps)))
        return "\n".join([".globl _start", '.section .code, "awx"', "_start:", *self.lines,
                          '.section .data, "aw"', *self.data,
                          '.section .bss, "aw", @nobits', ".space 0x8000",
                          '.section .steps, ""', table, ""])

    def build(self, path):
        """Assemble and link the program. Return the addresses of the steps."""
        subprocess.run(["as", f"--{self.mode.bits}", "--fatal-warnings", "-o", f"{path}.o", "-"],
                       input=self.source(), text=True, check=True)
        subprocess.run([*LINK, "-m", self.mode.target, "-o", path, f"{path}.o"], check=True)
        os.unlink(f"{path}.o")
        with open(path, "rb") as file:
            table = section(file.read(), ".steps", self.mode.bits)
        return [address for address, in struct.iter_unpack("<I" if self.mode.bits == 32 else "<Q",
                                                           table)]


# For each number of bits, this is the form and the place of the address of an ELF file's
# section headers, the place of their size, and the form of a header.
ELF = {32: ("<I", 32, 46, "<10I"), 64: ("<Q", 40, 58, "<2I4Q2I2Q")}


def section(image, name, bits):
    """Return the contents of a section of an ELF file."""
    form, place, sizes, header = ELF[bits]
    offset, = struct.unpack_from(form, image, place)
    size, number, strings = struct.unpack_from("<HHH", image, sizes)
    headers = [struct.unpack_from(header, image, offset + size * i) for i in range(number)]
    names = headers[strings][4]
    for header in headers:
        start = names + header[0]
        if image[start:image.index(b"\0", start)].decode() == name:
            return image[header[4]:header[4] + header[5]]
    raise ValueError(f"there is no section {name}")
