# SPDX-License-Identifier: GPL-2.0-only
"""Test models of the Pentium without a kernel, by programs whose counts are worked out by hand.

tests/emulator/validation/bare/bare.h describes the form of these programs.
"""

import functools
import glob
import os
import subprocess
import tempfile

import guest
from cases import Failed, Test
from cases_uarch import parse

SOURCES = os.path.join(guest.TOP, "tests/emulator/validation/bare")

# These are the values of the emulator's option -cpu.
CPUS = {"p5": "pentium,model=2,mmx=off", "mmx": "pentium"}

# Without other models, these models take shortcuts and must count the same.
ALONE = {"tlb": (0x02, 0x0d), "btb": (0x13, 0x14, 0x15), "tlb+btb": (0x02, 0x0d, 0x13, 0x14, 0x15)}

# If a program writes 0 to the emulator's exit port, this is the emulator's exit status.
ENDED = 1


def show_output(image, cpu, *options):
    """Run a program, until it ends, on a value of the emulator's option -cpu. Return its output.
    """
    with tempfile.TemporaryDirectory() as directory:
        output = os.path.join(directory, "output")
        command = [os.path.join(guest.path_of("qemu"), "bin/qemu-system-x86_64"),
                   "-nodefaults", "-no-user-config", "-display", "none", "-no-reboot",
                   "-machine", "pc", "-m", "16", "-cpu", cpu,
                   "-accel", "tcg,thread=single", *options, "-bios", image,
                   "-device", "isa-debug-exit,iobase=0xf4,iosize=1",
                   "-chardev", f"file,id=output,path={output}",
                   "-device", "isa-debugcon,iobase=0xe9,chardev=output"]
        result = subprocess.run(command, check=False, timeout=guest.Machine().seconds(),
                                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                stderr=subprocess.STDOUT, text=True)
        if result.returncode != ENDED:
            raise Failed(f"status {result.returncode}\n{result.stdout}")
        with open(output, encoding="ascii") as file:
            return file.read()


def run(cpu, image, processors, properties="", models="all"):
    """Run a program on a processor with more properties and with some models. Return its counts by
    event and counter.
    """
    output = show_output(image, CPUS[cpu] + properties,
                         "-smp", f"{processors},sockets={processors}",
                         "-global", f"x86_64-cpu.uarch={models}")
    lines = [[int(word, 16) for word in line.split()] for line in output.splitlines()]
    return {(event, counter): count for event, counter, count in lines}


def wanted(rounds, cpu):
    """Yield the numbers in the source as (event as written there, event, counter, number)."""
    for text, number in rounds[cpu].items():
        event, _, counter = text.partition("@")
        if cpu == "mmx" or not counter:
            yield text, int(event, 16), int(counter or 0), number


def compare(name, counts, expected):
    """Compare counts with the expected counts."""
    wrong = [f"{name}: {text} is {counts[event, counter]}, not {number}"
             for text, event, counter, number in expected if counts[event, counter] != number]
    if wrong:
        raise Failed("\n".join(wrong))


def check(name, cpu):
    """Compare all counts, the counts of a second run, those of models that are alone, and the
    counts on a processor without errata."""
    program = parse(os.path.join(SOURCES, f"{name}.S"))
    image = os.path.join(guest.BARE, name)
    expected = list(wanted(program.rounds, cpu))
    counts = run(cpu, image, program.processors)
    compare(name, counts, expected)
    if run(cpu, image, program.processors) != counts:
        raise Failed(f"{name}: a second run counts something else")
    for models, events in ALONE.items():
        alone = run(cpu, image, program.processors, models=models)
        wrong = [f"{name}: {event:#x} is {count} with {models}, not {counts[event, counter]}"
                 for (event, counter), count in alone.items()
                 if event in events and count != counts[event, counter]]
        if wrong:
            raise Failed("\n".join(wrong))
    corrected = list(wanted(program.without["errata"], cpu))
    if corrected:
        compare(f"{name} without errata",
                run(cpu, image, program.processors, ",pmu-errata=off"), corrected)
    return f"{len(expected + corrected)} counts"


def tests():
    """Yield a test of each program, on both Pentiums or on the only one that the program is for."""
    for path in sorted(glob.glob(os.path.join(SOURCES, "*.S"))):
        program = parse(path)
        for cpu in [program.cpu] if program.cpu else CPUS:
            yield Test(f"bare-{program.name}-{cpu}", program.rule,
                       functools.partial(check, program.name, cpu))
