# SPDX-License-Identifier: GPL-2.0-only
"""Test that 64-bit programs, and the processes that they create, count exactly.

"make kernels" runs this file on each series of Linux.
"""

import functools
import os

import guest
from cases import Failed, Test
from cases_families import FOLLOWING, KERNEL64, MODELS, MODELS64, NARROW, checks, perfex
from guest import Machine

# The addresses of the C library and of the environment must be the same in each run.
STEPPED = """
echo 0 >/proc/sys/kernel/randomize_va_space
for event in {events}; do
	perfex -o count -e $event ./stepped >/dev/null || exit
	read -r count rest <count
	steps ./stepped "$count" || exit
done
"""


def stepped(machine, events):
    """Count a C program with SSE, REP and printf(), and compare the count with single steps."""
    result = guest.run(machine, ["sh", "-c", STEPPED.format(events=" ".join(events))], [
        guest.perfex(64), *(os.path.join(guest.BUILD, "guest/models/64", name)
                            for name in ("steps", "stepped"))])
    lines = result.stdout.decode().splitlines()
    if result.returncode or result.stderr or [line[:3] for line in lines] != ["ok "] * len(events):
        raise Failed(guest.shown(result))
    return lines[0].removeprefix("ok ")

def tests():
    """Yield the tests of this file."""
    for cpu, smp in MODELS64.items():
        machine = Machine(cpu=cpu, smp=smp, kernel=KERNEL64)
        for program, rule in FOLLOWING.items():
            yield Test(f"{program}-{cpu}-amd64", rule,
                       functools.partial(checks, machine, program, 64))
    for cpu, family in MODELS.items():
        if cpu in NARROW:
            continue
        machine = Machine(cpu=cpu, kernel=KERNEL64)
        yield Test(f"perfex-{cpu}-amd64", "a program of exactly N instructions reads N",
                   functools.partial(perfex, machine, family, 64))
        if cpu in guest.amount(MODELS64, MODELS):
            yield Test(f"stepped-{cpu}-amd64",
                       "a C program counts as many as it takes single steps",
                       functools.partial(stepped, machine, ["instructions", "0xc0@1"]
                                         if cpu in MODELS64 else ["instructions"]))
