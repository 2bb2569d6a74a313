# SPDX-License-Identifier: GPL-2.0-only
"""Test the costs of counting, by exact counts of the emulator and by disassembly."""

import functools
import glob
import os
import re
import subprocess
import tempfile
from xml.etree import ElementTree

import guest
import kernel_code
from bench import chart, costs, perf, profiles, report, samples, threads, timelines
from cases import Failed, Test
from guest import Machine

# A kernel has these no-ops where a jump can be patched in (asm/nops.h). They have five bytes,
# or two where objtool has replaced a short jump.
NOPS = {"vpmc": (bytes([0x3E, 0x8D, 0x74, 0x26, 0x00]),),
        "vpmc-amd64": (bytes([0x0F, 0x1F, 0x44, 0x00, 0x00]), bytes([0x66, 0x90]))}

# The functions with the hooks of the series, as compiled. A hook in an inlined function appears
# in each of its callers, so this list is longer than the series. Programs' threads and the
# kernel's workers in a process leave copy_thread() in two places.
HOOKED = [
    "arch_dup_task_struct", "copy_thread", "copy_thread", "exit_thread", "begin_new_exec",
    "update_process_times", "switch_mm_irqs_off", "cr4_update_pce",
    "exc_general_protection",
]

# These hooks have no static key. The hook of the switch follows a test of flags that the stock
# kernel has, too (switch_code()). The wait for a process and its release test one pointer
# instead, because counts may outlive the processes that count.
UNGUARDED = {"wait_consider_task": "vpmc_wait", "release_task": "vpmc_release"}

# The number of switches in each direction that tests/bench/switches.c prints.
SAMPLES = 97

