# SPDX-License-Identifier: GPL-2.0-only
"""Test perfex and libperfex of IRIX: exact counts, and their reports."""

import dataclasses
import functools
import importlib.util
import os
import re
import subprocess

import guest
from cases import Failed, Test
from cases_control import PHASES, SIGNAL
from cases_perfex import Case, check_cases
from guest import Machine

HERE = os.path.join(guest.TOP, "tests/compat/irix")
HEAD = "Summary for execution of {}\n\n"

PROGRAMS = ("exactly-1000", "exactly-12345", "exactly-100000", "threads")

# These programs make this number of checks.
CALLS = 21
PROC = 45
PROFILE = 3


def product(name, bits=32):
    """Return the path of a program of the IRIX tools, or of one of their tests."""
    return os.path.join(guest.BUILD if bits == 32 else guest.GUEST64,
                        "guest/compat" if bits == 32 else "compat", name)


def line(number, name, count):
    """Return a regular expression for a line of the report."""
    return rf" *{number} {name}\.+ +{count}\n"


def instructions(count):
    """Return the line of a report for the instructions."""
    return line(22, "instructions_executed", count)


def branches(count):
    """Return the line of a report for the branches."""
    return line(18, "branches", count)


def clocks(count):
    """Return the line of a report for the clocks. An instruction takes one clock here."""
    return line(256, "clocks", count)


def summary(command, *lines):
    """Return a regular expression for a report."""
    return HEAD.format(re.escape(command)) + "".join(lines)


def thread(number, name, *lines):
    """Return a regular expression for the report of one thread."""
    return rf"Process [0-9]+, thread {number} \([0-9]+\), {name}\n\n" + "".join(lines) + "\n"


# In the program "threads" nine threads take turns: the first executes 93 instructions, and each
# of the others 40009, of which 20002 are branches.
OTHERS = "".join(thread("[2-9]", "threads", instructions(40009), branches(20002))
                 for _ in range(8))
FIRST = thread(1, "threads", instructions(320165 - 8 * 40009), branches(160041 - 8 * 20002))
ALL_THREADS = summary("threads", instructions(320165), branches(160041))

# The command, a child of perfex, waits for its input in read(2). This system call counts as a
# branch, too.
SIGNALLED = "perfex.irix -s {} phases <&5 & perfex=$!\nheld; quiet $perfex\n"

