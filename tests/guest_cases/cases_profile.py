# SPDX-License-Identifier: GPL-2.0-only
"""Test perfex --profile: it finds the functions in which the events happen."""

import functools
import re

import guest
from cases import Failed, Test
from guest import Machine

# Each part of the program has so many of 100 instructions.
SHARES = {"half": 50, "third": 30, "fifth": 20}
# A round has 20000 instructions, and a few more for the calls.
ROUNDS = 500
# The period is a prime number, so that the samples do not fall on the same instructions.
PERIOD = 1009

ROW = re.compile(r" *([\d.]+)% \+- *([\d.]+)% +(\d+)  (\S+) +(\S+) +(\S+)")
EXPECTED = re.compile(r"# (\d+) samples, at most (\d+) expected from (\d+) events")


def profiled(machine, command, bits):
    """Profile a command. Return the rows as (share, error, samples, function, object, program), the
    number of samples, that of those expected at most, and the whole output."""
    words = ["perfex", "--profile", "-e", f"instructions:u/{PERIOD}", *command.split()]
    result = guest.run(machine, words, [guest.tool("shares", bits), guest.perfex(bits)])
    shown = guest.shown(result)
    if result.returncode:
        raise Failed(shown)
    text = result.stderr.decode()
    rows = [(float(row[1]), float(row[2]), int(row[3]), *row.groups()[3:])
            for row in map(ROW.match, text.splitlines()) if row]
    if not (expected := EXPECTED.search(text)):
        raise Failed(f"there is no number of samples\n{shown}")
    for word in ("lost", "hidden", "no mapping", "missing"):
        if word in text:
            raise Failed(f"samples are {word}\n{shown}")
    return rows, int(expected[1]), int(expected[2]), shown


def check_shares(rows, samples, shown):
    """Check that each function has its share, within the error that the report states."""
    found = {row[3]: row for row in rows if row[5] == "shares"}
    for name, share in SHARES.items():
        if name not in found or abs(found[name][0] - share) > found[name][1]:
            raise Failed(f"{name} does not have {share} %\n{shown}")
    if any(not found[name][4].endswith("/shares") for name in SHARES):
        raise Failed(f"a function is in another file\n{shown}")
    if sum(row[2] for row in rows) > samples:
        raise Failed(f"the rows have more samples than there are\n{shown}")


def functions(machine, bits):
    """Test a single process: each thread rounds its number of samples down, and there is one
    thread."""
    rows, samples, most, shown = profiled(machine, f"shares {ROUNDS}", bits)
    check_shares(rows, samples, shown)
    if samples != most:
        raise Failed(f"there are {samples} samples, and not {most}\n{shown}")


def tree(machine, bits):
    """Test a tree of seven processes: at most one sample of each is missing."""
    rows, samples, most, shown = profiled(machine, f"shares {ROUNDS // 5} 2", bits)
    check_shares(rows, samples, shown)
    if not most - 7 < samples <= most:
        raise Failed(f"there are {samples} samples, and not {most}\n{shown}")


MACHINES = {
    "pentium3": (Machine(cpu="pentium3"), 32),
    "icelake": (Machine(cpu="icelake", kernel="vpmc-amd64"), 64),
    "zen": (Machine(cpu="zen", kernel="vpmc-amd64"), 64),
    "icelake-2": (Machine(cpu="icelake", kernel="vpmc-amd64", smp=2), 64),
}


def tests():
    """Yield the tests."""
    for name, (machine, bits) in MACHINES.items():
        yield Test(f"profile-functions-{name}",
                   "a profile has the share of each function within the error that it states",
                   functools.partial(functions, machine, bits), 2)
        yield Test(f"profile-tree-{name}", "a profile has all processes of a tree",
                   functools.partial(tree, machine, bits), 2)
