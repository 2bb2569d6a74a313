# SPDX-License-Identifier: GPL-2.0-only
"""Test names of events: generic names on every processor, and names of libpfm4."""

import functools
import re

import guest
import known
from cases import Failed, Test
from cases_families import KERNEL64, MODELS, NARROW
from cases_models import KNOWN, program
from guest import Machine

NAMES = ("instructions", "cycles", "ref-cycles", "branches", "branch-misses", "cache-references",
         "cache-misses", "loads", "stores")

# Each name has its counts in the words of cases_models.KNOWN. An instruction takes one clock,
# and there are no caches.
MEANING = {"instructions": "instructions", "cycles": "instructions", "ref-cycles": "instructions",
           "branches": "branches", "branch-misses": "never", "cache-references": "never",
           "cache-misses": "never", "loads": "loads", "stores": "stores"}

# These are the codes of the names. If a table lacks a name, perfex refuses it.
P6 = {"instructions": 0xC0, "cycles": 0x79, "branches": 0xC4, "branch-misses": 0xC5,
      "cache-references": 0x0F2E, "cache-misses": 0x012E}
P4 = {"instructions": 0x800404000600, "cycles": 0xC00126000200, "branches": 0xA0040C001E00,
      "branch-misses": 0x800406000200, "cache-references": 0xE001180A0E00,
      "cache-misses": 0xE001180A0000}
CORE = {"instructions": 0xC0, "cycles": 0x3C, "ref-cycles": 0x13C, "branches": 0xC4,
        "branch-misses": 0xC5, "cache-references": 0x4F2E, "cache-misses": 0x412E}
INTEL = CORE | {"ref-cycles": 0x300}
SANDYBRIDGE = INTEL | {"loads": 0x81D0, "stores": 0x82D0}
AMD = {"instructions": 0xC0, "cycles": 0x76, "branches": 0xC2, "branch-misses": 0xC3}
K8 = AMD | {"cache-references": 0x077D, "cache-misses": 0x077E}
ZEN = AMD | {"cache-references": 0xF960, "cache-misses": 0x0964, "loads": 0x0529,
             "stores": 0x0629}
CODES = {
    "pentium2": P6, "pentium3": P6, "p4": P4, "prescott": P4, "coreduo": CORE,
    "core2": INTEL | {"loads": 0x1C0, "stores": 0x2C0},
    "nehalem": INTEL | {"loads": 0x10B, "stores": 0x20B},
    "sandybridge": SANDYBRIDGE, "haswell": SANDYBRIDGE, "skylake": SANDYBRIDGE,
    "icelake": SANDYBRIDGE,
    "athlon": AMD | {"cache-references": 0x40, "cache-misses": 0x41},
    "bulldozer": ZEN | {"cache-references": 0x40, "cache-misses": 0x141},
    "opteron": K8, "fam10h": K8, "zen": ZEN, "zen3": ZEN,
    "zen4": ZEN | {"ref-cycles": 0x100000120},
}

# The emulator does not have a model of the events with these codes.
NEVER = (0x0529, 0x0629, 0x100000120)

# These are the codes of the names on the Pentium, as in known.py.
PENTIUM = {"instructions": "0x16", "cycles": "clocks", "branches": "0x12", "loads": "0x00",
           "stores": "0x01", "cache-references": "0x28"}

# These names of libpfm4, on 64-bit processors, have these counts in a 64-bit program.
PFM = {
    "icelake": {"inst_retired:any_p": "instructions", "INST_RETIRED:ANY_P:c=1": "instructions",
                "inst_retired:any_p:c=2": "never", "br_inst_retired:cond": "conditional",
                "br_inst_retired:near_call": "calls", "BR_INST_RETIRED:FAR_BRANCH": "far",
                "mem_inst_retired:all_loads": "loads", "mem_inst_retired:all_stores": "stores",
                "br_inst_retired:near_return@2": "returns",
                "inst_retired:any": "instructions", "cpu_clk_unhalted:ref_tsc": "instructions"},
    "nehalem": {"inst_retired:any_p": "instructions", "BR_INST_RETIRED:CONDITIONAL": "conditional",
                "br_inst_retired:near_call": "calls", "br_inst_retired": "branches",
                "mem_inst_retired:loads": "loads", "mem_inst_retired:stores": "stores"},
    "prescott": {"INSTR_RETIRED:NBOGUSNTAG": "instructions", "instr_completed:nbogus@17": "instructions",
                 "instr_retired:nbogusntag:thr=1": "never",
                 "retired_branch_type:conditional": "conditional",
                 "retired_branch_type:call": "calls", "retired_branch_type:RETURN": "returns"},
    "zen": {"RETIRED_INSTRUCTIONS:c=1": "instructions", "retired_near_returns": "returns",
            "retired_conditional_branch_instructions": "conditional",
            "retired_far_control_transfers": "far"},
}

