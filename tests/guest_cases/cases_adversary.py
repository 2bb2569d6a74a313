# SPDX-License-Identifier: GPL-2.0-only
"""Test races: an adversary chooses the instruction at which an interrupt comes, or two processors
take turns."""

import dataclasses
import functools

import guest
from cases import Test
from guest import Machine

ALONE = Machine(adversary=True)
TWO = Machine(adversary=True, smp=2)

# "make check" interrupts these operations. The clock interrupts all of them, and an intruder
# also interrupts the shortest call of each kind.
CALLS = ("info", "start", "again", "resume", "collect", "armed", "stop", "read", "read-thread",
         "read-children", "read-all", "query", "record", "signal", "signalled", "map", "system",
         "takeover", "attach", "unmap", "remote")
LIVES = ("yield", "fault", "handler", "thread", "thread-signalled", "kill", "exec")
FORKS = ("fork", "vfork", "fork-collected", "fork-folded", "fork-mapped", "exit-signalled")
SHORT = ("start", "stop", "read", "signal", "map", "thread")
SWEEPS = {
    "tick-calls": CALLS,
    "tick-lives": LIVES,
    "tick-forks": FORKS,
    "switch": SHORT,
    "read": SHORT,
    "stop": SHORT,
    "start": SHORT,
    "system": SHORT,
}
# There is one 64-bit machine for each of three processors.
ALONE64 = {cpu: Machine(cpu=cpu, kernel="vpmc-amd64", adversary=True)
           for cpu in ("icelake", "nehalem", "zen4")}
SWEEPS64 = {"tick": ("start", "stop", "read", "signal", "map"), "switch": ("thread",),
            "stop": ("read",)}
ALONE_P4 = dataclasses.replace(ALONE, cpu="p4")
SWEEPS_P4 = {"tick": ("stop", "read", "map"), "switch": ("thread",), "stop": ("read",)}
INTERRUPTIONS = ("tick", "switch", "read", "stop", "start", "system")

PAIRS = {
    "start-exit": "a start of a process that exits starts it or fails",
    "stop-fork": "a stop of a process that forks is before the fork or behind it",
    "force-fork": "a process that is started again by force while it forks counts its child",
    "attach-exec": "a process that executes a program can be attached to and started",
    "takeover-read": "a read while system mode takes the counters sees that done or not begun",
    "map-fork": "a thread maps its page while another one forks",
    "unload-wait": "the driver is unloaded while a child that counted is reaped",
}
SEEDS = 50


def sweep(interruption, operations, everywhere=False, machine=ALONE, bits=32):
    """Interrupt operations at each of the driver's instructions, or everywhere."""
    command = ["sweep", *(["-a"] if everywhere else []),
               *(["-i", interruption] if interruption != "tick" else []), *operations]
    # The last line reports the end of the driver.
    lines = guest.run_checks(machine, command,
                             [guest.tool("sweep", bits), guest.program("exactly-1000", bits),
                              guest.tool_module("wake", machine.booted())], len(operations) + 1)
    interrupts = sum(int(line.split()[2]) for line in lines[:-1])
    return f"{interrupts} interrupts in {len(operations)} operations"


def turns(pair, first, count):
    """Run a pair of operations on two processors."""
    lines = guest.run_checks(TWO, ["turns", pair, str(first), str(count)],
                             [guest.tool("turns"), guest.program("exactly-100000")])
    return lines[-1].removeprefix("ok ")


def preempt():
    """Preempt calls that are about many threads."""
    lines = guest.run_checks(ALONE, ["preempt"],
                             [guest.tool("preempt"),
                              guest.tool_module("wake", ALONE.booted())])
    return lines[0].removeprefix("ok ")


def start_switch(cpu):
    """Start a thread at each instruction of a switch to it on another processor."""
    lines = guest.run_checks(Machine(cpu=cpu, adversary=True, smp=2), ["start_switch"],
                             [guest.tool("start_switch")])
    return lines[-1].removeprefix("ok ")


def tests():
    """Yield the tests of this file."""
    for name, operations in SWEEPS.items():
        yield Test(f"sweep-{name}", "counts are exact at whichever instruction of the "
                   "driver the clock ticks or somebody else acts",
                   functools.partial(sweep, name.split("-")[0], operations))
    for name, operations in SWEEPS64.items():
        for cpu, machine in ALONE64.items():
            yield Test(f"sweep-{name}-{cpu}-amd64", "so they are with 64 bits",
                       functools.partial(sweep, name, operations, machine=machine, bits=64))
    for pair, rule in PAIRS.items():
        yield Test(f"turns-{pair}", rule, functools.partial(turns, pair, 1, SEEDS))
    for operation, row in SWEEPS_P4.items():
        yield Test(f"sweep-{operation}-p4", "so they are on the Pentium 4",
                   functools.partial(sweep, operation, row, machine=ALONE_P4))
    yield Test("preempt", "a call that is about many threads lets others run again and again",
               preempt)
    for cpu in ("mmx", "coreduo", "p4"):
        yield Test(f"start_switch-{cpu}", "a thread counts no more than it executes, whenever "
                   "it is started while a processor switches to it",
                   functools.partial(start_switch, cpu))
