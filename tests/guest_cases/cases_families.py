# SPDX-License-Identifier: GPL-2.0-only
"""Test families of processors other than the Pentium: their counts are the same, and perf_event
works next to the driver."""

import dataclasses
import functools
import os
import re

import campaigns
import cases_adversary
import cases_attach
import cases_follow
import cases_system
import cases_trust
import guest
from cases import Failed, Test
from guest import Machine

def of(cases, *names):
    """Return programs of another file of cases, with their rules."""
    return {name: cases.PROGRAMS[name] for name in names}


# These programs know the codes of instructions and branches of each family. Each has the rule
# that it tests.
FOLLOWING = of(cases_follow, "collect", "inherit", "waits")
PROGRAMS = of(cases_attach, "attach", "fold") | FOLLOWING
# These programs use all counters of the processor.
WIDE = PROGRAMS | of(cases_system, "takeover") | of(cases_follow, "gaps", "reconfigure") | {
    "mixed": "tasks that count the same, other or no events have their own counts",
}
# Events that Intel's processors have had since version 2.
FIXED = {"fixed": "a fixed counter counts its event, and is read and hidden, as others are"}
# These programs read counts without system calls.
READERS = {
    "inline": "a count read without a system call is exact, or is none",
    "inline_raw": "RDPMC shows no counts of other processes, and is refused without a page",
    "inline_step": "a read that is interrupted at any of its instructions is exact",
}
KNOWN = ("exactly-1000", "exactly-1000000", "exactly-10000000")

# The events count the instructions of these programs, or their clocks: each instruction takes
# one clock.
LENGTHS = (5, 1000, 12345, 1000000)
EVENTS = {
    "p6": (["inst_retired", "cpu_clk_unhalted"], ["0x79", "0xc0"], ["inst_retired@1"]),
    "intel": (["instructions_retired", "unhalted_core_cycles"], ["0x13c", "0xc0"], ["0xc0@1"]),
    "p4": (["instr_retired", "global_power_events"], ["cycles", "instructions"],
           ["instr_retired@17"]),
    "amd": (["retired_instructions", "cpu_clocks_not_halted"], ["0x76", "0xc0"] * 2, ["0xc0@3"]),
}

# Among the events above and below, these names mean clocks.
CLOCKS = {"cycles", "global_power_events", "cpu_clk_unhalted", "0x79", "unhalted_core_cycles", "0x3c", "0x13c", "0x300",
          "cpu_clocks_not_halted", "0x76"}

# Each model of the emulator has the family of its driver.
MODELS = {
    "pentium2": "p6", "pentium3": "p6", "p4": "p4", "prescott": "p4",
    "coreduo": "intel", "core2": "intel", "nehalem": "intel", "sandybridge": "intel",
    "haswell": "intel", "skylake": "intel", "icelake": "intel",
    "athlon": "amd", "opteron": "amd", "fam10h": "amd",
    "bulldozer": "amd", "zen": "amd", "zen3": "amd", "zen4": "amd",
}

# These programs run on a 32-bit kernel, by model and number of processors. A model that has no
# other kernel runs all programs. Other models run the programs for which the width or the number of
# counters matters. netburst() has those of the Pentium 4.
ALL = {("pentium3", 1): READERS, ("pentium3", 2): PROGRAMS | READERS,
       ("icelake", 1): ("takeover", "inline_raw"), ("icelake", 2): ("mixed", "inherit"),
       ("nehalem", 2): ("inherit", "collect"),
       ("zen4", 2): ("takeover", "mixed")}


# Each row has the number of registers of off-core responses, and the bits that are not reserved.
RESPONSES = {"nehalem": (1, 0xffff), "sandybridge": (2, 0x3f807f8fff),
             "icelake": (2, 0x3fffffbfff)}
RESPONSES64 = ("sandybridge", "icelake")


# These programs do not depend on the family.
GENERAL = of(cases_attach, "attach_ends", "attach_running", "attach_threads") | of(
    cases_follow, "privileged_exec", "privileged_self") | of(cases_system, "permissions") | {
        "rdpmc_always": "RDPMC shows nothing of the kernel and of others where perf permits it to everybody",
        "reserve": "the counters are the driver's or perf_event's, never both's",
        "sets": "a set of events is shared by those who may share it",
    }

# These programs do not depend on the family either. They write, rotate or read counters in
# special ways.
HARDWARE64 = of(cases_system, "system") | of(cases_follow, "multiplex") | {
    "rdpmc_after_exit": "an exiting thread leaves no counts for the process whose mm it borrows",
    "abi": "each refusal has its errno and reason and changes nothing",
    "isolation": "16 processes through 100000 switches read their own numbers",
    "library": "libvpmc keeps its promises with the real driver, and explains each error",
    "rdpmc_kernel": "RDPMC shows nothing of the kernel, whoever counts it",
    "regions": "regions count exactly, and their cost is known",
    "signals": "a signal says that a count has passed a multiple: none lost, none twice",
    "takeover_other": "system mode with other events than threads is exact",
}

# These programs do not depend on the family either. They test how counts are used.
ONE64 = of(cases_attach, "attach_family", "attach_refusal", "force") | {
    "identity": "each start has its own number, which every answer carries",
    "joins": "a start beside others that count changes nothing of theirs, or is refused",
    "matrix": "counts are shown only to processes that could have watched the program",
    "unwritable_answer": "a call whose answer cannot be written changes nothing",
    "device_read": "read(2) is for the process that opened the device, and says what VPMC_READ says",
    "scopes": "THREAD and SELF hold what their threads counted, over stop, exec and exit",
}