# These names are refused: vpmc cannot count the events, or libpfm4 has no such name.
PFM_REFUSED = {
    "icelake": {"offcore_response_0:demand_data_rd_l3_miss": "second register",
                "topdown:slots": "needs a fixed counter that vpmc does not count",
                "inst_retired:any_p:intx": "depends on guests or transactions",
                "br_inst_retired:no_such": "unknown behind its first colon",
                "no_such": "neither here nor in libpfm4"},
    "nehalem": {"offcore_response_0:any_data": "second register",
                "inst_retired:any_p:t": "leave out the modifier t",
                "inst_retired:u:c=1": "modes come last"},
    "prescott": {"b2b_cycles:bit1": "its counters are not known",
                 "instr_retired:bogus": "unknown modes in",
                 "replay_event:nbogus": "needs more registers",
                 "no_such": "neither here nor in libpfm4"},
    "zen": {"no_such:any": "neither here nor in libpfm4"},
}


def run(machine, bits, commands):
    """Return the lines on standard error of commands that count the program of known counts."""
    script = "\n".join(f"perfex {options} ./known" for options in commands)
    result = guest.run(machine, ["sh", "-c", f"{script}\nexit 0"],
                       [guest.perfex(bits), program(bits, "known")])
    if result.returncode:
        raise Failed(guest.shown(result))
    return result.stderr.decode().splitlines()


def compare(found, want):
    """Compare lines: counts as lists of words, and refusals by a part of the sentence."""
    for line, expected in zip(found, want):
        right = expected in line if isinstance(expected, str) else line.split() == expected
        if not right:
            raise Failed(f"got:  {line}\nwant: {expected}")
    if len(found) != len(want):
        raise Failed(f"{len(found)} lines, want {len(want)}:\n" + "\n".join(found))


def counted(name, code, count):
    """Return the words of a line of the report. Without a count, the event is not emulated."""
    return [str(count) if count else "-", f"{code:#04x}", f"{name}:u",
            *([] if count else "# not emulated here".split())]


def generic(machine, cpu, bits=32):
    """Test that each generic name counts its event or is refused with the reason."""
    codes = CODES[cpu]
    want = []
    for name in NAMES:
        if name in codes:
            meaning = "never" if codes[name] in NEVER else MEANING[name]
            want.append(counted(name, codes[name], KNOWN[bits][meaning]))
            if "cycles" in name and meaning != "never":
                want.append(guest.clocks_note(1))
        else:
            want.append(f"perfex: event {name} cannot be counted on this processor "
                        f"({MODELS[cpu]}): ")
    want += [counted(name, codes[name], KNOWN[bits][name]) for name in ("instructions", "branches")]
    commands = [f"-e {name}" for name in NAMES] + ["-e instructions,branches"]
    compare(run(machine, bits, commands), want)


def pentium(machine):
    """Compare the counts on the Pentium. The Pentium's own names for the same events still work."""
    counts = known.program("calls").counts
    words = " ".join(f"-e {name}" for name in PENTIUM)
    script = f"for e in {words.replace('-e ', '')}; do perfex -e $e ./calls; done\n" \
             "perfex -e instructions,instructions_executed ./calls"
    result = guest.run(machine, ["sh", "-c", script], [guest.PERFEX, guest.program("calls")])
    found = [line if line[0] == "#" else (line.split()[0], line.split()[2])
             for line in result.stderr.decode().splitlines()]
    want = [(str(counts[code]), f"{name}:u") for name, code in PENTIUM.items()]
    want.insert(list(PENTIUM).index("cycles") + 1, guest.clocks_note(1))
    want += [(str(counts["0x16"]), f"{name}:u") for name in ("instructions",
                                                             "instructions_executed")]
    if result.returncode or found != want:
        raise Failed(f"{guest.shown(result)}\nwant: {want}")