COUNTS = (
    Case("two events", "perfex.irix -e 22 -e 18 exactly-1000", 0, "",
         summary("exactly-1000", instructions(1000), branches(499))),
    Case("the other way round", "perfex.irix -e 18 -e 22 exactly-12345", 0, "",
         summary("exactly-12345", branches(6171), instructions(12345))),
    Case("nothing given", "perfex.irix exactly-1000", 0, "",
         summary("exactly-1000", clocks(1000), clocks(1000))),
    Case("one event", "perfex.irix -e 22 exactly-1000", 0, "",
         summary("exactly-1000", instructions(1000), clocks(1000))),
    Case("the environment", "T5_EVENT0=22 T5_EVENT1=18 perfex.irix exactly-1000", 0, "",
         summary("exactly-1000", instructions(1000), branches(499))),
    Case("the command line before it", "T5_EVENT0=0 T5_EVENT1=1 perfex.irix -e 22 exactly-1000", 0,
         "", summary("exactly-1000", instructions(1000), clocks(1000))),
    Case("the kernel", "perfex.irix -k -e 22 exactly-1000", 0, "",
         summary("exactly-1000", instructions("[0-9]{5,}"), clocks("[0-9]{5,}"))),
    Case("exceptions", "perfex.irix -x -T -e 22 exactly-1000", 0, "",
         summary("exactly-1000", instructions("[0-9]{5,}"), clocks("[0-9]{5,}"))),
    Case("a file", "perfex.irix -o report -e 22 exactly-1000; cat report; rm report", 0,
         summary("exactly-1000", instructions(1000), clocks(1000))),
    Case("what cannot happen", "perfex.irix -e 39 exactly-1000", 0, "",
         summary("exactly-1000", r" *39 hardware_interrupts\.+ +-  # never in user mode\n",
                 clocks(1000))),
    # The shell's own instructions are the same each time.
    Case("descendants that are waited for",
         "for n in 1000 12345 100000; do\n"
         "ln -sf $(which exactly-$n) run\n"
         "perfex.irix -e 22 sh -c './run; :' 2>&1 | sed -n 's/^ *22 .* //p'; done |\n"
         "{ read a; read b; read c; echo $((b - a)) $((c - b)); }", 0, "11345 87655\n"),
    Case("threads", "perfex.irix -mp -e 22 -e 18 threads", 0, "",
         "(" + OTHERS + FIRST + "|" + FIRST + OTHERS + "|(Process .*\n\n.*\n.*\n\n){9})"
         + ALL_THREADS),
    Case("the first thread", "perfex.irix -pp 1 -e 22 -e 18 threads", 0, "", FIRST + ALL_THREADS),
    Case("the sixth thread", "perfex.irix -mp -pp 6 -e 22 -e 18 threads", 0, "",
         thread(6, "threads", instructions(40009), branches(20002)) + ALL_THREADS),
    Case("a file for each thread",
         "perfex.irix -mp -o report -e 22 -e 18 threads\n"
         "grep -c '^   22 .* 40009$' report.* | grep -c ':1$'; wc -l <report\nrm report*", 0,
         "8\n4\n"),
    # The name has 4093 characters. With a thread's number it is longer than a path may be.
    Case("a file whose name is too long",
         "f=report; until [ ${#f} -ge 4092 ]; do f=./$f; done\n"
         "perfex.irix -mp -o ./$f -e 22 exactly-1000; echo $?; ls report*; rm report*", 0,
         "210\nreport\n", "perfex: cannot open the output .*\n"),
    Case("processes", "perfex.irix -mp -e 22 -o report sh -c 'exactly-1000; exit 3'; echo $?\n"
         "grep -h thread report.*; sed -n 's/^ *22 .* //p' report.* report | \n"
         "{ read a; read b; read c; echo $((c - a - b)); }; rm report*", 0,
         r"3\nProcess [0-9]+, thread 1 \([0-9]+\), sh\n"
         r"Process [0-9]+, thread 1 \([0-9]+\), exactly-1000\n0\n"),
    Case("no signal", "perfex.irix -s -e 22 exactly-1000", 0, "",
         "WARNING: nothing was counted, because no SIGUSR1 has come\n"),
    Case("from a signal to another",
         PHASES + SIGNALLED.format("-e 22 -e 18") + SIGNAL.format("USR1") + "go\n"
         + SIGNAL.format("USR2") + "go\n" + SIGNAL.format("USR1") + "go\n"
         + SIGNAL.format("USR2") + "echo >&5; wait $perfex", 0, "",
         summary("phases", instructions(203 + 20003), branches(101 + 10001))),
    Case("a signal twice is one",
         PHASES + SIGNALLED.format("-e 22 -e 18") + SIGNAL.format("USR2") + SIGNAL.format("USR1")
         + "go\n" + SIGNAL.format("USR1") + "go\n" + SIGNAL.format("USR2")
         + SIGNAL.format("USR2") + "go; echo >&5; wait $perfex", 0, "",
         summary("phases", instructions(203 + 2003), branches(101 + 1001))),
    # While the program waits, the second new sample has the counts of all instructions so far.
    Case("samples",
         PHASES + "perfex.irix -p 20 -e 22 -e 18 -o report phases <&5 & perfex=$!\nheld\n"
         "n=$(grep -c Sample report)\n"
         "until [ $(grep -c Sample report) -gt $((n + 1)) ]; do :; done\n"
         "grep ' 22 ' report | tail -n 1\n"
         "go; go; go; echo >&5; wait $perfex\n"
         "grep -q '^Sample 1 at [0-9]* ms$' report && tail -n 4 report; rm report", 0,
         instructions(9) + summary("phases", instructions(22231), branches(11110))),
    Case("a full disk", "perfex.irix -h >/dev/full; echo $?; perfex.irix -t >/dev/full", 210, "210\n",
         "(perfex: cannot write to standard output: No space left on device\n){2}"),
    Case("a conflict", "perfex.irix -e branches@1 -e 22@1 exit", 204, "",
         "perfex: conflicting counters: .*\n"),
)


def values(text, pattern):
    """Return the numbers that a pattern finds in a text."""
    return [int(word) for word in re.findall(pattern, text)]


