# SPDX-License-Identifier: GPL-2.0-only
"""Test exact counts in user mode: programs of known counts are counted without any overhead."""

import functools
import os
import tempfile

import guest
import known
from cases import Test
from guest import Machine
from variants import FOUR, NEAR_WRAP, SEED

# tests/guest/Makefile has programs with these numbers of instructions.
LENGTHS = (5, 6, 7, 10, 100, 1000, 12345, 100000, 1000000, 10000000)


def seeded(machine, command):
    """Return the command, after a check that the driver has the machine's seed."""
    seed = SEED if machine.append == NEAR_WRAP else 0
    return ["sh", "-c", f"grep -qx {seed} /sys/module/vpmc/parameters/test_seed && exec \"$@\"",
            "seeded", *command]


def count_all(machine, lines, programs, prefix=()):
    """Pass the lines to the program "counts", and check that it has tested all of them.

    prefix: a command that executes its arguments at the end
    """
    with tempfile.TemporaryDirectory() as directory:
        path = os.path.join(directory, "list")
        with open(path, "w", encoding="utf-8") as file:
            file.writelines(line + "\n" for line in lines)
        files = [path, guest.PERFEX, guest.tool("counts"), *map(guest.program, programs)]
        # Run several at a time, so that they move between processors.
        command = [*prefix, "counts", "-j", str(2 * machine.smp), "list"]
        guest.run_checks(machine, seeded(machine, command), files, len(lines))
    return f"{len(lines)} runs of {len(programs)} programs"


def known_programs(machine):
    """Count the events of every program, two at a time. Leave out errata on programs for which
    they matter."""
    programs = [p for p in known.programs() if p.cpu in ("", machine.cpu)
                and (machine.errata or p.counts != p.counts_without_errata)]
    lines = []
    for program in programs:
        counts = program.counts if machine.errata else program.counts_without_errata
        for pair in known.PAIRS:
            events = ",".join(f"{event}={counts[event]}" for event in pair)
            lines.append(f"{program.name} {program.status} {events} {program.name}")
    return count_all(machine, lines, [program.name for program in programs])


# Start a process on each processor. Its control register also counts the kernel.
NEIGHBOURS = """
for processor in $(seq $1); do
	perfex -k -e 0x16 -e 0x12 -o /dev/null sh -c 'while :; do :; done' &
done
shift
exec "$@"
"""


def neighbours(machine):
    """Count programs while they share the processors with processes that count kernel mode."""
    programs = [known.program(name) for name in ("yield", "sleep", "syscalls", "calls", "wait")]
    # Take two pairs of each program, so that each pair occurs.
    lines = [f"{program.name} {program.status} "
             + ",".join(f"{event}={program.counts[event]}" for event in pair)
             + f" {program.name}" for number, program in enumerate(programs)
             for pair in guest.amount(known.PAIRS[number:number + 2], known.PAIRS)]
    return count_all(machine, lines, [program.name for program in programs],
                     ["sh", "-c", NEIGHBOURS, "neighbours", str(machine.smp)])


def no_overhead(machine):
    """Count programs of known lengths, on each counter."""
    names = [f"exactly-{length}" for length in LENGTHS]
    lines = [f"{name} 0 0x16@{counter}={length} {name}"
             for name, length in zip(names, LENGTHS) for counter in (0, 1)]
    return count_all(machine, lines, names)


# The Pentium counts more branches in these programs than the Pentium 4. It also counts CPUID, VERR and
# VERW, and an INTO that is not taken.
NO_BRANCHES = {"cpuid": 40, "descriptors": 4, "overflow": 10}
# This program calls through a selector that only 32-bit kernels have.
SELECTOR = ("far",)


def retired(machine):
    """Count the instructions and branches of every program on a Pentium 4."""
    programs = [p for p in known.programs() if p.cpu in ("", "mmx")
                and (machine.kernel == "vpmc" or p.name not in SELECTOR)]
    lines = [f"{p.name} {p.status} instructions={p.counts['0x16']},"
             f"branches={p.counts['0x12'] - NO_BRANCHES.get(p.name, 0)} {p.name}" for p in programs]
    return count_all(machine, lines, [p.name for p in programs])


def tests():
    """Yield tests for each processor, number of processors and distance of the counters from
    their wrap."""
    for variant, machine in FOUR.items():
        yield Test(f"programs-{variant}",
                   "programs of known counts read their numbers in user mode",
                   functools.partial(known_programs, machine))
    for cpu, kernel in (("p4", "vpmc"), ("prescott", "vpmc-amd64")):
        yield Test(f"programs-{cpu}", "a Pentium 4 reads the same instructions, and its own branches",
                   functools.partial(retired, Machine(cpu=cpu, smp=2, kernel=kernel)))
    for cpu, smp in (("mmx", 2), ("p5", 1)):
        yield Test(f"neighbours-{cpu}-{smp}",
                   "nothing leaks from one who counts kernel mode to one who does not",
                   functools.partial(neighbours, Machine(cpu=cpu, smp=smp)))
    for cpu in ("mmx", "p5"):
        for smp in (1, 2):
            machine = Machine(cpu=cpu, smp=smp)
            yield Test(f"no-overhead-{cpu}-{smp}",
                       "a program of exactly N user instructions reads N",
                       functools.partial(no_overhead, machine))
        yield Test(f"programs-{cpu}-no-errata",
                   "without the errata misaligned accesses count once",
                   functools.partial(known_programs, Machine(cpu=cpu, errata=False)))
