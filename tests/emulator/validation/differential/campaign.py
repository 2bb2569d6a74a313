# SPDX-License-Identifier: GPL-2.0-only
"""Compare the counts of many random programs in the guest with those of their single steps."""

import os
import tempfile

import guest
from cases import Failed
from differential import generate, reckon, stepper

# Only this number of failures is analysed.
SHOWN = 2


def expected(target, directory, programs):
    """Return the exit status and the counts of each program, by its name."""
    built = {name: (program, program.build(os.path.join(directory, name)))
             for name, program in programs.items()}
    stops = reckon.by_program(stepper.step([os.path.join(directory, name) for name in built]))
    results = {}
    for (name, (program, addresses)), trace in zip(built.items(), stops):
        reckoner = target.reckoner(program, addresses)
        status = reckoner.add(trace)
        results[name] = status, target.counts(reckoner.totals)
    return results


def lines_of(name, status, counts):
    """Yield the lines for tests/guest/counters/counts.c for a program."""
    for together in counts:
        events = ",".join(f"{event}={count}" for event, count in together.items())
        yield f"{name} {status} {events} ./{name}"


def differences(target, programs):
    """Count programs in the guest. Return the messages for programs whose counts differ, by
    their names, and the number of counts that were compared."""
    machine = target.machine
    with tempfile.TemporaryDirectory() as directory:
        results = expected(target, directory, programs)
        lines = [line for name, result in results.items()
                 for line in lines_of(name, *result)]
        path = os.path.join(directory, "list")
        with open(path, "w", encoding="utf-8") as file:
            file.writelines(line + "\n" for line in lines)
        files = [path, guest.perfex(target.bits), guest.tool("counts", target.bits),
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
    return bad, sum(len(together) for _, counts in results.values() for together in counts)


def added(before, after):
    """Return the instructions that the second program has and the first one lacks."""
    texts = [[step.text for step in program.steps] for program in (before, after)]
    first = len(os.path.commonprefix(texts))
    return texts[1][first:first + len(texts[1]) - len(texts[0])]


def culprit(target, seed):
    """Return the first unit with which the counts of the program differ, as text."""
    programs = {f"units-{units}": target.program(seed, units)
                for units in range(1, generate.UNITS + 1)}
    bad, _ = differences(target, programs)
    for units, (name, program) in enumerate(programs.items(), 1):
        if name in bad:
            return "\n".join([f"seed {seed}, unit {units}: {bad[name][0]}",
                              *added(target.program(seed, units - 1), program)])
    return f"seed {seed}: no difference when it was repeated"


def run(target, first, count):
    """Compare this number of programs, beginning with a seed. All of them are for one target."""
    programs = {str(seed): target.program(seed) for seed in range(first, first + count)}
    bad, compared = differences(target, programs)
    if bad:
        raise Failed("\n".join([
            f"{len(bad)} of {count} programs differ, those of the seeds {' '.join(bad)}",
            *(culprit(target, int(seed)) for seed in list(bad)[:SHOWN])]))
    return (f"{compared} counts of {count} programs, "
            f"seeds {first} to {first + count - 1}")
