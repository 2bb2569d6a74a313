# SPDX-License-Identifier: GPL-2.0-only
"""Write programs that know the effect of each instruction: assembler text and a table of steps."""

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

    word: the bytes of an address, and of what PUSH pushes
    letter: the suffix of an instruction with such an operand
    prefix: with which the names of registers of that size begin
    letters: the sizes of operands of most instructions
    target: the linker's name of it
    directive: which puts an address into a section
    """

    bits: int
    word: int
    letter: str
    prefix: str
    letters: str
    target: str
    directive: str

    def full(self, name):
        """Return a register of that size: AX is EAX or RAX."""
        return self.prefix + name


MODE32 = Mode(32, 4, "l", "e", "bwl", "elf_i386", ".long")
MODE64 = Mode(64, 8, "q", "r", "bwlq", "elf_x86_64", ".quad")


@dataclasses.dataclass(frozen=True)
class Address:
    """The address of an operand: registers as they are before the instruction, and a constant.

    code: a step of the program whose address is to be added
    bits: the register that holds a bit's number, and the size of the operand that it selects
    byte: the register whose lowest byte is to be added
    relative: the assembler is to address it relative to RIP
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
    """The effect of a completed instruction, or of an iteration.

    text: the instruction
    accesses: to memory
    plain: reads and writes of descriptors and the like, which are aligned
    branch: the kind of branch that it is: "conditional", "jump", "call", "return", "far", or
        "serializing", which the Pentium alone takes for one
    segments: loads of segment registers
    instructions: more than one if the processor does not stop in between
    repeats: it has a REP prefix
    resumes: it may stop before it has completed, and begin again
    jumps: the next step need not be the following one
    traps: a signal is delivered when it has completed
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
    """A program as it grows."""

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
        """Return a name for a place."""
        self.labels += 1
        return f"l{self.labels}"

    def label(self, name):
        """Give the next instruction this name."""
        self.lines.append(f"{name}:")

    def put(self, address, directive):
        """Put something into the data section, at addresses that ascend."""
        self.data.append(f".org {address - DATA:#x}\n{directive}")

    def source(self):
        """Return the whole text."""
        table = "\n".join(f"{self.mode.directive} s{n}" for n in range(len(self.steps)))
        return "\n".join([".globl _start", '.section .code, "awx"', "_start:", *self.lines,
                          '.section .data, "aw"', *self.data,
                          '.section .bss, "aw", @nobits', ".space 0x8000",
                          '.section .steps, ""', table, ""])

    def build(self, path):
        """Assemble and link; return the addresses of the steps."""
        subprocess.run(["as", f"--{self.mode.bits}", "--fatal-warnings", "-o", f"{path}.o", "-"],
                       input=self.source(), text=True, check=True)
        subprocess.run([*LINK, "-m", self.mode.target, "-o", path, f"{path}.o"], check=True)
        os.unlink(f"{path}.o")
        with open(path, "rb") as file:
            table = section(file.read(), ".steps", self.mode.bits)
        return [address for address, in struct.iter_unpack("<I" if self.mode.bits == 32 else "<Q",
                                                           table)]


# Where an ELF file has the place of its section headers, their size, and what they are.
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
