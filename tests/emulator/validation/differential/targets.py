# SPDX-License-Identifier: GPL-2.0-only
"""List the processors for which random programs are made, and the events that are counted."""

import dataclasses
from collections.abc import Callable

import known
from cases_models import MODELS
from differential import generate, pentium4
from differential.reckon import PentiumReckoner, Reckoner
from guest import Machine

TIMEOUT = 1800


@dataclasses.dataclass(frozen=True)
class Target:
    """A machine, and the programs for it.

    program: a function that makes the program of a seed, or its first units only
    reckoner: the class that computes the counts of the machine
    counts: a function that returns, from the reckoner's totals, the counts by event of each set of
    events that are counted together
    """

    machine: Machine
    bits: int
    program: Callable
    reckoner: type
    counts: Callable


# A program without rights to I/O ports can cause these pairs of events, but no other pairs.
PAIRS = [pair for pair in known.PAIRS if pair != ("0x1d", "0x27")]


def apart(sets, counts):
    """Return the counts of each set of events."""
    return [{event: counts[event] for event in together} for together in sets]


def pentium(**options):
    """Return a target that is a Pentium."""
    machine = Machine(timeout=TIMEOUT, **options)

    def program(seed, units=generate.UNITS):
        return generate.program(seed, machine.cpu == "mmx", units)

    return Target(machine, 32, program, PentiumReckoner,
                  lambda totals: apart(PAIRS, totals.counts(machine.errata)))


# Each processor has a level of forms.LEVELS and this number of general counters.
PROCESSORS64 = {"opteron": ("sse2", 4), "core2": ("sse4.1", 2), "nehalem": ("sse4.2", 4),
                "sandybridge": ("avx", 8), "haswell": ("avx2", 8), "skylake": ("adx", 8),
                "icelake": ("adx", 8), "zen": ("adx", 6), "zen3": ("adx", 6), "zen4": ("adx", 6)}
CLOCKS = ("0x3c", "0x76")


def events64(cpu):
    """Return the codes of a processor's events, without duplicates, with the names of their
    totals."""
    events = {}
    for code, name in MODELS[cpu].events.items():
        if f"{code:#x}" in CLOCKS or name not in [
                other for event, other in events.items() if event not in CLOCKS]:
            events[f"{code:#x}"] = name
    return events


def processor64(cpu, **options):
    """Return a target that is a 64-bit processor."""
    level, counters = PROCESSORS64[cpu]
    events = events64(cpu)
    codes = list(events)
    sets = [codes[i:i + counters] for i in range(0, len(codes), counters)]

    def program(seed, units=generate.UNITS):
        return generate.program64(seed, level, units)

    def counts(totals):
        by_name = totals.counts()
        return apart(sets, {code: by_name[name] for code, name in events.items()})

    return Target(Machine(cpu=cpu, kernel="vpmc-amd64", timeout=TIMEOUT, **options), 64, program,
                  Reckoner, counts)


def prescott():
    """Return a target that is a Pentium 4, whose sets of events are random experiments."""
    experiments = pentium4.experiments()

    def program(seed, units=generate.UNITS):
        return generate.program64(seed, "sse2", units)

    def counts(totals):
        return [pentium4.counts(experiment, totals) for experiment in experiments]

    return Target(Machine(cpu="prescott", kernel="vpmc-amd64", timeout=TIMEOUT), 64, program,
                  pentium4.P4Reckoner, counts)


# The thousands of a seed select one of these targets for its program.
PENTIUMS = (pentium(), pentium(cpu="p5"), pentium(smp=2), pentium(cpu="p5", smp=2),
            pentium(icount=True), pentium(errata=False), pentium(single_step=True))
TARGETS64 = {cpu: processor64(cpu, smp=1 + number % 2)
             for number, cpu in enumerate(PROCESSORS64)} | {"prescott": prescott()}
PROCESSORS = tuple(TARGETS64.values())


def target_of(targets, seed):
    """Return the target of a seed."""
    return targets[seed // 1000 % len(targets)]


def first_of(cpu):
    """Return the first seed of a 64-bit processor, and its target."""
    return 1000 * list(TARGETS64).index(cpu) + 1, TARGETS64[cpu]
