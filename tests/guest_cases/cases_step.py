# SPDX-License-Identifier: GPL-2.0-only
"""Run tests in which an interrupt is possible at each instruction, because races then take
another course."""

import dataclasses
import functools

import cases_attach
import cases_follow
import cases_system
import guest
from cases import Test
from guest import Machine

# Each program has the function that runs it.
PROGRAMS = {
    "inherit": cases_follow.checks,
    "waits": cases_follow.checks,
    "collect": cases_follow.checks,
    "reconfigure": cases_follow.checks,
    "multiplex": cases_follow.checks,
    "attach_threads": cases_attach.checks,
    "attach_running": cases_attach.checks,
    "force": cases_attach.checks,
    "fold": cases_attach.checks,
    "takeover": cases_system.checks,
}

# This program creates and starts threads for a long time, and the other programs do so for a
# short time.
SLOW = ("attach_threads",)


def tests():
    """Yield the tests of this file."""
    machine = Machine(smp=2, single_step=True)
    for program, run in PROGRAMS.items():
        if program in guest.amount(SLOW, ()):
            continue
        yield Test(f"{program}-step",
                   "the program's rule also holds when interrupts come at any instruction",
                   functools.partial(run, machine, program))
    yield Test("signals-step", "a signal for a count: none lost, none twice, at any instruction",
               functools.partial(cases_follow.signals, machine))
    alone = dataclasses.replace(machine, smp=1)
    yield Test("system-step", "system mode counts exactly when interrupts come at any instruction",
               functools.partial(cases_system.checks, alone, "system"))
