# SPDX-License-Identifier: GPL-2.0-only
"""Measure many processes that count the same events: the cost of a switch between them, and their
memory."""

import dataclasses
import itertools

from bench import perf, samples
from bench.samples import Run

SIZES = (1, 10, 100, 1000, 4000)

# The memory of other machines is too small for 4,000 64-bit processes, even if these do not
# count.
MEMORY64 = 1024

# These are words of ring.c for the way in which the processes have started to count.
WAYS = {"inherited": "inherited", "own": "each began for itself"}

# A smaller number of processes does not fill the pages of their objects.
FEWEST_FOR_MEMORY = 100


@dataclasses.dataclass(frozen=True)
class Ring:
    """A ring of processes that count, and the same ring without counting."""

    size: int
    run: Run
    base: Run

    def runs(self):
        """Return the programs to run."""
        return self.run, self.base

    def switch(self):
        """Return the additional cost of a switch. Each process, and one more, makes one switch in
        a round."""
        rounds = (samples.samples_of(run)["round"] for run in self.runs())
        return {name: round(value / (self.size + 1), 1)
                for name, value in samples.added(*rounds).items()}

    def grown(self):
        """Return by how many bytes the kernel's objects grow for each process."""
        slabs = [samples.samples_of(run)["slab"][0] for run in self.runs()]
        return round((slabs[0] - slabs[1]) / self.size)

    def shown_grown(self):
        """Return the growth for a table."""
        return f"{self.grown():+}" if self.size >= FEWEST_FOR_MEMORY else ""


def pentium(size):
    """Measure a ring on the Pentium, and on the stock kernel."""
    return Ring(size, Run(f"ring {size} two inherited"),
                Run(f"ring {size} nothing inherited", kernel="stock", driver=False))


def wide(size, prefix, way):
    """Measure a 64-bit ring, and the same ring without counting on the same kernel. "prefix" is
    one of perf.WAYS."""
    run, base = (Run(f"ring {size} {word} {way}", cpu=perf.CPU, kernel=samples.KERNEL64,
                     memory=MEMORY64) for word in (f"{prefix}two", "nothing"))
    return Ring(size, run, base)


def runs():
    """Yield all runs, the long ones first."""
    for size in reversed(SIZES):
        for way, prefix in itertools.product(WAYS, perf.WAYS.values()):
            yield from wide(size, prefix, way).runs()
        yield from pentium(size).runs()


def report_pentium(report):
    """Write the table of the Pentium."""
    rows = []
    for ring in map(pentium, SIZES):
        more = ring.switch()
        report.record(("ring", ring.size, "a switch, more than stock"), "mmx", more, ring.grown())
        rows.append([ring.size, f"{more['kernel']:+}", samples.counter_reads(more),
                     more["wrmsr_cesr"], ring.shown_grown()])
    report.table("Many processes", ["processes that count", "instructions per switch",
                                    "counter reads", "CESR writes", "bytes per process"], rows)


def report_wide(report):
    """Write the table of the 64-bit processors."""
    rows = []
    for way, shown in WAYS.items():
        for size in SIZES:
            rings = {who: wide(size, prefix, way) for who, prefix in perf.WAYS.items()}
            for who, ring in rings.items():
                report.record(("ring of 64 bits", f"{size}, {shown}", who), perf.CPU,
                              ring.switch(), ring.grown())
            rows.append([f"{size}, {shown}",
                         *(f"{ring.switch()['kernel']:+}" for ring in rings.values()),
                         *(ring.shown_grown() for ring in rings.values())])
    report.table("Many processes beside perf_event", [
        "processes that count 2 events", *(f"instructions per switch, {who}" for who in perf.WAYS),
        *(f"bytes per process, {who}" for who in perf.WAYS)], rows)
