# SPDX-License-Identifier: GPL-2.0-only
"""Who may see what: who starts, what is executed, who reads, and through what."""

import functools

import guest
from cases import Test
from guest import Machine


def matrix(machine):
    """Try all combinations."""
    lines = guest.run_checks(machine, ["matrix"], [guest.tool("matrix"), guest.tool("puppet")])
    return f"{len(lines)} checks"


def tests():
    """The tests of this file."""
    for smp in (1, 2):
        yield Test(f"matrix-mmx-{smp}",
                   "counts are shown to whoever could have watched the program, and to nobody else",
                   functools.partial(matrix, Machine(cpu="mmx", smp=smp)))
