# SPDX-License-Identifier: GPL-2.0-only
"""Test that the driver refuses processors whose counters do not work, and says what is wrong."""

import dataclasses
import functools
import os
import subprocess

import guest
from cases import Failed, Test
from guest import Machine

KERNEL64 = "vpmc-amd64"

# These are statuses of perfex: no device, counters that cannot be used, and busy counters.
NO_DEVICE, UNSUPPORTED, BUSY = 206, 207, 208

REMEDY = ("an emulator or hypervisor hides them or has none: have it show working ones (QEMU: "
          "-accel kvm -cpu host,pmu=on), or count on the hardware itself")

# A Pentium is not in the socket in which its user says that it is.
SILENT = "an overflow of counter 0 does not interrupt"
PUT_IN = "the EBS socket is missing or does not join PM0 to NMI, so load vpmc without ebs_socket"

# Each row has the register of the first counter, and the value that the register shows after
# the first pattern was written to it. Some counters take 32 bits of the pattern and copy bit 31
# to the bits above.
FIRST = {"p5": ("12h", 0x6789abcdef), "mmx": ("12h", 0x6789abcdef),
         "pentium3": ("c1h", 0xff89abcdef), "coreduo": ("c1h", 0xff89abcdef),
         "nehalem": ("c1h", 0xffff89abcdef), "icelake": ("c1h", 0x456789abcdef),
         "athlon": ("c0010004h", 0x456789abcdef), "zen4": ("c0010201h", 0x456789abcdef)}

# A leaf of CPUID describes the counters of these processors.
LEAVES = {"coreduo": "0AH", "nehalem": "0AH", "icelake": "0AH", "zen4": "80000022H"}

# If the registers of capabilities are missing, Ice Lake's counters take 32 bits only.
SIGNED = {"icelake": 0xffff89abcdef}


def findings(cpu):
    """Return the driver's findings on a processor, for each way in which its counters can be
    broken."""
    register, pattern = FIRST[cpu]
    found = {
        "msrs-fault": f"RDMSR of register {register} raises #GP",
        "msrs-ignored": f"counter 0 shows 0h where {SIGNED.get(cpu, pattern):x}h was written",
        "still": "counter 0 stands still",
        "double": "counter 0 counts 6000 of 3000 instructions",
        "narrow": f"counter 0 shows 89abcdefh where {pattern:x}h was written",
    }
    if cpu != "p5":
        found |= {
            "no-rdpmc": "RDPMC is an invalid opcode",
            "rdpmc-faults": "RDPMC of counter 0 raises #GP",
            "rdpmc-zero": f"counter 0 shows 0h by RDPMC and {pattern:x}h by RDMSR",
        }
    if cpu in LEAVES:
        found["no-leaf"] = f"CPUID leaf {LEAVES[cpu]} shows no counters"
    return found


def sentence(found, processor=0):
    """Return the sentence in the log. It does not name a processor if a leaf of CPUID is wrong."""
    whose = "" if found.startswith("CPUID") else f" of processor {processor}"
    remedy = PUT_IN if found == SILENT else REMEDY
    return f"the counters{whose} cannot be used: {found}; {remedy}"


# Print the driver's errors in the log, and any warning of an unchecked access to an MSR. If
# anything worse happens, the machine itself fails.
LOG = """
dmesg -r | sed -n 's/^<3>.*vpmc: //p'
dmesg | grep 'unchecked MSR'
true
"""

REFUSED = f"{LOG}\nls /sys/module | grep vpmc\nperfex ./exactly-5; echo $?"


def run(machine, script, *names):
    """Run a script with perfex and programs. Return its output, and perfex's messages."""
    bits = 64 if machine.kernel == KERNEL64 else 32
    result = guest.run(machine, ["sh", "-c", script],
                       [guest.perfex(bits), *(guest.program(name, bits) for name in names)])
    if result.returncode:
        raise Failed(guest.shown(result))
    return result.stdout.decode().splitlines(), result.stderr.decode().splitlines()


