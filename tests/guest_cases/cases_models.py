# SPDX-License-Identifier: GPL-2.0-only
"""Test emulated processors other than the Pentium with perf_event, on a kernel without vpmc."""

import dataclasses
import functools
import os

import guest
from cases import Failed, Test
from guest import Machine

# These are the counts of tests/emulator/validation/models/known.S in user mode, as in its first
# comment.
KNOWN = {
    32: {"instructions": 619, "branches": 504, "conditional": 100, "calls": 201, "returns": 201,
         "far": 1, "loads": 226, "stores": 226, "locked": 3, "never": 0},
    64: {"instructions": 970, "branches": 554, "conditional": 150, "calls": 201, "returns": 201,
         "far": 1, "loads": 375, "stores": 325, "locked": 3, "never": 0},
}

# The codes of events have the unit mask in bits 15:8, edge in bit 18, inversion in bit 23, and
# the threshold in bits 31:24. Each clock has one instruction, and each event occurs at most
# once in a clock.
CONDITIONS = {
    0x010000C0: "instructions",  # clocks with one or more instructions
    0x020000C0: "never",  # clocks with two instructions
    0x000400C0: "never",  # each clock has one, so edges do not occur
    0x108000C0: "instructions",  # clocks with fewer than 16
}
ARCHITECTURAL = {0x3C: "instructions", 0xC0: "instructions", 0xC4: "branches",
                 0x412E: "never", 0xC5: "never", 0x000400C4: "branches", **CONDITIONS}
SANDYBRIDGE = {**ARCHITECTURAL, 0x13C: "instructions", 0x1C0: "instructions", 0x2C4: "calls",
               0x8C4: "returns", 0x40C4: "far", 0x21D0: "locked", 0x81D0: "loads",
               0x82D0: "stores"}
HASWELL = {**SANDYBRIDGE, 0x1C4: "conditional", 0x4C4: "branches"}
AMD = {0x76: "instructions", 0xC0: "instructions", 0xC2: "branches", 0xC6: "far",
       0xC3: "never", **CONDITIONS}
K8 = {**AMD, 0xC8: "returns", 0x124: "locked"}
ZEN = {**AMD, 0xC8: "returns", 0xD1: "conditional"}

# These are accesses to registers, in the notation of validation/models/msrs.c. They show which
# bits exist, how counters are written, and which accesses fault. 0xc1 and 0x186 are Intel's
# first counter and select.
SIGN_EXTENDED = ["0xc1=0x12345678", "0xc1:0x12345678"]
SIGN_40 = [*SIGN_EXTENDED, "0xc1=0x180000000", "0xc1:0xff80000000"]
SIGN_48 = [*SIGN_EXTENDED, "0xc1=0x180000000", "0xc1:0xffff80000000"]
SELECT = ["0x186=0x1300c0", "0x186:0x1300c0", "0x186!0x1000000c0", "0x186=0"]
ANY_THREAD = ["0x186=0x2000c0", "0x186=0", "0x38d=0xfff", "0x38d:0xfff", "0x38d=0"]
NO_ANY_THREAD = ["0x186!0x2000c0", "0x38d!4"]
STATUS = ["0x38e!0", "0x390=0xc000000000000000", "0x390!0x100000000000000"]
FULL_WRITES = ["0x345:0x2000", "0x345!0", "0x4c1=0x923456789abc", "0x4c1:0x923456789abc",
               "0xc1:0x923456789abc", "0x4c1!0x1000000000000"]
STATUS_SET = ["0x391=0x100000001", "0x38e:0x100000001", "0x390=1", "0x38e:0x100000000",
              "0x390=0x100000000", "0x38e:0", "0x391!0x100000", "0x392!0"]
VERSION_2 = [*SELECT, *STATUS, "0x309=0xffffffffff", "0x309:0xffffffffff", "0x38d=0xbbb",
             "0x38d:0xbbb", "0x38d=0", "0x38d!0x10000"]
# These accesses show which bits the registers of off-core responses have.
RESPONSE = ["0x1a6=0xffff", "0x1a6:0xffff", "0x1a6!0x10000", "0x1a6=0"]
RESPONSES = ["0x1a7=0x3f807f8fff", "0x1a7:0x3f807f8fff", "0x1a6:0", "0x1a7!0x1000", "0x1a7=0",
             "0x1a6!0x4000000000"]
RESPONSES_CLIENT = [*RESPONSES, "0x1a6!0x40000000"]
RESPONSES_SERVER = [*RESPONSES, "0x1a6=0x3fffff8fff", "0x1a6!0x7000", "0x1a6=0"]
RESPONSES_ICELAKE = ["0x1a6=0x3fffffbfff", "0x1a6!0x4000", "0x1a7!0x4000000000", "0x1a6=0"]
AMD_SELECT = ["0xc0010000=0xffffffff", "0xc0010000:0xffdfffff", "0xc0010000=0",
              "0xc0010004=0xf923456789abc", "0xc0010004:0x923456789abc"]
