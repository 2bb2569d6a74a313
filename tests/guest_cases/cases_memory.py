# SPDX-License-Identifier: GPL-2.0-only
"""Test that the kernel keeps no more memory for processes that count than the documents say."""

import functools
import os
import subprocess

import guest
from cases import Failed, Test
from cases_families import KERNEL64, RESPONSES, checks
from guest import Machine

BOUND = "no call takes more memory the more often it is made"
KEPT = "a process that counts takes the memory that its objects are stated to take"

# The end of a test's name selects the processor. In this order, the processors have few counters;
# some counters and an extra register; the same with 64 bits; AMD's counters; and the largest number
# of counters. Memory is exact on one processor. The tests wait until all memory has been freed. The
# time of these machines follows the instructions. It skips the times in which all tasks wait.
MACHINES = {
    "mmx": Machine(icount=True),
    "nehalem": Machine(cpu="nehalem", icount=True),
    "nehalem-amd64": Machine(cpu="nehalem", icount=True, kernel=KERNEL64),
    "zen4-amd64": Machine(cpu="zen4", icount=True, kernel=KERNEL64),
    "icelake-amd64": Machine(cpu="icelake", icount=True, kernel=KERNEL64),
    "p4": Machine(cpu="p4", icount=True),
}

# These run with --long only.
LONG = ("nehalem",)

# The limit for a user is tested on these machines. The Pentium 4 has the most counters.
LIMITED = {
    "mmx": Machine(),
    "mmx-2": Machine(smp=2),
    "nehalem-amd64": Machine(cpu="nehalem", kernel=KERNEL64),
    "p4": Machine(cpu="p4"),
}
LIMIT = "records, pages of exited threads and files of ended processes keep to RLIMIT_MEMLOCK"

# Each pair has a number of events that a process counts, and the number of counters that they
# use. If there are more events than counters, the events take turns.
EVENTS = {"mmx": ((2, 2), (3, 2), (32, 2)),
          "nehalem": ((2, 2), (3, 3), (4, 4), (32, 4)),
          "zen4": ((2, 2), (3, 3), (6, 6), (32, 6)),
          "icelake": ((2, 2), (3, 3), (8, 8), (32, 8)),
          "p4": ((2, 2), (3, 3), (6, 6), (32, 6))}
# These processors have extra registers.
EXTRA = {cpu: registers for cpu, (registers, _) in RESPONSES.items()} | {"p4": 1}

PAGE = 4096
# kmalloc() allocates these sizes.
KMALLOC = (8, 16, 32, 64, 96, 128, 192, 256, 512, 1024, 2048, 4096)
# Up to SMALL_EVENTS events need no memory of their own. With more events, SUMS sums of a
# process need memory, and the sum of its children is allocated as well.
SMALL_EVENTS = 2
SUMS = 3
# A thread's large set has this number of bytes for each counter, without the events (see
# docs/internals/design.md).
PER_COUNTER = 25
# If events share counters, the set has PER_SHARED_COUNTER bytes for each counter instead. Each
# event then has ROWS pairs of numbers, and REST further bytes in a thread.
PER_SHARED_COUNTER = 26
ROWS = 3
REST = 8
# A set has this number of bytes for each event, in addition to the above, and for each extra
# register.
SELECT = 8


def sizes(kernel):
    """Return the sizes of the driver's structures on a kernel, by name."""
    lines = subprocess.run([os.path.join(guest.TOP, "tests/tools/sizes"),
                            guest.path_of(f"kernel-{kernel}")], check=True,
                           stdout=subprocess.PIPE, text=True).stdout.splitlines()
    return {words[0]: int(words[1]) for words in map(str.split, lines)}


def allocated(size):
    """Return the memory that kmalloc() uses for this size."""
    return next(room for room in KMALLOC if room >= size)


def cached(size, pointer):
    """Return the memory of an object in its own cache, if RCU readers may still use its free
    objects.

    Such a cache has a pointer after each object. Its slabs have the smallest number of pages of
    which at most a sixteenth is left over.
    """
    size += pointer
    room = next(room for room in (PAGE, 2 * PAGE, 4 * PAGE, 8 * PAGE) if room % size <= room // 16)
    return room // (room // size)


def stated(size, events, counters, extra, pointer):
    """Return the memory of a process that has one thread and counts this number of events.

    extra: number of extra registers of the processor
    pointer: size of a pointer
    """
    objects = [cached(size["vpmc_process"], pointer)]
    shared = events > counters
    if events > min(SMALL_EVENTS, counters):
        each = events * size["vpmc_large_count"] * (ROWS if shared else 1)
        more = events * REST + counters * PER_SHARED_COUNTER if shared else counters * PER_COUNTER
        objects += [allocated(size["vpmc_large"] + each + more),
                    *[allocated(size["vpmc_large_counts"] + each)] * SUMS,
                    allocated(size["vpmc_sum"])]
    # If each event has its own counter, all processes share the set.
    if shared:
        objects.append(allocated(size["vpmc_events"] + events * (size["vpmc_slot"] + SELECT)
                                 + extra * SELECT))
    return sum(objects)


def kept(machine, bits):
    """Compare the memory that is used with the documented memory, for some sets of events."""
    size, extra = sizes(machine.kernel), EXTRA.get(machine.cpu, 0)
    words = [str(number) for pair in EVENTS[machine.cpu]
             for number in (*pair, stated(size, *pair, extra, bits // 8))]
    lines = guest.run_checks(machine, ["memory_use", *words], [guest.tool("memory_use", bits)],
                             len(EVENTS[machine.cpu]))
    return lines[-1].removeprefix("ok ")


def documented():
    """Check that the document has the sizes."""
    with open(os.path.join(guest.TOP, "docs/internals/design.md"), encoding="utf-8") as file:
        text = file.read()
    both = [sizes(kernel) for kernel in ("vpmc", KERNEL64)]
    lines = [f"| `{name}` | {' | '.join(str(size[name]) for size in both)} |\n" for name in both[0]]
    if "".join(lines) not in text:
        raise Failed("docs/internals/design.md has other sizes than\n" + "".join(lines))


def tests():
    """Yield the tests of this file."""
    for name, machine in MACHINES.items():
        bits = 64 if machine.kernel == KERNEL64 else 32
        if name in guest.amount(LONG, ()):
            continue
        yield Test(f"memory_bound-{name}", BOUND,
                   functools.partial(checks, machine, "memory_bound", bits))
        yield Test(f"memory_use-{name}", KEPT, functools.partial(kept, machine, bits))
    for name, machine in LIMITED.items():
        bits = 64 if machine.kernel == KERNEL64 else 32
        for words in ((), ("pages",), ("files",)):
            yield Test(f"{'_'.join(('memory_limit', *words))}-{name}", LIMIT,
                       functools.partial(checks, machine, "memory_limit", bits,
                                         arguments=words))
    yield Test("memory_sizes", "the sizes of the driver's objects are as design.md has them",
               documented)
