# SPDX-License-Identifier: GPL-2.0-only
"""Run tests on the debug kernel: failing allocations, random arguments, and long runs."""

import functools

import campaigns
import guest
from campaigns import debug
from cases import Test
from guest import Machine
from variants import NEAR_WRAP

# Together these programs perform each operation of the driver. Each has the program that it
# runs.
PROGRAMS = {
    "attach": "exactly-1000",
    "collect": "exactly-1000",
    "fold": "exactly-1000",
    "inline": "exactly-1000",
    "multiplex": "exactly-1000000",
    "poll": "exactly-1000",
    "sets": "exactly-1000",
    "signals": "exactly-10000000",
    "system": "exactly-1000",
    "takeover": "exactly-1000",
}

# These programs delay the kernel after an allocation or a search, so that another thread wins
# the race and the result is not needed any more.
DELAYED = ("fold_delay", "fork_delay")

SEED = 1
CALLS = 500000
CALLS_DEBUG = 40000
SWITCHES = 60000
SWITCHES_DEBUG = 10000

MACHINES = (Machine(), Machine(smp=2, append=NEAR_WRAP, parallel=True),
            Machine(cpu="p5", smp=4, parallel=True))

DISTURBANCES = {"hotplug": ["hotplug"], "module": ["module", "/vpmc.ko"]}


def tests():
    """Yield the tests of this file."""
    silent = "a kernel that checks itself finds nothing"
    # Before it looks for leaks, the debug kernel waits. The machine skips this wait.
    machine = debug(Machine(smp=2, skips_waits=True))
    for name, file in PROGRAMS.items():
        yield Test(f"debug-{name}", silent,
                   functools.partial(campaigns.checks, machine, [name], guest.program(file)))
    for name in DELAYED:
        yield Test(f"debug-{name}", silent,
                   functools.partial(campaigns.checks, machine, [name],
                                     guest.tool_module("delay", "debug")))
    yield Test("namespaces", "rights in a process's own namespace are not rights over counters",
               functools.partial(campaigns.checks, debug(Machine(icount=True)), ["namespaces"],
                                 guest.program("exactly-1000")))
    yield Test("kernel_waits", "the kernel adds counts of processes that it waits for itself, too",
               functools.partial(campaigns.checks, debug(Machine(icount=True)), ["kernel_waits"]))
    for command in (["sample_segments"], ["sample_segments", "virtual"]):
        yield Test(f"debug-{'-'.join(command)}", "samples have linear addresses where the code "
                   "segment has a base", functools.partial(
                       campaigns.checks, debug(Machine(cpu="pentium3", exact_pmi=True)), command))
    yield Test("extra_counts-uprobes", "a uprobe adds its known number of instructions, too",
               functools.partial(campaigns.checks, debug(Machine()), ["extra_counts", "uprobes"]))
    yield Test("cgroup", "the driver's memory is charged to the memory cgroup that causes it",
               functools.partial(campaigns.checks, debug(Machine(icount=True)), ["cgroup"]))
    yield Test("cgroup_enter",
               "processes that are in a cgroup, enter it or are born there count exactly, "
               "and no others",
               functools.partial(campaigns.checks, debug(Machine(smp=2)), ["cgroup_enter"]))
    yield Test("cgroup_moves",
               "a process that is moved back and forth counts or is missing once, and the memory "
               "stays bounded",
               functools.partial(campaigns.checks, debug(Machine(smp=2)), ["cgroup_moves"]))
    for where in ("driver", "anywhere"):
        yield Test(f"faults-{where}",
                   "a call that fails for lack of memory has changed nothing and leaves nothing",
                   functools.partial(campaigns.faults, where))
    for name, machine, calls in (("plain", Machine(), CALLS),
                                 ("debug", debug(Machine()), CALLS_DEBUG)):
        yield Test(f"arguments-{name}", "no argument has the driver keep, tell or break anything",
                   functools.partial(campaigns.arguments, machine, SEED, calls))
    exact = "tasks of all kinds count exactly for ever, and no memory is kept"
    for machine in MACHINES:
        yield Test(f"endurance-{machine.cpu}-{machine.smp}", exact,
                   functools.partial(campaigns.endurance, machine, SEED, SWITCHES))
    for name, words in DISTURBANCES.items():
        yield Test(f"endurance-{name}", exact,
                   functools.partial(campaigns.endurance, Machine(smp=2, append=NEAR_WRAP), SEED,
                                     SWITCHES, *words))
        yield Test(f"endurance-{name}-debug", silent,
                   functools.partial(campaigns.endurance, debug(Machine(smp=2)), SEED,
                                     SWITCHES_DEBUG, *words))
