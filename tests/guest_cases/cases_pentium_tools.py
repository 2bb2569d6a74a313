# SPDX-License-Identifier: GPL-2.0-only
"""Test docs/history/pentium-tools.md: each of its command lines is executed literally. The lines
that need counters that interrupt are executed on a Pentium III, and the others on a Pentium."""

import os
import re
import tempfile

import guest
from cases import Failed, Test
from guest import Machine

DOCUMENT = os.path.join(guest.TOP, "docs/history/pentium-tools.md")

# These are the counts of ./prog, and parts of other reports.
PROG = r" 1000  0x16   instructions:u"
INTERVAL = r"(?s)# 0\.[0-9]+ seconds\n.* 0x16 .*# [0-9.]+ seconds\n"
REGIONS = r"# region +pid .*\n(region .*\n)*region +[0-9]+ +998 .*  is_prime\nregion .*  sieve\n"

# These lines compute statistics of the calls of a section: number, mean, smallest and largest
# count.
STATISTICS = (
    r"""awk -F'[{}":,]+' '$3 == "X" && $5 == "region" {s = $11; n[s]++; sum[s] += $19; """
    "if (n[s] == 1 || $19 < low[s]) low[s] = $19; if ($19 > high[s]) high[s] = $19} END {for "
    """(s in n) print s ": " n[s], sum[s] / n[s], low[s], high[s]}' trace.json""")

# Each line without --live has its standard output, its error output, and the files that it
# writes. Its status is 0 unless it is in OTHERWISE.
LINES = {
    "parts 1000": r"998 .*is_prime",
    "perfex -e data_read_miss@0:u ./prog": r"-  0x03   data_read_miss:u  # not emulated here\n",
    "perfex -e instructions@0:u,branches@1:uk ./prog": PROG + r"\n *[0-9]+  0x12   branches:uk\n",
    "perfex -i": r"pmu +p5mmx\ncounters +2\n",
    "perfex -l cache": r"data_lines_written_back",
    "perfex -e instructions:u,hardware_interrupts:k ./prog":
        PROG + r"\n *[0-9]+  0x27   hardware_interrupts:k\n",
    "perfex --system -e instructions,branches ./prog": r"^ *[0-9]{5,}  0x16   instructions:uk\n",
    "perfex --system -e instructions:u,branches:u ./prog": r"[0-9]{4,}  0x16   instructions:u\n",
    "perfex --regions parts 1000": REGIONS,
    "perfex --timeline trace.json parts 1000": r'"ph":"X".*"name":"sieve"',
    STATISTICS: r"^is_prime: 998 [0-9.]+ 4 [0-9]+\n",
    "perfex -r 5 --times --plot runs.svg ./prog":
        r"(?s)1000 .* # the same in all 5 runs\n.*user_seconds.*<svg",
    r"perfex -l | awk '$1 ~ /^0x/ && !seen[$1 $2]++ {print $3}' >all; "
    "perfex --runs -e @all ./prog":
        r"(?s)1000  0x16 .* mmx_stall_on_write_to_e_or_m:u .*in 5 runs of the command",
    "for event in $(head -n 3 all); do perfex --regions -e $event parts 1000; done":
        f"{REGIONS}.*\n{REGIONS}.*\n{guest.clocks_note(1)}\n{REGIONS}",
    "perfex --regions -e instructions parts 1000": REGIONS,
    "perfex --regions=raw -e instructions parts 1000": REGIONS,
    "perfex --regions -e instructions:uk parts 1000": REGIONS,
    "perfex --interval 0.05 ./prog": r"# [0-9.]+ seconds\n" r" *1000  0x16 ",
    "perfex --for 0.2 sleep 100": r" 0x16   instructions_executed:u\n",
    "perfex --system --interval 0.1 -o log sleep 0.5": INTERVAL,
    "perfex -e mmx_data_reads ./prog": r"-  0x31   mmx_data_reads:u  # not emulated here\n",
    "perfex --system --interval 0.2 --csv -o log.csv sleep 1":
        r"kind,seconds,(?s:.*)event,0\.2[0-9]+,.*,instructions_executed,uk,22,[0-9]{4,},",
    "perfex --system --interval 0.1 -o log --plot time.svg sleep 0.5": INTERVAL + r"(?s:.*)<svg",
    "perfex --timeline trace.json parts 100": r'"ph":"X".*"name":"divide"',
    "perfex -e instructions,branches --timeline trace.json parts 100":
        r'"branches:u exclusive":[0-9]+',
    r"""awk -F'[{}":,]+' '$5 == "region" {print $13, $15, $11}' trace.json | sort -n | """
    r"""awk '{printf "%12.3f %12.3f %s\n", $1 - last, $2, $3; last = $1}'""":
        r"^ *[0-9.]+ +[0-9.]+ divide\n *[0-9.]+ +[0-9.]+ is_prime\n",
    "perfex -e hardware_interrupts:k,io_cycles:uk ./prog":
        r" 0x27 .*\n *[0-9]+  0x1d   io_cycles:uk\n",
}

