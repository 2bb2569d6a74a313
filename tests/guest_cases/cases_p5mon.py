# SPDX-License-Identifier: GPL-2.0-only
"""Test p5mon in the guest: its command run_p5mon and its library.

The programs of tests/compat/p5mon/guest list in their first comments the counts of their
regions. A region also counts an overhead, which an empty region of the same program shows.
"""

import functools
import os
import re
import tempfile

import guest
import known
from cases import Failed, Test
from guest import Machine

PROGRAMS = os.path.join(guest.BUILD, "guest/compat/p5mon-tests")
RUN_P5MON = os.path.join(guest.BUILD, "guest/compat/run_p5mon")
PARAMETERS = os.path.join(guest.TOP, "tests/compat/p5mon/guest/p5mon.parms")

INSTRUCTIONS, BRANCHES, READS, WRITES, MISALIGNED = 0x16, 0x12, 0x00, 0x01, 0x0b
EVENTS = (INSTRUCTIONS, BRANCHES, READS, WRITES, MISALIGNED)

# exactly-12345 has a loop of two instructions, and three instructions for the exit:
# tests/guest/programs/exactly-n.S.
EXACTLY_12345 = {INSTRUCTIONS: 12345, BRANCHES: (12345 - 4) // 2 + 1, READS: 5, WRITES: 5,
                 MISALIGNED: 0}

# Each of the 20 processes that wait.S creates has these counts: see cases_examples.py.
CHILD = {INSTRUCTIONS: 2 + 1 + 500000 * 2 + 3, BRANCHES: 1 + 500000 + 1}

# This is the size of the text of p5mon's case study. The number of words is not published. With
# WORDS words the text takes the 441,127 reads that the simulator counted, if each character takes
# four reads, and each line and each word take one.
LINES, CHARACTERS, WORDS = 4036, 105196, 16307


def program(name):
    """Return the path of a program with regions."""
    return os.path.join(PROGRAMS, name)


def parsed(text):
    """Return the values of a result file by region (or None) and event, and the number of
    entries of each region.

    A value consists of the counts of all repetitions, and of the numbers in the line of the
    average.
    """
    found, times = {}, {}
    for line in text.splitlines():
        if match := re.fullmatch(r"# Region (\d+): entered (\d+) exited (\d+)", line):
            region, entered, exited = map(int, match.groups())
            times[region] = (entered, exited)
            continue
        if line.startswith("#"):
            continue
        words = line.split()
        region = int(words.pop(0)) if times else None
        event, repetition = int(words[0], 16), int(words[1])
        values = found.setdefault((region, event), {"values": [], "average": None})
        if repetition < 0:
            values["average"] = words[2:]
        else:
            values["values"].append(int(words[2]))
    return found, times


def run_all(machine, commands, files, *settings, parameters=PARAMETERS):
    """Run run_p5mon on each of several commands. Return the results of parsed(), and the
    reports."""
    options = " ".join(f"-F '{setting}'" for setting in settings)
    run = f"run_p5mon -P {os.path.basename(parameters)} {options}"
    script = [f"{run} -F 'command={command}' >&2 && cat results && echo @" for command in commands]
    result = guest.run(machine, ["sh", "-c", " && ".join(script)], [RUN_P5MON, parameters, *files])
    if result.returncode or b"warning" in result.stderr:
        raise Failed(guest.shown(result))
    texts = result.stdout.decode().split("@\n")[:-1]
    return [parsed(text) for text in texts], result.stderr.decode()


def run_p5mon(machine, command, files, *settings):
    """Run one command. Return its values, the number of entries of each region, and the report."""
    (one,), report = run_all(machine, [command], files, *settings)
    return *one, report


def must_be(what, found, wanted):
    """Fail if two values differ."""
    if found != wanted:
        raise Failed(f"{what}: {found}, want {wanted}")


def exact(machine):
    """Test a program of known counts, in three repetitions of each event."""
    found, _, report = run_p5mon(machine, "exactly-12345", [guest.program("exactly-12345")],
                                 "output_all_results=yes")
    for event, wanted in EXACTLY_12345.items():
        must_be(f"{event:#x}", found[None, event], {
            "values": 3 * [wanted],
            "average": [f"{wanted}.0", "0.0", "0.000" if wanted else "NaN"]})
    if "(program executed 9 times, with an average execution time of " not in report:
        raise Failed(f"five events, two at a time, three times:\n{report}")


