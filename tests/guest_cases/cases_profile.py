# SPDX-License-Identifier: GPL-2.0-only
"""Test perfex --profile: it finds the functions in which the events happen."""

import dataclasses
import functools
import os
import re
from dataclasses import replace

import guest
from cases import Failed, Test
from guest import Machine

# Each part of the program has this many of 100 instructions.
SHARES = {"half": 50, "third": 30, "fifth": 20}
# A round has 20000 instructions, and a few more for the calls.
ROUNDS = 500
# The period is a prime number, so that the samples do not fall on the same instructions.
PERIOD = 1009

# Samples with jitter have other distances with each seed. A function's share may differ by more
# than the error with MISSES of SEEDS seeds, because the error states a probability of 95 %.
JITTERED = "instructions:u/5003~2000"
SEEDS = 100
MISSES = 5
FLAWS = ("lost", "hidden", "no mapping", "missing")

ROW = re.compile(r" *([\d.]+)% \+- *([\d.]+)% +(\d+)  (\S+) +(\S+) +(\S+)")
EXPECTED = re.compile(r"# (\d+) samples, at most (\d+) expected from (\d+) events")


def rows_of(text):
    """Return the rows of a profile as (share, error, samples, function, object, program)."""
    return [(float(row[1]), float(row[2]), int(row[3]), *row.groups()[3:])
            for row in map(ROW.match, text.splitlines()) if row]


def profiled(machine, command, bits, *options):
    """Profile a command with some options. Return the rows, the number of samples, the largest
    expected number, and the whole output."""
    words = ["perfex", "--profile", *options, "-e", f"instructions:u/{PERIOD}", *command.split()]
    return read_profile(
        guest.run(machine, words, [guest.tool("shares", bits), guest.perfex(bits)]))


def read_profile(result, flaws=FLAWS):
    """Read what perfex has printed, as profiled() returns it. Fail if perfex reports one of these
    flaws of the samples."""
    shown = guest.shown(result)
    if result.returncode:
        raise Failed(shown)
    text = result.stderr.decode()
    rows = rows_of(text)
    if not (expected := EXPECTED.search(text)):
        raise Failed(f"there is no number of samples\n{shown}")
    for word in flaws:
        if word in text:
            raise Failed(f"samples are {word}\n{shown}")
    return rows, int(expected[1]), int(expected[2]), shown


def check_shares(rows, samples, shown):
    """Check that each function has its share, within the error that the report states."""
    found = {row[3]: row for row in rows if row[5] == "shares"}
    for name, share in SHARES.items():
        if name not in found or abs(found[name][0] - share) > found[name][1]:
            raise Failed(f"{name} does not have {share} %\n{shown}")
    if any(not found[name][4].endswith("/shares") for name in SHARES):
        raise Failed(f"a function is in another file\n{shown}")
    if sum(row[2] for row in rows) > samples:
        raise Failed(f"the rows have more samples than there are\n{shown}")


def functions(machine, bits):
    """Test a single process: each thread rounds its number of samples down, and there is one
    thread."""
    rows, samples, most, shown = profiled(machine, f"shares {ROUNDS}", bits)
    check_shares(rows, samples, shown)
    if samples != most:
        raise Failed(f"there are {samples} samples, and not {most}\n{shown}")


def tree(machine, bits):
    """Test a tree of seven processes: at most one sample of each is missing."""
    rows, samples, most, shown = profiled(machine, f"shares {ROUNDS // 5} 2", bits)
    check_shares(rows, samples, shown)
    if not most - 7 < samples <= most:
        raise Failed(f"there are {samples} samples, and not {most}\n{shown}")


# A saved profile with more callers than memory has room for in 32 bits.
MANY_CALLERS = f"""{{
perfex --profile=out.profile --call-graph -e instructions:u/{PERIOD} shares 5 2>&1
sed 's/^callers .*/callers 4294967295/' out.profile >many.profile
perfex --merge --profile many.profile 2>&1
test $? = 216; }} >log"""