# These programs start programs that KNOWN does not have.
STARTED = {"isolation": ("programs/switcher",), "matrix": ("puppet",),
           "turns": ("programs/exactly-100000",)}

# These arguments make long tests shorter than on the Pentium. The arguments of the other programs
# say what is counted.
ARGUMENTS64 = {"isolation": ("16", "100000"), "matrix": ("some",),
               "scopes": ("exactly-1000", "1000", "499")}

# The checks of memory in these programs are exact on one processor.
ALONE64 = {
    "records_bound": ("records that nobody takes are bounded, and lost ones are counted", "delay"),
}

# These programs do many things at the same time. Each has its rule, its arguments and
# properties of the machine.
STORMS64 = {
    "attach_storm": ("no call on a target that comes and goes ends wrong or leaves anything",
                     ("/vpmc.ko", "8000"), {"parallel": True}),
    "endurance": ("tasks of all kinds count exactly for ever, and no memory is kept",
                  ("1", "20000"), {}),
    "extra_counts": (cases_follow.EXTRA, ("more",), {}),
    "inline_vfork": ("a child of vfork finds no count in its parent's page", ("1", "20"),
                     {"adversary": True}),
    "page_first_read": ("a page that somebody else reads first shows exact counts or none",
                        ("2", "40"), {}),
    "restart": ("each start of a thread's own begins at zero, is exact, and is kept for its parent",
                ("3", "20"), {}),
    "module": ("the driver is unloaded when no thread has counters, and leaves nothing",
               ("/vpmc.ko", "10"), {}),
    "takeover_storm": ("no read has the old generation and a count from after the takeover",
                       ("200",), {"parallel": True}),
    "counter_ranges": ("ticks and time fold, rotate and notify exactly", (),
                       {"smp": 1, "icount": True}),
    "arguments": ("no argument has the driver keep, tell or break anything", ("1", "110000"),
                  {"smp": 1}),
    "faults": ("a call that fails for lack of memory has changed nothing and leaves nothing",
               ("driver",), {"smp": 1}),
    "cgroup": ("the driver's memory is charged to the memory cgroup that causes it", (),
               {"smp": 1, "icount": True}),
    "cgroup_enter": ("processes that are in a cgroup, enter it or are born there count exactly, "
                     "and no others", (), {}),
    "cgroup_limit": ("processes in a cgroup are counted or missing though memory for records is "
                     "used up", (), {"smp": 1}),
    "cgroup_moves": ("a process that is moved back and forth counts or is missing once, and the "
                     "memory stays bounded", (), {}),
    "oom_kill": ("a process that the OOM killer ends leaves all its counts, and holds nothing",
                 (), {"smp": 1, "skips_waits": True}),
    "drop_privileges": ("a process that gives up rights sees exactly what it may still watch",
                        ("namespaces",), {}),
    "namespaces": ("rights in a process's own namespace give none over counters", (), {"smp": 1}),
    "kernel_waits": ("the kernel adds counts of processes that it waits for itself, too", (), {"smp": 1}),
    "start_duration": ("how long a start takes does not say what others count", (),
                       {"smp": 1, "icount": True}),
    "scaling": ("a call interrupts only processors that run threads of its process, once for all "
                "of them", ("interrupts", "1000"), {"adversary": True}),
    "start_failure": ("a start that fails leaves the process in no collection",
                      ("200",), {"single_step": True}),
    "io_uring": ("threads that the kernel creates in a process for its system calls count with it",
                 (), {}),
    "suspend": ("nothing is lost when the machine sleeps, and counting goes on when it is back",
                (), {"wake": True}),
    "signal_exit": ("a thread that asked for signals can exit while others are interrupted",
                    ("80",), {"single_step": True}),
    "tree": ("the sums of a tree of processes and what is missing there is all they did",
             ("1300", "31", "32", "33"), {}),
}

# These programs use modules of tests/guest/delay to hold processes in the kernel.
DELAYED64 = {
    "attach_delay": ("a start on a process reaches a thread that is being created, too",
                     "delay", "delay2"),
    "cgroup_delay": ("a process that enters a cgroup counts what its handle counts by then",
                     "delay", "delay2"),
    "epoch_delay": ("threads of a process that count go on together, whatever system mode did",
                    "delay"),
    "fold_delay": ("counts find the parent at the exit, also if it is released meanwhile", "delay"),
    "fold_wait": ("counts of an exit are not lost while the parent is reaped", "delay", "delay2"),
    "force_delay": ("a child inherits, too, if its parent is started again by force in the fork",
                    "delay", "delay2"),
    "fork_delay": ("a child inherits what its parent counts, however that changes in the fork",
                   "delay"),
    "page_delay": ("a page shows what its own thread has started, or has seen", "delay"),
    "rdpmc_fork": ("RDPMC is for who has a page, and for the children of these", "delay"),
    "signal_sleep": ("a signal that is due wakes its thread, whoever is next", "delay"),
    "user_worker": ("a worker of io_uring counts, and cannot be attached to", "worker"),
    "ticks": ("the clock may tick at each instruction of calls and hooks", "ticks"),
}

# With 32 bits, only the debug kernel has what these programs need.
ONLY_DEBUG = ("cgroup", "cgroup_delay", "cgroup_enter", "cgroup_limit", "cgroup_moves", "faults",
              "io_uring", "kernel_waits", "namespaces", "oom_kill", "suspend")
# With 32 bits, the usual kernel lets these programs do only what they do without arguments.
WITHOUT_ARGUMENTS = ("drop_privileges", "extra_counts")

