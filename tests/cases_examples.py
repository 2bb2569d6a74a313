# SPDX-License-Identifier: GPL-2.0-only
"""The example programs of docs/examples."""

import functools

import guest
from guest import Machine
from scheduler import Failed, Test

# Instructions and branches of exactly-1000: a loop of two instructions, of
# which one is a branch, and the three of the exit, of which one is.
INSTRUCTIONS = 1000
BRANCHES = (INSTRUCTIONS - 4) // 2 + 1

FILES = [guest.tool("workers"), guest.program("exactly-1000")]


def counted(machine, number, command):
    """Run workers; return its result, the counts of each worker and the total."""
    result = guest.run(machine, ["workers", str(number), *command], FILES)
    lines = [line.split() for line in result.stdout.decode().splitlines()]
    if (len(lines) != number + 2 or lines[-1][0] != "total"
            or lines[0] != ["#", "worker", "instructions_executed", "branches"]
            or len({line[0] for line in lines[1:-1]}) != number):
        raise Failed(guest.shown(result))
    *counts, total = ([int(word) for word in line[1:]] for line in lines[1:])
    return result, counts, total


def exact(machine, number):
    """Workers of known length."""
    result, counts, total = counted(machine, number, ["exactly-1000"])
    if (result.returncode or result.stderr or counts != number * [[INSTRUCTIONS, BRANCHES]]
            or total != [number * INSTRUCTIONS, number * BRANCHES]):
        raise Failed(guest.shown(result))


def descendants(machine):
    """Workers that wait for processes of their own, each for another number."""
    script = "n=$(($$ % 7 + 1)); while [ $n != 0 ]; do exactly-1000; n=$((n - 1)); done; exit 3"
    result, counts, total = counted(machine, 7, ["sh", "-c", script])
    if (result.returncode != 1 or result.stderr != b"workers: 7 of 7 workers failed\n"
            or total != [sum(column) for column in zip(*counts)]
            or min(counts) < [INSTRUCTIONS, BRANCHES] or len({line[0] for line in counts}) < 7):
        raise Failed(guest.shown(result))


def refused():
    """What cannot be executed counts nothing and is told of."""
    result, counts, total = counted(Machine(), 1, ["nowhere"])
    sentences = (b"workers: cannot execute the command \"nowhere\": No such file or directory\n"
                 b"workers: 1 of 1 workers failed\n")
    if (result.returncode != 1 or counts != [[0, 0]] or total != [0, 0]
            or result.stderr != sentences):
        raise Failed(guest.shown(result))


def counted_already():
    """Workers under perfex would have perfex's events."""
    result = guest.run(Machine(), ["perfex", "workers", "1", "exactly-1000"],
                       [*FILES, guest.PERFEX])
    if (result.returncode != 1 or result.stdout
            or not result.stderr.startswith(b"workers: this process has counts already")):
        raise Failed(guest.shown(result))


def tests():
    """The tests of this file."""
    for cpu, smp, number in (("mmx", 2, 50), ("p5", 1, 3)):
        machine = Machine(cpu=cpu, smp=smp)
        yield Test(f"example-workers-{cpu}-{smp}",
                   "each of several workers has its own count, to the last instruction",
                   functools.partial(exact, machine, number), smp)
        yield Test(f"example-descendants-{cpu}-{smp}",
                   "the counts of workers with children of their own add up to the total",
                   functools.partial(descendants, machine), smp)
    yield Test("example-refused", "a command that cannot be executed counts nothing", refused)
    yield Test("example-counted-already", "counts of other events are not taken for the example's",
               counted_already)