def redirected(machine):
    """Test that redirections are not counted."""
    found, _, report = run_p5mon(machine, "exactly-1000 < p5mon.parms > out 2>&1",
                                 [guest.program("exactly-1000")])
    must_be("instructions", found[None, INSTRUCTIONS]["average"], ["1000.0", "0.0", "0.000"])
    if "command: exactly-1000 < p5mon.parms > out 2>&1\n" not in report:
        raise Failed(report)


def descendants(machine):
    """Test that processes that the command creates are counted with it."""
    found, _, _ = run_p5mon(machine, "wait", [guest.program("wait")])
    own = known.program("wait").counts
    for event, child in CHILD.items():
        must_be(f"{event:#x}", found[None, event]["average"][0],
                f"{own[f'0x{event:02x}'] + 20 * child}.0")


def kernel(machine):
    """Test that kernel code for the command is counted if this is requested."""
    found, _, _ = run_p5mon(machine, "exactly-1000", [guest.program("exactly-1000")],
                            "kernel_events=yes", "output_all_results=yes")
    for value in found[None, INSTRUCTIONS]["values"]:
        if not 1000 < value < 1000000:
            raise Failed(f"{value} instructions in both modes")


# Each region has the number of its entries, and the counts of one entry without overhead. The
# last region is empty.
REGIONS = {
    "empty": {0: (1, {}), 1: (100, {}), 99: (1, {})},
    "whole": {0: (1, {INSTRUCTIONS: 305, BRANCHES: 100, READS: 1, WRITES: 1}), 1: (1, {})},
    "misaligned": {0: (1, {INSTRUCTIONS: 17, BRANCHES: 3, READS: 7, WRITES: 7, MISALIGNED: 6}),
                   1: (1, {})},
    "loop": {0: (10, {INSTRUCTIONS: 4, BRANCHES: 1}), 1: (1, {})},
    "parts": {0: (1, {INSTRUCTIONS: 4, WRITES: 1}), 1: (1, {INSTRUCTIONS: 50, BRANCHES: 20}),
              2: (1, {INSTRUCTIONS: 3, BRANCHES: 1, READS: 1}), 3: (1, {})},
}


def check_regions(name, found, times):
    """Check the regions of one program. Return the overhead."""
    wanted = REGIONS[name]
    must_be(f"{name}, times", times, {region: (entered, entered)
                                      for region, (entered, _) in wanted.items()})
    empty = max(wanted)
    for event in EVENTS:
        overhead = found[empty, event]["values"][0]
        for region, (entered, counts) in wanted.items():
            total = entered * (overhead + counts.get(event, 0))
            must_be(f"{name}, region {region}, {event:#x}", found[region, event], {
                "values": 3 * [total],
                "average": [f"{total}.0", "0.0", "0.000" if total else "NaN",
                            f"{total // entered}.0"]})
    return found[empty, INSTRUCTIONS]["values"][0]


def regions(machine):
    """Test that a region counts its contents each time that it is entered."""
    results, _ = run_all(machine, [f"./{name}" for name in REGIONS], map(program, REGIONS),
                         "use_assembly_regions=yes", "output_all_results=yes")
    overheads = [check_regions(name, *result) for name, result in zip(REGIONS, results)]
    return f"overhead: {overheads[0]} instructions"


def nested():
    """Test a region within another one, which counts in both, in a program with a C library."""
    found, times, _ = run_p5mon(Machine(), "hello", [program("hello")],
                                "use_assembly_regions=yes", "output_all_results=yes")
    must_be("times", times, {0: (1, 1), 1: (1, 1)})
    for event, least in ((INSTRUCTIONS, 3000000), (BRANCHES, 1000000)):
        outer, inner = (set(found[region, event]["values"]) for region in (0, 1))
        if len(outer) != 1 or len(inner) != 1 or not (
                least < outer.pop() - inner.pop() < least + 1000):
            raise Failed(f"{found}")


def refused():
    """Test three errors: a region beyond max_regions, a command without regions, and more
    counts than fit into an address space of 32 bits."""
    run = "run_p5mon -P p5mon.parms -F use_assembly_regions=yes"
    tries = ("-F command=./empty -F max_regions=99", "-F command=exactly-1000",
             "-F command=./empty -F repetitions=536870912")
    result = guest.run(Machine(), ["sh", "-c", "; ".join(f"{run} {words}; echo $?"
                                                         for words in tries)],
                       [RUN_P5MON, PARAMETERS, program("empty"), guest.program("exactly-1000")])
    numbers = [line for line in result.stdout.decode().splitlines() if line.isdigit()]
    if numbers != ["200", "211", "212"] or not re.fullmatch(
            b"run_p5mon: the command has entered region 99: set max_regions to 100 or more\n"
            b"run_p5mon: the command has no regions: .*\n"
            b"run_p5mon: out of memory\n", result.stderr):
        raise Failed(guest.shown(result))


