# SPDX-License-Identifier: GPL-2.0-only
"""Test samples: where the events of processes happen."""

import functools
import glob
import os
import re

import cases_families
import guest
from cases import Failed, Test
from cases_families import KERNEL64
from guest import Machine

# The counters of these processors interrupt. Each row has the kernel, the bits of the programs, and
# the number of processors. Without --long each pair of values occurs once.
MODELS = {
    "pentium3": ("vpmc", 32, 2),
    "core2": ("vpmc", 32, 1),
    "nehalem": (KERNEL64, 64, 1),
    "icelake": (KERNEL64, 64, 2),
    "opteron": (KERNEL64, 32, 2),
    "zen4": (KERNEL64, 64, 1),
    "p4": ("vpmc", 32, 2),
    "prescott": (KERNEL64, 64, 1),
}
MORE = {
    "pentium3": ("vpmc", 32, 1),
    "core2": ("vpmc", 32, 2),
    "nehalem": (KERNEL64, 32, 2),
    "icelake": (KERNEL64, 32, 1),
    "opteron": (KERNEL64, 64, 1),
    "zen4": (KERNEL64, 32, 2),
    "p4": ("vpmc", 32, 1),
    "prescott": (KERNEL64, 32, 2),
}

# These processors record the address of an event. Each row has the kernel, the bits of the
# programs, and the number of processors.
PRECISE = {"p4": ("vpmc", 32, 1), "prescott": (KERNEL64, 64, 2)}

# The Pentium, which is in a socket that lets its first counter interrupt.
SOCKET = functools.partial(Machine, ebs_socket=True, append="vpmc.ebs_socket=1")

PROGRAMS = {
    "samples": "each thread leaves one sample for each period of its events, whatever runs in "
               "between",
    "sample_rings": "rings are mapped by their owner only, and it can write anything to them",
    "sample_rights": "samples show nothing of a program that their reader may not watch",
}
MAPS = "records tell all executable memory of a tree of processes"
KNOWN = ("exactly-1000", "exactly-1000000")

# The counter of kernel mode overflows at an instruction of each operation. A row has the first such
# instruction, the end, and the distance between two of them without --long.
SWEEPS = {
    "read": (0, 3000, 20),
    "stop": (0, 6000, 20),
    "pair": (0, 1000, 10),
    "fork": (0, 60000, 50),
    "sleep": (0, 6000, 60),
    "exec": (0, 90000, 300),
    "exit": (20000, 90000, 70),
    "tick": (0, 6000, 20),
    "switch": (0, 60000, 100),
}


# These programs count while another process leaves samples.
BESIDE = ("inherit", "waits", "collect", "fold", "signals")


# These are perf's own tests of samples, as perf names them. The other tests need tracepoints or a
# program with shared libraries in the guest, or give up after a number of wake-ups.
PERF_TESTS = (
    "Breakpoint overflow signal handler", "Breakpoint overflow sampling",
    "Software clock events period values", "Sample parsing",
    "Use a dummy software event to keep tracking", "Track with sched_switch", "Event times",
    "Sigtrap", "x86 Sample parsing",
)
# perf executes true and sleep. The driver keeps the counters for a while when no process counts.
PERF = """
echo 1000000 >/proc/sys/kernel/perf_event_max_sample_rate
echo 0 >/proc/sys/kernel/perf_cpu_time_max_percent
ln -s /bin/busybox sleep
ln -s /bin/busybox true
PATH=.:$PATH
perf() { ./ld-linux-x86-64.so.2 --library-path . ./perf "$@"; }
perf_tests() {
	echo "driver: $driver"
	until perf record -q -e instructions:u -o data true 2>/dev/null; do sleep 0.1; done
	perf test "$@" 2>&1
	perf record -q -e instructions:u -c 10000 -o data ./exactly-1000000
	echo "samples: $(perf script -i data -F ip | wc -l)"
}
"""


def without_complaint(lines):
    """Return the lines of a program but the last one, which says that the kernel has not
    complained about an interrupt."""
    if lines[-1] != "ok the kernel complains:":
        raise Failed(lines[-1])
    return lines[:-1]


def run(machine, command, bits, programs=()):
    """Run a test program and look at the kernel's log after it. Return the program's lines."""
    script = (f"PATH=.:$PATH; {command} ; status=$?; "
              "lines=$(dmesg | grep 'unknown reason'); "
              "echo ok the kernel complains: $lines; exit $status")
    number = guest.number_of_checks(command.split(), machine)
    return without_complaint(guest.run_checks(
        machine, ["sh", "-c", script],
        [guest.tool(command.split()[0], bits), *(guest.program(name, bits) for name in programs)],
        number and number + 1))


def checks(machine, command, bits):
    """Run a program that checks samples."""
    return f"{len(run(machine, command, bits, KNOWN))} checks"


