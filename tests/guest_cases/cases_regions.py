# SPDX-License-Identifier: GPL-2.0-only
"""Test regions in the library, in perfex, and in the example."""

import functools
import os
import re
import subprocess
import tempfile

import guest
from cases import Failed, Test
from guest import Machine

EMPTY = """
#include <vpmc_region.h>
void empty(void);
void empty(void)
{
	vpmc_region_begin("empty");
	vpmc_region_end("empty");
}
"""

FILES = [guest.tool("regions"), guest.tool("parts"), guest.PERFEX, guest.program("exactly-1000")]


def loop(rounds):
    """Return the instructions and branches of a loop in tests/guest/regions/regions.c."""
    return [2 * rounds + 1, rounds]


def library(machine):
    """Run the checks that the program makes itself."""
    guest.run_checks(machine, ["regions"], FILES)


def listed(machine, command, status=0):
    """Run perfex --regions. Return the regions of each process, and the other lines.

    By its name, a region is [calls, inclusive and exclusive count of each event...].
    """
    result = guest.run(machine, command, FILES)
    lines = result.stderr.decode().splitlines()
    if result.returncode != status or not lines or not lines[0].startswith("# region       pid  "):
        raise Failed(guest.shown(result))
    processes, others = {}, []
    for line in lines[1:]:
        words = line.split()
        if words[0] == "region":
            numbers = [None if word == "-" else int(word) for word in words[2:-1]]
            processes.setdefault(words[1], {})[words[-1]] = numbers
        else:
            others.append(line)
    return list(processes.values()), others, guest.shown(result)


def one_event(machine):
    """Test one process. The cost of creating a region is part of the counts of the region
    around it."""
    processes, others, shown = listed(machine, ["perfex", "--regions", "regions", "nested"])
    inside = processes[0]["inner"][1]
    outside = processes[0]["outer"][2]
    if (len(processes) != 1 or len(others) != 1
            or processes[0]["empty"] != [1, 0, 0]
            or inside <= loop(1000)[0] or processes[0]["inner"] != [2, inside, inside]
            or outside <= loop(10)[0]
            or processes[0]["outer"] != [1, inside + outside, outside]):
        raise Failed(shown)


def many(machine):
    """Test that ten times as many names take ten times as many instructions, not a hundred
    times."""
    counts = []
    for number in (1000, 10000):
        processes, others, _ = listed(machine, ["perfex", "--regions", "regions", str(number)])
        if processes != [{f"n{i}": [1, 0, 0] for i in range(number)}] or len(others) != 1:
            raise Failed(f"{number} names: {len(processes)} processes, {others}")
        counts.append(int(others[0].split()[0]))
    if counts[1] >= 11 * counts[0]:
        raise Failed(f"instructions with 1000 and with 10000 names: {counts}")


def raw(machine):
    """Check that --regions=raw leaves the costs of regions in the counts."""
    processes, _, shown = listed(machine, ["perfex", "--regions=raw", "regions", "nested"])
    [regions] = processes
    cost = regions["empty"][1]
    if (cost <= 0 or regions["empty"] != [1, cost, cost]
            or regions["inner"][1] <= loop(1000)[0] + 3 * cost):
        raise Failed(shown)


def faults(machine):
    """Test page faults and switches. Each of two regions has 37 new pages, and one of them
    sleeps."""
    processes, others, shown = listed(
        machine, ["perfex", "--regions=faults", "-e", "0x16", "-e", "0x12", "regions", "faults"])
    inner, outer, old = (processes[0][name] for name in ("inner", "outer", "old"))
    # A row has the calls, two columns for each of two events, and then two columns for each
    # resource: minor faults, major faults, voluntary and involuntary switches.
    if (len(others) != 2 or inner[0] != 2 or inner[5:11] != [74, 74, 0, 0, 2, 2]
            or outer[5:11] != [148, 74, 0, 0, 2, 0] or old[5:11] != [0] * 6
            or inner[1] < 148 or outer[2] < 148 or min(inner[11:] + outer[11:]) < 0):
        raise Failed(shown)
    processes, _, shown = listed(machine, ["perfex", "--regions=faults", "regions", "nested"])
    # The cost of empty regions is not in their counts.
    if processes[0]["empty"] != [1, 0, 0] + [0] * 8:
        raise Failed(shown)


def two_events(machine):
    """Test two columns for each event, in several processes. One of them has no regions."""
    script = "regions threads; regions threads; exactly-1000; exit 3"
    processes, others, shown = listed(machine, ["perfex", "--regions", "-e", "0x16", "-e", "0x12",
                                                "sh", "-c", script], 3)
    instructions, branches = (8 * number for number in loop(100))
    want = {"thread": [8, instructions, instructions, branches, branches]}
    if processes != [want, want] or len(others) != 2:
        raise Failed(shown)


