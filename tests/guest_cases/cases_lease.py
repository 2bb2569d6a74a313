# SPDX-License-Identifier: GPL-2.0-only
"""Test that perf_event, the NMI watchdog and the driver count at the same time if the kernel was
booted with vpmc.lease, and that the lease is refused where this cannot be right."""

import functools
import glob
import os
import re

import guest
from cases import Failed, Test
from cases_families import KERNEL64
from guest import Machine

# These are the processors, their numbers, the number of leased counters, and the leased counters.
LEASED = {("icelake", 2): (2, "6-7"), ("haswell", 1): (1, "7"), ("core2", 1): (1, "1"),
          ("zen4", 2): (2, "4-5"), ("bulldozer", 1): (2, "4-5"), ("opteron", 1): (1, "3")}

# The kernel refuses a lease on these processors, and says why.
REFUSED = {
    ("nehalem", KERNEL64, 1): "its workaround of an erratum writes to all counters",
    ("icelake", KERNEL64, 8): "it needs one itself",
    ("prescott", KERNEL64, 1): "it knows no counters here that are enabled one by one",
}

# The number of processes with random work in a run, and of runs with check --long, which have more
# than 10,000 processes on each processor.
PROCESSES, RUNS = 150, 67

# The watchdog has a counter of perf_event, and perfex -i does not complain about it. The events
# that follow need a counter or a mode that is not leased, and samples are taken at ticks. With
# --runs each run has no more events than leased counters.
SAID = r"""
dmesg | sed -n 's/.*\(vpmc.lease=[0-9]*: .*\)/\1/p; s/.*vpmc: \(perf_event .*\)/\1/p'
cat /proc/sys/kernel/nmi_watchdog /sys/module/vpmc/parameters/lease
perfex -o count -e instructions ./exactly-1000; sed -n 's/^ *\([0-9]*\).*/\1/p' count
perfex -o count sh -c 'perfex -i | grep -c watchdog'
perfex --runs -o count -e instructions -e branches -e instructions ./exactly-1000
grep -c ' 1000 ' count
for event in instructions:k instructions@0; do
	perfex -o count -e $event ./exactly-1000; echo $?
done
perfex --profile -e instructions/1000000 ./exactly-10000000 2>&1 | grep -o 'at clock ticks'
"""
LEASED_OUT = "perfex: perf_event has leased the driver no counter for this, and none for kernel " \
             "mode: boot without vpmc.lease to count event instructions:k (0xc0)"

# The shell has some instructions and branches of its own.
TURNS_CPUS = ("icelake", 2), ("core2", 1)
TURNS = "for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16; do ./exactly-10000000; done"
TURNS_COUNTS = 16 * 10**7, 16 * 4999999, 16 * 10**7

# perf's own tests on these processors. check --long takes all of them that need no other program.
PERF_CPUS = {"icelake": 2, "zen4": 2}
PERF_TESTS = ("User space counter reading", "Parsing of all PMU events",
              "Software clock events period values", "Number of exit events", "Event times",
              "Track with sched_switch", "Sigtrap", "x86 Sample parsing")

# With the driver, it counts all processes of perf's tests.
PERF = r"""
ln -s /bin/busybox sleep; ln -s /bin/busybox true
mkdir -p /lib64; mv ld-linux-x86-64.so.2 /lib64
export PATH=.:$PATH LD_LIBRARY_PATH=$PWD
{0} 2>&1 | sed 's/\x1b\[[0-9;]*m//g' >alone
perfex -o count -e instructions {0} 2>&1 | sed 's/\x1b\[[0-9;]*m//g' >counted
sed -n 's/^ *\([0-9]*\) .*/\1/p' count; diff alone counted; cat alone
"""


def lease(cpu, smp, number, memory=None):
    """Return the machine with a lease of some counters."""
    return Machine(cpu=cpu, smp=smp, kernel=KERNEL64, memory=memory,
                   append=f"vpmc.lease={number} nmi_watchdog=1 watchdog_thresh=1")


def same(cpu, smp):
    """Compare the counts of perf_event with those of the driver."""
    number, _ = LEASED[cpu, smp]
    for seed in range(1, 1 + (RUNS if guest.LONG else 1)):
        lines = guest.run_checks(lease(cpu, smp, number), ["lease", str(PROCESSES), str(seed)],
                                 [guest.tool("lease", 64)], 5)
    return lines[1].removeprefix("ok ")