# Each row names, in the words of tests/bench/count.h, the task that is switched from, the task
# that is switched to, and another task that counts. Then follow, for the switch there and for
# the switch back, the operations that the stock kernel does not have: reads of counters, writes
# of CESR, of counters and of CR4.
SWITCHES = (
    ("nothing nothing one", (0, 0, 0, 0), (0, 0, 0, 0)),
    ("one nothing nothing", (1, 0, 0, 0), (1, 0, 0, 0)),
    ("two nothing nothing", (2, 0, 0, 0), (2, 0, 0, 0)),
    ("one one nothing", (1, 0, 0, 0), (1, 0, 0, 0)),
    ("two two nothing", (2, 0, 0, 0), (2, 0, 0, 0)),
    ("two two others", (2, 0, 0, 0), (2, 0, 0, 0)),
    ("one two nothing", (2, 1, 0, 0), (2, 1, 0, 0)),
    ("two others nothing", (2, 1, 0, 0), (2, 1, 0, 0)),
    ("kernel kernel nothing", (1, 0, 0, 0), (1, 0, 0, 0)),
)
# These are the same switches with tasks that may execute RDPMC. Counters are written only for such
# tasks. CR4 changes between tasks that may execute RDPMC and tasks that may not.
MAPPED = (
    ("two-mapped two-mapped nothing", (2, 0, 2, 0), (2, 0, 2, 0)),
    ("one-mapped one-mapped nothing", (1, 0, 2, 0), (1, 0, 2, 0)),
    ("one-mapped two-mapped nothing", (2, 1, 2, 0), (2, 1, 2, 0)),
    ("two-mapped nothing nothing", (2, 0, 0, 1), (2, 0, 2, 1)),
    ("two-mapped two nothing", (2, 0, 0, 1), (2, 0, 2, 1)),
    ("nothing-mapped nothing nothing", (0, 0, 0, 1), (0, 0, 2, 1)),
    ("two two two-mapped", (2, 0, 0, 0), (2, 0, 0, 0)),
    ("nothing nothing two-mapped", (0, 0, 0, 0), (0, 0, 0, 0)),
)
# A run measures these switches: from the first task to the second, and back.
WAYS = ("there", "back")
# A switch there and a switch back may each take at most this number of instructions more than
# on the stock kernel. These kernels check each use of a per-CPU variable (DEBUG_PREEMPT).
# docs/internals/benchmarks.md has the figures without these checks.
BUDGETS = {
    "one one nothing": (174, 174),
    "kernel kernel nothing": (174, 174),
    "two two nothing": (186, 186),
    "two others nothing": (299, 299),
    "one two nothing": (316, 316),
    "two nothing nothing": (256, 250),
}
# The budgets must hold for this number of processes, too. The processes run for so long that a
# tick must be allowed for.
MEMBERS = 1000
TICK = 200
# These are the limits for tasks that may execute RDPMC.
MAPPED_BUDGETS = {
    "one-mapped one-mapped nothing": (720, 720),
    "two-mapped two-mapped nothing": (822, 822),
    "two-mapped nothing nothing": (363, 706),
}
# These are the limits for a Pentium 4 with 32 bits, between two tasks that count the same 1, 4 or 18
# events. With 64 bits, there is a limit for each event more. These kernels have frame pointers with
# 32 bits only.
P4_BUDGETS = {
    "p4-one p4-one nothing": (184, 184),
    "p4-four p4-four nothing": (256, 256),
    "p4-all p4-all nothing": (564, 564),
}
P4_EVENTS = {"p4-one": 1, "p4-four": 4, "p4-all": 18}
P4_EACH = 20
# A system call of tests/bench/calls.c may take at most this number of instructions on these
# kernels.
CALLS = {
    "ioctl-start-first-one": 3350,
    "ioctl-read-thread-one": 505,
    "plain-read-one": 525,
    "ioctl-stop-one": 735,
    "ioctl-start-one": 1105,
}
# A function of the library may take at most this number of instructions in user mode, named as
# in tests/bench/calls.c.
FUNCTIONS = {
    "start-one": 1010,
    "start-two": 1470,
    "reset-one": 1065,
    "reset-two": 1565,
}
# These are the limits for each sleeping thread of another process, in calls about all threads,
# named as in tests/bench/threads.c.
THREADS = {
    "start": 210,
    "force": 114,
    "read": 128,
    "stop": 73,
}
# The costs with these numbers of threads are compared.
THREADS_SIZES = (100, 500)
# These are limits for a command with many regions, with --timeline compared to --regions.
# TIMES: the factor of all instructions without RDPMC. PROGRAM: the factor of the program's
# instructions alone, which include debugging checks that the kernel of make bench does not
# have. REGION and BYTES: all instructions with RDPMC, and bytes of the file, for each region.
TIMELINE_TIMES = 3
TIMELINE_PROGRAM = 3.7
TIMELINE_REGION = 1300
TIMELINE_BYTES = 130
# These are the limits from a fork to the end of the wait for the child, named as in
# tests/bench/tasks.c. They are in addition to the instructions without any counting.
LIVES = {
    "one": 1520,
    "two-mapped": 6100,
}
# These are the limits for 64 bits, on the processor on which perf_event is compared. The limits
# for switches, and for a child that exits or executes a program that exits, are in addition to
# the same kernel without counting. The limits for calls are for the whole call.
SWITCHES64 = {
    "nothing nothing one": (0, 0),
    "one one nothing": (127, 127),
    "two two nothing": (142, 142),
    "two inherited nothing": (142, 142),
    "two nothing nothing": (188, 188),
    "one two nothing": (380, 360),
    "two others nothing": (394, 394),
    "two-mapped two-mapped nothing": (690, 690),
}
LIVES64 = {
    "fork": 1340,
    "exec": 1540,
}
CALLS64 = {
    "one-read": 450,
    "one-go-on": 2360,
    "one-again": 1535,
}
# These are the limits for samples. SAMPLE: the cost of a sample, divided by the cost of
# perf_event's sample on the same kernel. SAMPLED: how many instructions more a switch takes if both
# tasks leave samples of their event. SAMPLE_BYTES: the size of a sample. The debugging checks of
# these kernels are a large part of the costs: docs/internals/benchmarks.md has the figures without
# these checks.
SAMPLE = 0.4
SAMPLED = {"pentium3": 130, "icelake": 95, "p4": 130, "prescott": 105}
SAMPLE_BYTES = 24
# These are the limits for a write to cgroup.procs, in addition to the same write while no cgroup is
# collected. Each collected cgroup has its moves, named as in tests/bench/moves.c.
MOVES = {
    "other": {"enter": 100, "within": 100, "leave": 100},
    "one": {"first": 5000, "enter": 680, "within": 100, "leave": 100},
}
# These operations, named as in tests/bench, stay in user mode. Each has its number of
# instructions and of RDPMC among them.
READERS = {
    "reads": {"inline-one": (6, 1), "inline-two": (10, 2)},
    "regions": {"region-one": (28, 2), "region-two": (54, 4), "alternate-one": (175, 4),
                "alternate-two": (227, 8)},
}
# These are the same numbers for 64 bits.
READERS64 = {"one-mapped-own": (7, 1), "two-mapped-own": (12, 2)}
SVG = "{http://www.w3.org/2000/svg}"
WRITES = ("wrmsr_cesr", "wrmsr_ctr", "write_cr4")
READS = {"mmx": "rdpmc", "p5": "rdmsr_ctr"}