# These models run on a 64-bit kernel. They are a processor of Intel whose counters can be written
# in full, one whose counters cannot, and one of AMD.
KERNEL64 = "vpmc-amd64"
MODELS64 = {"icelake": 2, "nehalem": 1, "zen4": 1}
NARROW = ("pentium2", "pentium3", "p4", "coreduo", "athlon")
# These 32-bit programs run on a 64-bit kernel. Together they test each structure of the
# interface.
COMPAT = ("collect", "inline", "permissions", "sets", "signals", "takeover", "waits")


# These programs wait most of the time, on these numbers of processors. If time follows the
# instructions, threads run in another order, so rdpmc_kernel with two processors keeps the
# host's time.
WAITING = {"counter_release": (1, 2), "reserve": (1, 2), "rdpmc_kernel": (1,)}


def machine_for(program, cpu, smp, kernel="vpmc"):
    """Return the machine for a program.

    A tracer that moves a thread between processors needs both of them.
    """
    return Machine(cpu=cpu, smp=smp, kernel=kernel, parallel=program == "inline_step",
                   skips_waits=smp in WAITING.get(program, ()))


def checks(machine, program, bits=32, modules=(), arguments=()):
    """Run one of the programs."""
    lines = guest.run_checks(machine, [program, *arguments],
                             [guest.tool(program, bits), guest.tool("setcap", bits),
                              *(guest.tool(name, bits) for name in STARTED.get(program, ())),
                              *(guest.tool_module(name, machine.booted()) for name in modules),
                              *(guest.program(name, bits) for name in KNOWN)])
    return f"{len(lines)} checks"


def notes(events):
    """Return the note that a report with clocks has."""
    many = sum(event.partition("@")[0] in CLOCKS for event in events)
    return [guest.clocks_note(many)] if many else []


def perfex(machine, family, bits=32):
    """Count programs of known length with perfex."""
    runs = [(events, length) for events in EVENTS[family] for length in LENGTHS]
    script = "; ".join(" ".join(["perfex", *(f"-e {event}" for event in events),
                                 f"./exactly-{length}"]) for events, length in runs)
    result = guest.run(machine, ["sh", "-c", script], [
        guest.perfex(bits), *(guest.program(f"exactly-{length}", bits) for length in LENGTHS)])
    found = [line if line[0] == "#" else line.split()[0]
             for line in result.stderr.decode().splitlines()]
    if result.returncode or found != [line for events, length in runs for line in
                                      [str(length)] * len(events) + notes(events)]:
        raise Failed(guest.shown(result))
    return f"{len(runs)} runs"


def refusals(machine, events, wanted):
    """Test the messages of perfex for events that cannot be counted."""
    script = "; ".join(f"perfex {options} ./exit" for options in events)
    result = guest.run(machine, ["sh", "-c", script], [guest.PERFEX, guest.program("exit")])
    lines = result.stderr.decode().splitlines()
    if len(lines) != len(wanted) or any(text not in line for text, line in zip(wanted, lines)):
        raise Failed(guest.shown(result))


def chosen(machine, events):
    """Count events whose counters the driver chooses, some of which only one counter can count."""
    for order in (list(events), list(events)[::-1]):
        words = " ".join(f"-e {event}" for event in order)
        result = guest.run(machine, ["sh", "-c", f"perfex {words} ./exactly-1000"],
                           [guest.PERFEX, guest.program("exactly-1000")])
        lines = result.stderr.decode().splitlines()
        found = [line.split()[:2] for line in lines[:len(order)]]
        want = [[str(events[event] or "-"), event.partition("@")[0]] for event in order]
        if result.returncode or found != want or lines[len(order):] != notes(order):
            raise Failed(guest.shown(result))


# While a process counts an event of 12 bits in user mode, AMD's first select register has the
# enable bit and all 12 bits of the event.
SELECT = "perfex -e 0x1000001c0@0 ./msrs 0xc0010200:0x1004101c0"


def twelve_bits(machine):
    """Check the select register for an event of 12 bits."""
    result = guest.run(machine, ["sh", "-c", SELECT], [
        guest.perfex(64), os.path.join(guest.BUILD, "guest/models/64/msrs")])
    if result.returncode or not result.stdout.startswith(b"ok 0xc0010200 reads as 0x1004101c0,"):
        raise Failed(guest.shown(result))


def crowded(machine):
    """Let two events share the counter that both need. A third event keeps its own counter."""
    result = guest.run(machine, ["perfex", "--multiplex", "-e", "0x148", "-e", "0x8a3", "-e",
                                 "0xc0", "./exactly-1000000"],
                       [guest.PERFEX, guest.program("exactly-1000000")])
    lines = result.stderr.decode().splitlines()
    if result.returncode or len(lines) != 3 or "#" not in lines[0] + lines[1] or \
            lines[2].split() != ["1000000", "0xc0", "instructions_retired:u"]:
        raise Failed(guest.shown(result))


def fill(groups, numbers):
    """Return two events of the Pentium 4 for each of these numbers of an ESCR, in a group of
    counters. They are not emulated, so the count of each code is 0."""
    return {f"{number << 45 | groups << 32 | mask << 9 | 1 << 25:#x}": 0
            for number in numbers for mask in (1, 2)}


