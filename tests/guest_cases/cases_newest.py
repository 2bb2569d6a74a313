# SPDX-License-Identifier: GPL-2.0-only
"""Test the newest series of Linux that has patches: exact counts, and samples.

All other tests boot Linux 6.12. "make kernels" counts exactly on each series.
"""

import functools
import os
import re

import cases_samples
from cases import Test
from cases_families import FOLLOWING, MODELS, checks, perfex
from guest import TOP, Machine

SERIES = max((name for name in os.listdir(os.path.join(TOP, "kernel-patches"))
              if re.fullmatch(r"\d+\.\d+", name)),
             key=lambda name: [int(part) for part in name.split(".")])


def tests():
    """Yield the tests of this file."""
    alone, pair = (Machine(cpu="icelake", smp=smp, kernel=f"vpmc-{SERIES}-amd64")
                   for smp in (1, 2))
    yield Test("newest-perfex", "a program of exactly N instructions reads N",
               functools.partial(perfex, alone, MODELS[alone.cpu], 64))
    for program, rule in FOLLOWING.items():
        yield Test(f"newest-{program}", rule, functools.partial(checks, pair, program, 64))
    yield Test("newest-samples", cases_samples.PROGRAMS["samples"],
               functools.partial(cases_samples.checks, pair, "samples", 64))
    yield Test("newest-sample_maps", cases_samples.MAPS,
               functools.partial(cases_samples.checks, alone, "sample_maps", 64))
