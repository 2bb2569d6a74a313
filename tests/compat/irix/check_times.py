#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""check_times.py REPORT COSTS [MHZ]: recalculate the numbers of a report of perfex.irix -y.

REPORT has the counts, and COSTS has the output of perfex.irix -t. Without MHZ, the frequency is
that of this machine. Prints the numbers of events and statistics, or an error if the report is
wrong.
"""

import re
import sys

EVENT = re.compile(r" *([0-9]+) ([a-z0-9_]+)\.+ +([0-9]+)((?: +[0-9.]+){3})$")
STATISTIC = re.compile(r"([A-Z].*?)\.* +(-?[0-9.]+)$")


def accesses(n):
    """Return the number of reads and writes of data."""
    return n["data_read"] + n["data_write"]


def misses(n):
    """Return the number of accesses that missed the cache."""
    return n["data_read_miss"] + n["data_write_miss"]


# Each statistic has its formula: n are the counts, t are typical clocks of all events of a
# kind, and mhz is the frequency.
STATISTICS = {
    "Instructions/cycle": lambda n, t, mhz: n["instructions_executed"] / n["clocks"],
    "Floating point operations/cycle": lambda n, t, mhz: n["flops"] / n["clocks"],
    "Data reads & writes/cycle": lambda n, t, mhz: accesses(n) / n["clocks"],
    "Data reads & writes/floating point operation":
        lambda n, t, mhz: accesses(n) / n["flops"],
    "Pipeline flushes/Branches": lambda n, t, mhz: n["pipeline_flushes"] / n["branches"],
    "Branch target buffer hits/Branches": lambda n, t, mhz: n["btb_hits"] / n["branches"],
    "V pipe instructions/Instructions":
        lambda n, t, mhz: n["instructions_executed_v_pipe"] / n["instructions_executed"],
    # This is the number of uses of a line after it has been loaded.
    "L1 Cache Line Reuse": lambda n, t, mhz: accesses(n) / misses(n) - 1,
    "L1 Data Cache Hit Rate": lambda n, t, mhz: (accesses(n) - misses(n)) / accesses(n),
    "Time accessing memory/Total time":
        lambda n, t, mhz: (t["data_read"] + t["data_write"] + t["data_read_miss"]
                           + t["data_write_miss"] + t["data_tlb_miss"]) / n["clocks"],
    # A line has 32 bytes. Clocks divided by MHz are microseconds, and bytes per microsecond are
    # MB/s.
    "Memory bandwidth used (MB/s, average per process)":
        lambda n, t, mhz: 32 * (n["data_read_miss"] + n["data_lines_written_back"])
                          / (n["clocks"] / mhz),
    "MFLOPS (average per process)": lambda n, t, mhz: n["flops"] / (n["clocks"] / mhz),
}


def read_costs(text):
    """Return the typical, minimum and maximum cost with their unit, by (number, name)."""
    costs = {}
    for line in text.splitlines():
        words = line.partition("#")[0].split()
        if words:
            costs[int(words[0]), words[1]] = ([float(word) for word in words[2:5]], words[5])
    return costs


def wrong(found, want):
    """Return whether two numbers differ in a digit that is printed."""
    return abs(found - want) > 0.6e-6 + 1e-9 * abs(want)


def want_statistics(counts, typical, mhz):
    """Return all statistics that can be computed."""
    values = {}
    for name, function in STATISTICS.items():
        try:
            values[name] = function(counts, typical, mhz)
        except (KeyError, ZeroDivisionError):
            pass
    return values


def check(report, table, mhz):
    """Return the errors, and the numbers of events and statistics."""
    costs = read_costs(table)
    head, _, tail = report.partition("\nStatistics\n")
    counts, typical, times, faults = {}, {}, [], []
    if f" Based on {mhz:.0f} MHz " not in head:
        faults.append(f"not based on {mhz} MHz")
    for match in filter(None, map(EVENT.match, head.splitlines())):
        count, name = int(match[3]), match[2]
        cost, unit = costs[int(match[1]), name]
        clocks = [count * value * (1 if unit == "clks" else mhz / 1000) for value in cost]
        found = [float(word) for word in match[4].split()]
        counts[name], typical[name] = count, clocks[0]
        times.append(clocks[0])
        for value, want in zip(found, clocks):
            if wrong(value, want / (mhz * 1e6)):
                faults.append(f"{name}: {found}, want {[c / (mhz * 1e6) for c in clocks]}")
    if any(a < b for a, b in zip(times, times[1:])):
        faults.append("not from the most costly to the least")
    found = {match[1]: float(match[2]) for match in map(STATISTIC.match, tail.splitlines())
             if match}
    want = want_statistics(counts, typical, mhz)
    if found.keys() != want.keys():
        faults.append(f"statistics {sorted(found)}, want {sorted(want)}")
    faults += [f"{name}: {found[name]}, want {value}" for name, value in want.items()
               if name in found and wrong(found[name], value)]
    return faults, len(counts), len(found)


def mhz_of(cpuinfo):
    """Return the frequency that /proc/cpuinfo names."""
    return float(re.search(r"^cpu MHz\s*: ([0-9.]+)", cpuinfo, re.MULTILINE)[1])


def main():
    """Check the files of the command line."""
    texts = []
    for path in [*sys.argv[1:3], "/proc/cpuinfo"]:
        with open(path, encoding="utf-8") as file:
            texts.append(file.read())
    mhz = float(sys.argv[3]) if len(sys.argv) > 3 else mhz_of(texts[2])
    faults, events, statistics = check(texts[0], texts[1], mhz)
    print(*faults, f"{events} events, {statistics} statistics", sep="\n")
    return bool(faults)


if __name__ == "__main__":
    sys.exit(main())
