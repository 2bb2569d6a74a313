# SPDX-License-Identifier: GPL-2.0-only
"""List the machines that a program runs on: processor, number of processors, distance from the
wrap."""

import itertools

from guest import Machine

# The hardware counters are set this far below their wrap at every switch.
SEED = 50
NEAR_WRAP = f"vpmc.test_seed={SEED}"

# By the end of a test's name.
EIGHT = {f"{cpu}-{smp}-{where}": Machine(cpu=cpu, smp=smp, append=append)
         for cpu, smp, (where, append) in itertools.product(
             ("mmx", "p5"), (1, 2), (("far", ""), ("wrap", NEAR_WRAP)))}

# Each pair of values of any two of the three occurs. This suffices for programs in which the
# processor only decides how a counter is read, their number whether others run at the same time,
# and the distance whether a count is extended: no code of the driver depends on all three.
FOUR = {name: EIGHT[name] for name in ("mmx-1-far", "mmx-2-wrap", "p5-1-wrap", "p5-2-far")}
