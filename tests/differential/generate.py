# SPDX-License-Identifier: GPL-2.0-only
"""Random programs, each from a seed."""

import random

from differential import units_fpu, units_integer, units_transfer
from differential.builder import Builder
from differential.runtime import begin, end

# How often each kind of unit comes.
INTEGER = ((units_integer.memory, 30), (units_integer.register, 8), (units_integer.faulting, 8),
           (units_integer.skipped, 5), (units_integer.string, 8), (units_integer.stack, 8),
           (units_integer.strange_stack, 4), (units_integer.quotient, 3),
           (units_integer.segments, 4), (units_integer.odds, 5))
OTHERS = ((units_transfer.jump, 6), (units_transfer.call, 5), (units_transfer.far, 4),
          (units_transfer.loop, 3), (units_transfer.rewrite, 6), (units_transfer.trap, 4),
          (units_fpu.x87, 8))
UNITS = 60


def program(seed, mmx, units=UNITS):
    """The program of a seed, or only its first units."""
    builder = Builder(random.Random(seed))
    begin(builder)
    kinds = [*INTEGER, *OTHERS] + ([(units_fpu.mmx, 8)] if mmx else [])
    functions, weights = zip(*kinds)
    for _ in range(units):
        builder.random.choices(functions, weights)[0](builder)
    end(builder)
    return builder.program