def precise(machine, bits):
    """Run the program that checks precise samples of loads."""
    command = ["sample_precise", "uop_type:tagloads", "front_end_event:pp"]
    return f"{len(guest.run_checks(machine, command, [guest.tool(command[0], bits)]))} checks"


# Events that leave precise samples, with those that set their tags: loads, stores, and operations of
# the x87. Codes of the latter have a tag value.
STEPPED = {"loads": ("uop_type:tagloads", "front_end_event"),
           "stores": ("uop_type:tagstores", "front_end_event"),
           "x87": ("escr=0x9000030:cccr=0x2000", "escr=0x18000200:cccr=0xa000")}


def stepped(machine, events, bits):
    """Compare precise samples with single-stepping."""
    lines = guest.run_checks(machine, ["sample_precise_steps", *STEPPED[events]],
                             [guest.tool("sample_precise_steps", bits)], 2)
    return lines[-1].removeprefix("ok ")


def sweep(machine, operation, bits):
    """Let a counter overflow at each instruction of an operation."""
    first, end, step = SWEEPS[operation]
    lines = run(machine, f"sample_sweep {operation} {first} {end} {guest.amount(step, 1)}", bits,
                KNOWN)
    return lines[0].removeprefix("ok ")


def steps(machine, bits):
    """Compare the samples of a program with its single steps."""
    command = ["sample_steps", "/bin/busybox", "seq", "1", "20"]
    return f"{len(guest.run_checks(machine, command, [guest.tool(command[0], bits)]))} checks"


def perf_tests(machine):
    """Run perf's own tests while the driver is loaded, after it has taken samples, and after it was
    unloaded."""
    root = os.path.join(guest.path_of("userland-amd64"), "root")
    names = " ".join(f"'{name}'" for name in PERF_TESTS)
    script = PERF + "\n".join(
        ["driver=loaded", f"perf_tests {names}",
         "perfex --profile -e instructions:u/1009 ./shares 20 2>&1 | grep ' half '",
         "driver=used", f"perf_tests {names}", "rmmod vpmc || exit",
         "driver=unloaded", f"perf_tests {names}"])
    result = guest.run(machine, ["sh", "-c", script], [
        os.path.join(root, "bin/perf"), *glob.glob(os.path.join(root, "lib/x86_64-linux-gnu/*")),
        guest.perfex(64), guest.tool("shares", 64), guest.program("exactly-1000000", 64)])
    text = result.stdout.decode(errors="replace")
    for part, driver in zip(text.split("driver: ")[1:], ("loaded", "used", "unloaded"), strict=True):
        found = dict(re.findall(r"^ *\d+: (.*?) *: (.*)$", part, re.M))
        if (not part.startswith(driver) or "samples: 100\n" not in part
                or any(found.get(name) != "Ok" for name in PERF_TESTS)):
            raise Failed(guest.shown(result))
    if " half " not in text or result.returncode:
        raise Failed(guest.shown(result))


