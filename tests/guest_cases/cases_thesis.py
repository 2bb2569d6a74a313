# SPDX-License-Identifier: GPL-2.0-only
"""Test tables 5.1, 5.2, 5.6 and 5.7 of Safford's thesis on the emulated Pentium:
docs/history/thesis.md.

Programs 1 and 2, of tables 5.3 and 5.4, are in cases_pipeline.py.
"""

import dataclasses
import os
import statistics
import tempfile

import cases_p5mon
import guest
from cases import Failed, Test
from guest import Machine

PROGRAMS = os.path.join(guest.BUILD, "guest/compat/thesis")
PARAMETERS = os.path.join(guest.TOP, "tests/emulator/validation/thesis/thesis.parms")
# The stack is at the same address in each run, because its address decides which lines conflict
# in a cache.
MACHINE = Machine(cpu="p5", icount=True, models="all", append="norandmaps")
# Run without a kernel, like the simulator of the thesis.
ALONE = dataclasses.replace(MACHINE, user_only=True)

READS, WRITES, READ_MISSES, WRITE_MISSES, WRITTEN_BACK = 0x00, 0x01, 0x03, 0x04, 0x06
BOTH_PIPES, BRANCHES, HITS, INSTRUCTIONS, IN_V, CLOCKS = 0x09, 0x12, 0x13, 0x16, 0x17, 0x40
NAMES = {READS: "reads", READ_MISSES: "read misses", WRITES: "writes", WRITE_MISSES: "write misses",
         WRITTEN_BACK: "written back", BOTH_PIPES: "both pipes", BRANCHES: "branches",
         HITS: "BTB hits", INSTRUCTIONS: "instructions", IN_V: "V pipe", CLOCKS: "clocks"}

ROUNDS = 1000000

# These are the counts of regions 1 and 2 of loops.S. Region 1 includes the end of its loop.
LOOPS = {
    1: {INSTRUCTIONS: 5 * ROUNDS + 3, BRANCHES: 2 * ROUNDS + 2, READS: 3 * ROUNDS + 1,
        WRITES: 2 * ROUNDS},
    2: {INSTRUCTIONS: 3 * ROUNDS, BRANCHES: ROUNDS, READS: 0, WRITES: 0},
}
# These counts depend on the earlier contents of the caches and of the BTB. They must be right
# to a thousandth of the rounds.
NEAR = {1: {CLOCKS: 9 * ROUNDS, IN_V: ROUNDS, HITS: 2 * ROUNDS, BOTH_PIPES: 0},
        2: {CLOCKS: 2 * ROUNDS, IN_V: ROUNDS, HITS: ROUNDS, BOTH_PIPES: 0}}

HELLO = ("hello-o0", "hello-o3", "empty", "hello-o3-dynamic", "empty-dynamic")

# These are the simulator's counts of table 5.6 for the program without its library.
SIMULATED = {READS: 441127, WRITES: 230755}

# Without a kernel, and so without read(2), these counts are 138, 10 and 0. Each of the 27 calls
# of read(2) may find two lines evicted, write to another line, and evict a modified one.
LINES, CALLS = 4096 // 32, 27
WITHOUT_KERNEL = {READ_MISSES: 138 + 2 * CALLS, WRITE_MISSES: 10 + CALLS, WRITTEN_BACK: CALLS}


def measure(commands, files, with_regions, machine=MACHINE):
    """Return the averages of all events, by command, and then by region and event."""
    found, report = cases_p5mon.run_all(
        machine, commands, files, f"use_assembly_regions={'yes' if with_regions else 'no'}",
        "output_all_results=yes", parameters=PARAMETERS)
    return [{key: statistics.mean(values["values"]) for key, values in one.items()}
            for one, _ in found], report


def program(name):
    """Return the path of a program of tests/emulator/validation/thesis."""
    return os.path.join(PROGRAMS, name)


def row(name, count):
    """Return a line with the counts of a program or region. The function count returns the
    count of an event."""
    return f"{name}: " + ", ".join(f"{what} {count(event):.0f}" for event, what in NAMES.items())


def within(what, found, least, most):
    """Fail if a count is not within its bounds."""
    if not least <= found <= most:
        raise Failed(f"{what}: {found}, not {least} to {most}")


