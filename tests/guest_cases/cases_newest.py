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
import guest
from cases import Failed, Test
from cases_families import FOLLOWING, MODELS, checks, perfex
from guest import TOP, Machine

SERIES = max((name for name in os.listdir(os.path.join(TOP, "kernel-patches"))
              if re.fullmatch(r"\d+\.\d+", name)),
             key=lambda name: [int(part) for part in name.split(".")])

# These are processors of the model "icelake". One can forbid RDPMC counter by counter, and one enters
# the kernel by FRED.
ICELAKE = "Icelake-Server-noTSX,model=106,check=off"
HIDING = f"{ICELAKE},pmu-rdpmc-user-disable=on"
FRED = f"{ICELAKE},fred=on,lkgs=on"

# These programs enter the kernel in many ways. Each has its arguments.
ENTERING = {"extra_counts": ("more",), "mixed": (), "rdpmc_kernel": (), "signals": ()}


def expect(machine, command, answer):
    """Check what a command says about the machine."""
    result = guest.run(machine, command, [])
    if result.stdout.decode() != answer:
        raise Failed(f"{' '.join(command)} does not say {answer}{guest.shown(result)}")


def isolated(machine, bits):
    """Test precise samples on a kernel whose page tables of user mode do not map the kernel."""
    expect(machine, ["cat", "/sys/devices/system/cpu/vulnerabilities/meltdown"], "Mitigation: PTI\n")
    return cases_samples.precise(machine, bits)


def entering(machine, function, *arguments, **keywords):
    """Run a test on a kernel that is entered by FRED."""
    expect(machine, ["grep", "-c", " fred ", "/proc/cpuinfo"], f"{machine.smp}\n")
    return function(machine, *arguments, **keywords)


def tests():
    """Yield the tests of this file."""
    alone, pair = (Machine(cpu="icelake", smp=smp, kernel=f"vpmc-{SERIES}-amd64")
                   for smp in (1, 2))
    lazy = dataclasses.replace(pair, append="preempt=lazy")
    # Only AMD's processors have virtual machines in the emulator.
    guests = Machine(cpu="zen4", kernel=f"vpmc-{SERIES}-amd64",
                     append="kvm_amd.enable_mediated_pmu=1 mitigations=off")
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
    yield Test("newest-sample_precise", "a precise sample has the address of the instruction of its "
               "event if page tables of user mode do not map the kernel", functools.partial(
                   isolated, Machine(cpu="prescott", kernel=alone.kernel, exact_pmi=True,
                                     append="pti=on"), 64))
    hiding = dataclasses.replace(alone, cpu=HIDING, memory=512)
    yield Test("newest-rdpmc_user_disable", "RDPMC reads the driver's counters where perf_event has "
               "forbidden it", functools.partial(checks, hiding, "rdpmc_user_disable", 64))
    # The kernel uses FRED only without page table isolation.
    fred = dataclasses.replace(pair, cpu=FRED, memory=512, append="pti=off")
    for program, arguments in ENTERING.items():
        yield Test(f"newest-fred-{program}", "counts are exact if the kernel is entered by FRED",
                   functools.partial(entering, fred, checks, program, 64, arguments=arguments))
    yield Test("newest-fred-samples", cases_samples.PROGRAMS["samples"],
               functools.partial(entering, fred, cases_samples.checks, "samples", 64))
    yield Test("newest-fred-self-test", cases_self_test.RULE,
               functools.partial(entering, fred, cases_self_test.passes, set()))
    yield Test("newest-vpmu", "a guest with a mediated vPMU and the driver exclude each other",
               functools.partial(checks, guests, "vpmu", 64))
    yield Test("newest-sample_maps", cases_samples.MAPS,
               functools.partial(cases_samples.checks, alone, "sample_maps", 64))