# Each model has events that fit together, with their counts in a program of 1000 instructions.
# Events that are not emulated count nothing. On the Pentium 4 they use all counters, and each ESCR
# of the first three groups has another value.
CHOSEN = {
    "p4": fill(1, (4, 1)) | fill(2, (0, 1)) | fill(3, (0, 5)) | fill(4, (2,)) | {
        "0x800404000600": 1000, "0x800404000200": 1000, "0xa0040c001e00": 499,
        "0xa0040c001800": 498},
    "pentium3": {"0x05": 0, "0xc0": 1000},
    "opteron": {"0x20": 0, "0x47": 0, "0xc0": 1000},
    "haswell": {"0xc0": 1000, "0x148": 0, "0x3c": 1000, "0x1c0": 1000, "0xc0@0": 1000,
                "0x13c": 1000, "0xc0@3": 1000},
    "bulldozer": {"0xc0": 1000, "0x76": 1000, "0x80": 0, "0x8f": 0, "0x00": 0, "0x03": 0},
    # Events of nine digits have 12 bits. They differ from 03h and C0h, which have the same
    # lower 8 bits.
    "fam10h": {"0x1000000c0": 0, "0xc0": 1000},
    "zen": {"0x1000000c0": 0, "0xc0": 1000, "0x100000003": 0},
    "zen4": {"0xf000000c0": 0, "0xc0": 1000, "0x100000120": 0},
    # These events use all counters: the first two need both general ones.
    "core2": {"0xcb": 0, "0x12": 0, "0xc0": 1000, "0x3c": 1000, "0x300": 1000},
    "nehalem": {"0xc0": 1000, "0xc0@4": 1000, "0x3c@5": 1000, "0x3c": 1000, "0x300@6": 1000,
                "0x1c0": 1000, "0x13c": 1000},
    "icelake": {"0xc0": 1000, "0xd0": 0, "0xd1": 0, "0x3c": 1000, "0xd2": 0, "0xd3": 0,
                "0xc0@7": 1000, "0x4a3": 0},
}
# These are Ice Lake's events above, and more, on all counters.
CHOSEN_ALL = CHOSEN["icelake"] | {"0x1c0": 1000, "0x13c": 1000, "0x300": 1000}


def listed(machine):
    """Test that only events that the emulator lacks are marked."""
    result = guest.run(machine, ["perfex", "-l"], [guest.PERFEX])
    # A line that begins with blanks continues the line before it.
    marked = {line.split()[2]: "not emulated" in line for line in
              re.sub(r"\n +", " ", result.stdout.decode()).splitlines()}
    if not marked or any(marked.get(name) not in (None, value) for name, value in LISTED.items()):
        raise Failed(guest.shown(result))


LISTED = {
    "inst_retired": False, "segment_reg_loads": False, "misalign_mem_ref": True, "ifu_ifetch": True,
    "instructions_retired": False, "branch_misses_retired": True,
    "retired_instructions": False, "retired_mispredicted_branch_instructions": True,
}