def checks_of(lines, number):
    """Fail unless there are this number of lines with checks, and all checks have passed."""
    lines = [line for line in lines if line.startswith(("ok", "FAIL"))]
    bad = [line for line in lines if line.startswith("FAIL")]
    if bad or len(lines) != number:
        raise Failed("\n".join([*bad, f"{len(lines)} checks, want {number}"]))


def registers(machine):
    """Test that the stubs keep registers and flags while events are counted."""
    result = guest.run(machine, ["run_p5mon", "-P", "p5mon.parms", "-F", "command=registers",
                                 "-F", "use_assembly_regions=yes", "-F",
                                 "skip_initialization_run=yes"],
                       [RUN_P5MON, PARAMETERS, program("registers")])
    if result.returncode or result.stderr:
        raise Failed(guest.shown(result))
    # Each of 9 executions makes 15 checks.
    checks_of(result.stdout.decode().splitlines(), 9 * 15)


def library(machine):
    """Test the six functions of the library."""
    files = [program("counts"), guest.program("exactly-1000000"), guest.PERFEX]
    result = guest.run(machine, ["sh", "-c", "./counts && perfex -o /dev/null -e "
                                             "instructions_executed,branches ./counts reader"],
                       files)
    if result.returncode or result.stderr:
        raise Failed(guest.shown(result))
    checks_of(result.stdout.decode().splitlines(), 17 + 2)


# This is the output of p5mon's test program, except for a descriptor that does not exist here.
DEVICE_TEST = ("Attempting to open p5mon", "p5mon device opened", "attempt to write p5mon device",
               "write of 0x00800083 to CESR successful",
               "attempting to read p5mon device 5 times",
               *5 * ("read successful", r"CESR: 00800083, PMC0: \d+, PMC1: \d+"),
               "attempting to close p5mon device", "device closed normally")


def device():
    """Test the buffers of p5mon's driver, as its test program uses them."""
    result = guest.run(Machine(cpu="p5"), ["p5montest"], [program("p5montest")])
    text = result.stdout.decode()
    pattern = "".join(f"p5montest: {line}\n" for line in DEVICE_TEST)
    reads = [int(read) for read in re.findall(r"PMC1: (\d+)", text)]
    if (result.returncode or result.stderr or not re.fullmatch(pattern, text)
            or not all(1000000 <= after - before <= 3000000
                       for before, after in zip(reads, reads[1:]))):
        raise Failed(guest.shown(result))


def sample():
    """Test the example of the library. Caches are not emulated, and the reads are the same each
    time."""
    result = guest.run(Machine(cpu="p5"), ["sh", "-ec", "./sample; ./sample"], [program("sample")])
    found = re.fullmatch(r"(Counter 0 value: 0\.000000\nCounter 1 value: ([0-9]{2,4})\.000000\n"
                         r"Ratio: 0\.000000\n)\1", result.stdout.decode())
    if result.returncode or result.stderr or not found:
        raise Failed(guest.shown(result))


def wc_text():
    """Return a text with these numbers of lines, words and characters. It is the same in each
    test."""
    # Some lines, at the beginning, have one word more than the others, and some words have one
    # letter more.
    words_per_line, longer_lines = divmod(WORDS, LINES)
    letters = CHARACTERS - LINES - (WORDS - LINES)
    letters_per_word, longer_words = divmod(letters, WORDS)
    lines, number = [], 0
    for i in range(LINES):
        line = []
        for _ in range(words_per_line + (i < longer_lines)):
            line.append((letters_per_word + (number < longer_words)) * "abcdefgh"[number % 8])
            number += 1
        lines.append(" ".join(line) + "\n")
    text = "".join(lines)
    assert (text.count("\n"), len(text.split()), len(text)) == (LINES, WORDS, CHARACTERS)
    return text


# These are the counts of each kind of round in wc_loop.S: a newline, a space, the first letter
# of a word, another letter, the end.
ROUNDS = {INSTRUCTIONS: (15, 14, 16, 14, 2), BRANCHES: (5, 5, 5, 5, 1),
          READS: (5, 4, 5, 4, 1), WRITES: (3, 2, 3, 2, 1), MISALIGNED: (0, 0, 0, 0, 0)}