def checker():
    """Return the program that recalculates times."""
    spec = importlib.util.spec_from_file_location("check_times",
                                                  os.path.join(HERE, "check_times.py"))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def times(machine):
    """Test perfex.irix -y with exact counts: with the costs that it prints itself, and with
    others."""
    script = """
perfex.irix -y -e 22 -o report exactly-1000000; cat report; echo %%%%
perfex.irix -t; echo %%%%
echo '22 instructions_executed 4 2 8 nsec' >costs
echo '# no more' >>costs
perfex.irix -y -c costs -e 22 -e 18 -o report exactly-1000000; cat report; echo %%%%
perfex.irix -c costs -t; echo %%%%
grep MHz /proc/cpuinfo
mkdir -p /etc; echo '18 branches 5 4 6 clks' >/etc/perfex.costs
perfex.irix -t | grep ' branches '; perfex.irix -c costs -t | grep -e ' branches ' -e 'instructions_executed '
"""
    files = [product("perfex.irix"), guest.program("exactly-1000000")]
    result = guest.run(machine, ["sh", "-s"], files,
                       ("export PATH=$PWD:$PATH\n" + script).encode())
    parts = result.stdout.decode().split("%%%%\n")
    if result.returncode or result.stderr or len(parts) != 5:
        raise Failed(guest.shown(result))
    module = checker()
    mhz = module.mhz_of(parts[4])
    for report, costs, want in ((parts[0], parts[1], ([], 2, 1)), (parts[2], parts[3], ([], 2, 0))):
        found = module.check(report, costs, mhz)
        counts = values(report, r" 22 instructions_executed\.+ +([0-9]+)")
        if found != want or counts != [1000000]:
            raise Failed(f"{found}, want {want}, and {counts}\n{guest.shown(result)}")
    machine_wide = r"cpu MHz.*\n( *18 branches +5 +4 +6 clks\n){2}" \
                   r" *22 instructions_executed +4 +2 +8 nsec\n"
    if not re.fullmatch(machine_wide, parts[4]):
        raise Failed(guest.shown(result))


def all_events(machine):
    """Test perfex.irix -a, which counts all events that can happen here and projects them to
    the whole time.

    Ten events take turns of one tick, so each has a fifth of the time. The projected count is
    at least half, and at most twice, of the count of perfex without turns.
    """
    loop = "i=0; while [ $i -lt 1000000 ]; do i=$((i + 1)); done"
    script = f"export PATH=$PWD:$PATH; perfex.irix -a sh -c '{loop}'\n" \
             f"perfex -e instructions_executed -e branches sh -c '{loop}'\n"
    result = guest.run(machine, ["sh", "-s"], [product("perfex.irix"), guest.perfex()],
                       script.encode())
    text = result.stderr.decode()
    events = re.findall(r"^ *[0-9]+ ([a-z0-9_]+)\.+ +([0-9]+|-)", text, re.MULTILINE)
    names = [name for name, _ in events]
    want = ["clocks", "data_read", "data_write", "misaligned_references",
            "segment_register_loads", "branches", "instructions_executed", "locked_bus_cycles",
            "io_cycles", "data_read_or_write"]
    projected = {name: int(count) for name, count in events if count != "-"}
    exact = {name: int(count)
             for count, name in re.findall(r"^ *([0-9]+)  0x.. +([a-z_]+):u$", text, re.MULTILINE)}
    if (result.returncode or not text.startswith("WARNING: Multiplexing events to project totals")
            or [name for name in names if name in want] != want or len(exact) != 2
            or any(not count / 2 <= projected.get(name, 0) <= count * 2
                   for name, count in exact.items())):
        raise Failed(guest.shown(result))


def calls(machine):
    """Test the counts of libperfex, and its errors."""
    guest.run_checks(machine, ["irix_calls", machine.cpu],
                     [product("irix_calls"), guest.program("exactly-1000"),
                      guest.program("exactly-100000")], CALLS)


def operations(machine):
    """Test the operations of /proc and syssgi(2)."""
    guest.run_checks(machine, ["irix_proc"], [product("irix_proc")], PROC)


def profile(machine):
    """Test the operations that fill histograms."""
    guest.run_checks(machine, ["irix_proc", "profile"], [product("irix_proc")], PROFILE)


def sample(machine):
    """Test a program that counts a loop of 2 instructions, of which one is a branch."""
    script = """
irix_sample 22 18 10000; irix_sample 18 22 60000
T5_EVENT0=data_read@0 irix_sample 22 18 1000
echo '22 instructions_executed 1000 1000 1000 nsec' >costs
irix_sample 22 18 1000 costs
irix_sample 63 18 1000; echo $? >&2
irix_sample 22 18 1000 nowhere; echo $? >&2
"""
    result = guest.run(machine, ["sh", "-s"], [product("irix_sample")],
                       ("export PATH=$PWD:$PATH\n" + script).encode())
    text = result.stderr.decode()
    few, many, *more = values(text, r" 22 instructions_executed\.+ +([0-9]+)")
    few_branches, many_branches, *_ = values(text, r" 18 branches\.+ +([0-9]+)")
    head = "".join((instructions("[0-9]+"), branches("[0-9]+"), branches("[0-9]+"),
                    instructions("[0-9]+"), line(0, "data_read", "[0-9]+"), branches("[0-9]+")))
    tail = r' Based on [0-9]+ MHz p5(mmx)?\n.*\n.*\n=+\n' \
        r' *22 instructions_executed\.+ +[0-9]+ +0\.00[0-9]{4} +0\.00[0-9]{4} +0\.00[0-9]{4}\n' \
        r' *18 branches\.+ .*\n' \
        r'libperfex: unknown event 63 \(0x3f\): .*\n1\nlibperfex: cannot open the costs nowhere: .*\n1\n'
    if (result.returncode or not re.fullmatch(head + tail, text) or len(more) != 1
            or many - few != 100000 or many_branches - few_branches != 50000):
        raise Failed(guest.shown(result))