def perf_tests(cpu):
    """Run perf's own tests, and again while the driver counts them. The results must be the
    same."""
    names = "".join(f" '{name}'" for name in guest.amount(PERF_TESTS, ()))
    root = os.path.join(guest.path_of("userland-amd64"), "root")
    script = PERF.replace("{0}", f"perf test{names}")
    result = guest.run(lease(cpu, 2, PERF_CPUS[cpu], memory=768), ["sh", "-c", script], [
        os.path.join(root, "bin/perf"), *glob.glob(os.path.join(root, "lib/x86_64-linux-gnu/*")),
        guest.perfex(64)])
    count, *lines = result.stdout.decode(errors="replace").splitlines()
    found = [re.fullmatch(r" *[0-9.]+: .*: *(\S.*)?", line) for line in lines]
    good = sum(match[1] == "Ok" for match in found if match)
    if result.returncode or not all(found) or int(count) < 10**6 or good < len(PERF_TESTS):
        raise Failed(guest.shown(result))
    return f"{len(found)} lines, {good} are Ok; {count} instructions"


def said(cpu, smp):
    """Compare what the kernel, the driver and perfex say about a lease."""
    number, counters = LEASED[cpu, smp]
    result = guest.run(lease(cpu, smp, number), ["sh", "-c", SAID],
                       [guest.perfex(64), *(guest.program(f"exactly-{length}", 64)
                                            for length in (1000, 10000000))])
    want = [f"vpmc.lease={number}: perf_event leaves vpmc the counters {counters}",
            f"perf_event keeps all counters but {counters}, which the driver uses for user mode",
            "1", str(number), "1000", "0", "2", "207", "203", "at clock ticks"]
    if (result.stdout.decode().splitlines() != want
            or result.stderr.decode().splitlines()[0] != LEASED_OUT):
        raise Failed(guest.shown(result))


def is_near(row, alone, want):
    """Return whether a row of a report has about this count. An event that has a counter alone is
    not projected."""
    if alone:
        return len(row) == 3 and want <= int(row[0]) < want * 1.01
    return "projected" in row and want / 2 < int(row[0]) < want * 2


def turns(cpu, smp):
    """Test that three events take turns on the leased counters. With two of these, the second event
    has a counter alone. On all counters of the processor, no event would take turns."""
    number, _ = LEASED[cpu, smp]
    result = guest.run(lease(cpu, smp, number), [
        "perfex", "--multiplex", "-e", "instructions", "-e", "branches", "-e", "instructions",
        "sh", "-c", TURNS], [guest.perfex(64), guest.program("exactly-10000000", 64)])
    rows = [line.split() for line in result.stderr.decode().splitlines() if line[0] != "#"]
    alone = False, number > 1, False
    if (result.returncode or len(rows) != len(alone)
            or not all(map(is_near, rows, alone, TURNS_COUNTS))):
        raise Failed(guest.shown(result))


def refused(cpu, kernel, number):
    """Test that the driver takes all counters, as without a lease, and that the log says why. The
    driver's parameter is the number of counters that it was given."""
    script = ("dmesg | grep -c '{}'; dmesg | grep -c '{}'; cat /sys/module/vpmc/parameters/lease;"
              "perfex ./exactly-1000")
    result = guest.run(Machine(cpu=cpu, kernel=kernel, append=f"vpmc.lease={number}"), [
        "sh", "-c", script.format(
            f"vpmc.lease={number}: perf_event leaves vpmc no counters, because "
            f"{REFUSED[cpu, kernel, number]}$",
            f"vpmc: lease={number}: the driver gets 0 counters beside perf_event: ")],
                       [guest.perfex(64), guest.program("exactly-1000", 64)])
    if result.returncode or result.stdout != b"1\n1\n0\n" or b" 1000 " not in result.stderr:
        raise Failed(guest.shown(result))


def tests():
    """Yield the tests of this file."""
    for cpu, smp in LEASED:
        yield Test(f"lease-{cpu}-{smp}",
                   "perf_event and the driver count the same of each process at the same time",
                   functools.partial(same, cpu, smp))
        yield Test(f"lease-said-{cpu}-{smp}",
                   "the watchdog runs beside counts, and what is not leased is refused",
                   functools.partial(said, cpu, smp))
    for cpu, smp in TURNS_CPUS:
        yield Test(f"lease-turns-{cpu}",
                   "more events than leased counters take turns on these",
                   functools.partial(turns, cpu, smp))
    for cpu in PERF_CPUS:
        yield Test(f"lease-perf-tests-{cpu}",
                   "perf's own tests have the same results while the driver counts",
                   functools.partial(perf_tests, cpu))
    for machine in REFUSED:
        yield Test("lease-refused-{}-{}-{}".format(*machine),
                   "a lease that cannot be right is refused, and the driver takes all counters",
                   functools.partial(refused, *machine))