def loops():
    """Test the loop of hello.c as the thesis's compiler made it."""
    (found,), _ = measure(["./loops"], [program("loops")], True)

    def count(region):
        return lambda event: found[region, event] - found[3, event]

    for region, wanted in LOOPS.items():
        for event, number in wanted.items():
            cases_p5mon.must_be(f"region {region}, {NAMES[event]}", count(region)(event), number)
        for event, number in NEAR[region].items():
            within(f"region {region}, {NAMES[event]}", count(region)(event),
                   number - ROUNDS // 1000, number + ROUNDS // 1000)
    return "; ".join(row(name, count(region))
                     for region, name in ((1, "not optimized"), (2, "optimized")))


def hello():
    """Test hello.c as today's compiler makes it, including the code before and after main()."""
    found, _ = measure([f"./{name}" for name in HELLO],
                       [*map(program, HELLO), program("libc.so")], False)
    counts = {name: {event: one[None, event] for event in NAMES}
              for name, one in zip(HELLO, found)}
    for event, each in ((READS, 3), (WRITES, 2), (INSTRUCTIONS, 1), (BRANCHES, 0)):
        within(f"optimization, {NAMES[event]}", counts["hello-o0"][event] -
               counts["hello-o3"][event], each * ROUNDS - 100, each * ROUNDS + 100)
    for name in ("", "-dynamic"):
        own = {event: counts[f"hello-o3{name}"][event] - counts[f"empty{name}"][event]
               for event in NAMES}
        within(f"hello{name}, instructions", own[INSTRUCTIONS], 3 * ROUNDS, 3 * ROUNDS + 5000)
        within(f"hello{name}, branches", own[BRANCHES], ROUNDS, ROUNDS + 1000)
        within(f"hello{name}, clocks", own[CLOCKS], 2 * ROUNDS, 2 * ROUNDS + 20000)
    within("start-up, instructions", counts["empty"][INSTRUCTIONS], 1, 2000)
    within("start-up with a loader, instructions", counts["empty-dynamic"][INSTRUCTIONS],
           10000, 50000)
    return "; ".join(row(name, counts[name].__getitem__) for name in HELLO)


def regions():
    """Test hello.c with regions around main() and the second printf()."""
    (found,), _ = measure(["./hello-regions"], [program("hello-regions")], True)
    within("main(), branches", found[0, BRANCHES], ROUNDS, ROUNDS + 1000)
    within("main(), instructions", found[0, INSTRUCTIONS], 3 * ROUNDS, 3 * ROUNDS + 5000)
    within("main(), clocks", found[0, CLOCKS], 2 * ROUNDS, 2 * ROUNDS + 20000)
    within("printf(), instructions", found[1, INSTRUCTIONS] - found[2, INSTRUCTIONS], 500, 2000)
    return "; ".join(row(name, lambda event, region=region: found[region, event])
                     for region, name in ((0, "main()"), (1, "printf()"), (2, "nothing")))


def count_words(machine):
    """Count a wc that reads with getc(), on a text of known size."""
    with tempfile.TemporaryDirectory() as directory:
        path = os.path.join(directory, "text")
        with open(path, "w", encoding="ascii") as file:
            file.write(cases_p5mon.wc_text())
        (found,), report = measure(["./wc text"], [path, program("wc")], True, machine)
    if f"{cases_p5mon.LINES} {cases_p5mon.WORDS} {cases_p5mon.CHARACTERS}\n" not in report:
        raise Failed(report)
    return found


def word_count():
    """Test the program together with the kernel."""
    found = count_words(MACHINE)

    def loop(event):
        return found[1, event] - found[2, event]

    for event, number in SIMULATED.items():
        within(f"the loop's {NAMES[event]}", loop(event), number - 1000, number + 1000)
    # There is at least one miss for each line of a buffer of 4 KB, and at most one for each
    # line of the text.
    within("read misses", found[0, READ_MISSES], 4096 / 32, cases_p5mon.CHARACTERS / 32)
    rounds = cases_p5mon.CHARACTERS + 1
    within("BTB hits of a round", loop(HITS) / rounds, 2.5, 3.5)
    within("branches of a round", loop(BRANCHES) / rounds, loop(HITS) / rounds, 6)
    return "; ".join((row("program", lambda event: found[0, event]), row("loop", loop),
                      row("nothing", lambda event: found[2, event])))


def word_count_alone():
    """Test the program with caches that ignore the kernel, as in the simulator."""
    found = count_words(ALONE)

    def loop(event):
        return found[1, event] - found[2, event]

    # Each line of the buffer is missed once. The empty region has some of these misses.
    least = {READ_MISSES: LINES - found[2, READ_MISSES]}
    for event, most in WITHOUT_KERNEL.items():
        within(NAMES[event], loop(event), least.get(event, 0), most)
    return row("loop", loop)


def tests():
    """Yield all tests of this file."""
    yield Test("thesis-loops", "two loops take the clocks, and have the branches, accesses and "
               "pairs, that were measured on a Pentium", loops)
    yield Test("thesis-hello", "a program counts its loop, and its C library beside it", hello)
    yield Test("thesis-regions", "regions of it count main() and one printf()", regions)
    yield Test("thesis-wc",
               "a wc counts its accesses as simulated, and hits and misses as measured", word_count)
    yield Test("thesis-wc-alone", "without the kernel it misses what the simulator has it miss",
               word_count_alone)