EXTENDED = [*AMD_SELECT, "0xc0010202=0x30f000300c0", "0xc0010001:0x30f000300c0",
            "0xc0010001=0", "0xc0010202:0", "0xc0010203=0x55", "0xc0010005:0x55",
            "0xc001020b=7", "0xc001020b:7"]


@dataclasses.dataclass(frozen=True)
class Model:
    """The properties that a model of tests/emulator/models.py must show.

    driver: the name by which the kernel calls its counters
    """

    driver: str
    events: dict
    registers: list
    bits: int = 64


MODELS = {
    "pentium3": Model("p6 PMU driver", {0x79: "instructions", 0xC0: "instructions",
                                        0xC4: "branches", 0xC5: "never", **CONDITIONS},
                      [*SIGN_40, *SELECT, "0x187!0x4000c0", "0x186!0x2000c0"], 32),
    "coreduo": Model("Core events, core PMU driver", ARCHITECTURAL,
                     [*SIGN_40, *SELECT, "0x186!0x2000c0"], 32),
    "athlon": Model("AMD PMU driver", AMD, AMD_SELECT, 32),
    "core2": Model("Core2 events, Intel PMU driver",
                   {**ARCHITECTURAL, 0x1C0: "loads", 0x2C0: "stores"},
                   [*SIGN_40, *VERSION_2, *NO_ANY_THREAD, "0x309!0x10000000000", "0x38f!4",
                    "0x38f=0x700000003", "0x38f:0x700000003"]),
    "nehalem": Model("Nehalem events, Intel PMU driver",
                     {**ARCHITECTURAL, 0x10B: "loads", 0x20B: "stores", 0x1C4: "conditional",
                      0x2C4: "calls"},
                     [*SIGN_48, *VERSION_2, *ANY_THREAD, *RESPONSE, "0x38f!0x10",
                      "0x38f=0x70000000f"]),
    "sandybridge": Model("SandyBridge events, Intel PMU driver", HASWELL,
                         [*SIGN_48, *VERSION_2, *ANY_THREAD, *RESPONSES_CLIENT]),
    "haswell": Model("Haswell events, full-width counters, Intel PMU driver", HASWELL,
                     [*SIGN_48, *VERSION_2, *ANY_THREAD, *FULL_WRITES, *RESPONSES_SERVER,
                      "0x391:0"]),
    "skylake": Model("Skylake events, full-width counters, Intel PMU driver", HASWELL,
                     [*SIGN_48, *VERSION_2, *ANY_THREAD, *FULL_WRITES, *STATUS_SET,
                      *RESPONSES_SERVER, "0x187=0", "0x186=0x1000c0", "0x392:0x8000000000000001", "0x186=0",
                      "0x392:0"]),
    "icelake": Model("Icelake events, AnyThread deprecated, full-width counters, Intel PMU driver",
                     {**SANDYBRIDGE, 0x11C4: "conditional"},
                     [*SIGN_48, *SELECT, *STATUS, *NO_ANY_THREAD, *FULL_WRITES, *STATUS_SET,
                      *RESPONSES_ICELAKE, "0x30c=5", "0x30c:5", "0x38f=0xf000000ff", "0x38f:0xf000000ff"]),
    "opteron": Model("AMD PMU driver", K8, AMD_SELECT),
    "fam10h": Model("AMD PMU driver", K8, AMD_SELECT),
    "bulldozer": Model("Fam15h core perfctr, AMD PMU driver", K8, EXTENDED),
    "zen": Model("Fam17h+ core perfctr, AMD PMU driver", ZEN, EXTENDED),
    "zen3": Model("Fam17h+ core perfctr, AMD PMU driver", ZEN, EXTENDED),
    "zen4": Model("Fam17h+ core perfctr, AMD PMU driver", ZEN,
                  [*EXTENDED, "0xc0000300!1", "0xc0000301=0xff", "0xc0000301:0x3f",
                   "0xc0000302=0x3f", "0xc0000300:0"]),
}

# These models are compared with single steps, which is slow.
STEPPED = ("core2", "skylake", "zen")

# Each row has the codes of loads and stores, and the number of forms of instructions in
# validation/models/forms.c that the processor has.
FORMS = {"core2": (0x1C0, 0x2C0, 95), "nehalem": (0x10B, 0x20B, 95),
         "haswell": (0x81D0, 0x82D0, 118)}

PERIOD = 100