def callers(machine, bits):
    """Profile the program with callers. Nearly all samples of a function must have its callers. The
    few samples at its first and last instruction lack one caller. A small stack is enough to
    count."""
    script = ("PATH=.:$PATH; (ulimit -s 64; perfex -o count true) && perfex --profile=out.folded --call-graph "
              f"-e instructions:u/{PERIOD} shares {ROUNDS} && cat out.folded && {MANY_CALLERS}")
    result = guest.run(machine, ["sh", "-c", script],
                       [guest.tool("shares", bits), guest.perfex(bits)])
    shown = guest.shown(result)
    if result.returncode:
        raise Failed(shown)
    rows = {row[3]: row for row in rows_of(result.stderr.decode())}
    stacks = [line.rsplit(" ", 1) for line in result.stdout.decode().splitlines()]
    for name in SHARES:
        called = sum(int(events) for stack, events in stacks
                     if f"{stack};".endswith(f";main;work;{name};"))
        all_of_it = rows[name][2] * PERIOD
        if not 0.98 * all_of_it <= called <= all_of_it:
            raise Failed(f"{name} has {called} of {all_of_it} events below its callers\n{shown}")


def seeds(machine, bits):
    """Profile the program with many seeds. With nearly all seeds, each share must be within its
    error. A second run with the first seed must have the same table."""
    script = (f"PATH=.:$PATH; for seed in 1 $(seq {SEEDS}); do perfex --profile "
              f"-e {JITTERED} --seed $seed shares {ROUNDS // 5} || exit; done")
    result = guest.run(machine, ["sh", "-c", script],
                       [guest.tool("shares", bits), guest.perfex(bits)])
    shown = guest.shown(result)
    if result.returncode:
        raise Failed(shown)
    first, *tables = result.stderr.decode().split("# profile of ")[1:]
    if len(tables) != SEEDS or rows_of(tables[0]) != rows_of(first):
        raise Failed(f"there are {len(tables)} tables, or seed 1 does not repeat\n{shown}")
    missed = 0
    for table in tables:
        found = {row[3]: row for row in rows_of(table) if row[5] == "shares"}
        missed += any(name not in found or abs(found[name][0] - share) > found[name][1]
                      for name, share in SHARES.items())
    if missed > MISSES or len(set(tables)) < SEEDS // 2:
        raise Failed(f"{missed} of {SEEDS} seeds miss a share\n{shown}")
    return f"{missed} of {SEEDS} seeds miss a share"


# In each function of the program, the loop is on the line that names the number of rounds.
LINE = re.compile(r" *([\d.]+)% \+- *([\d.]+)% +(\d+)  shares\.c:(\d+) +(\S+) ")
INSTRUCTION = re.compile(r".* (\d+)  ([0-9a-f]+) +shares\.c:(\d+) +(\w+)\+0x([0-9a-f]+) ")


def loop_line(function):
    """Return the number of the line that has the loop of a function."""
    with open(os.path.join(guest.TOP, "tests/guest/samples/shares.c"), encoding="utf-8") as file:
        lines = file.read().splitlines()
    return next(i for i, line in enumerate(lines) if line.endswith(f" void {function}(void)")) + 3


def source_lines(machine, bits):
    """Test the table of lines: the loop of each function is one line."""
    shown = profiled(machine, f"shares {ROUNDS}", bits, "--lines")[3]
    found = {row[5]: row for row in LINE.finditer(shown)}
    for name, share in SHARES.items():
        row = found.get(name)
        if not row or abs(float(row[1]) - share) > float(row[2]) or int(row[4]) != loop_line(name):
            raise Failed(f"the line of {name} does not have {share} %\n{shown}")


def instructions(machine, bits):
    """Test the table of instructions: the loop of each function has two. They are sorted by
    address."""
    shown = profiled(machine, f"shares {ROUNDS}", bits, "--annotate")[3]
    for name in SHARES:
        rows = [row for row in INSTRUCTION.finditer(shown) if row[4] == name]
        addresses = [int(row[2], 16) for row in rows]
        starts = {address - int(row[5], 16) for address, row in zip(addresses, rows)}
        loop = [row for row in rows if int(row[3]) == loop_line(name) and int(row[1]) > 1]
        if len(loop) != 2 or len(starts) != 1 or addresses != sorted(addresses):
            raise Failed(f"the instructions of {name} are wrong\n{shown}")


# The process that is profiled runs until it is killed.
ATTACH = """\
./shares 100000000 & target=$!
perfex --profile --interval 0.2 -e instructions:u/PERIOD -p $target --for 0.5
kill $target
"""


def attached(machine, bits):
    """Test a process that already runs: its mappings are older than the samples."""
    result = guest.run(machine, ["sh", "-c", ATTACH.replace("PERIOD", str(PERIOD))],
                       [guest.tool("shares", bits), guest.perfex(bits)])
    rows, samples, most, shown = read_profile(result)
    check_shares(rows, samples, shown)
    if samples != most:
        raise Failed(f"there are {samples} samples, and not {most}\n{shown}")
    if not re.search(r"(?s)seconds\n.*seconds\n.*# profile of ", shown):
        raise Failed(f"there are not two intervals before the profile\n{shown}")


