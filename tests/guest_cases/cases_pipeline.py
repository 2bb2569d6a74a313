# SPDX-License-Identifier: GPL-2.0-only
"""Test the model of the Pentium's pipelines in the guest: docs/guide/pipeline.md."""

import functools
import os
import re
import subprocess

import cases_uarch
import guest
from cases import Failed, Test
from guest import Machine

MEASURE = os.path.join(guest.PIPELINE, "measure")
PROGRAMS = [os.path.join(guest.PIPELINE, f"program{number}") for number in range(3)]
ANNOTATE = os.path.join(guest.TOP, "tests/emulator/annotate")

# These are the counts of tables 5.3 and 5.4 of Safford's thesis, without the ends of programs 1 and
# 2. For the hits of the BTB, the thesis has 98 (theory) and 100 (measured); for the V pipe, about
# 100 and 96.5. In program 2 the thesis has one branch more, the call that ends its region. Misses
# follow from a trace. The end's misses depend on which lines the kernel has left in the cache.
THESIS = {
    "program1": {"0x12": 100, "0x13": 99, "0x14": 100, "0x15": 2, "0x16": 305, "0x17": 100},
    "program2": {"0x00": 7, "0x01": 7, "0x0b": 6, "0x12": 3},
}

# A line of annotate has the numbers of executions, of clocks, and of executions in the V pipe,
# reasons, and an instruction or a line of the source. Program 2 has one read miss, and no write
# miss.
ANNOTATED = {
    1: [r"100 +100 +0 +[0-9a-f]+: inc +%edx",
        r"100 +0 +100 +[0-9a-f]+: dec +%eax",
        r"100 +106 +0 +branch=6 mispredicted=2 +[0-9a-f]+: jns",
        r"100 +0 +100 +program1\.S:\d+ decl\t%eax",
        r"100 +106 +0 +branch=6 mispredicted=2 +program1\.S:\d+ jns\t1b"],
    2: [r"3 .*misaligned=18 read=\d+ read-miss=1 .*: incl",
        r"3 .*misaligned=18 read=\d+ read-miss=1 +program2\.S:\d+ 1:\tincl\t-511"],
}


def checked(result):
    """Return the output of a command, or fail if the command failed."""
    if result.returncode or result.stderr:
        raise Failed(guest.shown(result))
    return result.stdout.decode()


def forms(cpu, least):
    """Measure all forms of instructions; the program itself fails if too few agree."""
    machine = Machine(cpu=cpu, icount=True, models="pipeline")
    text = checked(guest.run(machine, ["measure"], [MEASURE]))
    match = re.search(r"^(\d+) forms of instructions, (\d+) agree", text, re.MULTILINE)
    if not match or int(match[1]) < least:
        raise Failed(f"fewer than {least} forms were measured:\n{text}")
    return match[0]


def count(events):
    """Return the counts of the three programs by program and event."""
    pairs = [(f"program{number}", event) for number in range(3) for event in events]
    machine = Machine(cpu="p5", icount=True, models="all")
    counts = cases_uarch.count(machine, pairs, guest.PIPELINE)
    return {pair: int(number) for pair, number in counts.items()}


def thesis():
    """Count the events of both tables twice, and compare."""
    events = sorted({event for counts in THESIS.values() for event in counts})
    counts = count(events)
    for program, wanted in THESIS.items():
        for event, number in wanted.items():
            found = counts[program, event] - counts["program0", event]
            if found != number:
                raise Failed(f"{program}: event {event} is {found} and not {number}")
    if count(events) != counts:
        raise Failed("a second run with --icount counts something else")


def annotated(number):
    """Return the output of annotate for a program."""
    result = subprocess.run(
        [ANNOTATE, "--cpu", "p5", "--icount", "--bare", "--", PROGRAMS[number]],
        check=False, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    text = checked(result)
    for pattern in ANNOTATED[number]:
        if not re.search(rf"^ +{pattern}", text, re.MULTILINE):
            raise Failed(f"no line is like {pattern}:\n{text}")
    if "write-miss" in text:
        raise Failed(f"a write misses:\n{text}")


def tests():
    """Yield all tests of this file."""
    yield Test("pipeline-forms-p5", "forms of instructions take the published clocks and pair",
               functools.partial(forms, "p5", 200))
    yield Test("pipeline-forms-mmx", "the same on the Pentium with MMX",
               functools.partial(forms, "mmx", 200))
    yield Test("pipeline-thesis", "two programs count what was measured on a Pentium, and repeat it",
               thesis)
    for number in ANNOTATED:
        yield Test(f"pipeline-annotate-{number}",
                   f"each instruction of program {number} is shown with its clocks, pipe and misses",
                   functools.partial(annotated, number))
