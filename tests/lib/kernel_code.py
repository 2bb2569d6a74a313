# SPDX-License-Identifier: GPL-2.0-only
"""Read a compiled kernel: its functions, and the sites of a static key."""

import bisect
import dataclasses
import functools
import os
import re
import shlex
import struct
import subprocess

# struct jump_entry has code, target and key, each relative to its own address. Its form depends
# on the class of the file.
JUMP_ENTRY = {1: struct.Struct("<iii"), 2: struct.Struct("<iiq")}
# Bit 0 of the key says how the branch was compiled. objtool and the running kernel use bit 1.
KEY_BITS = 3
JUMPS = 1

# A built kernel has generated headers in these directories, which its sources do not have.
GENERATED = ("arch/x86/include/generated", "include", "arch/x86/include/generated/uapi",
             "include/generated/uapi")

INSTRUCTION = re.compile(r"\s*([0-9a-f]+):\t(\S.*?)\s*$")
# Instructions are compared by the names of symbols in them, and by absolute addresses.
TARGET = re.compile(r"[0-9a-f]+ <([^>]+)>")
ADDRESS = re.compile(r"-0x3[ef][0-9a-f]{6}|0xc[01][0-9a-f]{6}")
JUMP = re.compile(r"(?:j\w+|loop\w*) +([0-9a-f]+) <")
NO_NEXT = re.compile(r"(?:jmp|ret|iret|ud2)\b")


@dataclasses.dataclass(frozen=True)
class Site:
    """A place that a static key patches.

    code: address of the place
    target: address to which it jumps when it is patched
    flags: the KEY_BITS of its entry
    function: name of the function around it
    """

    code: int
    target: int
    flags: int
    function: str


def tool(*command):
    """Return the output lines of one of the binutils."""
    return subprocess.run(command, check=True, stdout=subprocess.PIPE,
                          text=True).stdout.splitlines()


class Code:
    """A file that has code of a kernel."""

    def __init__(self, path):
        self.path = path

    def disassembled(self, *options):
        """Yield the address and text of each instruction that these options of objdump select."""
        rows = (INSTRUCTION.match(line) for line in
                tool("objdump", "-d", "--no-show-raw-insn", *options, self.path))
        return [(int(row[1], 16), row[2]) for row in rows if row]

    def instructions(self, function):
        """Return the instructions of a function."""
        return self.disassembled(f"--disassemble={function}")


class Kernel(Code):
    """A built kernel's vmlinux."""

    def __init__(self, directory):
        super().__init__(os.path.join(directory, "vmlinux"))
        with open(self.path, "rb") as file:
            self.data = file.read()
        self.functions = []
        self.symbols = {}
        for line in tool("nm", self.path):
            address, kind, name = line.split()
            self.symbols[name] = int(address, 16)
            if kind in "tT":
                self.functions.append((int(address, 16), name))
        self.functions.sort()

    @functools.cached_property
    def sections(self):
        """Return the address, place in the file and size of the sections in the file."""
        rows = (re.match(r" *\[ *\d+\] \S+ +PROGBITS +(\w+) (\w+) (\w+) ", line)
                for line in tool("readelf", "-S", "-W", self.path))
        return [tuple(int(word, 16) for word in row.groups()) for row in rows if row]

    def memory(self, address, size):
        """Return the contents of memory when the kernel starts."""
        for start, place, length in self.sections:
            if start and start <= address and address + size <= start + length:
                return self.data[place + address - start:][:size]
        raise ValueError(f"nothing at {address:#x}")

    def function_at(self, address):
        """Return the name of the function that contains an address."""
        return self.functions[bisect.bisect(self.functions, (address, "\x7f")) - 1][1]

    def sites(self, key):
        """Return the sites of a static key."""
        table = self.symbols["__start___jump_table"]
        end = self.symbols["__stop___jump_table"]
        layout = JUMP_ENTRY[self.data[4]]
        found = []
        for entry in range(table, end, layout.size):
            code, target, its_key = layout.unpack(self.memory(entry, layout.size))
            its_key += entry + 8
            if its_key & ~KEY_BITS == self.symbols[key]:
                found.append(Site(entry + code, entry + 4 + target, its_key & KEY_BITS,
                                  self.function_at(entry + code)))
        return found

    @functools.cached_property
    def detours(self):
        """Return the code to which functions jump until the kernel knows its processor. This code
        jumps back."""
        return self.disassembled("--section=.altinstr_aux")

    def reached(self, function):
        """Return the instructions that can be reached from the start of a function while no
        static key is enabled."""
        code = self.instructions(function) + self.detours
        index = {address: i for i, (address, _) in enumerate(code)}
        found, waiting = set(), [0]
        while waiting:
            i = waiting.pop()
            if i in found:
                continue
            found.add(i)
            jump = JUMP.match(code[i][1])
            if jump and int(jump[1], 16) in index:
                waiting.append(index[int(jump[1], 16)])
            if not NO_NEXT.match(code[i][1]) and i + 1 < len(code):
                waiting.append(i + 1)
        return [code[i] for i in sorted(found)]


def command_of(directory, name):
    """Return the words of the compiler's command for an object file of a built kernel."""
    path = os.path.join(directory, os.path.dirname(name), f".{os.path.basename(name)}.cmd")
    with open(path, encoding="utf-8") as file:
        command = file.readline().partition(":=")[2].partition(" ; ")[0]
    return [word for word in shlex.split(command) if not word.startswith("-Wp,-MMD")]


def compiled_from(source, directory, name, out):
    """Compile an object file of a built kernel from other sources. Return its code.

    The generated headers are those of the built kernel.
    """
    command = command_of(directory, name)
    command[command.index("-o") + 1] = out
    subprocess.run([*command, *(f"-I{os.path.join(directory, path)}" for path in GENERATED)],
                   cwd=source, check=True)
    return Code(out)


def parameter(directory, key):
    """Return the argument of tests/guest/delay/jumps.c for the sites of a static key."""
    return "sites=" + ",".join(f"{site.code:#x}" for site in Kernel(directory).sites(key))


def shape(instruction):
    """Return an instruction's text without parts that depend on addresses of the kernel."""
    return ADDRESS.sub("address", TARGET.sub(r"\1", instruction))
