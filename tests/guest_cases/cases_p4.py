# SPDX-License-Identifier: GPL-2.0-only
"""Test the Pentium 4's counters without a kernel, by programs whose counts are worked out by hand,
and with perf_event on a kernel without vpmc.

tests/emulator/validation/p4/p4.h describes the form of the programs without a kernel.
"""

import functools
import glob
import os
import re

import guest
import known
from cases import Failed, Test
from cases_bare import show_output
from cases_models import run
from emulator import models
from guest import Machine

SOURCES = os.path.join(guest.TOP, "tests/emulator/validation/p4")
CPUS = ("p4", "prescott")

# perf_event has these numbers for events. 28 is retired_branch_type, and 41 branch_retired.
PACKED_SINGLE, X87, CLOCKS, BRANCH_TYPE, INSTRUCTIONS, BRANCHES = 16, 22, 24, 28, 38, 41
# These bits of CCCRs count clocks with at most 15 events.
COMPARE, COMPLEMENT, THRESHOLD_15 = 1 << 18, 1 << 19, 15 << 20

# These are the counts of tests/emulator/validation/models/known.S in user mode, without its last
# three instructions. One of the 50 branches that only the 64-bit program has is not taken.
KNOWN = {32: {"instructions": 619 - 3, "conditional": 100, "not taken": 1, "packed single": 0},
         64: {"instructions": 970 - 3, "conditional": 150, "not taken": 2, "packed single": 50}}
CALLS = RETURNS = 201
JUMPS = INDIRECT_CALLS = 1

# These are accesses to registers, in the notation of tests/emulator/validation/models/msrs.c.
REGISTERS = ["0x3b8=0x4000208", "0x3b8:0x4000208", "0x3b8!1", "0x3b8!0x80000000", "0x3b8=0",
             "0x36c=0x3d000", "0x36c:0x3d000", "0x36c!1", "0x36c!0x8000000", "0x36c=0",
             "0x311=0xfff123456789", "0x311:0xf123456789", "0x3f1=0x3000001", "0x3f1:0x3000001",
             "0x3f1!0x4000000", "0x3f1=0", "0x600=0x1000", "0x600:0x1000",
             "0x600!0x800000000000", "0x600=0"]

RESULT = re.compile(r"(.+?)(?:@(\w+))? = (.+)")


def parse(path, cpu):
    """Return what the source says of a program: its fields, and its results as pairs of name and
    number."""
    with open(path, encoding="utf-8") as file:
        comment = file.read().split("*/", 2)[1]
    fields, results = {}, None
    for line in comment.splitlines():
        line = line.strip(" \t*")
        if line == "results:":
            results = {}
        elif results is None:
            if match := re.fullmatch(r"(rule|cpu|properties): (.+)", line):
                fields[match[1]] = match[2]
        elif match := RESULT.fullmatch(line):
            if match[2] in (None, cpu):
                results[match[1]] = known.number(match[3])
    return fields, list(results.items())


def check(path, cpu):
    """Compare the output of a program with its results."""
    name = os.path.basename(path).removesuffix(".S")
    fields, results = parse(path, cpu)
    output = show_output(os.path.join(guest.P4, name),
                         ",".join([models.MODELS[cpu].qemu, *fields.get("properties", "").split()]))
    shown = [int(line, 16) for line in output.split()]
    if len(shown) != len(results):
        raise Failed(f"{name} shows {len(shown)} numbers, want {len(results)}")
    wrong = [f"{what} is {number}, not {want}"
             for (what, want), number in zip(results, shown) if number != want]
    if wrong:
        raise Failed("\n".join(wrong))
    return f"{len(results)} results"


def config(event, mask, select, flags=0):
    """Return the configuration of an event of perf_event: the ESCR in the upper half, the CCCR in
    the lower one."""
    return (event << 25 | mask << 9) << 32 | select << 13 | flags