def workers(machine):
    """Test that a process leaves the same regions in whatever way it ends."""
    processes, others, shown = listed(machine, ["perfex", "--regions", "regions", "workers"])
    count = loop(1000)[0]
    # The cost of creating "inner" is part of the counts of "worker".
    left = {"worker": processes[0]["worker"], "inner": [1, count, count]}
    for process in processes:
        calls = process["worker"][0]
        if process["inner"] != [calls, calls * count, calls * count]:
            raise Failed(shown)
    # These processes end by exit(), or by execve(), after which the process has the same
    # number. The parent is in the list, too.
    if (len(processes) != 11 or processes[0] != left
            or processes[1] != {"n0": [1, 0, 0], **left} or processes[2]["worker"][0] != 2
            # These processes end by _exit(), quick_exit(), SIGKILL and SIGABRT.
            or processes[3:7] != [left] * 4
            # These processes fork in a region, with a thread, or with a child of which the
            # library is not notified.
            or processes[7]["open"] != [1, None, None]
            or [process["worker"][0] for process in processes[7:]] != [2, 2, 1, 2]
            or len(others) != 2 or not others[0].startswith("# 1 region was open when a process")):
        raise Failed(shown)


def none(machine):
    """Test a program without regions."""
    processes, others, shown = listed(machine, ["perfex", "--regions", "exactly-1000"])
    if (processes or len(others) != 2 or not others[0].startswith("# no process has left regions")
            or others[1].split()[0] != "1000"):
        raise Failed(shown)


def file_is_removed(machine):
    """Test that the memory that perfex uses during a run is freed."""
    script = ("perfex --regions regions nested; perfex --regions nowhere; "
              "[ \"$(ls /tmp)\" = '' ] && echo empty")
    result = guest.run(machine, ["sh", "-c", script], FILES)
    if result.stdout != b"empty\n":
        raise Failed(guest.shown(result))


def together(number):
    """Return a script that writes the lines of processes that all begin their regions before
    the first one exits."""
    numbers = f"BEGIN {{ for (i = 1; i <= {number}; i++) print"
    return (f"{{ awk '{numbers} \"\\nstart \" i \" together\" }}'\n"
            f"awk '{numbers} \"\\nprocess \" i \" 1 0 0 0 0 0 together\\nend \" i \" 0\" }}'\n"
            "} >>$VPMC_REGIONS_FILE")


def processes_together(machine):
    """Test that ten times as many processes cost perfex, which is counted itself, only ten
    times as many instructions."""
    counts = []
    for number in (1000, 10000):
        processes, others, shown = listed(machine, [
            "perfex", "-n", "perfex", "--force", "--regions", "sh", "-c", together(number)])
        if processes or len(others) != 2:
            raise Failed(shown)
        counts.append(int(others[1].split()[0]))
    if counts[1] >= 11 * counts[0]:
        raise Failed(f"instructions with 1000 and with 10000 processes: {counts}")


def example(machine):
    """Test the example by itself, and under perfex."""
    result = guest.run(machine, ["parts", "1000"], FILES)
    lines = [line.split() for line in result.stdout.decode().splitlines()]
    alone = {line[-1]: [int(word) for word in line[:-1]] for line in lines[1:]}
    if result.returncode or result.stderr or list(alone) != ["divide", "is_prime", "sieve"]:
        raise Failed(guest.shown(result))
    processes, _, shown = listed(machine, ["perfex", "--regions", "parts", "1000"])
    if ([alone[name][0] for name in alone] != [1, 998, 1] or len(processes) != 1
            or processes[0]["is_prime"] != alone["is_prime"]
            or processes[0]["sieve"] != alone["sieve"]):
        raise Failed(guest.shown(result) + shown)


def in_shared_object():
    """Count the instructions of the straight way through an empty region of a shared object."""
    with tempfile.TemporaryDirectory() as directory:
        source, library = (os.path.join(directory, name) for name in ("empty.c", "empty.so"))
        with open(source, "w", encoding="utf-8") as file:
            file.write(EMPTY)
        subprocess.run(["gcc", "-O2", "-fPIC", "-shared", f"-I{guest.TOP}/libvpmc/include",
                        f"-I{guest.TOP}/vpmc/uapi", "-o", library, source], check=True)
        text = subprocess.run(["objdump", "-d", "--no-show-raw-insn", library], check=True,
                              text=True, stdout=subprocess.PIPE).stdout
    body = re.search(r"<empty>:\n(.*?)\tret", text, re.S)[1].splitlines()
    # gcc moves the stack pointer around the calls of the slow paths.
    inside = [line for line in body if ":\t" in line and not re.search(r"(sub|add) .*,%rsp", line)]
    if len(inside) != 35 or sum("rdpmc" in line for line in inside) != 2:
        raise Failed("\n".join(inside))


def tests():
    """Yield the tests of this file."""
    for cpu in ("mmx", "p5"):
        machine = Machine(cpu=cpu, smp=2)
        for name, rule, function in (
                ("library", "regions count exactly, and their cost is known", library),
                ("perfex", "perfex lists the regions of a process, without their cost", one_event),
                ("many", "regions take no longer if there are many", many),
                ("together", "so do processes that run together", processes_together),
                ("workers", "regions are listed however a process ends", workers),
                ("raw", "perfex --regions=raw leaves their cost in", raw),
                ("faults", "perfex --regions=faults lists page faults and switches", faults),
                ("processes", "each process has its regions, for each event", two_events),
                ("none", "that there are no regions is told", none),
                ("file", "nothing is left behind", file_is_removed),
                ("example", "the example counts the same alone and under perfex", example)):
            yield Test(f"regions-{name}-{cpu}", rule, functools.partial(function, machine))
    yield Test("regions-shared-object",
               "an empty region takes 35 instructions in a shared object of 64 bits",
               in_shared_object)
