# SPDX-License-Identifier: GPL-2.0-only
"""Test that real programs have the cache misses that valgrind finds
(tests/emulator/validation/cachegrind).

"make validate" compares more programs.
"""

import functools

from cachegrind import compare
from cases import Test
from differential import stepper

SAMPLE = (("p5", "uniq"), ("mmx", "gunzip"))


def tests():
    """Compare two programs, on machines whose instructions valgrind can execute."""
    if not stepper.executes_32_bits():
        return
    for cpu, name in SAMPLE:
        yield Test(f"cachegrind-{name}-{cpu}",
                   "a program misses the caches as often as in a simulator of others",
                   functools.partial(compare.compare, cpu, name))