def events(bits):
    """Return the counts of known.S by the configuration."""
    count = KNOWN[bits]
    taken = count["conditional"] - count["not taken"] + CALLS + RETURNS + JUMPS
    return {config(INSTRUCTIONS, 1, 4): count["instructions"],
            config(CLOCKS, 1, 6): count["instructions"],
            config(BRANCHES, 1, 5): count["not taken"],
            config(BRANCHES, 4, 5): taken,
            config(BRANCHES, 15, 5): taken + count["not taken"],
            config(BRANCH_TYPE, 2, 2): count["conditional"],
            config(BRANCH_TYPE, 4, 2): CALLS,
            config(BRANCH_TYPE, 8, 2): RETURNS,
            config(BRANCH_TYPE, 16, 2): RETURNS + INDIRECT_CALLS,
            config(BRANCH_TYPE, 30, 2): count["conditional"] + CALLS + RETURNS,
            config(PACKED_SINGLE, 0x8000, 1): count["packed single"],
            config(X87, 0x8000, 1): 0}


def counts_with_perf_event(cpu):
    """Compare counts of perf_event, in 32-bit processes as well, and accesses to registers."""
    bits = models.MODELS[cpu].bits
    inverted = config(INSTRUCTIONS, 1, 4, COMPARE | COMPLEMENT | THRESHOLD_15)
    programs = ["wide", "known", "nothing", "rdpmc", "msrs"]
    script = ["dmesg | sed -n 's/.*Performance Events: //p'"]
    files = []
    if bits == 64:
        programs += ["known32", "nothing32"]
        files.append(os.path.join(guest.path_of("kernel-stock-amd64"), "msr.ko"))
        script += ["echo 0 >/proc/sys/kernel/nmi_watchdog", "insmod ./msr.ko allow_writes=on"]
    for width, suffix in ((bits, ""), (32, "32"))[:1 if bits == 32 else 2]:
        counts = " ".join(f"{code:#x}={count}" for code, count in events(width).items())
        script.append(f"wide ./known{suffix} ./nothing{suffix} {counts}")
    script += [f"rdpmc {inverted:#x}", f"msrs {' '.join(REGISTERS)}"]
    made, others = run(Machine(cpu=cpu, kernel="stock"), bits, " || exit\n".join(script), programs,
                       *files)
    want = bits // 32 * len(events(bits)) + 4 + len(REGISTERS)
    if others != ["Netburst events, Netburst P4/Xeon PMU driver."] or made != want:
        raise Failed(f"{made} checks were made, want {want}; {others}")
    return f"{made} checks"


# A saved report has the number, so its events can be counted again.
AFTER = r"""
e=instr_retired:nbogusntag
perfex --json -o saved.json -e $e,$e:after=300 ./exactly-1000
perfex --compare -o report saved.json :: ./exactly-1000
sed -n 's/^ *\([0-9]*\)  0x800404000200  instr_retired:nbogusntag\(:[^ ]*\)$/\1\2/p' report
perfex --compare -e $e,$e:after=200 saved.json :: ./exactly-1000
"""
AFTER_OUT = ["1000:u", "700:u:after=300"] * 2
OTHER_AFTER = "perfex: cannot compare with saved.json: instr_retired:nbogusntag:u:after=200 is " \
              "counted there in other modes (u): use these, or save it again"


def cascade_of_command(cpu):
    """Count all instructions of a command, and those after the first 300."""
    result = guest.run(Machine(cpu=cpu), ["sh", "-c", AFTER],
                       [guest.PERFEX, guest.program("exactly-1000")])
    if (result.stdout.decode().splitlines() != AFTER_OUT
            or result.stderr.decode().splitlines() != [OTHER_AFTER]):
        raise Failed(guest.shown(result))


def tests():
    """Yield a test of each program, on both models or on the only one that the program is for,
    and a boot of each model."""
    for path in sorted(glob.glob(os.path.join(SOURCES, "*.S"))):
        fields, _ = parse(path, "")
        name = os.path.basename(path).removesuffix(".S")
        for cpu in [fields["cpu"]] if "cpu" in fields else CPUS:
            yield Test(f"bare-{name}-{cpu}", fields["rule"], functools.partial(check, path, cpu))
    for cpu in CPUS:
        yield Test(f"model-{cpu}", "perf_event counts exactly, user mode reads, and registers have "
                   "their bits and faults", functools.partial(counts_with_perf_event, cpu))
    yield Test("perfex-after-p4", "an event counts after so many of the event before it",
               functools.partial(cascade_of_command, "p4"))
