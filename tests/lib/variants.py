# SPDX-License-Identifier: GPL-2.0-only
"""List the machines on which a program runs: processor, number of processors, and distance of
the counters from their wrap."""

import itertools

from guest import Machine

# At each context switch, the hardware counters are set to this distance below their wrap.
SEED = 50
NEAR_WRAP = f"vpmc.test_seed={SEED}"

# The key is the end of a test's name.
EIGHT = {f"{cpu}-{smp}-{where}": Machine(cpu=cpu, smp=smp, append=append)
         for cpu, smp, (where, append) in itertools.product(
             ("mmx", "p5"), (1, 2), (("far", ""), ("wrap", NEAR_WRAP)))}

# For any two of the three properties, each pair of values occurs. This suffices for most
# programs. The processor decides how a counter is read. The number of processors decides whether
# others run at the same time, and the distance whether a count is extended. No code of the driver
# depends on all three properties.
FOUR = {name: EIGHT[name] for name in ("mmx-1-far", "mmx-2-wrap", "p5-1-wrap", "p5-2-far")}
