# SPDX-License-Identifier: GPL-2.0-only
"""What no user may be able to do to others, to the kernel or to its memory."""

import functools

import guest
from guest import Machine
from scheduler import Test


def checks(machine, command, files=()):
    """Run one of the programs."""
    lines = guest.run_checks(machine, command, [guest.tool(command[0]), *files])
    return f"{len(lines)} checks"


# How many threads exit.
EXITS = 400

EXACTLY = guest.program("exactly-1000")


def tests():
    """The tests of this file."""
    for cpu in ("mmx", "p5"):
        yield Test(f"ticks-{cpu}", "the clock may tick at each instruction of calls and hooks",
                   functools.partial(checks, Machine(cpu=cpu), ["ticks"],
                                     [guest.tool("ticks.ko"), EXACTLY]))
        yield Test(f"no_answer-{cpu}", "a call whose answer cannot be written changes nothing",
                   functools.partial(checks, Machine(cpu=cpu), ["no_answer"]))
    for smp in (1, 2):
        yield Test(f"rdpmc_fork-{smp}", "RDPMC is for who has a page, and for the children of these",
                   functools.partial(checks, Machine(smp=smp), ["rdpmc_fork"],
                                     [guest.tool("delay.ko")]), smp)
        yield Test(f"identity-{smp}", "each start has its own number, which every answer carries",
                   functools.partial(checks, Machine(smp=smp), ["identity"]), smp)
        yield Test(f"signal_sleep-{smp}", "a signal that is due wakes its thread, whoever is next",
                   functools.partial(checks, Machine(smp=smp, single_step=smp > 1),
                                     ["signal_sleep"], [guest.tool("delay.ko")]), smp)
        yield Test(f"rdpmc_kernel-{smp}", "RDPMC shows nothing of the kernel, whoever counts it",
                   functools.partial(checks, Machine(smp=smp), ["rdpmc_kernel"]), smp)
    yield Test("signal_exit", "who asked for signals can exit while others are interrupted",
               functools.partial(checks, Machine(smp=2, single_step=True),
                                 ["signal_exit", str(EXITS)]), 2)
