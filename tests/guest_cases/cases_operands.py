# SPDX-License-Identifier: GPL-2.0-only
"""Test that emulated instructions access the same memory as on a processor, and change nothing
else.

tests/emulator/validation/operands has the programs, whose checks also pass on real processors.
"""

import functools
import os

import guest
from cases import Test
from guest import Machine

RULES = {
    "operands": "instructions access the bytes of their operand, and change nothing if they fault",
    "effects": "single steps, x87 and CPUID are those of a processor",
}

# Each row has a processor, the bits of the program, the kernel, and the number of forms of
# instructions.
PROCESSORS = {
    ("p5", 32, "vpmc"): 415, ("mmx", 32, "vpmc"): 463, ("core2", 64, "vpmc-amd64"): 856,
    ("haswell", 64, "vpmc-amd64"): 1567, ("icelake", 32, "vpmc-amd64"): 459,
    ("icelake", 64, "vpmc-amd64"): 1567, ("opteron", 64, "vpmc-amd64"): 773,
    ("zen4", 64, "vpmc-amd64"): 1567,
}
EFFECTS = 42


def checks(machine, program, bits, number):
    """Run a program, and check that it makes this number of checks."""
    path = os.path.join(guest.OPERANDS, str(bits), program)
    guest.run_checks(machine, [program], [path], number)
    return f"{number} checks"


def tests():
    """Yield tests of both programs on each processor."""
    for (cpu, bits, kernel), forms in PROCESSORS.items():
        machine = Machine(cpu=cpu, kernel=kernel, timeout=600)
        for program, number in (("operands", forms), ("effects", EFFECTS)):
            yield Test(f"{program}-{cpu}-{bits}", RULES[program],
                       functools.partial(checks, machine, program, bits, number))