def series():
    """Yield the lines that the series adds to the kernel."""
    for path in sorted(glob.glob(os.path.join(guest.TOP, "kernel-patches/6.12/*.patch"))):
        with open(path, encoding="utf-8") as file:
            yield from (line[1:] for line in file if re.match(r"\+(?!\+\+ )", line))


def kernels():
    """Return the stock kernel and the kernel with the series."""
    return [kernel_code.Kernel(guest.path_of(f"kernel-{name}")) for name in ("stock", "vpmc")]


def hooks(name):
    """Check each place where a kernel would call the driver."""
    ours = kernel_code.Kernel(guest.path_of(f"kernel-{name}"))
    sites = ours.sites("vpmc_used")
    functions = sorted(site.function for site in sites)
    if functions != sorted(HOOKED):
        raise Failed(f"hooks are in {functions}")
    written = sum(1 for line in series() if re.match(r"\s.*\bvpmc_active\(\)", line))
    if not 0 < written <= len(sites):
        raise Failed(f"{written} hooks in the series, {len(sites)} sites in the kernel")
    if ours.memory(ours.symbols["vpmc_used"], 4) != bytes(4):
        raise Failed("the key is not off when the kernel starts")
    for site in sites:
        check_site(ours, site, NOPS[name])
    for function, callee in UNGUARDED.items():
        check_unguarded(ours, function, callee)
    return f"{written} hooks in {len(sites)} places"


def check_site(kernel, site, nops):
    """Check that a site is a no-op when the kernel starts, and that only it leads to the call."""
    code = kernel.memory(site.code, 5)
    if site.flags & kernel_code.JUMPS or not code.startswith(nops):
        raise Failed(f"{site}: flags {site.flags}, code {code.hex()}")
    # Only the patched site may lead to the call.
    calls = [instruction for instruction in kernel.instructions(site.function)
             if "<vpmc_" in instruction[1]]
    reached = kernel.reached(site.function)
    if not calls or site.code not in dict(reached) or set(calls) & set(reached):
        raise Failed(f"{site}: {calls} reached without the site, or the site not")


def hooks_cgroup(name):
    """Look at each place where a kernel with cgroups would call the driver for a process that
    enters one."""
    ours = kernel_code.Kernel(guest.path_of(f"kernel-{name}"))
    sites = ours.sites("vpmc_watched")
    if not sites:
        raise Failed("no place has the hook")
    for site in sites:
        check_site(ours, site, NOPS[name])
    return f"in {', '.join(sorted(site.function for site in sites))}"


def check_unguarded(kernel, function, callee):
    """Check that the only call of a function follows a test of a pointer, and has no static key."""
    texts = [text for _, text in kernel.instructions(function)]
    calls = [i for i, text in enumerate(texts) if "<vpmc_" in text]
    if len(calls) != 1 or f"<{callee}>" not in texts[calls[0]]:
        raise Failed(f"{function} calls {[texts[i] for i in calls]}")
    before = texts[max(0, calls[0] - 6):calls[0]]
    if not any(re.match(r"test +(%\w+),\1$|cmp[lq] +\$0x0,", text) for text in before) or \
            not any(re.match(r"j(e|ne) ", text) for text in before):
        raise Failed(f"{function}: {before} before the call")


def flag_masks(instruction):
    """Return the mask of an AND with a constant, or None for other instructions."""
    match = re.fullmatch(r"and +\$0x([0-9a-f]+),(%\w+)", instruction)
    return int(match[1], 16) if match else None


def hot_path(code_of):
    """Return the instructions of a switch up to its return. Jumps to other places lead "away"."""
    code = code_of.instructions("__switch_to")
    end = next(i for i, (_, text) in enumerate(code) if text.startswith("ret"))
    index = {address - code[0][0]: i for i, (address, _) in enumerate(code[:end + 1])}

    def place(match):
        return str(index.get(int(match[1], 16), "away"))

    return [re.sub(r"__switch_to\+0x([0-9a-f]+)", place, kernel_code.shape(text))
            for _, text in code[:end + 1]]