# Each model has options of perfex that are refused, and the messages.
REFUSALS = {
    "p4": {
        # There are two ESCRs for each kind of event, and one register of tags.
        "-e instr_retired:k -e instr_retired:u -e instructions:uk":
            "no counter left for event instructions:uk: it needs register 0x3b8, in which event "
            "instr_retired:k needs another value",
        "-e branch_retired@12 -e front_end_event@16":
            "it needs register 0x3cc, in which event branch_retired@12 needs another value",
        "-e instr_retired " * 7: "event instr_retired and others have all that can count it",
        "-e instr_retired@13 -e branch_retired@13":
            "event instr_retired@13 and others have all that can count it",
        "-e replay_event:l1_ld_miss -e replay_event:l2_ld_miss":
            "no register left for the tags of event replay_event:l2_ld_miss: event "
            "replay_event:l1_ld_miss needs others",
        "-e front_end_event:pp": "precise samples need a period",
        "--profile -e front_end_event:pp/1000 -e replay_event:l1_ld_miss:pp/1000":
            "event front_end_event:pp and others have all that can count it",
        "--multiplex -e instr_retired@12 -e branch_retired@12 -e instr_retired@13:k":
            "another value in a register that its counter shares",
        "-e escr=0x2000200:cccr=0x8000": "it means another event on other counters, so give a counter",
        "-e escr=0x2000200:cccr=0x9000@0": "bits 0x1000 of cccr are reserved",
        "-e escr=0x4000604:cccr=0x8000": "bits 0x4 of escr are reserved",
        "-e escr=0x12000200:cccr=0xa000:pebs=0x2000000:matrix=0x1":
            "bits 0x2000000 of pebs are reserved",
        "-e escr=0x12000200:cccr=0xa000:pebs=0x1:matrix=0x2000": "bits 0x2000 of matrix are reserved",
        "-e escr=0x12000200:cccr=0xa000:pebs=0x1000": "no metric of the manual has these tags",
        "-e escr=0x12000200:cccr=0xa000": "additional registers that are needed by event escr=",
        "-e escr=0x4000600:cccr=0x8000:pebs=0x1:matrix=0x1": "additional registers",
        "-e escr=0x4000600": "write escr=NUMBER:cccr=NUMBER",
        "-e escr=0x4000600:cccr=0x1fc8000:u": "one alone where clocks need both (:uk)",
        "-e 0x800404000601": "reserved bits are set in the code of event 0x800404000601",
        "-e 0x1000404000600": "reserved bits are set in the code of event 0x1000404000600",
        "-e 0xe00404000600": "the driver does not know event 0xe00404000600",
        "-e 0xc00106800200": "other processors' work is counted, too, by event 0xc00106800200",
        "-e instr_retired@3": "event instr_retired@3 cannot be counted on counter 3: choose counter 12",
        "-e 0x800404000601 -e instr_retired": "reserved bits are set in the code of event",
        "-e instr_retired@18": "this processor (p4) has counters 0 to 17",
    },
    "pentium3": {
        "-e mul -e div": "no counter left for event div: it needs counter 1",
        "-e 0x2065": "other processors' work is counted, too, by event 0x2065",
        "-e 0x10@1": "event 0x10@1 (fp_comp_ops_exe) cannot be counted on counter 1: choose counter 0",
        "-e 0x4000c0": "reserved bits are set in the code of event 0x4000c0",
    },
    "coreduo": {
        "-e 0x300": "the driver does not know event 0x300",
        "-e 0xc0@2": "this processor (intel) has counters 0 to 1",
    },
    "core2": {
        "-e 0xc024": "other processors' work is counted, too, by event 0xc024",
        "-e 0xe062": "other processors' work is counted, too, by event 0xe062",
        "-e 0x2065": "other processors' work is counted, too, by event 0x2065",
    },
    "nehalem": {
        "-e 0x100b": "additional registers that are needed by event 0x100b",
        "-e 0x63@2": "another counter must count event 0x63 (raw) on counter 2",
        "-e 0x14c@2": "another counter must count event 0x14c (raw) on counter 2",
        "-e 0x14e@3": "another counter must count event 0x14e (raw) on counter 3",
        "-e 0x152@2": "another counter must count event 0x152 (raw) on counter 2",
        "-e 0x153@3": "another counter must count event 0x153 (raw) on counter 3",
    },
    "skylake": {
        "-e 0x1c6": "additional registers that are needed by event 0x1c6",
        "-e 0x1d1@7": "another counter must count event 0x1d1",
    },
    "haswell": {
        "-e 0x148 -e 0x8a3": "the processor has no counter left for event 0x8a3 (raw)",
        "-e 0x148@0": "another counter must count event 0x148 (raw) on counter 0",
        "-e 0x1c0@2": "another counter must count event 0x1c0 (raw) on counter 2",
        "-e 0x1b7": "additional registers that are needed by event 0x1b7",
        "-e 0x4000c0": "reserved bits are set in the code of event 0x4000c0",
        "-e 0xc0@11": "this processor (intel) has counters 0 to 10",
        "-e 0xc0@9": "event 0xc0@9 (instructions_retired) cannot be counted on counter 9: choose",
        "-e branches@8": "event branches@8 cannot be counted on counter 8: choose counter 0 or",
        "-e ref-cycles@7": "event ref-cycles@7 cannot be counted on counter 7: choose counter 10 or",
        "-e ref-cycles -e 0xc0@8 -e ref-cycles": "it needs counter 10, which event ref-cycles has",
        "-e 0x300@7": "another counter must count event 0x300 (raw) on counter 7",
        "-e 0x4c4@8": "another counter must count event 0x4c4 (raw) on counter 8",
        "-e Branches:u " * 9: "no counter left for event Branches:u: other events",
        "-e cpu-cycles@7 -e Instructions@7:k": "no counter left for event Instructions@7:k: it needs "
                                               "counter 7, which event cpu-cycles@7 has",
        "-e r1c0 -e r148@0":
            "another counter must count event r148@0 (0x148) on counter 0",
        "-e 0x4c4 " * 9: "the processor has no counter left for event 0x4c4",
    },
    "fam10h": {
        "-e 0x4000000e0": "other processors' work is counted, too, by event 0x4000000e0",
        "-e 0x10000000c0": "reserved bits are set in the code of event 0x10000000c0",
    },
    "zen": {
        "-e 0xff03": "additional registers that are needed by event 0xff03",
    },
    "bulldozer": {
        "-e 0x3 -e 0x304": "no counter left for event 0x304",
        "-e 0x1100@4": "another counter must count event 0x1100 (raw) on counter 4",
        "-e 0x100@2": "another counter must count event 0x100 (raw) on counter 2",
        "-e 0x8f@1": "another counter must count event 0x8f (raw) on counter 1",
        "-e 0x76@3": "another counter must count event 0x76",
        "-e 0x131@3": "another counter must count event 0x131 (raw) on counter 3",
        "-e 0x331": "the driver does not know event 0x331 (raw)",
        "-e 0x1000000c0@2": "another counter must count event 0x1000000c0 (raw) on counter 2",
        # Only some counters can count this event. Event 1D6h has the same lower 8 bits, but any
        # counter can count it.
        "-e 0xd6@3": "another counter must count event 0xd6 (raw) on counter 3",
        "-e 0xa0": "the driver does not know event 0xa0 (raw)",
        "-e 0xe0": "other processors' work is counted, too, by event 0xe0",
    },
    "opteron": {
        "-e 0xe0": "other processors' work is counted, too, by event 0xe0",
        "-e 0x1000000c0": "reserved bits are set in the code of event 0x1000000c0",
        "-e 0xc0@4": "this processor (amd) has counters 0 to 3",
    },
}


def programs():
    """Yield tests of programs on the models of ALL, and of fixed counters."""
    for (cpu, smp), names in ALL.items():
        for program in names:
            # On these models, counters are read as on Nehalem.
            if program == "inline_step" and not guest.LONG:
                continue
            yield Test(f"{program}-{cpu}-{smp}",
                       (WIDE | READERS | GENERAL | HARDWARE64 | ONE64)[program],
                       functools.partial(checks, machine_for(program, cpu, smp), program))
    for cpu in ("core2", "nehalem", "icelake"):
        yield Test(f"fixed-{cpu}", FIXED["fixed"],
                   functools.partial(checks, Machine(cpu=cpu), "fixed"))
    for cpu in ("pentium3", "core2", "nehalem", "icelake", "athlon", "zen4"):
        yield Test(f"inherit-{cpu}-wrap", "counts are extended beside counters that wrap",
                   functools.partial(checks, Machine(cpu=cpu, append="vpmc.test_seed=50"),
                                     "inherit"))


