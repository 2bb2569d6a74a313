# SPDX-License-Identifier: GPL-2.0-only
"""Test counters of other processes, starts by force, and counts that are added without a wait."""

import functools

import guest
from cases import Test
from guest import Machine
from variants import EIGHT, FOUR, NEAR_WRAP

# Each program has the rule that it tests.
PROGRAMS = {
    "attach": "a holder counts a process or thread as exactly as that could count itself",
    "attach_refusal": "an impossible hold or start is refused precisely, and changes nothing",
    "attach_ends": "a held target's counts go on over exec and are final when it has exited",
    "attach_family": "children of a held target inherit counts, are folded and are collected",
    "attach_threads": "a start on a process goes for all its threads, those being created too",
    "attach_running": "start and stop take effect at once on a target that runs",
    "force": "a start by force begins again, and the parent keeps its share of the earlier counts",
    "fold": "counts can be the parent's at the last thread's exit, once, without a wait",
}

# These programs read or start counters of a processor that is running the thread.
ON_EIGHT = ("attach_running",)

# A storm has this many calls.
CALLS = 40000

STORMS = (
    Machine(cpu="mmx", smp=1, append=NEAR_WRAP),
    Machine(cpu="mmx", smp=2, parallel=True),
    Machine(cpu="p5", smp=1),
    Machine(cpu="p5", smp=2, append=NEAR_WRAP, parallel=True),
)


def checks(machine, program):
    """Run one of the programs of PROGRAMS."""
    lines = guest.run_checks(machine, [program],
                             [guest.tool(program), guest.program("exactly-1000")])
    return f"{len(lines)} checks"


def storm(machine):
    """Attach to processes that come and go."""
    lines = guest.run_checks(machine, ["attach_storm", "/vpmc.ko", str(CALLS)],
                             [guest.tool("attach_storm"), guest.program("exactly-1000")])
    return next(line.removeprefix("ok ") for line in lines if " calls: " in line)


def delayed(machine, program, *arguments):
    """Run a program whose calls are held while other processes interfere."""
    lines = guest.run_checks(machine, [program, *arguments],
                             [guest.tool(program), guest.tool_module("delay"),
                              guest.tool_module("delay2")])
    return f"{len(lines)} checks"


def worked(machine):
    """Run processes in which threads of the kernel work."""
    lines = guest.run_checks(machine, ["user_worker"],
                             [guest.tool("user_worker"), guest.tool_module("worker")])
    return f"{len(lines)} checks"


def tests():
    """Yield the tests of this file."""
    for machine in STORMS:
        yield Test(f"attach_storm-{machine.cpu}-{machine.smp}",
                   "no call on a target that comes and goes ends wrong or leaves anything",
                   functools.partial(storm, machine))
    for cpu in ("mmx", "p5"):
        for smp in (1, 2):
            yield Test(f"fold_delay-{cpu}-{smp}",
                       "counts find the parent at the exit, also if it is released meanwhile",
                       functools.partial(delayed, Machine(cpu=cpu, smp=smp), "fold_delay"))
            yield Test(f"attach_delay-{cpu}-{smp}",
                       "a start on a process reaches a thread that is being created, too",
                       functools.partial(delayed, Machine(cpu=cpu, smp=smp), "attach_delay"))
        yield Test(f"handle_delay-{cpu}",
                   "a thread that waits for another thread's call on a handle can be killed",
                   functools.partial(delayed, Machine(cpu=cpu), "handle_delay"))
        yield Test(f"reload_delay-{cpu}",
                   "the driver may be loaded again while the kernel is about to call it",
                   functools.partial(delayed, Machine(cpu=cpu), "reload_delay", "/vpmc.ko"))
        yield Test(f"fork_delay-{cpu}",
                   "a child inherits what its parent counts, however that changes in the fork",
                   functools.partial(delayed, Machine(cpu=cpu), "fork_delay"))
        yield Test(f"force_delay-{cpu}",
                   "a child inherits, too, if its parent is started again by force in the fork",
                   functools.partial(delayed, Machine(cpu=cpu, smp=2), "force_delay"))
        yield Test(f"force_kernel-{cpu}",
                   "a start by force that counts kernel mode finds a thread that is in the kernel",
                   functools.partial(checks, Machine(cpu=cpu, smp=2, parallel=True),
                                     "force_kernel"))
        yield Test(f"epoch_delay-{cpu}",
                   "threads of a process that count go on together, whatever system mode did",
                   functools.partial(delayed, Machine(cpu=cpu), "epoch_delay"))
        yield Test(f"user_worker-{cpu}",
                   "a worker of io_uring counts, and cannot be attached to",
                   functools.partial(worked, Machine(cpu=cpu, smp=2)))
    for program, rule in PROGRAMS.items():
        for variant, machine in (EIGHT if program in guest.amount((), ON_EIGHT)
                                 else FOUR).items():
            yield Test(f"{program}-{variant}", rule,
                       functools.partial(checks, machine, program))