OTHERWISE = {"perfex --for 0.2 sleep 100": 143}

# Half of the program's instructions are in one function, and about half of the few samples.
HALF = r"[3-6][0-9]\.[0-9]+%.* half +[^ ]*/prog +prog\n"
PROFILES = {
    "perfex --profile -e instructions/1009 ./prog": HALF,
    "perfex --profile=prog.folded -e instructions/1009 ./prog": r"^prog;(.*;)?half [0-9]+\n",
    "for event in instructions branches; do perfex --profile -e $event/1009 ./prog; done":
        rf"(?s)sample every 1009 events.*{HALF}.*sample every 1009 events.*{HALF}",
    "perfex --profile --ticks -e cycles/1009 ./prog": r"at clock ticks(?s:.*) prog\n",
}

# The lines write these files.
FILES = {"trace.json", "runs.svg", "time.svg", "log", "log.csv", "prog.folded"}


def lines():
    """Return the command lines of the document, in order."""
    with open(DOCUMENT, encoding="utf-8") as file:
        rows = re.findall(r"^\| [^`|]* \| `((?:[^`|]|\\\|)*)`(?: — .*)? \|$", file.read(), re.M)
    return [row.replace("\\|", "|") for row in rows if not re.fullmatch(r"\w+\(\)", row)]


def script(commands):
    """Return a script that executes each line, marks its output, and shows the files that it
    has written."""
    text = ""
    for number, command in enumerate(commands):
        written = " ".join(name for name in re.findall(r"[^\s=]+", command) if name in FILES)
        text += (f"echo '=== {number}'\n{{ {command}\n}} 2>&1\necho \"=== status $?\"\n"
                 + (f"cat {written}\n" if written else ""))
    return text


def check_mean(printed):
    """Check that the mean over a section's calls is perfex's count of the section, divided by
    the number of calls."""
    counted = int(re.search(r"^region +\d+ +998 +(\d+) .*is_prime$",
                            printed["perfex --regions -e instructions parts 1000"], re.M)[1])
    mean = re.search(r"^is_prime: \d+ (\S+)", printed[STATISTICS], re.M)[1]
    if mean != f"{counted / 998:.6g}":
        raise Failed(f"{mean}, want {counted} / 998\n{printed[STATISTICS]}")


def check_lines(machine, commands, want, prog, *files):
    """Test that each line ends with the right status and output. Return what the lines printed."""
    with tempfile.TemporaryDirectory() as directory:
        path = os.path.join(directory, "lines")
        with open(path, "w", encoding="utf-8") as file:
            file.write(f"cp {os.path.basename(prog)} prog\n" + script(commands))
        result = guest.run(machine, ["sh", "lines"], [path, guest.PERFEX, prog, *files])
    parts = re.split(r"=== \d+\n", result.stdout.decode())[1:]
    if len(parts) != len(commands):
        raise Failed(guest.shown(result))
    all_printed = {}
    for command, part in zip(commands, parts):
        status = int(re.search(r"=== status (\d+)\n", part)[1])
        all_printed[command] = printed = re.sub(r"=== status \d+\n", "", part)
        if status != OTHERWISE.get(command, 0) or not re.search(want[command], printed, re.M):
            raise Failed(f"{command}\nstatus {status}\n{printed:.2000}")
    return all_printed


def check():
    """Test all lines."""
    commands = [line for line in lines() if "--live" not in line]
    if set(commands) != {*LINES, *PROFILES}:
        raise Failed(f"the lines of docs/history/pentium-tools.md are other ones: "
                     f"{sorted(set(commands) ^ {*LINES, *PROFILES})}")
    check_mean(check_lines(Machine(), [line for line in commands if line in LINES], LINES,
                           guest.program("exactly-1000"), guest.tool("parts")))
    for machine in Machine(cpu="pentium3"), Machine(ebs_socket=True, append="vpmc.ebs_socket=1"):
        check_lines(machine, [line for line in commands if line in PROFILES], PROFILES,
                    guest.tool("shares"))


def tests():
    """Yield the test of this file."""
    yield Test("pentium-tools", "each command line of docs/history/pentium-tools.md does what it says",
               check)
