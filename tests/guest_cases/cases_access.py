# SPDX-License-Identifier: GPL-2.0-only
"""Test access to counts: which processes may start and read them, in which way, and after which
exec."""

import functools

import guest
from cases import Test
from guest import Machine


def matrix(machine, *arguments):
    """Try all combinations of processes and accesses, or some of them."""
    lines = guest.run_checks(machine, ["matrix", *arguments],
                             [guest.tool("matrix"), guest.tool("puppet")])
    return f"{len(lines)} checks"


def tests():
    """Yield the tests of this file."""
    rule = "counts are shown only to processes that could have watched the program"
    yield Test("matrix-mmx-1", rule, functools.partial(matrix, Machine()))
    # For 64 bits, "make check" boots two processors.
    if guest.LONG:
        yield Test("matrix-mmx-2", rule,    functools.partial(matrix, Machine(smp=2), "some"))
