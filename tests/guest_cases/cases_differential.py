# SPDX-License-Identifier: GPL-2.0-only
"""Compare counts of random programs in the guest with counts that this machine computes."""

import functools

from cases import Test
from differential import campaign, targets

# Each machine has its first seed and its number of programs.
PROGRAMS = {"mmx": (1, 100), "p5": (1001, 50), "mmx-2": (2001, 30), "p5-2": (3001, 20),
            "icount": (4001, 20), "no-errata": (5001, 20), "single-step": (6001, 5)}

# Each processor runs this number of 64-bit programs. The Pentium 4 counts each of them with 17
# random experiments.
PROGRAMS64 = {"opteron": 20, "core2": 15, "nehalem": 30, "sandybridge": 15, "haswell": 15,
              "icelake": 50, "zen4": 50, "prescott": 4}


def tests():
    """Yield the tests of this file."""
    rule = "random programs do and count what single-stepping and a table say"
    for variant, (first, count) in PROGRAMS.items():
        target = targets.target_of(targets.PENTIUMS, first)
        yield Test(f"differential-{variant}", rule,
                   functools.partial(campaign.run, target, first, count))
    for cpu, count in PROGRAMS64.items():
        first, target = targets.first_of(cpu)
        yield Test(f"differential-{cpu}-amd64", rule,
                   functools.partial(campaign.run, target, first, count))
