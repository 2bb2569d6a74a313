# SPDX-License-Identifier: GPL-2.0-only
"""Test the Pentium 4's counters without a kernel, by programs whose counts are worked out by hand.

tests/emulator/validation/p4/p4.h describes the form of these programs.
"""

import functools
import glob
import os
import re

import guest
import known
from cases import Failed, Test
from cases_bare import show_output
from emulator import models

SOURCES = os.path.join(guest.TOP, "tests/emulator/validation/p4")
CPUS = ("p4", "prescott")
RESULT = re.compile(r"(.+?)(?:@(\w+))? = (.+)")


def parse(path, cpu):
    """Return what the source says of a program: its fields, and its results as pairs of name and
    number."""
    with open(path, encoding="utf-8") as file:
        comment = file.read().split("*/", 2)[1]
    fields, results = {}, None
    for line in comment.splitlines():
        line = line.strip(" \t*")
        if line == "results:":
            results = {}
        elif results is None:
            if match := re.fullmatch(r"(rule|cpu|properties): (.+)", line):
                fields[match[1]] = match[2]
        elif match := RESULT.fullmatch(line):
            if match[2] in (None, cpu):
                results[match[1]] = known.number(match[3])
    return fields, list(results.items())


def check(path, cpu):
    """Compare what a program shows with its results."""
    name = os.path.basename(path).removesuffix(".S")
    fields, results = parse(path, cpu)
    output = show_output(os.path.join(guest.P4, name),
                         ",".join([models.MODELS[cpu].qemu, *fields.get("properties", "").split()]))
    shown = [int(line, 16) for line in output.split()]
    if len(shown) != len(results):
        raise Failed(f"{name} shows {len(shown)} numbers, want {len(results)}")
    wrong = [f"{what} is {number}, not {want}"
             for (what, want), number in zip(results, shown) if number != want]
    if wrong:
        raise Failed("\n".join(wrong))
    return f"{len(results)} results"


def tests():
    """Yield a test of each program, on both models or on the only one that the program is for."""
    for path in sorted(glob.glob(os.path.join(SOURCES, "*.S"))):
        fields, _ = parse(path, "")
        name = os.path.basename(path).removesuffix(".S")
        for cpu in [fields["cpu"]] if "cpu" in fields else CPUS:
            yield Test(f"bare-{name}-{cpu}", fields["rule"], functools.partial(check, path, cpu))
