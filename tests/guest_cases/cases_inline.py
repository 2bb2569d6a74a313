# SPDX-License-Identifier: GPL-2.0-only
"""Test counts that a thread reads without a system call."""

import functools
import os
import re
import signal
import subprocess
import tempfile

import campaigns
import guest
from cases import Failed, Test
from guest import Machine

# Each program has the rule that it tests.
PROGRAMS = {
    "inline": "a count read without a system call is exact, or is none",
    "inline_step": "a read that is interrupted at any of its instructions is exact",
    "inline_raw": "RDPMC shows no counts of other processes, and is refused without a page",
}

# Each seed decides how two processors take turns while one child is created.
VFORKS = 50

# In this program, another task reads a page first. Each task has its own processor.
TOLD = {
    "2": Machine(smp=2),
    "debug": campaigns.debug(Machine(smp=2)),
}

# On these processors programs may not execute RDPMC. Each row has the signal that a program
# gets.
REFUSING = {
    "p5": (Machine(cpu="p5"), signal.SIGILL),
    "p5-2": (Machine(cpu="p5", smp=2), signal.SIGILL),
    "stepping-4": (Machine(stepping=4), signal.SIGSEGV),
    "overdrive": (Machine(stepping=3, type=1), signal.SIGSEGV),
}


def checks(machine, command):
    """Run one of the programs of PROGRAMS."""
    lines = guest.run_checks(machine, command, [guest.tool(command[0])])
    return f"{len(lines)} checks"


def told(machine):
    """Run the program that holds the first reader of a page."""
    lines = guest.run_checks(machine, ["page_notification"],
                             [guest.tool("page_notification"),
                              guest.tool_module("delay", machine.booted())])
    return f"{len(lines)} checks"


# These functions read one count, by a constant and by a variable index. A read begins with the load
# of the thread's page, and ends when the 64-bit value is in EDX:EAX or RAX. The variable index is
# already in a register.
READ = """
#include <vpmc.h>
int64_t constant(void) { return vpmc_count(%d); }
IN_REGISTER int64_t variable(unsigned int i) { return vpmc_count(i); }
"""
BUDGETS = {32: {"constant": 6, "variable": 8}, 64: {"constant": 7, "variable": 10}}
# These instructions have no operands, and write EAX and EDX, or EDX alone.
WRITE_REGISTERS = ("rdpmc", "cltd")
REGISTERS = r"%[er]?[a-d]x|%[er]?[sd]i|%[er]bp|%r\d+d?"


# With 32 bits, the compiler may use EBX, ESI and EDI without saving them, as in a function that
# inlines the reader and has free registers.
COMPILERS = {
    32: lambda: [os.path.join(guest.path_of("userland"), "bin/i586-cc"),
                 *(f"-fcall-used-{register}" for register in ("ebx", "esi", "edi")),
                 "-DIN_REGISTER=__attribute__((regparm(1)))"],
    64: lambda: ["gcc", "-DIN_REGISTER="],
}


def instructions(path, function):
    """Return the mnemonic and the last operand of each instruction, up to the first RET."""
    listing = subprocess.run(["objdump", "-d", "--no-show-raw-insn", f"--disassemble={function}",
                              path], check=True, capture_output=True, text=True).stdout
    lines = re.findall(r"^ +[0-9a-f]+:\t(\S+) *(.*?) *(?:#.*)?$", listing, re.MULTILINE)
    found = [(mnemonic, operands.split(",")[-1]) for mnemonic, operands in lines]
    if ("ret", "") not in found:
        raise Failed(f"{function} does not return:\n{listing}")
    return found[:found.index(("ret", ""))]


def check_budget(path, function, budget):
    """Check the number of a reader's instructions, and that they write only registers."""
    found = instructions(path, function)
    shown = "\n".join(" ".join(instruction) for instruction in found)
    if found.count(("rdpmc", "")) != 1 or len(found) > budget:
        raise Failed(f"{function}: {len(found)} instructions, {budget} allowed:\n{shown}")
    for mnemonic, written in found:
        if mnemonic not in WRITE_REGISTERS and (mnemonic[0] in "jcl" and mnemonic != "lea"
                                                or not re.fullmatch(REGISTERS, written)):
            raise Failed(f"{function}: {mnemonic} {written} is not allowed:\n{shown}")
    return len(found)


def budget(bits):
    """Disassemble the readers and check their costs."""
    counts = []
    with tempfile.TemporaryDirectory() as directory:
        path = os.path.join(directory, "read.o")
        for index in (0, 1, 31):
            subprocess.run([*COMPILERS[bits](), "-O2", "-I", f"{guest.TOP}/libvpmc/include",
                            "-x", "c", "-c", "-o", path, "-"],
                           input=READ % index, check=True, text=True)
            counts = [check_budget(path, *item) for item in BUDGETS[bits].items()]
    return "{} instructions, {} for a variable index".format(*counts)


def tests():
    """Yield the tests of this file."""
    for bits in COMPILERS:
        yield Test(f"inline-budget-{bits}",
                   "a read takes as many instructions as it must, without branch, call or store",
                   functools.partial(budget, bits))
    for program, rule in PROGRAMS.items():
        for smp in (1, 2):
            yield Test(f"{program}-{smp}", rule,
                       functools.partial(checks, Machine(smp=smp, parallel=program == "inline_step"),
                                         [program]))
    yield Test("inline_vfork", "a child of vfork finds no count in its parent's page",
               functools.partial(checks, Machine(smp=2, adversary=True),
                                 ["inline_vfork", "1", str(VFORKS)]))
    for smp in (1, 2):
        yield Test(f"page_first_read-{smp}",
                   "a page that somebody else reads first shows exact counts or none",
                   functools.partial(checks, Machine(smp=smp, parallel=True),
                                     ["page_first_read", "1", "60"]))
    for name, machine in TOLD.items():
        yield Test(f"page_notification-{name}",
                   "who inherits a page that somebody else reads first finds a count there, from "
                   "its next instruction after an entry to the kernel on",
                   functools.partial(told, machine))
    for name, (machine, signo) in REFUSING.items():
        yield Test(f"inline-refused-{name}",
                   "where programs may not execute RDPMC, reads are system calls and as exact",
                   functools.partial(checks, machine, ["inline", "refused", str(int(signo))]))
