# SPDX-License-Identifier: GPL-2.0-only
"""Programs that know what each of their instructions does: assembler text and a table of steps."""

import dataclasses
import os
import struct
import subprocess

CODE = 0x08048000
DATA = 0x10000000
STACK = 0x10010000

LINK = ["ld", "-s", "-m", "elf_i386", "-z", "noexecstack", "--no-warn-rwx-segments",
        f"--section-start=.code={CODE:#x}", f"--section-start=.data={DATA:#x}",
        f"--section-start=.bss={STACK:#x}"]


@dataclasses.dataclass(frozen=True)
class Address:
    """What addresses an operand: registers as they are before the instruction, and a constant.

    code: a step of the program whose address is to be added
    bits: the register that holds a bit's number, and the size of the operand that it selects
    byte: the register whose lowest byte is to be added
    """

    base: str = ""
    index: str = ""
    scale: int = 1
    displacement: int = 0
    code: int | None = None
    bits: tuple[str, int] | None = None
    byte: str = ""

    def text(self):
        """The operand in the assembler's language, without what the instruction adds."""
        if self.code is not None:
            return f"s{self.code} + {self.displacement}"
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
    """What an instruction does when it completes, or what an iteration does.

    text: the instruction
    accesses: to memory
    plain: reads and writes of descriptors and the like, which are aligned
    segments, branches, locked: numbers of events
    instructions: more than one if the processor does not stop in between
    repeats: it has a REP prefix
    jumps: the next step need not be the following one
    traps: a signal is delivered when it has completed
    """

    text: str
    accesses: tuple[Access, ...] = ()
    plain: tuple[int, int] = (0, 0)
    segments: int = 0
    branches: int = 0
    locked: int = 0
    instructions: int = 1
    repeats: bool = False
    jumps: bool = False
    traps: bool = False


class Program:
    """A program as it grows."""

    def __init__(self):
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
        """A name for a place."""
        self.labels += 1
        return f"l{self.labels}"

    def label(self, name):
        """The next instruction has this name."""
        self.lines.append(f"{name}:")

    def put(self, address, directive):
        """Put something into the data section, at addresses that ascend."""
        self.data.append(f".org {address - DATA:#x}\n{directive}")

    def source(self):
        """The whole text."""
        table = "\n".join(f".long s{n}" for n in range(len(self.steps)))
        return "\n".join([".globl _start", '.section .code, "awx"', "_start:", *self.lines,
                          '.section .data, "aw"', *self.data,
                          '.section .bss, "aw", @nobits', ".space 0x8000",
                          '.section .steps, ""', table, ""])

    def build(self, path):
        """Assemble and link; return the addresses of the steps."""
        subprocess.run(["as", "--32", "--fatal-warnings", "-o", f"{path}.o", "-"],
                       input=self.source(), text=True, check=True)
        subprocess.run([*LINK, "-o", path, f"{path}.o"], check=True)
        os.unlink(f"{path}.o")
        with open(path, "rb") as file:
            table = section(file.read(), ".steps")
        return [address for address, in struct.iter_unpack("<I", table)]


def section(image, name):
    """The contents of a section of a 32-bit ELF file."""
    offset, = struct.unpack_from("<I", image, 32)
    size, number, strings = struct.unpack_from("<HHH", image, 46)
    headers = [struct.unpack_from("<10I", image, offset + size * i) for i in range(number)]
    names = headers[strings][4]
    for header in headers:
        start = names + header[0]
        if image[start:image.index(b"\0", start)].decode() == name:
            return image[header[4]:header[4] + header[5]]
    raise ValueError(f"there is no section {name}")
