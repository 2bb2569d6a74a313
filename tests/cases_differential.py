# SPDX-License-Identifier: GPL-2.0-only
"""Random programs, counted in the guest and worked out on this machine."""

import functools

from cases import Test
from differential import campaign

# The first seed, which decides on the machine, and how many programs.
PROGRAMS = {"mmx": (1, 200), "p5": (1001, 100), "mmx-2": (2001, 60), "p5-2": (3001, 40),
            "icount": (4001, 40), "no-errata": (5001, 40), "single-step": (6001, 10)}


def tests():
    """The tests of this file."""
    for variant, (first, count) in PROGRAMS.items():
        yield Test(f"differential-{variant}",
                   "random programs do and count what single-stepping and a table say",
                   functools.partial(campaign.run, first, count), campaign.machine_of(first).smp)
