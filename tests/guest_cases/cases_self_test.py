# SPDX-License-Identifier: GPL-2.0-only
"""Test perfex --self-test: with each fault of the emulated counters, exactly the right checks
fail."""

import functools
import re

import guest
from cases import Failed, Test
from guest import Machine

KERNEL64 = "vpmc-amd64"

# These are statuses of perfex.
NO_DEVICE, BUSY, PERMISSION, OUTPUT, SELF_TEST = 206, 208, 209, 210, 219

CHECKS = ("loop", "counters", "events", "kernel", "faults", "long", "memory", "reads", "program-32",
          "program-64", "children", "processes", "threads", "processors", "migration", "turns",
          "wrap", "interrupt")

# These processors lack what some checks need. The kernel of 32 bits has no programs of 64 bits.
SILENT = {"wrap", "interrupt"}
LACKS = {"p5": SILENT | {"reads"}, "mmx": SILENT, "pentium3": {"memory"}, "p4": {"memory"},
         "prescott": {"memory"}, "opteron": {"memory"}, "zen4": {"memory"}}

# With each of these faults of a Pentium and of Ice Lake, the named checks fail. A check that is
# built on one of them is not judged.
FAULTS = {
    "skips": ({"loop"}, {"loop"}),
    "user-lost": ({"loop"}, {"loop"}),
    "user-lost,counter=1": ({"counters"}, {"counters"}),
    "user-lost,cpu=1": ({"processors"}, {"processors"}),
    "all-rings": ({"kernel"}, {"kernel"}),
    "no-carry": ({"long"}, {"long"}),
    "stuck-event": ({"events"}, {"events"}),
    "counts-exceptions": ({"faults"}, {"faults"}),
    "stale": ({"reads"}, {"reads"}),
    "write-cut": ({"reads"}, {"reads", "wrap"}),
    # A Pentium has no interrupt for overflows.
    "overflow-lost": (set(), {"interrupt"}),
}

# An erratum of all processors of Ice Lake's family has this fault.
KNOWN = ("icelake", "counts-exceptions")

ROW = re.compile(r"^(passed|FAILED|known|not judged|not here) +([a-z0-9-]+) +[^:]+: .", re.M)

RULE = "the self-test passes where the counters work"

# The page and the file must be the same.
RUN = "perfex --self-test=page >printed; echo $?; cmp page printed && cat page"


def self_test(machine):
    """Run the self-test. Return its status, its page, and the outcome of each check."""
    bits = 64 if machine.kernel.endswith("-amd64") else 32
    result = guest.run(machine, ["sh", "-c", RUN], [guest.perfex(bits)])
    status, _, page = result.stdout.decode().partition("\n")
    rows = {name: outcome for outcome, name in ROW.findall(page)}
    if result.returncode or result.stderr or tuple(rows) != CHECKS:
        raise Failed(guest.shown(result))
    return int(status), page, rows


def having(rows, *outcomes):
    """Return the names of the checks that have one of these outcomes."""
    return {name for name, outcome in rows.items() if outcome in outcomes}


def passes(machine, lacking):
    """Test that each check passes for which the machine has what is needed."""
    status, page, rows = self_test(machine)
    if status or having(rows, "not here") != lacking or having(rows, "FAILED", "known",
                                                               "not judged"):
        raise Failed(f"status {status}\n{page}")


def fails(machine, wanted):
    """Test that exactly these checks fail."""
    status, page, rows = self_test(machine)
    known = (machine.cpu, machine.broken) == KNOWN
    outcome = "known" if known else "FAILED"
    if (status != (SELF_TEST if wanted and not known else 0)
            or having(rows, "FAILED", "known") != wanted or having(rows, outcome) != wanted):
        raise Failed(f"status {status}\n{page}")


def refused(machine, script, status, sentence):
    """Test that a situation in which nothing can be tested has a sentence and a status. No file
    must remain."""
    bits = 64 if machine.kernel.endswith("-amd64") else 32
    result = guest.run(machine, ["sh", "-c", f"{script}\nls"], [guest.perfex(bits)])
    lines = result.stderr.decode().splitlines()
    if (result.stdout.decode() != f"{status}\nperfex\n" or len(lines) != 1
            or not lines[0].startswith("perfex: ") or sentence not in lines[0]):
        raise Failed(guest.shown(result))


SELF = "perfex --self-test; echo $?"
REFUSALS = {
    "driver": (Machine(), f"rmmod vpmc; {SELF}", NO_DEVICE, "there is no /dev/vpmc"),
    "counters": (Machine(cpu="icelake", broken="no-leaf"), SELF, NO_DEVICE,
                 "there is no /dev/vpmc"),
    "rights": (Machine(), "echo 1 >/sys/module/vpmc/parameters/restricted\nchmod 777 .\n"
               "cp perfex /tmp\nsetuidgid nobody /tmp/perfex --self-test; echo $?", PERMISSION,
               "the administrator has restricted it"),
    "perf": (Machine(cpu="icelake", kernel=KERNEL64, append="nmi_watchdog=1"), SELF, BUSY,
             "the kernel's NMI watchdog has them"),
    "system": (Machine(), f"perfex --system -o /dev/null sh -c '{SELF}'", BUSY,
               "they are in system mode"),
    "file": (Machine(), "perfex --self-test=/sys/page; echo $?", OUTPUT,
             "cannot write the results to /sys/page"),
    "space": (Machine(), "mknod full c 1 7\nperfex --self-test=full >page; echo $?\nrm full page",
              OUTPUT, "cannot write the results to full: No space left"),
    "output": (Machine(), "mknod full c 1 7\nperfex --self-test >full; echo $?\nrm full vpmc-*",
               OUTPUT, "cannot write to standard output: No space left"),
    "stdout": (Machine(), "perfex --self-test >&-; echo $?", OUTPUT,
               "cannot write to standard output: Bad file descriptor"),
}


def tests():
    """Yield the tests of this file."""
    for cpu in ("p5", "mmx", "pentium3", "p4", "core2", "icelake", "opteron", "zen4"):
        machine = Machine(cpu=cpu, smp=2)
        yield Test(f"self-test-{cpu}", RULE, functools.partial(
            passes, machine, LACKS.get(cpu, set()) | {"program-64"}))
    for cpu in ("prescott", "icelake", "zen4"):
        machine = Machine(cpu=cpu, smp=2, kernel=KERNEL64)
        yield Test(f"self-test-{cpu}-amd64", RULE,
                   functools.partial(passes, machine, LACKS.get(cpu, set())))
    for fault, wanted in FAULTS.items():
        for machine, checks in zip((Machine(smp=2, broken=fault),
                                    Machine(cpu="icelake", smp=2, broken=fault)), wanted):
            yield Test(f"self-test-{machine.cpu}-{fault}",
                       "exactly the checks of a fault fail",
                       functools.partial(fails, machine, checks))
    for name, situation in REFUSALS.items():
        yield Test(f"self-test-without-{name}",
                   "a self-test that cannot count has a sentence and a status",
                   functools.partial(refused, *situation))
