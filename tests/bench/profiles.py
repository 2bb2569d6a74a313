# SPDX-License-Identifier: GPL-2.0-only
"""Measure the cost of a sample by perf_event and by vpmc, and of a switch between tasks that leave
samples."""

from bench import samples
from bench.samples import Run

# Each processor has its kernel. perf_event and vpmc can take samples on both.
KERNELS = {"pentium3": "vpmc", "icelake": samples.KERNEL64}
CPUS = {"pentium3": "Pentium III, 32 bits", "icelake": "Ice Lake, 64 bits"}
# These are words of count.h.
WAYS = {"perf_event": "perf-sampled", "vpmc": "sampled"}

# Each switch has a name, and the words of both tasks by way.
SWITCHES = {
    "switch, both count": {"perf_event": ("perf-one", "inherited"), "vpmc": ("one", "inherited")},
    "switch, both sample": {who: (word, "inherited") for who, word in WAYS.items()},
    "switch, both sample, each by itself": {who: (word, word) for who, word in WAYS.items()},
    "switch, sample → none": {who: (word, "nothing") for who, word in WAYS.items()},
}


def run(cpu, command):
    """Return the run of a command on a processor."""
    return Run(command, cpu=cpu, kernel=KERNELS[cpu])


def switch(words):
    """Return the command that measures the switches between two tasks."""
    return f"switches {' '.join(words)} nothing"


BASE = switch(("nothing", "nothing"))


def commands():
    """Yield all commands to run."""
    yield BASE
    yield from (f"profile {word}" for word in WAYS.values())
    yield from (switch(words) for ways in SWITCHES.values() for words in ways.values())


def runs():
    """Return the runs of all commands."""
    return [run(cpu, command) for cpu in CPUS for command in commands()]


def each(found):
    """Return the cost of one sample: that of the cheapest loop, divided by its number of samples.
    In a loop, the kernel executes nothing else."""
    costs = [{name: round(value / number) for name, value in loop.items()}
             for loop, number in zip(found["loop"], found["samples"], strict=True)]
    return min(costs, key=lambda cost: cost["kernel"])


def rows(cpu, of):
    """Yield (name, {way to totals}, {way to bytes}) for each operation on a processor. "of" returns
    the samples of a command."""
    found = {who: of(f"profile {word}") for who, word in WAYS.items()}
    yield (f"a sample, {CPUS[cpu]}", {who: each(ways) for who, ways in found.items()},
           {who: ways["bytes"][0] for who, ways in found.items()})
    base = of(BASE)["there"]
    for name, ways in SWITCHES.items():
        yield (f"{name}, {CPUS[cpu]}",
               {who: samples.added(of(switch(words))["there"], base)
                for who, words in ways.items()}, {})


def report(reports):
    """Report all rows."""
    parts = {"instructions": lambda totals: totals["kernel"],
             "counter reads": samples.counter_reads, "register writes": samples.register_writes,
             "RDTSC": lambda totals: totals["rdtsc"]}
    lines = []
    for cpu in CPUS:
        for name, costs, sizes in rows(cpu, lambda command, cpu=cpu: samples.samples_of(
                run(cpu, command))):
            for who, totals in costs.items():
                reports.record(("samples", name, who), cpu, totals, sizes.get(who, ""))
            lines.append([name, *(part(costs[who]) for part in parts.values() for who in WAYS),
                          *(sizes.get(who, "") for who in WAYS)])
    reports.table("Samples", ["", *(f"{part}, {who}" for part in (*parts, "bytes")
                                    for who in WAYS)], lines)
