# SPDX-License-Identifier: GPL-2.0-only
"""Generate random programs, each from a seed."""

import random

from differential import (units_far, units_fpu, units_integer, units_odds, units_rewrite,
                          units_sse, units_stack, units_transfer)
from differential.builder import Builder
from differential.program import MODE32, MODE64
from differential.runtime import begin, end

# Each kind of unit has a weight.
INTEGER = ((units_integer.memory, 30), (units_integer.register, 8), (units_integer.faulting, 8),
           (units_integer.skipped, 5), (units_integer.string, 8), (units_stack.stack, 8),
           (units_stack.strange_stack, 4), (units_integer.quotient, 3),
           (units_odds.segments, 4), (units_odds.odds, 5))
OTHERS = ((units_transfer.jump, 6), (units_transfer.call, 5), (units_far.far, 4),
          (units_transfer.loop, 3), (units_rewrite.rewrite, 6), (units_far.trap, 4),
          (units_fpu.x87, 8))
MMX = ((units_fpu.mmx, 8),)
SSE = ((units_integer.long_string, 3), (units_sse.integers, 16), (units_sse.floats, 12),
       (units_sse.alignment, 3))
UNITS = 60


def generate(builder, kinds, units):
    """Return a program with this number of units of these kinds."""
    begin(builder)
    functions, weights = zip(*kinds)
    for _ in range(units):
        builder.random.choices(functions, weights)[0](builder)
    end(builder)
    return builder.program


def program(seed, mmx, units=UNITS):
    """Return the 32-bit program of a seed, or its first units only."""
    return generate(Builder(random.Random(seed), MODE32),
                    [*INTEGER, *OTHERS, *(MMX if mmx else ())], units)


def program64(seed, level, units=UNITS):
    """Return the 64-bit program of a seed, for processors of one of forms.LEVELS."""
    return generate(Builder(random.Random(seed), MODE64, level),
                    [*INTEGER, *OTHERS, *MMX, *SSE], units)