def expect(machine, script, printed, complained, *names):
    """Run a script, and compare its output and a part of each complaint."""
    out, err = run(machine, script, *names)
    if (out != printed or len(err) != len(complained)
            or any(want not in line for want, line in zip(complained, err))):
        raise Failed("\n".join([*out, *err, "want:", *printed, *complained]))


def refuses(machine, found, processor=0):
    """Boot, and test that the driver refuses the processor."""
    expect(machine, REFUSED, [sentence(found, processor), str(NO_DEVICE)],
           ["there is no /dev/vpmc"], "exactly-5")


# The counters of a processor can count, but do not interrupt.
QUIET = """
dmesg -r | sed -n 's/^<4>.*vpmc: samples/samples/p'
perfex -o count -e instructions ./exactly-1000; sed -n 's/ *\\([0-9]*\\).*/\\1/p' count
perfex --profile -e instructions/1000 ./exactly-1000 2>&1 | grep -o "at clock ticks\\|# 1 sample,"
"""


def counts_only(machine, told):
    """Boot, and test that the driver counts, and takes samples at ticks only."""
    said = [f"samples at events are refused: {SILENT.replace('0', '0 of processor 0')}; let the "
            "emulator or hypervisor emulate LVTPC, or take samples at ticks"]
    expect(machine, QUIET, [*said[:told], "1000", "at clock ticks", "# 1 sample,"], [],
           "exactly-1000")


# Processor 1 comes online while the driver has the counters: it is refused, and counts continue.
LATER = """
online=/sys/devices/system/cpu/cpu1/online
echo 0 >$online; insmod /vpmc.ko; dmesg -c >/dev/null
exec 2>&1
{count} sh -c "echo 1 2>/dev/null >$online; echo \\$?; cat $online"
perfex -o count -e instructions ./exactly-1000; sed -n 's/ *\\([0-9]*\\).*/\\1/p' count
"""


def comes_later(machine, found, count):
    """Let a broken processor come online while the driver has the counters."""
    expect(machine, LATER.format(count=count) + LOG, ["1", "0", "1000", sentence(found, 1)],
           [], "exactly-1000")


# Processor 1 comes online while the driver does not have the counters: starts fail until it is
# offline.
UNPROVED = """
online=/sys/devices/system/cpu/cpu1/online
echo 0 >$online; insmod /vpmc.ko; dmesg -c >/dev/null
echo 1 >$online; cat $online
for try in 1 2; do perfex ./exactly-1000; echo $?; done
perfex --system ./exactly-1000; echo $?
echo 0 >$online
perfex -o count -e instructions ./exactly-1000; sed -n 's/ *\\([0-9]*\\).*/\\1/p' count
"""

BROKEN = "the counters of a processor that is on line do not work: dmesg says which and what to do"


def comes_before(machine, found):
    """Let a broken processor come online before the driver takes the counters."""
    expect(machine, UNPROVED + LOG,
           ["1", *3 * [str(UNSUPPORTED)], "1000", sentence(found, 1)], 3 * [BROKEN],
           "exactly-1000")


# When the driver is loaded, the NMI watchdog has the counters.
WATCHED = """
perfex ./exactly-5; echo $?
echo 0 >/proc/sys/kernel/nmi_watchdog
for try in 1 2; do perfex ./exactly-5; echo $?; done
"""


def proved_when_taken(machine, found):
    """Let the driver take counters that perf_event had while the driver was loaded."""
    expect(machine, WATCHED + LOG, [str(BUSY), *2 * [str(UNSUPPORTED)], sentence(found)],
           ["the kernel's NMI watchdog has them", BROKEN, BROKEN], "exactly-5")


# While the driver is unloaded, this script writes to Intel's control registers and to the first
# counter. Later, the registers must have these values again.
KEPT = """
rmmod vpmc
./msrs 0x38f=5 0x38d=0x30 0x187=0x300c4 0x1a6=0x11 && insmod /vpmc.ko &&
	./msrs 0x38f:5 0x38d:0x30 0x187:0x300c4 0x1a6:0x11 0x38e:0
"""