def switch_code64():
    """Compare the compiled switch with and without the series, for 64 bits."""
    name = "arch/x86/kernel/process_64.o"
    directory = guest.path_of("kernel-vpmc-amd64")
    source = subprocess.run([os.path.join(guest.TOP, "tests/emulator/fetch-linux")], check=True,
                            stdout=subprocess.PIPE, text=True).stdout.strip()
    with tempfile.NamedTemporaryFile(suffix=".o") as file:
        stock = kernel_code.compiled_from(source, directory, name, file.name)
        return compare_switches(stock, kernel_code.Code(os.path.join(directory, name)))


def switch_code():
    """Compare the switches of both 32-bit kernels."""
    return compare_switches(*kernels())


def compare_switches(*both):
    """Compare the instructions of a switch, given the code without and with the series."""
    flag = 1 << next(int(match[1]) for line in series()
                     if (match := re.match(r"#define TIF_VPMC\s+(\d+)", line)))
    stock, ours = map(hot_path, both)
    tests = 0
    for mine, other in zip(ours, stock):
        if mine == other:
            continue
        # This instruction tests flags in both kernels. Only the mask of the flags may differ.
        if (flag_masks(other) is None or flag_masks(mine) != flag_masks(other) | flag
                or mine.split(",")[1:] != other.split(",")[1:]):
            raise Failed(f"stock: {other}\nours: {mine}")
        tests += 1
    if len(ours) != len(stock) or not tests:
        raise Failed(f"{len(stock)} instructions became {len(ours)}, {tests} of them look for it")
    if any("vpmc_switch" in text for text in ours):
        raise Failed("who does not count gets to the hook, too")
    return f"{len(ours)} instructions, {tests} of them with another constant"


def switches(cpu, words, kernel="vpmc"):
    """Measure switches there and back: see tests/bench/switches.c."""
    machine = Machine(cpu=cpu, kernel=guest.path_of(f"kernel-{kernel}"))
    ways = samples.measured(machine, f"switches {words}", guest.module("vpmc"), kernel == "vpmc")
    if [(way, len(ways[way])) for way in sorted(ways)] != [("back", SAMPLES), ("there", SAMPLES)]:
        raise Failed(f"{words}: switches are missing: {ways}")
    return ways


def dearer(ours, stock):
    """Return by how much the totals exceed those of the stock kernel, after sorting the samples
    of both.

    Once a millisecond a switch also brings the scheduler's averages up to date (some 120
    instructions). On the two kernels this happens in different switches, but equally often.
    """
    return [(name, mine, others) for name in ours[0]
            for mine, others in zip(sorted(sample[name] for sample in ours),
                                    sorted(sample[name] for sample in stock), strict=True)
            if mine > others]


def unused(cpu):
    """Switch between two processes that do not count, on both kernels, and compare. Both
    directions must cost the same."""
    stock, ours = (switches(cpu, "nothing nothing nothing", kernel) for kernel in ("stock", "vpmc"))
    accesses_made = [sample for way in ours for sample in ours[way]
                     if any(sample[name] for name in samples.ACCESSES)]
    more = dearer(*(ways["there"] + ways["back"] for ways in (ours, stock)))
    if accesses_made or more:
        raise Failed(f"with accesses: {accesses_made}\nours and stock: {more}")
    more = samples.added(ours["there"], stock["there"])
    return f"{2 * SAMPLES} switches, each of {more['kernel']:+} instructions"


def accesses(cpu, pairs):
    """Count the register accesses in switches between all kinds of tasks."""
    base = switches(cpu, "nothing nothing nothing", "stock")
    for words, *expected in pairs:
        ways = switches(cpu, words)
        for way, (reads, *writes) in zip(("there", "back"), expected):
            wanted = {READS[cpu]: reads, **dict(zip(WRITES, writes))}
            for sample, stock in zip(ways[way], base[way]):
                more = samples.difference(sample, stock)
                if any(more[name] != wanted.get(name, 0) for name in samples.ACCESSES):
                    raise Failed(f"{words}, {way}: {more}")
    return f"{len(pairs)} pairs, {2 * SAMPLES} switches each"


def budgets(cpu, allowed):
    """Count the instructions of switches between tasks that count."""
    base = switches(cpu, "nothing nothing nothing", "stock")
    found = {}
    for words, most in allowed.items():
        ways = switches(cpu, words)
        found[words] = tuple(samples.added(ways[way], base[way])["kernel"] for way in WAYS)
        if any(not 0 < more <= allowed for more, allowed in zip(found[words], most, strict=True)):
            raise Failed(f"{words}: {found[words]} instructions, where {most} are allowed")
    return ", ".join(f"{words}: {more}" for words, more in found.items())


