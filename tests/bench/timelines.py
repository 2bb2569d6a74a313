# SPDX-License-Identifier: GPL-2.0-only
"""Measure the costs of perfex --timeline and of --regions for a command with many regions."""

import functools
import os

import guest
from bench import samples

# timelines.c has the same number.
REGIONS = 100000

# timelines.c prints these words.
WHAT = {
    "regions-program": "the regions, with --regions",
    "timeline-program": "the regions, with --timeline",
    "regions": "perfex --regions as a whole",
    "timeline": "perfex --timeline as a whole",
}


@functools.cache
def measured(cpu, kernel, module):
    """Return the totals of each command, and the size of the timeline."""
    found = samples.measured(guest.Machine(cpu=cpu, kernel=kernel), "timelines", module, True,
                             [os.path.join(samples.OUT, "timelines"), guest.PERFEX])
    return {name: values[0] for name, values in found.items()}


def instructions(totals):
    """Return all instructions of a sample, in both modes."""
    return totals["user"] + totals["kernel"]


def ratio(found, part=""):
    """Return the cost of the timeline, divided by that of --regions."""
    return instructions(found["timeline" + part]) / instructions(found["regions" + part])


def report(tables):
    """Write the table of both processors."""
    kernel = samples.kernel_path("vpmc")
    found = {cpu: measured(cpu, kernel, samples.MODULE) for cpu in ("mmx", "p5")}
    rows = []
    for name, words in WHAT.items():
        for cpu, values in found.items():
            tables.record(("timeline", name, ""), cpu, values[name])
        rows.append([words, *(f"{instructions(values[name]) / REGIONS:.0f}"
                              for values in found.values())])
    for part, words in (("-program", "times as much, the regions"),
                        ("", "times as much, as a whole")):
        rows.append([words, *(f"{ratio(values, part):.1f}" for values in found.values())])
    rows.append(["bytes of the timeline", *(f"{values['bytes'] / REGIONS:.0f}"
                                            for values in found.values())])
    tables.table("Timelines", ["for each of 100,000 regions", "with RDPMC", "without RDPMC"], rows)
