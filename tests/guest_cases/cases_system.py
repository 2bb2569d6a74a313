# SPDX-License-Identifier: GPL-2.0-only
"""Test system mode, in which threads do not count for themselves, and the rights of each user."""

import dataclasses
import functools

import campaigns
import guest
from cases import Test
from guest import Machine
from variants import EIGHT, FOUR, NEAR_WRAP

# Each program has the rule that it tests.
PROGRAMS = {
    "system": "every processor counts exactly what is done there, for one privileged owner",
    "suspend": "nothing is lost when the machine sleeps, and counting goes on when it is back",
    "permissions": "each caller may do what the manual says, and a refused call changes nothing",
    "takeover": "a thread that system mode takes the counters from sees it, and can start again",
}

# This program extends the counters of each processor by itself.
ON_EIGHT = ("system",)

TAKEOVERS = 400

STORMS = (
    Machine(cpu="mmx", smp=1),
    Machine(cpu="mmx", smp=2, append=NEAR_WRAP, parallel=True),
    Machine(cpu="p5", smp=1, append=NEAR_WRAP),
    Machine(cpu="p5", smp=2, parallel=True),
)


def checks(machine, program):
    """Run one of the programs of PROGRAMS."""
    lines = guest.run_checks(machine, [program],
                             [guest.tool(program), guest.program("exactly-1000")])
    return f"{len(lines)} checks"


def storm(machine):
    """Take the counters from processes that start and count again and again."""
    return guest.run_checks(machine, ["takeover_storm", str(TAKEOVERS)],
                            [guest.tool("takeover_storm")])[-1]


def ranged(machine):
    """Run the program that tests ticks and the passing of time."""
    lines = guest.run_checks(machine, ["counter_ranges"], [guest.tool("counter_ranges")])
    return f"{len(lines)} checks"


def tests():
    """Yield the tests of this file."""
    for cpu in ("mmx", "p5"):
        yield Test(f"counter_ranges-{cpu}", "ticks and time fold, rotate and notify exactly",
                   functools.partial(ranged, Machine(cpu=cpu, icount=True)))
    for smp in (1, 2):
        yield Test(f"takeover_other-{smp}", "system mode with other events than threads is exact",
                   functools.partial(checks, Machine(smp=smp), "takeover_other"))
    for machine in STORMS:
        yield Test(f"takeover_storm-{machine.cpu}-{machine.smp}",
                   "no read has the old generation and a count from after the takeover",
                   functools.partial(storm, machine))
    for program, rule in PROGRAMS.items():
        for variant, machine in (EIGHT if program in ON_EIGHT else FOUR).items():
            if program == "suspend":
                # The usual kernel does not have ACPI.
                machine = campaigns.debug(dataclasses.replace(machine, take_turns=True, wake=True))
            yield Test(f"{program}-{variant}", rule,
                       functools.partial(checks, machine, program))