def many_events():
    """Count the instructions of switches between tasks that count many events, the same in both
    tasks. Count also the accesses to their counters."""
    machine = Machine(cpu="prescott", kernel=guest.path_of("kernel-vpmc-amd64"))

    def of(word):
        return samples.measured(machine, f"switches {word} {word} nothing",
                                guest.module("vpmc-amd64"), True, samples.PROGRAMS64)["there"]

    base = of("nothing")
    found = {word: samples.added(of(word), base) for word in P4_EVENTS}
    costs_of = [(nr, found[word]["kernel"]) for word, nr in P4_EVENTS.items()]
    each = [(more - less) / (many - few)
            for (few, less), (many, more) in zip(costs_of, costs_of[1:])]
    wrong = {word: totals for word, totals in found.items() for name in samples.ACCESSES
             if totals[name] != (P4_EVENTS[word] if name == "rdpmc" else 0)}
    text = f"{found['p4-one']['kernel']:+}, and {each[0]:.1f} and {each[1]:.1f} for each event more"
    if wrong or not all(0 < more <= P4_EACH for more in each):
        raise Failed(f"{text}: {wrong}")
    return text


def ring():
    """Count the instructions of a switch among many processes that count."""
    machine = Machine(kernel=guest.path_of("kernel-vpmc"))
    rounds = (samples.measured(machine, f"ring {MEMBERS} {what} inherited", guest.module("vpmc"),
                               True)["round"] for what in ("two", "nothing"))
    totals = samples.added(*rounds)
    # Only the switches from and to the process that does not count are of another kind. A tick
    # may read the counters.
    allowed = ((MEMBERS - 1) * max(BUDGETS["two two nothing"])
               + sum(BUDGETS["two nothing nothing"]) + TICK)
    reads = totals[READS[machine.cpu]] - 2 * (MEMBERS + 1)
    if not 0 < totals["kernel"] <= allowed or reads not in (0, 2) or totals["wrmsr_cesr"]:
        raise Failed(f"where {allowed} instructions are allowed: {totals}")
    return f"{totals['kernel'] / (MEMBERS + 1):+.1f}"


def calls(cpu):
    """Count the kernel's instructions in system calls, and the library's in its functions."""
    machine = Machine(cpu=cpu, kernel=guest.path_of("kernel-vpmc"))
    found = samples.measured(machine, "calls", guest.module("vpmc"), True)
    least = {name: samples.least(found[name])["kernel"] for name in CALLS}
    least |= {name: samples.least(found[name])["user"] for name in FUNCTIONS}
    allowed = CALLS | FUNCTIONS
    if dearer_calls := {name: count for name, count in least.items() if count > allowed[name]}:
        raise Failed(f"{dearer_calls}, where {allowed} are allowed")
    return ", ".join(f"{name}: {count}" for name, count in least.items())


def many_threads():
    """Count the kernel's instructions for each thread in calls about all threads."""
    kernel = guest.path_of("kernel-vpmc")
    found = {name: threads.each(name, THREADS_SIZES, kernel, guest.module("vpmc"))
             for name in THREADS}
    if more := {name: each for name, each in found.items() if not 0 < each <= THREADS[name]}:
        raise Failed(f"{more}, where {THREADS} are allowed")
    return ", ".join(f"{name}: {each:.1f}" for name, each in found.items())


def timeline(cpu):
    """Count the instructions of perfex and its command for a timeline, and the bytes of its
    file."""
    found = timelines.measured(cpu, guest.path_of("kernel-vpmc"), guest.module("vpmc"))
    times, alone = (timelines.ratio(found, part) for part in ("", "-program"))
    each = timelines.instructions(found["timeline"]) / timelines.REGIONS
    size = found["bytes"] / timelines.REGIONS
    too_much = each > TIMELINE_REGION if READS[cpu] == "rdpmc" else times > TIMELINE_TIMES
    text = (f"{times:.2f} times, {alone:.2f} times of the program, {each:.0f} instructions and "
            f"{size:.0f} bytes a region")
    if too_much or alone > TIMELINE_PROGRAM or not 1 < size <= TIMELINE_BYTES:
        raise Failed(text)
    return text


