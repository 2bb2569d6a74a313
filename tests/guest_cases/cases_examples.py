# SPDX-License-Identifier: GPL-2.0-only
"""Test the example programs of docs/examples."""

import functools

import guest
import known
from cases import Failed, Test
from guest import Machine

# These are the instructions and branches of exactly-1000. It has a loop of two instructions,
# one of them a branch, and three instructions for the exit, one of them a branch.
EXACTLY_1000 = [1000, (1000 - 4) // 2 + 1]

# These are the counts of each of the 20 children of wait.S. A child has two instructions after
# the fork, one of them a branch; one more; 500,000 rounds of a loop of two; and the three of
# the exit.
CHILD = [2 + 1 + 500000 * 2 + 3, 1 + 500000 + 1]

FILES = [guest.tool("workers"), guest.PERFEX, *map(guest.program, ("exactly-1000", "wait"))]


def counted(machine, number, command):
    """Run workers. Return the result, the counts of each worker and the total."""
    result = guest.run(machine, command, FILES)
    lines = [line.split() for line in result.stdout.decode().splitlines()]
    if (len(lines) != number + 2 or lines[-1][0] != "total"
            or lines[0] != ["#", "worker", "instructions_executed", "branches"]
            or len({line[0] for line in lines[1:-1]}) != number):
        raise Failed(guest.shown(result))
    *counts, total = ([int(word) for word in line[1:]] for line in lines[1:])
    return result, counts, total


def exact(machine, number, counts, program, before=""):
    """Test workers of known counts, in a process that has counted before."""
    result, found, total = counted(
        machine, number, ["sh", "-c", f"{before} exec workers {number} {program}"])
    if (result.returncode or result.stderr or found != number * [counts]
            or total != [number * count for count in counts]):
        raise Failed(guest.shown(result))


def descendants(machine):
    """Test workers that wait for their own processes."""
    own = known.program("wait").counts
    exact(machine, 4, [own[event] + 20 * child for event, child in zip(("0x16", "0x12"), CHILD)],
          "wait")


def refused():
    """Test that a command that cannot be executed is not counted, and is reported."""
    result, counts, total = counted(Machine(), 1, ["workers", "1", "nowhere"])
    sentences = (b"workers: cannot execute the command \"nowhere\": No such file or directory\n"
                 b"workers: 1 of 1 workers failed\n")
    if (result.returncode != 1 or counts != [[0, 0]] or total != [0, 0]
            or result.stderr != sentences):
        raise Failed(guest.shown(result))


def counted_already():
    """Test workers under perfex, whose events they would replace."""
    result = guest.run(Machine(), ["perfex", "workers", "1", "exactly-1000"], FILES)
    if (result.returncode != 1 or result.stdout
            or not result.stderr.startswith(b"workers: the counters are busy: ")):
        raise Failed(guest.shown(result))


def tests():
    """Yield the tests of this file."""
    for cpu, smp, number in (("mmx", 2, 50), ("p5", 1, 7)):
        machine = Machine(cpu=cpu, smp=smp)
        yield Test(f"example-workers-{cpu}-{smp}",
                   "each of several workers has its own count, to the last instruction",
                   functools.partial(exact, machine, number, EXACTLY_1000, "exactly-1000"))
        yield Test(f"example-descendants-{cpu}-{smp}",
                   "a worker's count contains the processes that it waited for",
                   functools.partial(descendants, machine))
    yield Test("example-refused", "a command that cannot be executed counts nothing", refused)
    yield Test("example-counted-already", "counts of other events are not taken for the example's",
               counted_already)
    yield Test("example-begins-again", "counts that a process collected before its start are not counted",
               functools.partial(exact, Machine(), 3, EXACTLY_1000, "exactly-1000",
                                 "perfex -o /dev/null exactly-1000;"))