def kept():
    """Load the driver while registers have values."""
    guest.run_checks(Machine(cpu="icelake", kernel=KERNEL64), ["sh", "-c", KEPT],
                     [os.path.join(guest.BUILD, "guest/models/64/msrs")], 9)


# The counters of each model are broken in these ways, with 32 or with 64 bits. An empty list
# means all ways.
MODELS = {"mmx": (), "p5": ("msrs-fault", "msrs-ignored", "still"),
          "pentium3": ("no-rdpmc", "msrs-ignored", "narrow"), "coreduo": ("no-leaf", "rdpmc-zero"),
          "athlon": ("msrs-fault", "still")}
MODELS64 = {"nehalem": ("rdpmc-faults", "narrow"), "icelake": (), "zen4": ()}

# The driver checks each counter. These rows break the last general counter or a fixed one, by
# the emulator's numbers.
SINGLE = [("mmx", "rdpmc-zero", 1, f"counter 1 shows 0h by RDPMC and {0xcf13579bde:x}h by RDMSR"),
          ("p5", "still", 1, "counter 1 stands still"),
          ("pentium3", "double", 1, "counter 1 counts 6000 of 3000 instructions"),
          ("icelake", "still", 7, "counter 7 stands still"),
          ("icelake", "double", 8, "counter 8 counts 6000 of 3000 instructions"),
          ("icelake", "still", 9, "counter 9 stands still"),
          ("icelake", "still", 10, "counter 10 stands still"),
          ("zen4", "double", 5, "counter 5 counts 6000 of 3000 instructions")]


# These are the findings on the processors of an unmodified QEMU, by QEMU's names for them.
INVALID = "RDPMC is an invalid opcode"
NO_COUNTERS = "CPUID leaf 0AH shows no counters"
QEMU = {"pentium": INVALID, "pentium,mmx=off": "counter 0 shows 0h where 6789abcdefh was written",
        "pentium2": INVALID, "pentium3": INVALID, "coreduo": NO_COUNTERS, "athlon": INVALID,
        "Penryn": NO_COUNTERS, "max": INVALID}
QEMU64 = {"haswell": NO_COUNTERS, "zen": INVALID}


def stock(cpu, kernel, found):
    """Boot with an unmodified QEMU."""
    path = subprocess.run([os.path.join(guest.TOP, "tests/emulator/fetch-qemu")], check=True,
                          stdout=subprocess.PIPE, text=True).stdout.strip()
    refuses(Machine(cpu=cpu, kernel=kernel, emulator=path), found)


# The threads of a core of a Pentium 4 share its counters.
SHARED = ("the counters cannot be used: the threads of a core share them: start the kernel with "
          "nosmt=force")
ONE_THREAD = """
perfex -o count -e instructions ./exactly-1000; sed -n 's/ *\\([0-9]*\\).*/\\1/p' count
cat /sys/devices/system/cpu/online
"""


def shared_by_threads():
    """Boot a Pentium 4 with Hyper-Threading, and then with the option that the driver's message
    names."""
    machine = Machine(cpu="prescott", smp=2, threads=2, kernel=KERNEL64)
    expect(machine, REFUSED, [SHARED, str(NO_DEVICE)], ["there is no /dev/vpmc"], "exactly-5")
    expect(dataclasses.replace(machine, append="nosmt=force"), ONE_THREAD, ["1000", "0"], [],
           "exactly-1000")