NUMBERS = (LINES, WORDS - LINES, WORDS, CHARACTERS - LINES - (WORDS - LINES) - WORDS, 1)


def in_loop(event):
    """Return the count of an event in the loop."""
    return sum(number * count for number, count in zip(NUMBERS, ROUNDS[event]))


def word_count(command, name, check):
    """Count a wc command on the text."""
    with tempfile.TemporaryDirectory() as directory:
        path = os.path.join(directory, "text")
        with open(path, "w", encoding="ascii") as file:
            file.write(wc_text())
        files = [path] + ([program(name)] if name else [])
        regions_of = [f"use_assembly_regions={'yes' if name else 'no'}"]
        found, times, report = run_p5mon(Machine(), command, files, *regions_of)
    if not re.search(rf"^ *{LINES} +{WORDS} +{CHARACTERS}\b", report, re.MULTILINE):
        raise Failed(report)
    if any(values["average"][1] != "0.0" for values in found.values()):
        raise Failed(f"repetitions differ: {found}")
    return check({key: float(values["average"][0]) for key, values in found.items()}, times)


def wc_around(found, times):
    """Count a region around the loop, and one around the program."""
    must_be("times", times, {0: (1, 1), 1: (1, 1), 2: (1, 1)})
    for event in EVENTS:
        must_be(f"loop, {event:#x}", found[1, event] - found[2, event], in_loop(event))
    # Each region adds more than its own overhead to the count of the program, so subtract
    # three.
    return "; ".join(f"{name}: " + ", ".join(f"{event:#x} {count(event):.0f}" for event in EVENTS)
                     for name, count in (
                         ("loop", lambda event: found[1, event] - found[2, event]),
                         ("program", lambda event: found[0, event] - 3 * found[2, event])))


def wc_inside(found, times):
    """Count a region in the loop. It is entered for each character, and once for the end."""
    rounds = CHARACTERS + 1
    must_be("times", times, {0: (1, 1), 1: (rounds, rounds), 2: (1, 1)})
    for event in EVENTS:
        # The jump back to the beginning of the loop is outside of the region.
        jumps = CHARACTERS if event in (INSTRUCTIONS, BRANCHES) else 0
        must_be(f"rounds, {event:#x}", found[1, event] - rounds * found[2, event],
                in_loop(event) - jumps)
    return f"{rounds} rounds, each of " + ", ".join(
        f"{event:#x} {in_loop(event) / rounds:.2f}" for event in EVENTS)


def wc_busybox(found, _):
    """Count wc of BusyBox. Its counts are not known, but they must be the same each time."""
    return ", ".join(f"{event:#x} {found[None, event]:.0f}" for event in EVENTS)


def tests():
    """Yield the tests of this file."""
    for cpu in ("mmx", "p5"):
        machine = Machine(cpu=cpu)
        yield Test(f"p5mon-exact-{cpu}", "run_p5mon counts each event exactly, in each repetition",
                   functools.partial(exact, machine))
        yield Test(f"p5mon-regions-{cpu}",
                   "a region counts what is in it, and an overhead that is always the same",
                   functools.partial(regions, machine))
        yield Test(f"p5mon-registers-{cpu}", "the calls of regions change no register and no flag",
                   functools.partial(registers, machine))
        yield Test(f"p5mon-library-{cpu}", "libp5mon configures, presets, clears and reads",
                   functools.partial(library, machine))
    machine = Machine()
    yield Test("p5mon-redirected", "run_p5mon does not count what redirects the command",
               functools.partial(redirected, machine))
    yield Test("p5mon-descendants", "run_p5mon counts the processes that the command creates",
               functools.partial(descendants, Machine(smp=2)))
    yield Test("p5mon-kernel", "run_p5mon counts kernel mode, too",
               functools.partial(kernel, machine))
    yield Test("p5mon-nested", "regions overlap", nested)
    yield Test("p5mon-refused", "regions that are too many or missing are not counted", refused)
    yield Test("p5mon-device", "the buffers of p5mon's device are written and read", device)
    yield Test("p5mon-sample", "the example of libp5mon counts", sample)
    yield Test("p5mon-wc", "a wc counts the loop's instructions and accesses exactly",
               functools.partial(word_count, "./wc text", "wc", wc_around))
    yield Test("p5mon-wc-in-loop", "a region in a loop is entered for each round",
               functools.partial(word_count, "./wc-in-loop text", "wc-in-loop", wc_inside))
    yield Test("p5mon-wc-busybox", "a program of others counts the same each time",
               functools.partial(word_count, "busybox wc text", None, wc_busybox))