def programs64():
    """Yield the programs for a 64-bit kernel that are not in cases_exact64.py: 64-bit programs, and
    some 32-bit programs."""
    every = WIDE | GENERAL | READERS | HARDWARE64
    for cpu, smp in MODELS64.items():
        for program in every:
            if program in FOLLOWING:
                continue
            yield Test(f"{program}-{cpu}-amd64", every[program],
                       functools.partial(checks, machine_for(program, cpu, smp, KERNEL64),
                                         program, 64, arguments=ARGUMENTS64.get(program, ())))
    for cpu in ("core2", "nehalem", "icelake"):
        yield Test(f"fixed-{cpu}-amd64", FIXED["fixed"],
                   functools.partial(checks, Machine(cpu=cpu, smp=2, kernel=KERNEL64), "fixed", 64))
    yield Test("fixed-icelake-compat", FIXED["fixed"],
               functools.partial(checks, Machine(cpu="icelake", kernel=KERNEL64), "fixed"))
    yield Test("fixed-nehalem-wrap", "a fixed counter that is about to wrap counts exactly, too",
               functools.partial(checks, Machine(cpu="nehalem", append="vpmc.test_seed=50"), "fixed"))
    for cpu in MODELS64:
        yield from remaining(Machine(cpu=cpu, smp=2, kernel=KERNEL64), f"{cpu}-amd64", 64)
    for program in COMPAT:
        yield Test(f"{program}-haswell-compat", every[program],
                   functools.partial(checks, Machine(cpu="haswell", kernel=KERNEL64), program))


def remaining(machine, where, bits, without=()):
    """Yield tests of the other programs, on one machine.

    where: the end of the tests' names
    without: programs to leave out
    """
    def test(program, rule, on=machine, **others):
        others.setdefault("arguments", ARGUMENTS64.get(program, ()))
        if bits == 32 and program in WITHOUT_ARGUMENTS:
            others["arguments"] = ()
        if bits == 32 and program in ONLY_DEBUG:
            on = campaigns.debug(on)
        return Test(f"{program}-{where}", rule,
                    functools.partial(checks, on, program, bits, **others))

    def left(programs):
        return ((program, row) for program, row in programs.items() if program not in without)

    for program, rule in left(ONE64):
        yield test(program, rule)
    for program, (rule, *modules) in left(ALONE64):
        yield test(program, rule, dataclasses.replace(machine, smp=1), modules=modules)
    for program, (rule, arguments, properties) in left(STORMS64):
        yield test(program, rule, dataclasses.replace(machine, **properties), arguments=arguments)
    for program, (rule, *modules) in left(DELAYED64):
        yield test(program, rule, modules=modules)
    for pair, rule in cases_adversary.PAIRS.items():
        yield Test(f"turns-{pair}-{where}", rule,
                   functools.partial(checks, dataclasses.replace(machine, adversary=True),
                                     "turns", bits, arguments=(pair, "1", "10")))
    yield Test(f"hooks_off-{where}", "the hooks are no-ops again when nobody counts any more",
               functools.partial(cases_trust.hooks_off,
                                 dataclasses.replace(machine, skips_waits=True), bits))


def offcore(cpu, kernel, bits):
    """Test extra registers of events on a kernel, by a 32-bit or a 64-bit program."""
    registers, response = RESPONSES[cpu]
    # The program waits until the driver has given the counters back.
    return checks(Machine(cpu=cpu, kernel=kernel, icount=True), "offcore", bits,
                  arguments=(str(registers), hex(response)))


# Other processors than the Pentium run these programs only with 32 bits, and only here. Each has its
# rule, its modules, its arguments and properties of the machine.
ONLY32 = {
    "call_fairness": ("calls about all threads of a process keep nobody waiting", (), (), {"smp": 1}),
    "child_wait": (cases_follow.PROGRAMS["child_wait"], (), (), {}),
    "force_kernel": ("a start by force that counts kernel mode finds a thread that is in the kernel",
                     (), (), {"parallel": True}),
    "handle_delay": ("a thread that waits for another thread's call on a handle can be killed",
                     ("delay", "delay2"), (), {}),
    "page_notification": ("who inherits a page that somebody else reads first finds a count there",
                          ("delay",), (), {}),
    "poll": (cases_follow.PROGRAMS["poll"], (), (), {}),
    "rdpmc_closed_counts": ("RDPMC shows no counts that their own program may not read", (), (), {}),
    "reload_delay": ("the driver may be loaded again while the kernel is about to call it",
                     ("delay", "delay2"), ("/vpmc.ko",), {}),
    "start_cost": ("the cost of a start does not tell another user what is counted", (), (),
                   {"smp": 1, "icount": True}),
}

# The Pentium 4 runs these programs with 64 bits. With 32 bits it runs all programs, but for the next.
PRESCOTT = ("abi", "collect", "gaps", "inherit", "inline", "isolation", "mixed", "multiplex",
            "reconfigure", "takeover_other", "waits")
# "arguments" has its own tests. "ticks" takes three minutes with eighteen counters, and the kernel
# reports that it is stuck.
NOT_P4 = ("arguments", "ticks")
# These arguments make long tests shorter than on other models.
SHORTER = {"isolation": ("16", "20000")}