def tests():
    """Yield the tests of this file."""
    rule = "the driver refuses counters that do not work in one sentence, and the machine goes on"
    for kernel, models in (("vpmc", MODELS), (KERNEL64, MODELS64)):
        for cpu, ways in models.items():
            for way in ways or findings(cpu):
                yield Test(f"broken-{cpu}-{way}", rule, functools.partial(
                    refuses, Machine(cpu=cpu, kernel=kernel, broken=way), findings(cpu)[way]))
    for cpu, way, counter, found in SINGLE:
        yield Test(f"broken-{cpu}-{way}-{counter}", "so it does if one counter does not work",
                   functools.partial(refuses,
                                     Machine(cpu=cpu, broken=f"{way},counter={counter}"), found))
    for cpu, way, kernel in (("p5", "still", "vpmc"), ("mmx", "no-rdpmc", "vpmc"),
                             ("pentium3", "msrs-fault", "vpmc"),
                             ("icelake", "double", KERNEL64), ("zen4", "still", KERNEL64)):
        machine = Machine(cpu=cpu, smp=2, kernel=kernel, broken=f"{way},cpu=1")
        yield Test(f"broken-{cpu}-{way}-second", "so it does if one of two processors does not",
                   functools.partial(refuses, machine, findings(cpu)[way], 1))
    for cpu, way, kernel, count in (
            ("p5", "still", "vpmc", ""), ("mmx", "no-rdpmc", "vpmc", ""),
            ("zen4", "msrs-ignored", KERNEL64, "perfex -o other"),
            ("nehalem", "rdpmc-faults", KERNEL64, "perfex -o other")):
        machine = Machine(cpu=cpu, smp=2, kernel=kernel, broken=f"{way},cpu=1")
        yield Test(f"broken-{cpu}-{way}-later",
                   "a processor that does not count stays off line while the driver counts",
                   functools.partial(comes_later, machine, findings(cpu)[way], count))
    for cpu, way in (("zen4", "no-rdpmc"), ("icelake", "still")):
        machine = Machine(cpu=cpu, smp=2, kernel=KERNEL64, broken=f"{way},cpu=1")
        yield Test(f"broken-{cpu}-{way}-before",
                   "no thread counts while a processor that cannot count is on line",
                   functools.partial(comes_before, machine, findings(cpu)[way]))
    for cpu in ("nehalem", "zen4"):
        machine = Machine(cpu=cpu, kernel=KERNEL64, append="nmi_watchdog=1", broken="double")
        yield Test(f"broken-{cpu}-watchdog",
                   "counters that perf_event has at load are proved when they are taken",
                   functools.partial(proved_when_taken, machine, findings(cpu)["double"]))
        machine = dataclasses.replace(machine, broken="rdpmc-faults")
        yield Test(f"broken-{cpu}-watched",
                   "and looked at when the driver is loaded",
                   functools.partial(refuses, machine, findings(cpu)["rdpmc-faults"]))
    for kernel, models in (("vpmc", QEMU), (KERNEL64, QEMU64)):
        for cpu, found in models.items():
            yield Test(f"broken-qemu-{cpu}", "the driver says that Debian's QEMU has no counters",
                       functools.partial(stock, cpu, kernel, found))
    yield Test("broken-threads", "the driver refuses a Pentium 4 with Hyper-Threading, and counts "
               "when that is switched off", shared_by_threads)
    told = "vpmc.ebs_socket=1"
    for cpu, machine in (("p5", Machine(cpu="p5", append=told)),
                         ("mmx", Machine(smp=2, append=told, ebs_socket=True,
                                         broken="no-interrupt,cpu=1"))):
        yield Test(f"broken-{cpu}-no-socket", "the driver refuses a Pentium that is not in the "
                   "socket that the user has promised",
                   functools.partial(refuses, machine, SILENT, machine.smp - 1))
    for cpu, kernel in (("mmx", "vpmc"), ("pentium3", "vpmc"), ("icelake", KERNEL64),
                        ("zen4", KERNEL64)):
        broken = "" if cpu == "mmx" else "no-interrupt"
        yield Test(f"broken-{cpu}-no-interrupt", "counters that do not interrupt count, and "
                   "leave samples at ticks", functools.partial(
                       counts_only, Machine(cpu=cpu, kernel=kernel, broken=broken), bool(broken)))
    yield Test("broken-kept", "registers hold after the proof what they held before", kept)
