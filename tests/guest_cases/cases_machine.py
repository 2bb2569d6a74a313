# SPDX-License-Identifier: GPL-2.0-only
"""Test many processes, scopes, the raw interface, kernel mode, and the installed files."""

import functools
import glob
import os
import subprocess

import guest
import known
from cases import Failed, Test
from cases_counts import seeded
from guest import Machine
from numbers_of_checks import number_of_checks
from variants import FOUR

CHECK_I586 = os.path.join(guest.TOP, "tests/emulator/check-i586")

SWITCHES = 100000
TAKEOVERS = 400


def isolation(machine, processes, switches):
    """Run many counting and other processes at once."""
    command = ["isolation", str(processes), str(switches)]
    lines = guest.run_checks(machine, seeded(machine, command),
                             [guest.tool("isolation"), guest.program("switcher")],
                             number_of_checks(command, machine))
    return lines[-1]


# While the test runs, the second processor goes offline and online.
HOTPLUG = """
online=/sys/devices/system/cpu/cpu1/online
while [ ! -e /tmp/stop ]; do echo 0 >$online; usleep 200000; echo 1 >$online; usleep 200000; done &
{command}
status=$?
touch /tmp/stop
wait
exit $status
"""


def hotplug(command, *files):
    """Run a program while a processor goes offline and comes back."""
    machine = Machine(smp=2)
    lines = guest.run_checks(machine, ["sh", "-c", HOTPLUG.format(command=command)],
                             [guest.tool(command.split()[0]), *files],
                             number_of_checks(command.split(), machine))
    return lines[-1]


def scopes(machine):
    """Test which events the scopes contain, and from when to when."""
    for name in ("calls", "rep-movs"):
        counts = known.program(name).counts
        guest.run_checks(machine, ["scopes", name, str(counts["0x16"]), str(counts["0x12"])],
                         [guest.tool("scopes"), guest.program(name)])


def registers(cpu):
    """Test the emulated processor's registers, without the driver."""
    guest.run_checks(Machine(cpu=cpu, kernel="stock"), ["registers", cpu],
                     [guest.tool("registers")])


def module():
    """Unload the driver and load it again."""
    script = """
perfex sleep 3 2>/dev/null &
usleep 500000
rmmod vpmc 2>/dev/null && echo 'unloaded while it counted'
wait
for n in 1 2 3 4 5; do
	perfex exit && rmmod vpmc && insmod ./vpmc.ko && perfex -e 0x12 exit || exit
done
"""
    result = guest.run(Machine(smp=2, skips_waits=True), ["sh", "-c", script],
                       [guest.module(), guest.PERFEX, guest.program("exit")])
    counts = [int(line.split()[0]) for line in result.stderr.splitlines()]
    if result.returncode or result.stdout or counts != 5 * [3, 1]:
        raise Failed(guest.shown(result))


def interface(machine):
    """Test every refusal of the driver's interface."""
    guest.run_checks(machine, ["abi"], [guest.tool("abi")])


def library(machine):
    """Test the library with the real driver."""
    lines = guest.run_checks(machine, ["library"],
                             [guest.tool("library"), guest.program("exactly-1000")])
    return f"{len(lines)} checks"


# These programs switch, fault, get signals and sleep. They are counted in both modes.
KERNEL_COMMAND = """
for events in '-e 0x16 -e 0x12' '-e 0x00 -e 0x01' '-e 0x1c:k -e 0x27:k' '-e 0x0f -e clocks:k'; do
	for program in calls syscalls cow signal file-pages yield threads sleep; do
		perfex -k $events $program || exit
	done
done
"""


def kernel_mode(cpu):
    """Boot twice, count the same programs, and compare the counts."""
    machine = Machine(cpu=cpu, icount=True)
    programs = "calls syscalls cow signal file-pages yield threads sleep".split()
    files = [guest.PERFEX, *map(guest.program, programs)]
    first, second = (guest.run(machine, ["sh", "-c", KERNEL_COMMAND], files) for _ in range(2))
    for result in (first, second):
        if result.returncode or result.stdout:
            raise Failed(guest.shown(result))
    if first.stderr != second.stderr:
        raise Failed(f"first:\n{first.stderr.decode()}\nsecond:\n{second.stderr.decode()}")
    counts = [int(line.split()[0]) for line in first.stderr.splitlines()
              if not line.startswith(b"#")]
    if len(counts) != 4 * 2 * len(programs):
        raise Failed(guest.shown(first))
    # The first line has more instructions than user mode has executed.
    if counts[0] <= known.program("calls").counts["0x16"]:
        raise Failed(f"kernel mode was not counted:\n{first.stderr.decode()}")