def netburst():
    """Yield tests of the Pentium 4, and of the registers that its counters share."""
    every = WIDE | READERS | GENERAL | HARDWARE64
    for where, machine, bits, programs in (
            ("p4-2", Machine(cpu="p4", smp=2), 32, every),
            ("prescott-amd64", Machine(cpu="prescott", smp=2, kernel=KERNEL64), 64, PRESCOTT)):
        for program in programs:
            # Counters of 40 bits are read as on other models.
            if program == "inline_step" and not guest.LONG:
                continue
            yield Test(f"{program}-{where}", every[program], functools.partial(
                checks, machine_for(program, machine.cpu, 2, machine.kernel), program, bits,
                arguments=SHORTER.get(program, ())))
    yield from remaining(Machine(cpu="p4", smp=2), "p4-2", 32, NOT_P4)
    for program, (rule, modules, arguments, properties) in ONLY32.items():
        yield Test(f"{program}-p4-2", rule, functools.partial(
            checks, Machine(**{"cpu": "p4", "smp": 2} | properties), program, modules=modules,
            arguments=arguments))
    for cpu, kernel, bits in (("p4", "vpmc", 32), ("prescott", KERNEL64, 64)):
        yield Test(f"escrs-{cpu}",
                   "ESCRs and tags are those of the thread that runs, and conflicts are refused",
                   functools.partial(checks, Machine(cpu=cpu, kernel=kernel, icount=True), "escrs", bits))
        yield Test(f"cascades-{cpu}",
                   "an event counts after so many of another one in each thread, whatever runs between",
                   functools.partial(checks, Machine(cpu=cpu, kernel=kernel, smp=2), "cascades", bits))
        yield Test(f"escr_storm-{cpu}", "random sets that contend for ESCRs have the counts that each "
                   "has alone, and in system mode, and RDPMC shows nothing of them", functools.partial(
                       checks, Machine(cpu=cpu, kernel=kernel, smp=2), "escr_storm", bits,
                       arguments=("1",)))
        yield Test(f"arguments-{cpu}", "no argument has the driver keep, tell or break anything",
                   functools.partial(checks, Machine(cpu=cpu, kernel=kernel), "arguments", bits,
                                     arguments=("1", "60000")))


def responses():
    """Yield tests of off-core responses on both kernels."""
    rule = "the register beside a select holds what the thread asks for that is on the processor"
    for cpu in RESPONSES:
        yield Test(f"offcore-{cpu}", rule, functools.partial(offcore, cpu, "vpmc", 32))
    for cpu in RESPONSES64:
        yield Test(f"offcore-{cpu}-amd64", rule, functools.partial(offcore, cpu, KERNEL64, 64))


# In these registers, processors report which counters have overflowed.
STATUS = {"icelake": "0x38e", "nehalem": "0x38e", "zen4": "0xc0000300"}


def acknowledged(cpu):
    """Let counter 0 wrap, and wait until the counters are given back."""
    script = f"perfex -o count -e 0xc0@0 ./msrs {STATUS[cpu]}:1 && " \
             f"until ./msrs {STATUS[cpu]}:0 >given-back; do usleep 10000; done; cat given-back"
    guest.run_checks(Machine(cpu=cpu, kernel=KERNEL64, append="vpmc.test_seed=50"),
                     ["sh", "-c", script],
                     [guest.perfex(64), os.path.join(guest.BUILD, "guest/models/64/msrs")], 2)


# These are statuses of perfex in three cases: the NMI watchdog has the counters, is off, or is
# switched on while a process counts. In the third case the watchdog does not get the counters,
# and the counts are exact. When the counters are given back, a second later or at once, the
# watchdog starts, and perfex finds the counters taken.
WATCHDOG = "/proc/sys/kernel/nmi_watchdog"
STARTED_LATE = "vpmc: start the NMI watchdog, which was switched on while the counters were taken"
WATCHED = f"""
taken() {{ perfex -o other -e instructions ./exactly-1000 2>other; [ $? = 208 ]; }}
perfex ./exactly-1000; echo $?; cat {WATCHDOG}
echo 0 >{WATCHDOG}
perfex -e instructions ./exactly-1000; echo $?
perfex sh -c '
	echo 1 >{WATCHDOG}; perfex --force -e instructions ./exactly-1000; perfex -i | grep watchdog'
until dmesg | grep -q '{STARTED_LATE}' && taken; do usleep 10000; done
echo 0 >{WATCHDOG}
perfex -o other sh -c 'echo 1 >{WATCHDOG}; perfex --release'
taken; echo $?
dmesg | grep -c '{STARTED_LATE}'
"""


def watched(cpu):
    """Count while the NMI watchdog has the counters, and then do what perfex suggests."""
    result = guest.run(Machine(cpu=cpu, smp=2, kernel=KERNEL64, append="nmi_watchdog=1"),
                       ["sh", "-c", WATCHED], [guest.perfex(64), guest.program("exactly-1000", 64)])
    sentence, *counts = result.stderr.decode().splitlines()
    said = result.stdout.decode().splitlines()
    if (said[:3] != ["208", "1", "0"] or not said[3].startswith("watchdog ")
            or said[4:] != ["0", "2"]
            or sentence != "perfex: the counters are busy: the "
            f"kernel's NMI watchdog has them, so write 0 to {WATCHDOG}"
            or [line.split()[0] for line in counts[:2]] != ["1000", "1000"]):
        raise Failed(guest.shown(result))