def lives():
    """Count the instructions of fork, exec, exit and wait of processes that count."""
    machine = Machine(kernel=guest.path_of("kernel-vpmc"))
    base, *found = (samples.measured(machine, f"tasks {what} nothing", guest.module("vpmc"), True)
                    for what in ("nothing", *LIVES))
    more = {what: sum(samples.added(ways[name], base[name])["kernel"] for name in base)
            for what, ways in zip(LIVES, found)}
    if dearer_lives := {what: count for what, count in more.items() if count > LIVES[what]}:
        raise Failed(f"{dearer_lives}, where {LIVES} are allowed")
    return ", ".join(f"{what}: {count:+}" for what, count in more.items())


def machine64(lease):
    """Return a machine with a 64-bit kernel, which may lease counters."""
    return Machine(cpu=perf.CPU, kernel=guest.path_of("kernel-vpmc-amd64"),
                   append=f"vpmc.lease={lease}" if lease else "")


def measured64(command, lease=0):
    """Run a measurement on such a machine."""
    machine = machine64(lease)
    return samples.measured(machine, command, guest.module("vpmc-amd64"), True,
                            samples.PROGRAMS64)


def budgets64():
    """Count the instructions of switches, lives and calls with 64 bits."""
    base = measured64(perf.SWITCH_BASE)
    found = {}
    for words in SWITCHES64:
        ways = measured64(f"switches {words}")
        found |= {(words, way): samples.added(ways[way], base[way])["kernel"] for way in WAYS}
    base, ways = (measured64(f"lives {what}") for what in ("nothing", "one"))
    found |= {name: samples.added(ways[name], base[name])["kernel"] for name in LIVES64}
    ways = measured64("compare")
    empty = samples.least(ways["nothing"])
    found |= {name: samples.difference(samples.least(ways[name]), empty)["kernel"]
              for name in CALLS64}
    allowed = LIVES64 | CALLS64 | {(words, way): most for words, both in SWITCHES64.items()
                                   for way, most in zip(WAYS, both, strict=True)}
    if wrong := {name: count for name, count in found.items() if count > allowed[name]}:
        raise Failed(f"{wrong}, where {allowed} are allowed")
    return ", ".join(f"{name}: {count:+}" for name, count in found.items())


# The driver says how many counters it was given.
SHOW_LEASE = "insmod ./vpmc.ko && cat /sys/module/vpmc/parameters/lease"


def lease_costs():
    """Count the instructions of switches with a lease of counters and without one. They must be the
    same, of the driver's and of perf_event's, and so must the accesses to registers."""
    found = {}
    for lease in (0, 2):
        given = guest.run(machine64(lease), ["sh", "-c", SHOW_LEASE], [guest.module("vpmc-amd64")])
        if given.stdout != f"{lease}\n".encode():
            raise Failed(guest.shown(given))
        base = measured64(perf.SWITCH_BASE, lease)["there"]
        for who, words in (("perf_event", "perf-two"), ("vpmc", "two-any")):
            ways = measured64(f"switches {words} {words} nothing", lease)["there"]
            found[who, lease] = samples.added(ways, base)
    for who in perf.WAYS:
        if found[who, 0] != found[who, 2]:
            raise Failed(f"{who}: {found[who, 0]} without a lease, {found[who, 2]} with one")
    return ", ".join(f"{who}: {found[who, 2]['kernel']:+}" for who in perf.WAYS)


def profile(cpu):
    """Count the instructions of a sample and of perf_event's, and of switches with samples."""
    name = profiles.KERNELS[cpu]
    machine = Machine(cpu=cpu, kernel=guest.path_of(f"kernel-{name}"))
    programs = samples.PROGRAMS64 if name == samples.KERNEL64 else samples.PROGRAMS

    def of(command):
        return samples.measured(machine, command, guest.module(name), True, programs)

    found = {who: of(f"profile {prefix}sampled")
             for who, prefix in profiles.prefixes(cpu).items()}
    ours, other = (profiles.each(found[who])["kernel"] for who in ("vpmc", "perf_event"))
    more = []
    prefix = profiles.P4.get(cpu, "")
    for partners in (("inherited", "inherited"), ("{0}one", "{0}sampled")):
        base, sampled = (samples.middle(of(profiles.switch(words, prefix))["there"])["kernel"]
                         for words in zip(("{0}one", "{0}sampled"), partners))
        more.append(sampled - base)
    size = found["vpmc"]["bytes"][0]
    text = (f"a sample {ours}, perf_event's {other}; a switch {more[0]:+}, by two handles "
            f"{more[1]:+}; {size} bytes")
    if (ours > SAMPLE * other or not all(0 < extra <= SAMPLED[cpu] for extra in more)
            or size > SAMPLE_BYTES):
        raise Failed(text)
    return text