def shipped():
    """Check the instructions of the guest's programs by disassembly."""
    # The library and these programs contain RDPMC, for processors that have it.
    rdpmc = [guest.PERFEX, os.path.join(guest.BUILD, "guest/libvpmc.a"),
             *map(guest.tool, ("registers", "regions", "parts"))]
    plain = [os.path.join(guest.BUILD, "guest/init"),
             os.path.join(guest.path_of("userland"), "busybox"),
             *(guest.tool(name) for name in ("abi", "collect", "counts", "inherit", "isolation",
                                             "library", "module", "multiplex", "permissions",
                                             "privileged_exec", "privileged_self", "reconfigure",
                                             "scopes", "setcap", "signals", "system", "takeover",
                                             "takeover_storm", "tree", "waits", "workers"))]
    programs = set(glob.glob(os.path.join(guest.PROGRAMS, "*")))
    mmx = {guest.program(p.name) for p in known.programs() if p.cpu == "mmx"}
    for options, files in (([], plain + sorted(programs - mmx)),
                           (["--rdpmc"], rdpmc),
                           (["--mmx"], sorted(mmx)),
                           (["--rdpmc", "--kernel"], [guest.module("vpmc")])):
        result = subprocess.run([CHECK_I586, *options, *files], check=False,
                                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if result.returncode:
            raise Failed(result.stdout)


def stock_kernel():
    """Test the driver and perfex on a kernel without the series."""
    script = "insmod ./vpmc.ko; echo $?; dmesg -r | grep '^<3>.*vpmc: ' | sed 's/.*vpmc: //'; " \
             "perfex ./exit"
    result = guest.run(Machine(kernel="stock"), ["sh", "-c", script],
                       [guest.module("vpmc"), guest.PERFEX, guest.program("exit")])
    status, *sentences = result.stdout.decode().splitlines()
    # insmod tries both system calls that load a module.
    if (status == "0" or result.returncode != 206 or set(sentences) != {
            "this kernel lacks the vpmc patch series; boot one that was built with it"}
            or b"perfex: there is no /dev/vpmc: boot a kernel that has the vpmc patches"
            not in result.stderr):
        raise Failed(guest.shown(result))


UNKNOWN = "no support for the counters of this processor"


def unknown_processor(model, said):
    """Test the driver on a processor that vpmc.7 does not list, or that shows no counters."""
    script = "dmesg -r | grep '^<3>.*vpmc: '; perfex ./exit"
    result = guest.run(Machine(cpu=model), ["sh", "-c", script],
                       [guest.PERFEX, guest.program("exit")])
    lines = result.stdout.decode().splitlines()
    if (result.returncode != 206 or len(lines) != 1
            or said not in lines[0]
            or b"perfex: there is no /dev/vpmc" not in result.stderr):
        raise Failed(guest.shown(result))


def newcomer(model, kernel, bits):
    """Build the driver with one more file, and load it on a processor that it does not know
    without this file."""
    path = guest.for_kernel(kernel, guest.TESTS, "newcomer/vpmc.ko")
    guest.make_tools(os.path.dirname(os.path.dirname(path)), kernel, path)
    script = "insmod ./vpmc.ko && dmesg | sed -n 's/.*vpmc: newcomer: //p' && perfex ./exit"
    result = guest.run(Machine(cpu=model, kernel=kernel), ["sh", "-c", script],
                       [path, guest.perfex(bits), guest.program("exit")])
    # The library does not have events for the processor, and reports the name that it got from
    # the driver.
    if (result.returncode != 207 or result.stdout != b"1 counters and 0 fixed ones of 40 bits\n"
            or b"this processor's counters (newcomer, 1 of them and 0" not in result.stderr):
        raise Failed(guest.shown(result))


def tests():
    """Yield the tests of this file."""
    for variant, machine in FOUR.items():
        yield Test(f"isolation-{variant}",
                   f"16 processes through {SWITCHES} switches read their own numbers",
                   functools.partial(isolation, machine, 16, SWITCHES))
    for cpu in ("mmx", "p5"):
        for smp in (1, 2):
            machine = Machine(cpu=cpu, smp=smp)
            yield Test(f"scopes-{cpu}-{smp}",
                       "THREAD and SELF hold what their threads counted, over stop, exec and exit",
                       functools.partial(scopes, machine))
        yield Test(f"registers-{cpu}", "the emulated counters have the Pentium's bits and faults",
                   functools.partial(registers, cpu))
        yield Test(f"interface-{cpu}", "each refusal has its errno and reason and changes nothing",
                   functools.partial(interface, Machine(cpu=cpu)))
        yield Test(f"library-{cpu}",
                   "libvpmc keeps its promises with the real driver, and explains each error",
                   functools.partial(library, Machine(cpu=cpu)))
        yield Test(f"kernel-mode-{cpu}",
                   "kernel-mode counts repeat to the last one when time is counted in instructions",
                   functools.partial(kernel_mode, cpu))
    yield Test("hotplug", "processors that go and come change no count",
               functools.partial(hotplug, f"isolation 16 {SWITCHES}", guest.program("switcher")))
    yield Test("hotplug-storm", "processors that go and come change no count while system mode "
               "takes the counters and gives them back", functools.partial(hotplug, f"takeover_storm {TAKEOVERS}"))
    yield Test("module", "the driver can be unloaded when nothing counts, and loaded again",
               module)
    yield Test("stock-kernel", "without the series the driver and perfex say what is missing",
               stock_kernel)
    # AMD has no family 20h. Model 13 is the Pentium M, and model 151 has two kinds of cores (Alder
    # Lake). QEMU's kvm32 is a Pentium 4 without counters.
    for model, said in (("pentium3,model=13", UNKNOWN), ("qemu64,family=32", UNKNOWN),
                        ("Icelake-Server-noTSX,check=off,model=151", UNKNOWN),
                        ("kvm32", "IA32_MISC_ENABLE shows no counters; an emulator")):
        yield Test(f"unknown-processor-{model}", "the driver refuses a processor it does not know",
                   functools.partial(unknown_processor, model, said))
    for model, kernel, bits in (("kvm32", "vpmc", 32), ("kvm64", "vpmc-amd64", 64)):
        yield Test(f"newcomer-{model}",
                   "a family is one file in vpmc/pmu/: with that the driver knows the processor",
                   functools.partial(newcomer, model, kernel, bits))
    yield Test("i586-only", "nothing shipped for the guest has an instruction that a Pentium lacks",
               shipped)
