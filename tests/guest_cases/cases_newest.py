# SPDX-License-Identifier: GPL-2.0-only
"""Test the newest series of Linux that has patches.

These tests count exactly, take samples, run the self-test, and create guests of KVM.

All other tests boot Linux 6.12. "make kernels" counts exactly on each series.
"""

import dataclasses
import functools
import os
import re

import cases_samples
import cases_self_test
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
    lazy = dataclasses.replace(pair, append="preempt=lazy")
    # Only AMD's processors have virtual machines in the emulator.
    guests = Machine(cpu="zen4", kernel=f"vpmc-{SERIES}-amd64",
                     append="kvm_amd.enable_mediated_pmu=1")
    yield Test("newest-perfex", "a program of exactly N instructions reads N",
               functools.partial(perfex, alone, MODELS[alone.cpu], 64))
    for program, rule in FOLLOWING.items():
        yield Test(f"newest-{program}", rule, functools.partial(checks, pair, program, 64))
    yield Test("newest-lazy", "threads that are preempted lazily have exact counts",
               functools.partial(checks, lazy, "mixed", 64))
    yield Test("newest-self-test", cases_self_test.RULE,
               functools.partial(cases_self_test.passes, pair, set()))
    yield Test("newest-samples", cases_samples.PROGRAMS["samples"],
               functools.partial(cases_samples.checks, pair, "samples", 64))
    yield Test("newest-vpmu", "a guest with a mediated vPMU and the driver exclude each other",
               functools.partial(checks, guests, "vpmu", 64))
    yield Test("newest-sample_maps", cases_samples.MAPS,
               functools.partial(cases_samples.checks, alone, "sample_maps", 64))
