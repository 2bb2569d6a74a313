# SPDX-License-Identifier: GPL-2.0-only
"""Measure calls that another process makes for all threads of a process: the cost for each
thread."""

import functools
import os

import guest
from bench import samples

# The table has the first and the last of these numbers of threads. The cost for each thread is
# the difference of their costs, divided by the difference of the numbers.
SIZES = (100, 1000, 8000)
# The stacks of the threads, which are mostly in the kernel, need this number of megabytes.
MEMORY = 512

# threads.c prints these words.
OPERATIONS = {
    "start": "VPMC_START, where none counts",
    "force": "VPMC_START with VPMC_START_FORCE, while all count",
    "read": "VPMC_READ, SELF",
    "stop": "VPMC_STOP",
}


@functools.cache
def measured(size, kernel, module):
    """Return how many kernel instructions each operation takes with this number of threads."""
    machine = guest.Machine(kernel=kernel, memory=MEMORY)
    found = samples.measured(machine, f"threads {size}", module, True,
                             [os.path.join(samples.OUT, "threads")])
    return {name: samples.least(found[name]) for name in OPERATIONS}


def each(name, sizes, kernel, module):
    """Return the cost of an operation for each thread."""
    few, many = (measured(size, kernel, module)[name]["kernel"] for size in sizes)
    return (many - few) / (sizes[1] - sizes[0])


def report(tables):
    """Write the table of the Pentium."""
    kernel = samples.kernel_path("vpmc")
    rows = []
    for name, words in OPERATIONS.items():
        found = [measured(size, kernel, samples.MODULE)[name] for size in SIZES]
        for size, totals in zip(SIZES, found):
            tables.record(("threads", name, size), "mmx", totals)
        slope = each(name, (SIZES[0], SIZES[-1]), kernel, samples.MODULE)
        rows.append([words, *(totals["kernel"] for totals in found), f"{slope:.1f}"])
    tables.table("Many threads", ["instructions",
                                  *(f"{size} threads" for size in SIZES), "each thread"], rows)
