# SPDX-License-Identifier: GPL-2.0-only
"""Measure the cost of a sample by perf_event and by vpmc, and of a switch between tasks that leave
samples."""

from bench import samples
from bench.samples import Run
from cases import Failed

# Each processor has its kernel. perf_event and vpmc can take samples on all of them.
KERNELS = {"pentium3": "vpmc", "icelake": samples.KERNEL64,
           "p4": "vpmc", "prescott": samples.KERNEL64}
CPUS = {"pentium3": "Pentium III, 32 bits", "icelake": "Ice Lake, 64 bits",
        "p4": "Pentium 4, 32 bits", "prescott": "Pentium 4, 64 bits"}
# The Pentium 4's events have other codes, and words of their own.
P4 = {"p4": "p4-", "prescott": "p4-"}
WAYS = ("perf_event", "vpmc")

# Each switch has a name, and the words of count.h for both tasks.
SWITCHES = {
    "switch, both count": ("{0}one", "inherited"),
    "switch, both sample": ("{0}sampled", "inherited"),
    "switch, both sample, each by itself": ("{0}sampled", "{0}sampled"),
    "switch, sample → none": ("{0}sampled", "nothing"),
}

# These are the limits. A sample costs at most one in PART of perf_event's sample, and has at most
# BYTES bytes. A switch between two tasks with samples takes at most MORE instructions more than one
# between two tasks that count.
PART = 4
BYTES = 24
MORE = 60


def prefixes(cpu):
    """Return the prefix of each way's words on a processor."""
    return dict(zip(WAYS, ("perf-", P4.get(cpu, ""))))


def run(cpu, command):
    """Return the run of a command on a processor."""
    return Run(command, cpu=cpu, kernel=KERNELS[cpu])


def switch(words, prefix=""):
    """Return the command that measures the switches between two tasks."""
    return f"switches {' '.join(words)} nothing".format(prefix)


BASE = switch(("nothing", "nothing"))


def commands(cpu):
    """Yield all commands to run on a processor."""
    yield BASE
    for prefix in prefixes(cpu).values():
        yield f"profile {prefix}sampled"
        yield from (switch(words, prefix) for words in SWITCHES.values())


def runs():
    """Return the runs of all commands."""
    return [run(cpu, command) for cpu in CPUS for command in commands(cpu)]


def each(found):
    """Return the cost of one sample: that of the cheapest loop, divided by its number of samples.
    In a loop, the kernel executes nothing else."""
    costs = [{name: round(value / number) for name, value in loop.items()}
             for loop, number in zip(found["loop"], found["samples"], strict=True)]
    return min(costs, key=lambda cost: cost["kernel"])


def rows(cpu, of):
    """Yield (name, {way to totals}, {way to bytes}) for each operation on a processor. "of" returns
    the samples of a command."""
    found = {who: of(f"profile {prefix}sampled") for who, prefix in prefixes(cpu).items()}
    yield (f"a sample, {CPUS[cpu]}", {who: each(ways) for who, ways in found.items()},
           {who: ways["bytes"][0] for who, ways in found.items()})
    base = of(BASE)["there"]
    for name, words in SWITCHES.items():
        yield (f"{name}, {CPUS[cpu]}",
               {who: samples.added(of(switch(words, prefix))["there"], base)
                for who, prefix in prefixes(cpu).items()}, {})


def check(name, costs, sizes, counting):
    """Fail if a row is above its limits. "counting" is the cost of a switch between two tasks that
    count."""
    ours = costs["vpmc"]["kernel"]
    if (sizes and (PART * ours > costs["perf_event"]["kernel"] or sizes["vpmc"] > BYTES)
            or "both sample" in name and ours > counting + MORE):
        raise Failed(f"{name}: {ours} instructions, {sizes} bytes; {costs}")


def report(reports):
    """Report all rows."""
    parts = {"instructions": lambda totals: totals["kernel"],
             "counter reads": samples.counter_reads, "register writes": samples.register_writes,
             "RDTSC": lambda totals: totals["rdtsc"]}
    lines = []
    for cpu in CPUS:
        found = list(rows(cpu, lambda command, cpu=cpu: samples.samples_of(run(cpu, command))))
        counting = next(costs["vpmc"]["kernel"] for name, costs, _ in found if "both count" in name)
        for name, costs, sizes in found:
            check(name, costs, sizes, counting)
            for who, totals in costs.items():
                reports.record(("samples", name, who), cpu, totals, sizes.get(who, ""))
            lines.append([name, *(part(costs[who]) for part in parts.values() for who in WAYS),
                          *(sizes.get(who, "") for who in WAYS)])
    reports.table("Samples", ["", *(f"{part}, {who}" for part in (*parts, "bytes")
                                    for who in WAYS)], lines)