# A file is executed, overwritten and executed again, and another file is executed once.
REWRITTEN = f"""\
perfex --profile -e instructions:u/{PERIOD} sh -c '
cp shares twice; ./twice 20; /bin/busybox sleep 0.1; cp region_shares twice; ./twice 20
cp shares once; ./once 20'
"""


def rewritten(machine, bits):
    """Test a file that is overwritten: it has the names of neither program."""
    result = guest.run(machine, ["sh", "-c", "PATH=.:$PATH; " + REWRITTEN],
                       [guest.tool("shares", bits), guest.tool("region_shares", bits),
                        guest.perfex(bits)])
    rows, _, _, shown = read_profile(result, ())
    found = {(row[3], os.path.basename(row[4])) for row in rows}
    if (("half", "once") not in found or any(function != "-" for function, file in found
                                             if file == "twice")
            or "twice: the file has changed since it was executed" not in shown):
        raise Failed(f"the names of an overwritten file are wrong\n{shown}")


# Each function of the program is in one region.
REGIONS = {"inner": "inner", "outer": "outer", "outside": "-"}
REGION_ROW = re.compile(r" *[\d.]+% \+- *[\d.]+% +(\d+)  (inner|outer|outside) +(\S+) +\S+ +"
                        r"region_shares")


# The list of regions has their calls, and their counts with and without regions within them.
REGION_COUNT = re.compile(r"region +\d+ +600 +\d+ +(\d+)  (\w+)")


def regions(machine, bits):
    """Test --regions: each sample of a function has the region that the function is called in.
    The regions are counted by system calls, because pages do not show counts of a thread that
    leaves samples."""
    words = ["perfex", "--profile", "--regions", "-e", f"instructions:u/{PERIOD}",
             "region_shares", "300"]
    # Where a system call enters a kernel of 32 bits, the address of user mode may be unknown.
    shown = read_profile(guest.run(machine, words, [guest.tool("region_shares", bits),
                                                    guest.perfex(bits)]),
                         [flaw for flaw in FLAWS if flaw != "no mapping"])[3]
    counts = {row[2]: int(row[1]) for row in REGION_COUNT.finditer(shown)}
    if set(counts) != {"inner", "outer"} or min(counts.values()) < 600 * 10000:
        raise Failed(f"the regions are not counted\n{shown}")
    found = [(row[2], row[3]) for row in REGION_ROW.finditer(shown)]
    if sorted(found) != sorted(REGIONS.items()):
        raise Failed(f"the regions are not {REGIONS}\n{shown}")


MACHINES = {
    "pentium3": (Machine(cpu="pentium3"), 32),
    "icelake": (Machine(cpu="icelake", kernel="vpmc-amd64"), 64),
    "zen": (Machine(cpu="zen", kernel="vpmc-amd64"), 64),
    "icelake-2": (Machine(cpu="icelake", kernel="vpmc-amd64", smp=2), 64),
}


def tests():
    """Yield the tests."""
    for name, (machine, bits) in MACHINES.items():
        yield Test(f"profile-functions-{name}",
                   "a profile has the share of each function within the error that it states",
                   functools.partial(functions, machine, bits), 2)
        yield Test(f"profile-lines-{name}", "a line has the share of its function's loop",
                   functools.partial(source_lines, machine, bits), 2)
        yield Test(f"profile-annotate-{name}", "instructions of a function follow each other",
                   functools.partial(instructions, replace(machine, exact_pmi=True), bits), 2)
        yield Test(f"profile-attached-{name}", "a profile has the mappings of a running process",
                   functools.partial(attached, machine, bits), 2)
        yield Test(f"profile-regions-{name}", "a sample has the region in which its function runs",
                   functools.partial(regions, machine, bits), 2)
        yield Test(f"profile-tree-{name}", "a profile has all processes of a tree",
                   functools.partial(tree, machine, bits), 2)
    for name in ("pentium3", "icelake"):
        machine, bits = MACHINES[name]
        yield Test(f"profile-callers-{name}", "samples have the callers of their functions",
                   functools.partial(callers, machine, bits))
        yield Test(f"profile-rewritten-{name}", "a file that was overwritten has no names",
                   functools.partial(rewritten, machine, bits))
        yield Test(f"profile-seeds-{name}", "with jitter, 95 of 100 seeds have all shares within "
                   "the error, and the same seed has the same samples",
                   functools.partial(seeds, dataclasses.replace(machine, icount=True), bits))