# Another program writes to one of these registers, which control the counters. They are listed
# by processor, number of processors, and bits of the kernel.
OVERWRITTEN = {
    ("mmx", 1, 32): ("0x11",),
    ("p5", 2, 32): ("0x11",),
    ("pentium3", 1, 32): ("0x186", "0x187"),
    ("core2", 2, 32): ("0x186", "0x187", "0x38d", "0x38f"),
    ("athlon", 1, 32): ("0xc0010000", "0xc0010003"),
    ("p4", 2, 32): ("0x36c", "0x371", "0x3b8", "0x3cd"),
    ("icelake", 2, 64): ("0x186", "0x18d", "0x1a6", "0x38d", "0x38f"),
    ("bulldozer", 1, 64): ("0xc0010200", "0xc001020a"),
    ("zen4", 2, 64): ("0xc0010200", "0xc0010208", "0xc0000301"),
}
# The program makes this number of checks for each register, and of other checks.
OVERWRITTEN_CHECKS = (10, 14)


def overwritten(cpu, smp, bits):
    """Write to registers while a process counts, and check that only this ends its counts."""
    registers = OVERWRITTEN[cpu, smp, bits]
    each, others = OVERWRITTEN_CHECKS
    guest.run_checks(Machine(cpu=cpu, smp=smp, kernel=KERNEL64 if bits == 64 else "vpmc"),
                     ["register_overwrite", *registers], [guest.tool("register_overwrite", bits)],
                     each * len(registers) + others)


def rounds(cpu):
    """Run a thread on a processor that has only the ticks that counting requests."""
    machine = Machine(cpu=cpu, smp=2, kernel=KERNEL64, append="nohz_full=1")
    lines = guest.run_checks(machine, ["rounds", "1"], [guest.tool("rounds", 64)])
    return lines[2].removeprefix("ok ")


def tests():
    """Yield the tests of this file."""
    yield from programs()
    yield from programs64()
    yield from responses()
    yield from netburst()
    for cpu, smp in (("pentium3", 1), ("pentium3", 2), ("icelake", 2), ("core2", 1), ("zen4", 1)):
        yield Test(f"reserve-{cpu}-{smp}",
                   "the counters are the driver's or perf_event's, never both's",
                   functools.partial(checks, machine_for("reserve", cpu, smp), "reserve"))
    for cpu, smp in (("pentium3", 1), ("icelake", 2), ("p4", 2)):
        yield Test(f"counter_release-{cpu}-{smp}",
                   "perf_event gets the counters wherever nobody counts",
                   functools.partial(checks, machine_for("counter_release", cpu, smp),
                                     "counter_release", modules=("delay",)))
        yield Test(f"rdpmc_always-{cpu}-{smp}", GENERAL["rdpmc_always"],
                   functools.partial(checks, Machine(cpu=cpu, smp=smp), "rdpmc_always"))
        yield Test(f"rdpmc_always-unload-{cpu}-{smp}", "RDPMC shows no foreign counts while the driver is unloaded, either",
                   functools.partial(checks, Machine(cpu=cpu, smp=smp), "rdpmc_always",
                                     modules=("delay",), arguments=("unload",)))
    for cpu, family in MODELS.items():
        yield Test(f"perfex-{cpu}", "a program of exactly N instructions reads N",
                   functools.partial(perfex, Machine(cpu=cpu), family))
    for cpu in ("pentium3", "haswell", "zen"):
        yield Test(f"listed-{cpu}", "a list marks what is not emulated, and nothing else",
                   functools.partial(listed, Machine(cpu=cpu)))
    for cpu, events in CHOSEN.items():
        yield Test(f"chosen-{cpu}", "events get counters that can count them if there are such",
                   functools.partial(chosen, Machine(cpu=cpu), events))
    yield Test("chosen-icelake-all", "so do as many as there are counters, fixed ones too",
               functools.partial(chosen, Machine(cpu="icelake"), CHOSEN_ALL))
    for cpu in ("zen", "zen3", "zen4"):
        yield Test(f"twelve-bits-{cpu}", "an event of 12 bits is what its select register holds",
                   functools.partial(twelve_bits, Machine(cpu=cpu, kernel=KERNEL64)))
    for cpu in STATUS:
        yield Test(f"acknowledged-{cpu}",
                   "perf_event finds no overflow of a counter that has wrapped for others",
                   functools.partial(acknowledged, cpu))
    for cpu in ("skylake", "opteron"):
        yield Test(f"nmi-watchdog-{cpu}-amd64",
                   "where the NMI watchdog has the counters, a start says how to free them; one that "
                   "is put on meanwhile starts when they are given back",
                   functools.partial(watched, cpu))
    for machine in OVERWRITTEN:
        yield Test("register_overwrite-{}-{}-{}".format(*machine),
                   "counts end, and the log says why, when another program writes to registers",
                   functools.partial(overwritten, *machine))
    # A write to a counter sets all its bits on the first of these processors. The second one copies
    # bit 31 to the bits above.
    for cpu in ("icelake", "nehalem"):
        yield Test(f"rounds-{cpu}", "a count that user mode reads is right where there are no ticks",
                   functools.partial(rounds, cpu))
    yield Test("extra_counts-suspend-icelake", "a suspend adds its known number of instructions, too",
               functools.partial(checks, Machine(cpu="icelake", smp=2, kernel=KERNEL64, wake=True,
                                                 take_turns=True),
                                 "extra_counts", 64, arguments=("suspend",)))
    yield Test("crowded-haswell", "events share a counter only if they must",
               functools.partial(crowded, Machine(cpu="haswell")))
    for cpu, cases in REFUSALS.items():
        yield Test(f"refusals-{cpu}", "an event that cannot be counted is refused with the reason",
                   functools.partial(refusals, Machine(cpu=cpu), list(cases), list(cases.values())))
