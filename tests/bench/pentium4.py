# SPDX-License-Identifier: GPL-2.0-only
"""Measure switches and calls on the Pentium 4, with one event, with four and on all counters."""

from bench import samples
from bench.samples import Run

# Each processor has its kernel.
KERNELS = {"p4": "vpmc", "prescott": samples.KERNEL64}
CPUS = {"p4": "32 bits", "prescott": "64 bits"}

# These are words of count.h.
EVENTS = {"p4-one": "1 event", "p4-four": "4 events", "p4-all": "18 events"}
BASE = "switches nothing nothing nothing"
COMPARE = f"compare {' '.join(EVENTS)} p4-one-mapped"

# Each row names both tasks of a switch, and the directions that are shown.
SWITCHES = (
    ("p4-one", "p4-one", ("there",)), ("p4-four", "p4-four", ("there",)),
    ("p4-all", "p4-all", ("there",)), ("p4-one", "p4-four", ("there", "back")),
    ("p4-all", "nothing", ("there", "back")))
NAMES = EVENTS | {"nothing": "none"}

# These are operations of compare.c.
CALLS = {"read": "read by a system call", "go-on": "stop, go on", "again": "stop, start from zero"}
OWN = ("p4-one-mapped-own", "read in user mode, 1 event")


def switch(*ends):
    """Return the command that measures the switches between two tasks."""
    return f"switches {' '.join(ends)} nothing"


def runs():
    """Return all runs."""
    return [Run(command, cpu=cpu, kernel=kernel) for cpu, kernel in KERNELS.items()
            for command in (BASE, COMPARE, *(switch(one, other) for one, other, _ in SWITCHES))]


def call_cost(found, name):
    """Return the cost of an operation of compare.c, without the cost of the measurement."""
    return samples.difference(samples.least(found[name]), samples.least(found["nothing"]))


def rows(of):
    """Yield the name and the totals of each operation. "of" returns the samples of a command."""
    base = of(BASE)
    yield "switch, nobody counts: all", samples.middle(base["there"])
    for *ends, directions in SWITCHES:
        for way in directions:
            name = " → ".join(NAMES[end] for end in (ends if way == "there" else ends[::-1]))
            yield f"switch, {name}", samples.added(of(switch(*ends))[way], base[way])
    found = of(COMPARE)
    for operation, name in CALLS.items():
        for word, shown in EVENTS.items():
            yield f"{name}, {shown}", call_cost(found, f"{word}-{operation}")
    yield OWN[1], call_cost(found, OWN[0])


def report(reports):
    """Report all rows."""
    costs = {cpu: dict(rows(lambda command, cpu=cpu, kernel=kernel: samples.samples_of(
        Run(command, cpu=cpu, kernel=kernel)))) for cpu, kernel in KERNELS.items()}
    lines = []
    for name, one in costs["p4"].items():
        both = [costs[cpu][name] for cpu in CPUS]
        for cpu, totals in zip(CPUS, both, strict=True):
            reports.record(("the Pentium 4", name, ""), cpu, totals)
        lines.append([name, *(totals["kernel"] or totals["user"] for totals in both),
                      samples.counter_reads(one), samples.register_writes(one), one["rdtsc"]])
    reports.table("The Pentium 4", ["", *(f"instructions, {bits}" for bits in CPUS.values()),
                                    "counter reads", "register writes", "RDTSC"], lines)
