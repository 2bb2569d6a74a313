# SPDX-License-Identifier: GPL-2.0-only
"""Test access to counts: which process starts them, what is executed, which process reads them,
and in which way."""

import functools

import guest
from cases import Test
from guest import Machine


def matrix(machine, *arguments):
    """Try all combinations, or some."""
    lines = guest.run_checks(machine, ["matrix", *arguments],
                             [guest.tool("matrix"), guest.tool("puppet")])
    return f"{len(lines)} checks"


def tests():
    """Yield the tests of this file."""
    rule = "counts are shown to whoever could have watched the program, and to nobody else"
    yield Test("matrix-mmx-1", rule, functools.partial(matrix, Machine()))
    # In "make check" the 64-bit machine has two processors.
    if guest.LONG:
        yield Test("matrix-mmx-2", rule,    functools.partial(matrix, Machine(smp=2), "some"))
