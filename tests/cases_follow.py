# SPDX-License-Identifier: GPL-2.0-only
"""Counts that follow processes: who inherits, who gets them at wait, who collects."""

import functools

import guest
from cases_counts import NEAR_WRAP
from guest import Machine
from scheduler import Test

# Programs and the rules that they hold.
PROGRAMS = {
    "inherit": "a new process or thread counts from zero if its creator was counting",
    "waits": "counts go once to the one who reaps, however that waits and the child ends",
    "collect": "a handle collects all descendants, with a record of each thread's counts",
    "raise": "of a program that a user may not watch nothing is counted but that there was one",
    "reconfigure": "what was counted before a new start is added where it belongs or numbered",
}


def checks(machine, program):
    """Run one of the programs."""
    lines = guest.run_checks(machine, [program],
                             [guest.tool(program), guest.program("exactly-1000")])
    return f"{len(lines)} checks"


# How often the driver is unloaded and loaded.
CYCLES = 100


def module(machine):
    """Unload and load the driver while processes fork and count."""
    lines = guest.run_checks(machine, ["module", "/vpmc.ko", str(CYCLES)],
                             [guest.tool("module")])
    return ", ".join(line.removeprefix("ok ") for line in lines[-2:])


def tests():
    """The tests of this file."""
    for cpu, smp in (("mmx", 2), ("p5", 1)):
        yield Test(f"module-{cpu}-{smp}",
                   "the driver is unloaded when no thread has counters, and leaves nothing",
                   functools.partial(module, Machine(cpu=cpu, smp=smp)), smp)
    for program, rule in PROGRAMS.items():
        for cpu in ("mmx", "p5"):
            for smp in (1, 2):
                for where, append in (("far", ""), ("wrap", NEAR_WRAP)):
                    machine = Machine(cpu=cpu, smp=smp, append=append)
                    yield Test(f"{program}-{cpu}-{smp}-{where}", rule,
                               functools.partial(checks, machine, program), smp)
