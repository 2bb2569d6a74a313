# SPDX-License-Identifier: GPL-2.0-only
"""Test counts that follow processes: inheritance, the parent's sums at wait, and collected
records."""

import functools
import re

import guest
from cases import Failed, Test
from guest import Machine
from variants import EIGHT, FOUR, NEAR_WRAP

# Each program has the rule that it tests.
PROGRAMS = {
    "inherit": "a new process or thread counts from zero if its creator was counting",
    "waits": "counts go once to the one who reaps, however that waits and the child ends",
    "child_wait": "a child's counts are its parent's after the wait, and not before",
    "collect": "a handle collects all descendants, with a record of each thread's counts",
    "poll": "poll says when there is a record, and when there will be none",
    "privileged_exec": "of a program that a user may not watch nothing is counted but that there "
                       "was one",
    "privileged_self": "counts that such a program makes are hidden from all who may not watch it",
    "reconfigure": "counts from before a new start are in the right sum or reported as missing",
    "gaps": "counts say how often a thread had stopped, and how many children nobody waited for",
    "multiplex": "events that share a counter take turns, of which none is lost or counted twice",
}

# This program tests the table of extra counts in the manual.
EXTRA = "signals and stops in a system call add as many instructions as the manual says"

# This program rotates events in the tick, wherever the threads run. With --long it runs on all
# machines.
ON_EIGHT = ("multiplex",)

# The programs of PROGRAMS run these programs, whose counts are known.
KNOWN = ("exactly-1000", "exactly-1000000")


def checks(machine, program):
    """Run one of the programs of PROGRAMS."""
    lines = guest.run_checks(machine, [program],
                             [guest.tool(program), *map(guest.program, KNOWN)])
    return f"{len(lines)} checks"


def module(machine):
    """Unload and load the driver again and again while processes fork and count."""
    cycles = guest.amount(30, 100)
    lines = guest.run_checks(machine, ["module", "/vpmc.ko", str(cycles)],
                             [guest.tool("module")])
    return ", ".join(line.removeprefix("ok ") for line in lines[-2:])


# NODES is the requested size of the random trees. Each has at least LEAST processes and threads.
NODES = 1300
LEAST = 2000
CHECKS_OF_TREE = 9

# Each machine has a first seed. The seeds are far apart, so that no two machines have the same
# trees.
TREES = (
    (Machine(cpu="mmx", smp=1), 31),
    (Machine(cpu="mmx", smp=2, append=NEAR_WRAP), 1),
    (Machine(cpu="p5", smp=1, append=NEAR_WRAP), 11),
    (Machine(cpu="p5", smp=2), 21),
)


def tree(machine, seeds):
    """Run random trees of processes. Return their sizes."""
    lines = guest.run_checks(machine, ["tree", str(NODES), *map(str, seeds)],
                             [guest.tool("tree"), guest.program("exactly-1000")],
                             CHECKS_OF_TREE * len(seeds))
    figures = [list(map(int, re.findall(r"\d+", line))) for line in lines
               if line.endswith(" switches")]
    if len(figures) != len(seeds) or any(p + t < LEAST for p, t, _ in figures):
        raise Failed(f"trees of other sizes: {figures}")
    processes, threads, switches = map(sum, zip(*figures))
    return f"{processes} processes, {threads} threads, {switches} switches"


def signals(machine):
    """Test signals for a number of events."""
    lines = guest.run_checks(machine, ["signals"],
                             [guest.tool("signals"), guest.program("exactly-10000000")])
    return f"{len(lines)} checks"


def tests():
    """Yield the tests of this file."""
    trees = guest.amount(4, 10)
    for machine, first in TREES:
        yield Test(f"tree-{machine.cpu}-{machine.smp}",
                   "the sums of a tree of processes and what is missing there is all they did",
                   functools.partial(tree, machine, range(first, first + trees)))
    for cpu, smp in (("mmx", 2), ("p5", 1)):
        yield Test(f"module-{cpu}-{smp}",
                   "the driver is unloaded when no thread has counters, and leaves nothing",
                   functools.partial(module, Machine(cpu=cpu, smp=smp)))
    for variant, machine in guest.amount(FOUR, EIGHT).items():
        yield Test(f"signals-{variant}",
                   "a signal says that a count has passed a multiple: none lost, none twice",
                   functools.partial(signals, machine))
    for cpu, smp in (("mmx", 2), ("p5", 1)):
        yield Test(f"extra_counts-{cpu}-{smp}", EXTRA,
                   functools.partial(checks, Machine(cpu=cpu, smp=smp), "extra_counts"))
    for program, rule in PROGRAMS.items():
        for variant, machine in (EIGHT if program in guest.amount((), ON_EIGHT)
                                 else FOUR).items():
            yield Test(f"{program}-{variant}", rule,
                       functools.partial(checks, machine, program))