def moves():
    """Count the kernel's instructions of moves between cgroups, of which one may be collected."""
    base, *ways = (measured64(f"moves {what}") for what in ("nothing", *MOVES))
    more = {what: {name: samples.added(found[name], base[name])["kernel"] for name in MOVES[what]}
            for what, found in zip(MOVES, ways)}
    if wrong := {(what, name): cost for what, costs_of in more.items()
                 for name, cost in costs_of.items() if cost > MOVES[what][name]}:
        raise Failed(f"{wrong}, where {MOVES} are allowed")
    return ", ".join(f"{what} {name}: {cost:+}" for what, costs_of in more.items()
                     for name, cost in costs_of.items())


def readers(program):
    """Count the instructions of operations without a system call."""
    machine = Machine(kernel=guest.path_of("kernel-vpmc"))
    found = samples.measured(machine, program, guest.module("vpmc"), True)
    empty = samples.least(found["nothing"])
    for name, (user, rdpmc) in READERS[program].items():
        cost = samples.difference(samples.least(found[name]), empty)
        if cost != {**dict.fromkeys(cost, 0), "user": user, "rdpmc": rdpmc}:
            raise Failed(f"{name}: {cost}")


def beside_perf_event():
    """Count one known program by perf_event and by the driver, and read the counts in user mode."""
    found = measured64("compare")
    perf.check_known(found)
    empty = samples.least(found["nothing"])
    for name, (user, rdpmc) in READERS64.items():
        cost = samples.difference(samples.least(found[name]), empty)
        if cost != {**dict.fromkeys(cost, 0), "user": user, "rdpmc": rdpmc}:
            raise Failed(f"{name}: {cost}")


def arithmetic():
    """Pass known samples and a known document to the benchmarks' calculations."""
    line = " ".join(str(number) for number in range(len(samples.TOTALS)))
    found = samples.parse(f"a {line}\na {line}\nbytes 4096\n")
    zero = samples.difference(*found["a"])
    if (found["bytes"] != [4096] or found["a"][0]["write_cr4"] != 12 or any(zero.values())
            or samples.added([*found["a"], found["a"][0]], [zero, zero, found["a"][0]])
            != found["a"][0]):
        raise Failed(f"{found}")
    for wrong in ("a 1 2", "a", f"{line} 1"):
        try:
            samples.parse(wrong)
        except (Failed, ValueError):
            continue
        raise Failed(f"'{wrong}' is taken for a sample")
    # Compute the cost of a switch in perfctr from perfctr's own figures.
    for cpu, clocks in (("p5", 125), ("mmx", 73)):
        if costs.clocks(cpu, {**zero, READS[cpu]: 4, "rdtsc": 2}) != clocks:
            raise Failed(f"{cpu}: {costs.clocks(cpu, {**zero, READS[cpu]: 4, 'rdtsc': 2})}")
    empty, text = "a\n<!-- make bench: t -->\n\nb\n", "a\n<!-- make bench: t -->\n\n{}\nb\n"
    for number in (1, 2):
        table = report.markdown(["x", "y"], [["z", number]])
        empty = report.placed(empty, {"t": table})
        if empty != text.format(table):
            raise Failed(empty)
    check_chart()


def check_chart():
    """Measure the bars of known numbers with a parser of XML."""
    drawn = ElementTree.fromstring(chart.svg("<t>", [("a & b", {"x": 1, "y": 1000})]))
    bars = [float(rect.get("width")) for rect in drawn.iter(f"{SVG}rect") if rect.get("y") != "6"
            and rect.get("x")]
    words = [text.text for text in drawn.iter(f"{SVG}text")]
    if bars != [0, 3 * chart.DECADE] or not {"a & b", "x", "y", "1", "1,000"} <= set(words):
        raise Failed(f"{bars} {words}")


def document():
    """Make the summary and the chart from the tables in the document, and compare them with
    those that it has."""
    path = os.path.join(guest.TOP, "docs/internals/benchmarks.md")
    with open(path, encoding="utf-8") as file:
        text = file.read()
    with open(report.chart_beside(path), encoding="utf-8") as file:
        drawn = file.read()
    if (text, drawn) != report.summarised(text):
        raise Failed("the summary or the chart is not that of the tables: write them again with\n"
                     "tests/bench/bench --compare --write docs/internals/benchmarks.md")
    try:
        report.summarised(text.replace("| 4000 |", "| 4001 |"))
    except Failed:
        return
    raise Failed("nobody says that a table lacks a row that the summary needs")