# Emulated interrupts take long, which must not make the kernel reduce the sampling rate.
PREPARE = """
echo 1000000 >/proc/sys/kernel/perf_event_max_sample_rate
echo 0 >/proc/sys/kernel/perf_cpu_time_max_percent
"""
PERF = f"""
echo "stat: $(perf stat -x , -e instructions:u ./known 2>&1 | cut -d , -f 1)"
perf record -q -e instructions:u -c {PERIOD} -o /tmp/data ./known
echo "samples: $(perf script -i /tmp/data -F ip | wc -l)"
"""
WATCHDOG = """
grep -qx 1 /proc/sys/kernel/nmi_watchdog && echo 'watchdog: on'
echo 0 >/proc/sys/kernel/nmi_watchdog
insmod ./msr.ko allow_writes=on
"""


def program(bits, name):
    """Return the path of a program of tests/emulator/validation/models."""
    return os.path.join(guest.BUILD, "guest/models", str(bits), name)


def run(machine, bits, script, programs, *files):
    """Run a script that prints checks and other lines; return both."""
    result = guest.run(machine, ["sh", "-c", script],
                       [*(program(bits, name) for name in programs), *files])
    lines = result.stdout.decode(errors="replace").splitlines()
    checks = [line for line in lines if line.startswith(("ok ", "FAIL "))]
    if (result.returncode or result.stderr
            or any(line.startswith("FAIL") for line in checks)):
        raise Failed(guest.shown(result))
    return len(checks), [line for line in lines if line not in checks]


def script_of(name, model):
    """Return the script that runs on a model, and its number of checks."""
    counts = {bits: " ".join(f"{code:#x}={known[event]}" for code, event in model.events.items())
              for bits, known in KNOWN.items()}
    script = [PREPARE, "dmesg | sed -n 's/.*Performance Events: /driver: /p'",
              f"events ./known {counts[model.bits]}", "overflow block", "rdpmc"]
    checks = len(model.events) + 2 + 5 + 4 + len(model.registers)
    if model.bits == 64:
        script += [f"events ./known32 {counts[32]}", PERF, WATCHDOG]
        checks += len(model.events) + 2
    if name in STEPPED:
        script.append("steps ./stepped")
        checks += 1
    if name in FORMS:
        loads, stores, forms = FORMS[name]
        script.append(f"forms {loads:#x} {stores:#x}")
        checks += forms
    script.append(f"msrs {' '.join(model.registers)}")
    return " || exit\n".join(line.strip("\n") for line in script), checks


def counts_exactly(name):
    """Run all programs on one model, which is booted once."""
    model = MODELS[name]
    script, checks = script_of(name, model)
    programs = ["events", "known", "overflow", "rdpmc", "msrs"]
    want = [f"driver: {model.driver}."]
    files = []
    if model.bits == 64:
        programs += ["forms", "known32", "steps", "stepped"]
        files = [os.path.join(guest.path_of("kernel-stock-amd64"), "msr.ko")]
        instructions = KNOWN[64]["instructions"]
        want += [f"stat: {instructions}", f"samples: {instructions // PERIOD}", "watchdog: on"]
    made, others = run(Machine(cpu=name, kernel="stock"), model.bits, script, programs, *files)
    if others != want:
        raise Failed("\n".join(["got:", *others, "want:", *want]))
    if made != checks:
        raise Failed(f"{made} checks were made, want {checks}")
    return f"{made} checks"


def exact_interrupts(name):
    """Test that samples have no skid."""
    made, others = run(Machine(cpu=name, kernel="stock", exact_pmi=True), MODELS[name].bits,
                       PREPARE + "overflow exact", ["overflow"])
    if made != 5 or others:
        raise Failed(f"{made} checks, {others}")


# The watchdog's counter overflows after clocks of about a second.
WAIT_FOR_NMI = """
nmis() { grep NMI: /proc/interrupts | { read name number rest; echo $number; }; }
before=$(nmis)
while [ $(nmis) = $before ]; do
	i=0; while [ $i -lt 10000 ]; do i=$((i + 1)); done
done
"""


def watchdog(name):
    """Test that the kernel's watchdog gets its interrupt."""
    run(Machine(cpu=name, kernel="stock", append="watchdog_thresh=1"), 64, WAIT_FOR_NMI, [])


def tests():
    """Yield one test for each model, which boots once, and a few more."""
    for name in MODELS:
        yield Test(f"model-{name}", "perf_event counts exactly, overflows interrupt, user mode "
                   "reads, and registers have their bits and faults",
                   functools.partial(counts_exactly, name))
    for name in ("pentium3", "haswell", "zen"):
        yield Test(f"exact-pmi-{name}", "an overflow interrupts after the very instruction",
                   functools.partial(exact_interrupts, name))
    for name in ("skylake", "opteron"):
        yield Test(f"nmi-watchdog-{name}", "the kernel's watchdog gets its interrupt",
                   functools.partial(watchdog, name))