def other_processor(machine):
    """Test the events of another family of processors, with 64 bits."""
    script = """
perfex.irix -e 192 -e branches exactly-1000
perfex.irix exactly-1000
perfex.irix -a -e 192 -y exactly-1000000
T5_EVENT0=instructions T5_EVENT1=196 irix_sample 0 0 1000
irix_sample 192 196 10000; irix_sample 192 196 60000
"""
    files = [product("perfex.irix", 64), product("irix_sample", 64),
             *(guest.program(name, 64) for name in ("exactly-1000", "exactly-1000000"))]
    result = guest.run(machine, ["sh", "-s"], files,
                       ("export PATH=$PWD:$PATH\n" + script).encode())
    text = result.stderr.decode()
    few, many = values(text, r" 192 instructions_retired\.+ +([0-9]+)")[-2:]
    retired = functools.partial(line, 192, "instructions_retired")
    jumps = functools.partial(line, 196, "branch_instructions_retired")
    cycles = functools.partial(line, 60, "unhalted_core_cycles")
    want = (summary("exactly-1000", retired(1000), jumps(499))
            + summary("exactly-1000", cycles(1000), cycles(1000))
            + summary("exactly-1000000")
            + r" Based on [0-9]+ MHz intel\n.*\n.*\n=+\n"
            + r" *60 unhalted_core_cycles\.+ +1000000( +0\.[0-9]+){3}\n"
            + r"( *[0-9]+ [a-z_]+\.+ +(1000000|499999) .*\n){3}"
            + 3 * (retired("[0-9]+") + jumps("[0-9]+")))
    if result.returncode or not re.fullmatch(want, text) or many - few != 100000:
        raise Failed(guest.shown(result))


def fortran(machine):
    """Test a program in Fortran, with its shared libraries."""
    program = product("irix_fortran", 64)
    listed = subprocess.run(["ldd", program], check=True, stdout=subprocess.PIPE, text=True).stdout
    libraries = re.findall(r"(/\S+) \(0x", listed)
    loader = next(os.path.basename(path) for path in libraries if "/ld-linux" in path)
    guest.run_checks(machine, ["sh", "-c", f"./{loader} --library-path . ./$0", "irix_fortran"],
                     [program, *libraries], 4)


def tests():
    """Yield the tests of this file."""
    for cpu in ("mmx", "p5"):
        machine = Machine(cpu=cpu)
        counts = functools.partial(check_cases, machine, COUNTS,
                                   [product("perfex.irix"), *map(guest.program, PROGRAMS)])
        for name, rule, function in (
                ("counts", "perfex.irix counts exactly, and its options do what IRIX has them do",
                 counts),
                ("times", "times and statistics of perfex.irix are those of counts and costs",
                 functools.partial(times, machine)),
                ("all", "perfex.irix -a projects all events",
                 functools.partial(all_events, dataclasses.replace(machine, icount=True))),
                ("calls", "libperfex counts exactly, and refuses what it cannot count",
                 functools.partial(calls, machine)),
                ("operations",
                 "each operation of IRIX's /proc is done by the call that is named for it",
                 functools.partial(operations, machine)),
                ("sample", "a program counts itself with libperfex",
                 functools.partial(sample, machine))):
            if name in ("counts", "calls", "times") or cpu == "mmx":
                yield Test(f"irix-{name}-{cpu}", rule, function)
    machine = Machine(cpu="icelake", kernel="vpmc-amd64")
    yield Test("irix-intel-amd64", "perfex.irix and libperfex count the events of another family",
               functools.partial(other_processor, machine))
    yield Test("irix-profile-pentium3", "a program fills PC buckets where its counters interrupt",
               functools.partial(profile, Machine(cpu="pentium3")))
    yield Test("irix-fortran-amd64", "libperfex counts exactly in a program in Fortran",
               functools.partial(fortran, machine))