def layers():
    """Check the calls between files of the driver."""
    result = subprocess.run([os.path.join(guest.TOP, "tests/tools/layers"), "--most", "1",
                             "--unique", "--folders", os.path.join(guest.TOP, "vpmc/layers"),
                             "--includes", os.path.join(guest.TOP, "vpmc"),
                             os.path.join(guest.BUILD, "guest/vpmc-ko")],
                            check=False, text=True, stdout=subprocess.PIPE)
    if result.returncode:
        raise Failed(result.stdout)
    return result.stdout.splitlines()[0].removeprefix("ok").strip()


def tests():
    """Yield the tests of this file."""
    yield Test("layers", "calls in the driver go down through its layers, and names are unique",
               layers)
    for name in NOPS:
        yield Test(f"hooks-{name}",
                   "a hook that nobody uses is a no-op, and nothing else leads to the driver",
                   functools.partial(hooks, name))
    yield Test("switch-code", "the switch has the stock kernel's instructions, not one more",
               switch_code)
    yield Test("switch-code-amd64", "the switch of 64 bits has the stock kernel's instructions, too",
               switch_code64)
    for cpu in ("mmx", "p5"):
        yield Test(f"switch-unused-{cpu}",
                   "a switch between two that do not count executes no more than on the stock kernel",
                   functools.partial(unused, cpu))
        yield Test(f"switch-accesses-{cpu}",
                   "a switch reads each counter once, writes CESR for other events, nothing else",
                   functools.partial(accesses, cpu, SWITCHES))
        yield Test(f"switch-budget-{cpu}", "a switch executes no more instructions than are allowed",
                   functools.partial(budgets, cpu, BUDGETS))
    yield Test("switch-budget-p4", "a switch executes no more instructions than are allowed",
               functools.partial(budgets, "p4", P4_BUDGETS))
    yield Test("switch-budget-prescott", "a switch reads each counter once, and executes few "
               "instructions for each event more", many_events)
    yield Test("switch-budget-ring", "a switch among 1000 processes that count keeps to its budget", ring)
    yield Test("switch-accesses-mapped",
               "counters are written only for processes that may execute RDPMC",
               functools.partial(accesses, "mmx", MAPPED))
    yield Test("switch-budget-mapped",
               "a switch between processes that may execute RDPMC keeps to its budget",
               functools.partial(budgets, "mmx", MAPPED_BUDGETS))
    yield Test("call-budget", "a read, a stop and a start execute no more than is allowed",
               functools.partial(calls, "mmx"))
    yield Test("call-budget-threads", "calls for each of many threads keep to their budgets", many_threads)
    for cpu in ("mmx", "p5"):
        yield Test(f"timeline-budget-{cpu}",
                   "a timeline takes no more instructions and bytes for a region than are allowed",
                   functools.partial(timeline, cpu))
    yield Test("life-budget", "a fork, an exec, an exit and a wait of a process that counts execute "
               "no more than is allowed", lives)
    yield Test("budget-amd64", "with 64 bits these budgets hold too, and a process that does not "
               "count executes nothing more", budgets64)
    yield Test("lease-budget", "a lease of counters costs nothing in a switch", lease_costs)
    for cpu in profiles.CPUS:
        yield Test(f"sample-budget-{cpu}", "a sample costs a fraction of perf_event's, and a "
                   "switch between tasks with samples little more than one that counts",
                   functools.partial(profile, cpu))
    yield Test("hooks-cgroup-amd64", "a move between cgroups that nobody collects executes a no-op "
               "more", functools.partial(hooks_cgroup, "vpmc-amd64"))
    yield Test("move-budget", "a process enters a cgroup that is collected, or not, in no more "
               "instructions than are allowed", moves)
    yield Test("read-instructions", "a read in user mode takes 6 instructions and no system call",
               functools.partial(readers, "reads"))
    yield Test("region-instructions", "an empty region takes 28 instructions and no system call",
               functools.partial(readers, "regions"))
    yield Test("bench-beside-perf-event",
               "perf_event and the driver count the same, and a read in user mode takes 7 "
               "instructions with 64 bits, too", beside_perf_event)
    yield Test("bench-document", "the summary and the chart of docs/internals/benchmarks.md are "
               "true of its tables", document)
    yield Test("bench-arithmetic", "the benchmarks' tables say what was counted", arithmetic)