def tests():
    """Yield the tests of this file."""
    yield Test("perf-tests-icelake", "perf's own tests of samples pass before the driver takes samples, "
               "after that, and without the driver", functools.partial(
                   perf_tests, Machine(cpu="icelake", kernel=KERNEL64, memory=768,
                                       skips_waits=True)))
    for models in guest.amount((MODELS,), (MODELS, MORE)):
        for cpu, (kernel, bits, smp) in models.items():
            for program, rule in PROGRAMS.items():
                yield Test(f"{program}-{cpu}-{smp}-{bits}", rule, functools.partial(
                    checks, Machine(cpu=cpu, kernel=kernel, smp=smp), program, bits))
    for cpu, smp in (("p5", 1), ("mmx", 2)):
        yield Test(f"samples-{cpu}-{smp}-socket", "so it is with the Pentium in an EBS socket",
                   functools.partial(checks, SOCKET(cpu=cpu, smp=smp), "samples", 32))
    for machine, bits in (*((Machine(cpu=cpu, kernel=kernel), bits)
                            for cpu, (kernel, bits, _) in MODELS.items()),
                          (SOCKET(cpu="p5"), 32), (SOCKET(), 32)):
        yield Test(f"sample_skid-{machine.cpu}", "the skid of samples is the one that the manual "
                   "states", functools.partial(checks, machine, "sample_address skid", bits))
    for cpu, bits, smp in (("p5", 32, 1), ("mmx", 32, 2), ("icelake", 64, 1)):
        yield Test(f"samples_ticks-{cpu}-{smp}", "samples at ticks are as many as those at events",
                   functools.partial(checks, Machine(
                       cpu=cpu, kernel=KERNEL64 if bits == 64 else "vpmc", smp=smp,
                       skips_waits=True), "samples ticks", bits))
    for machine in Machine(cpu="pentium3", wake=True), SOCKET(wake=True):
        yield Test(f"samples_sleep-{machine.cpu}", "samples come at their events when the machine "
                   "has slept", functools.partial(checks, machine, "samples sleep", 32))
    yield Test("samples_offline-mmx", "and when their processor was off line", functools.partial(
        checks, SOCKET(smp=2), "samples offline", 32))
    yield Test("samples_wrap-mmx", "NMIs of counters that leave no samples are known",
               functools.partial(checks, SOCKET(append="vpmc.ebs_socket=1 vpmc.test_seed=50"),
                                 "inherit", 32))
    for cpu in ("p5", "mmx"):
        yield Test(f"sample_address-{cpu}", "a sample of the Pentium has the address after the "
                   "instruction of its event", functools.partial(
                       checks, SOCKET(cpu=cpu, exact_pmi=True), "sample_address", 32))
    for cpu, (kernel, bits, smp) in PRECISE.items():
        yield Test(f"sample_precise-{cpu}-{smp}", "a precise sample has the address of the "
                   "instruction of its event, whoever runs in between", functools.partial(
                       precise, Machine(cpu=cpu, kernel=kernel, smp=smp, exact_pmi=True), bits))
        for events in STEPPED:
            yield Test(f"sample_precise_steps-{events}-{cpu}", "a precise sample is of the "
                       "instruction that caused its event when it was executed alone", functools.partial(
                           stepped, Machine(cpu=cpu, kernel=kernel, smp=smp, exact_pmi=True), events,
                           bits))
    for cpu, bits, socket in (("pentium3", 32, False), ("icelake", 64, False), ("zen4", 32, False),
                              ("p4", 32, False), ("mmx", 32, True)):
        machine = Machine(cpu=cpu, kernel=KERNEL64 if cpu in ("icelake", "zen4") else "vpmc",
                          exact_pmi=True, ebs_socket=socket,
                          append="vpmc.ebs_socket=1" if socket else "")
        yield Test(f"signal_event-{cpu}", "a signal comes right after the event with its number",
                   functools.partial(checks, machine, "signal_event", bits))
    yield Test("signal_event-mmx-late", "and later if counters do not interrupt",
               functools.partial(checks, Machine(), "signal_event late", 32))
    for cpu in ("pentium3", "icelake"):
        kernel, bits, _ = MODELS[cpu]
        yield Test(f"samples_offline-{cpu}", "and when their processor was off line",
                   functools.partial(checks, Machine(cpu=cpu, kernel=kernel, smp=2),
                                     "samples offline", bits))
        yield Test(f"sample_maps-{cpu}", MAPS, functools.partial(
                       checks, Machine(cpu=cpu, kernel=kernel), "sample_maps", bits))
        yield Test(f"sample_address-{cpu}", "a sample has the address after the instruction of "
                   "its event, also if that enters the kernel", functools.partial(
                       checks, Machine(cpu=cpu, kernel=kernel, exact_pmi=True),
                       "sample_address", bits))
        for program in BESIDE:
            yield Test(f"{program}-sampling-{cpu}", "the program's rule also holds while another "
                       "process leaves samples", functools.partial(
                           cases_families.checks,
                           Machine(cpu=cpu, kernel=kernel, sampling=True), program, bits))
        yield Test(f"sample_jitter-{cpu}", "the distances of samples with jitter are those of the "
                   "seed", functools.partial(
                       checks, Machine(cpu=cpu, kernel=kernel, exact_pmi=True),
                       "sample_jitter", bits))
    for cpu, kernel, bits in (("pentium3", "vpmc", 32), ("icelake", KERNEL64, 64),
                              ("zen4", KERNEL64, 32)):
        yield Test(f"sample_chains-{cpu}-{bits}", "a sample has the callers that the frame pointers "
                   "tell, and the registers of user mode, whatever these are", functools.partial(
                       checks, Machine(cpu=cpu, kernel=kernel, exact_pmi=True,
                                       append="norandmaps"), "sample_chains", bits))
        yield Test(f"sample_steps-{cpu}-{bits}", "single-stepping finds the address of each sample",
                   functools.partial(steps, Machine(cpu=cpu, kernel=kernel, exact_pmi=True,
                                                    append="norandmaps"), bits))
    yield Test("sample_address-zen4-32", "so it is in a program of 32 bits", functools.partial(
        checks, Machine(cpu="zen4", kernel=KERNEL64, exact_pmi=True), "sample_address", 32))
    for cpu in ("pentium3", "icelake"):
        kernel, bits, _ = MODELS[cpu]
        for operation in SWEEPS:
            yield Test(f"sample_sweep-{operation}-{cpu}", "no interrupt of kernel mode is lost, "
                       "at whichever instruction it comes", functools.partial(
                           sweep, Machine(cpu=cpu, kernel=kernel, exact_pmi=True, icount=True,
                                          adversary=True), operation, bits))