def pfm(machine, cpu):
    """Test that names of libpfm4 count the events of the manuals, and that others are refused with
    the reason."""
    events = {name: KNOWN[64][meaning] for name, meaning in PFM[cpu].items()}
    refused = PFM_REFUSED[cpu]
    found = run(machine, 64, [f"-e {name}" for name in [*events, *refused]])
    compare([" ".join(line.split()[::2]) for line in found[:len(events)]],
            [f"{count} {name.partition('@')[0].lower()}:u" for name, count in events.items()])
    # The note about clocks comes last.
    clocks = [guest.clocks_note(1)] * ("cpu_clk_unhalted:ref_tsc" in events)
    compare(found[len(events):], [*clocks, *refused.values()])


def homonym(machine):
    """Test that perfex counts its own event if libpfm4 has another event of the same name, and
    reports this.

    If the name has the prefix of libpfm4's PMU, or if a code is passed, perfex reports nothing.
    """
    said = ("perfex: {}event \"{}\" is counted as 0x13c, but libpfm4 has 0x300 under that name: "
            "write icx::unhalted_reference_cycles to count that one, or 0x13c to count this one "
            "without a warning").format
    clocks = guest.clocks_note(1)
    named = "unhalted_reference_cycles"
    script = f"""perfex -e Unhalted_Reference_Cycles@1:u ./known
perfex -e icx::{named} ./known
perfex -e 0x13c ./known
echo {named} > events
perfex -e @events ./known
exit 0"""
    result = guest.run(machine, ["sh", "-c", script], [guest.perfex(64), program(64, "known")])
    count = KNOWN[64]["instructions"]
    want = [said("", "Unhalted_Reference_Cycles@1:u"), counted(named, 0x13C, count), clocks,
            counted(f"icx::{named}", 0x300, count), clocks,
            counted(named, 0x13C, count), clocks,
            said("events:1:1: ", named), counted(named, 0x13C, count), clocks]
    if result.returncode:
        raise Failed(guest.shown(result))
    compare(result.stderr.decode().splitlines(), want)


def pfm_list(machine, cpu):
    """Check that the list has libpfm4's events of this processor, each with a code that counts.

    The list has each name once, as the library's own table writes it, and gives a reason for
    each event that is left out.
    """
    result = guest.run(machine, ["perfex", "-l"], [guest.perfex(64)])
    lines = {words[2].upper(): words[0] for line in result.stdout.decode().splitlines()
             if (words := line.split())[0] == line.partition(" ")[0] != "#"}
    names = [re.split("@|:C=|:THR=", name.upper())[0] for name in PFM[cpu]]
    missing = [name for name in names if name not in lines and f"{name}:ALL_BRANCHES" not in lines]
    left_out = re.search(r"^# (\d+) events? of libpfm4 (?:is|are) not listed, because vpmc cannot "
                         r"count (?:it|them):\n((?:#   \d+: .+\n)+)", result.stdout.decode(), re.M)
    told = left_out and sum(map(int, re.findall(r"^#   (\d+): ", left_out[2], re.M)))
    if result.returncode or missing or len(lines) < 100 or not told or told != int(left_out[1]):
        raise Failed(f"missing: {missing}\n{guest.shown(result)}")
    return f"{len(lines)} events, {told} left out"


def without(machine):
    """Test that a perfex that was built without libpfm4 says so."""
    compare(run(machine, 32, ["-e inst_retired:any_p"]), ["libpfm4, which may have it, was left out when libvpmc was built"])


def tests():
    """Yield the tests of this file."""
    for cpu in MODELS:
        yield Test(f"names-{cpu}", "a generic name counts the same on every processor, or is "
                   "refused", functools.partial(generic, Machine(cpu=cpu), cpu))
        if cpu not in NARROW:
            yield Test(f"names-{cpu}-amd64", "the same on a 64-bit kernel", functools.partial(
                generic, Machine(cpu=cpu, kernel=KERNEL64), cpu, 64))
    for cpu in ("p5", "mmx"):
        yield Test(f"names-{cpu}", "the Pentium has the generic names beside its own",
                   functools.partial(pentium, Machine(cpu=cpu)))
    for cpu in PFM:
        machine = Machine(cpu=cpu, kernel=KERNEL64)
        yield Test(f"pfm-{cpu}", "a name of libpfm4 counts, or is refused with the reason",
                   functools.partial(pfm, machine, cpu))
        yield Test(f"pfm-list-{cpu}", "the list has the names of libpfm4",
                   functools.partial(pfm_list, machine, cpu))
    yield Test("pfm-homonym", "a name that libpfm4 has for another event is told",
               functools.partial(homonym, Machine(cpu="icelake", kernel=KERNEL64)))
    yield Test("pfm-without", "without libpfm4 the sentence says so",
               functools.partial(without, Machine(cpu="icelake")))
