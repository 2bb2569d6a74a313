# SPDX-License-Identifier: GPL-2.0-only
"""Many random programs, counted in the guest and worked out on this machine."""

import dataclasses
import os
import subprocess
import tempfile

import guest
import known
from cases import Failed
from differential import generate, reckon
from guest import Machine

# The thousands of a seed tell on which of these its program is counted.
MACHINES = (Machine(), Machine(cpu="p5"), Machine(smp=2), Machine(cpu="p5", smp=2),
            Machine(icount=True), Machine(errata=False), Machine(single_step=True))

# What user mode can do without rights to I/O ports: these count nothing.
PAIRS = [pair for pair in known.PAIRS if pair != ("0x1d", "0x27")]

# How many failures are looked into.
SHOWN = 2


def build_stepper(directory):
    """Compile step.c for this machine."""
    path = os.path.join(directory, "step")
    source = os.path.join(os.path.dirname(os.path.abspath(__file__)), "step.c")
    subprocess.run(["gcc", "-std=c11", "-D_GNU_SOURCE", "-O2", "-Wall", "-Wextra", "-Werror",
                    "-o", path, source], check=True)
    return path


def expected(directory, stepper, programs, errata):
    """Exit status and counts of each program, by its name."""
    built = {name: (program, program.build(os.path.join(directory, name)))
             for name, program in programs.items()}
    stops = reckon.step_through(stepper, [os.path.join(directory, name) for name in built])
    results = {}
    for (name, (program, addresses)), trace in zip(built.items(), stops):
        reckoner = reckon.Reckoner(program, addresses)
        status = reckoner.add(trace)
        results[name] = status, reckoner.totals.counts(errata)
    return results


def lines_of(name, status, counts):
    """What tests/guest/counts.c is to do with a program."""
    for pair in PAIRS:
        events = ",".join(f"{event}={counts[event]}" for event in pair)
        yield f"{name} {status} {events} ./{name}"


def differences(machine, programs):
    """Count programs in the guest; return what it says of those that differ, by their names."""
    with tempfile.TemporaryDirectory() as directory:
        results = expected(directory, build_stepper(directory), programs, machine.errata)
        lines = [line for name, result in results.items() for line in lines_of(name, *result)]
        path = os.path.join(directory, "list")
        with open(path, "w", encoding="utf-8") as file:
            file.writelines(line + "\n" for line in lines)
        files = [path, guest.PERFEX, guest.tool("counts"),
                 *(os.path.join(directory, name) for name in programs)]
        result = guest.run(machine, ["counts", "-j", str(2 * machine.smp), "list"], files)
    said = result.stdout.decode(errors="replace").splitlines()
    if len(said) != len(lines) or result.stderr:
        raise Failed(guest.shown(result))
    bad = {}
    for line in said:
        if line.startswith("FAIL"):
            words = line.split()
            bad.setdefault(words[2], []).append(" ".join(words[3:]))
    return bad


def added(before, after):
    """The instructions of a program that another one has besides."""
    texts = [[step.text for step in program.steps] for program in (before, after)]
    first = len(os.path.commonprefix(texts))
    return texts[1][first:first + len(texts[1]) - len(texts[0])]


def culprit(machine, seed, mmx):
    """The unit whose addition to the program makes a difference, as text."""
    programs = {f"units-{units}": generate.program(seed, mmx, units)
                for units in range(1, generate.UNITS + 1)}
    bad = differences(machine, programs)
    for units, (name, program) in enumerate(programs.items(), 1):
        if name in bad:
            return "\n".join([f"seed {seed}, unit {units}: {bad[name][0]}",
                              *added(generate.program(seed, mmx, units - 1), program)])
    return f"seed {seed}: no difference when it was repeated"


def machine_of(seed):
    """The machine on which the program of a seed is counted."""
    return dataclasses.replace(MACHINES[seed // 1000 % len(MACHINES)], timeout=1800)


def run(first, count):
    """Compare so many programs, from a seed on; all of them have the same thousands."""
    machine = machine_of(first)
    mmx = machine.cpu == "mmx"
    programs = {str(seed): generate.program(seed, mmx) for seed in range(first, first + count)}
    bad = differences(machine, programs)
    if bad:
        raise Failed("\n".join([
            f"{len(bad)} of {count} programs differ, those of the seeds {' '.join(bad)}",
            *(culprit(machine, int(seed), mmx) for seed in list(bad)[:SHOWN])]))
    return (f"{count * len(PAIRS) * 2} counts of {count} programs, "
            f"seeds {first} to {first + count - 1}")
