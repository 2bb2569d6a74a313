# SPDX-License-Identifier: GPL-2.0-only
"""Test that the kernel does not keep more memory for processes that count than is documented."""

import functools
import os
import subprocess

import guest
from cases import Failed, Test
from cases_families import KERNEL64, RESPONSES, checks
from guest import Machine

BOUND = "no call takes more memory the more often it is made"
KEPT = "a process that counts takes the memory that its objects are stated to take"

# The end of a test's name selects the processor: one with a few counters; one with some and an
# extra register; and with 64 bits the same, AMD's, and the one with the most counters. Memory is
# exact on one processor. The tests wait until what is freed later has been freed: a time that
# follows the instructions passes at once where all wait.
MACHINES = {
    "mmx": Machine(icount=True),
    "nehalem": Machine(cpu="nehalem", icount=True),
    "nehalem-amd64": Machine(cpu="nehalem", icount=True, kernel=KERNEL64),
    "zen4-amd64": Machine(cpu="zen4", icount=True, kernel=KERNEL64),
    "icelake-amd64": Machine(cpu="icelake", icount=True, kernel=KERNEL64),
}

# Only --long runs these.
LONG = ("nehalem",)

# The machine on which the limit of a user is tested: it is the same on any processor.
LIMITED = {
    "mmx": Machine(),
    "mmx-2": Machine(smp=2),
    "nehalem-amd64": Machine(cpu="nehalem", kernel=KERNEL64),
}
LIMIT = "a user's records, and pages of threads that are gone, are bounded by RLIMIT_MEMLOCK"

# Each pair is the number of events that a process counts, and the number of their counters. If
# there are more events than counters, they take turns.
EVENTS = {"mmx": ((2, 2), (3, 2), (32, 2)),
          "nehalem": ((2, 2), (3, 3), (4, 4), (32, 4)),
          "zen4": ((2, 2), (3, 3), (6, 6), (32, 6)),
          "icelake": ((2, 2), (3, 3), (8, 8), (32, 8))}

PAGE = 4096
# The sizes that kmalloc() allocates.
KMALLOC = (8, 16, 32, 64, 96, 128, 192, 256, 512, 1024, 2048, 4096)
# SMALL_EVENTS events need no memory of their own. With more events, SUMS sums of a process do, and
# the sum of its children is itself allocated.
SMALL_EVENTS = 2
SUMS = 3
# The bytes of a thread's large set for each counter, without the events (see
# docs/internals/design.md).
PER_COUNTER = 25
# PER_SHARED_COUNTER has these bytes if events share counters. Each event then has ROWS pairs of
# numbers, and REST further bytes in a thread.
PER_SHARED_COUNTER = 26
ROWS = 3
REST = 8
# These are the bytes of a set for each event, in addition to the above, and for each extra
# register.
SELECT = 8


def sizes(kernel):
    """Return the sizes of the driver's structures on a kernel, by name."""
    lines = subprocess.run([os.path.join(guest.TOP, "tests/tools/sizes"),
                            guest.path_of(f"kernel-{kernel}")], check=True,
                           stdout=subprocess.PIPE, text=True).stdout.splitlines()
    return {words[0]: int(words[1]) for words in map(str.split, lines)}


def allocated(size):
    """Return the memory that kmalloc() uses for it."""
    return next(room for room in KMALLOC if room >= size)


def cached(size, pointer):
    """Return the bytes of an object in a cache of its own, whose free objects RCU readers may
    still use.

    Such a cache has a pointer after each object, and the smallest number of pages of which at most
    a sixteenth is left over.
    """
    size += pointer
    room = next(room for room in (PAGE, 2 * PAGE, 4 * PAGE, 8 * PAGE) if room % size <= room // 16)
    return room // (room // size)


def stated(size, events, counters, extra, pointer):
    """Return the memory of a process with one thread that counts so many events.

    extra: how many extra registers the processor has
    pointer: the size of one
    """
    objects = [cached(size["vpmc_process"], pointer)]
    shared = events > counters
    if events > min(SMALL_EVENTS, counters):
        each = events * size["vpmc_large_count"] * (ROWS if shared else 1)
        more = events * REST + counters * PER_SHARED_COUNTER if shared else counters * PER_COUNTER
        objects += [allocated(size["vpmc_large"] + each + more),
                    *[allocated(size["vpmc_large_counts"] + each)] * SUMS,
                    allocated(size["vpmc_sum"])]
    # Else all processes share the set.
    if shared:
        objects.append(allocated(size["vpmc_events"] + events * (size["vpmc_slot"] + SELECT)
                                 + extra * SELECT))
    return sum(objects)


def kept(machine, bits):
    """Compare with the documented memory for some sets of events."""
    size, extra = sizes(machine.kernel), RESPONSES.get(machine.cpu, (0,))[0]
    words = [str(number) for pair in EVENTS[machine.cpu]
             for number in (*pair, stated(size, *pair, extra, bits // 8))]
    lines = guest.run_checks(machine, ["memory_use", *words], [guest.tool("memory_use", bits)],
                             len(EVENTS[machine.cpu]))
    return lines[-1].removeprefix("ok ")


def documented():
    """Look for the sizes in the document."""
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
        for words in ((), ("pages",)):
            yield Test(f"{'_'.join(('memory_limit', *words))}-{name}", LIMIT,
                       functools.partial(checks, machine, "memory_limit", bits,
                                         arguments=words))
    yield Test("memory_sizes", "the sizes of the driver's objects are as design.md has them",
               documented)
