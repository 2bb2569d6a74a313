# SPDX-License-Identifier: GPL-2.0-only
"""Test that docs/guide/other-tools.md names each option of perf stat and hyperfine, and that
the command lines in it work."""

import glob
import gzip
import os
import re
import subprocess
import tempfile

import guest
from cases import Failed, Test
from guest import Machine

DOCUMENT = os.path.join(guest.TOP, "docs/guide/other-tools.md")
FETCH = os.path.join(guest.TOP, "tests/emulator/fetch-binary")

# The command lines need these files.
SETTING = """\
cp exactly-1000 prog
printf '#!/bin/sh\\nexactly-1000\\n' >script
chmod +x script
mkdir -p /share/vpmc/groups/p5
cp mix cpi /share/vpmc/groups/p5
mkfifo orders
perfex --json -o first.json ./prog
perfex --json -o second.json ./prog
"""

PROG = r" 1000  0x16   instructions_executed:u\n"
RUNS = r" 1000  0x16 .* # the same in all {} runs\n"
INTERVAL = r"(?s)# 0\.[0-9]+ seconds\n.* 0x16 .*# [0-9.]+ seconds\n"
CSV = r"^event,.*,1000,"

# The key is a line, or a part that only this line contains. The value is the output of the
# line, or the contents of the file that it writes.
PRINTED = {
    "perfex -e instructions,branches:uk ./prog": r" 1000  0x16 .*\n *[0-9]+  0x12   branches:uk\n",
    "perfex -e instructions,branches ./prog": r" 1000  0x16 .*\n *[0-9]+  0x12   branches:u\n",
    "--runs -e": r" 1000  0x16 (?s:.*) 0x00   loads:u\n.*# the events were counted in 2 runs",
    "perfex -p $$ --for": r" 0x16   instructions_executed:u\n",
    "perfex -t $$": r" 0x16   instructions_executed:u\n",
    "perfex --system ./prog": r"[0-9]{4,}  0x16   instructions_executed:uk\n",
    "perfex --csv --multiplex": r"^event,(?s:.*)\nevent,(?s:.*)\nevent,.*loads",
    "perfex -g help": r"^mix ",
    "--cpu 1": r"[0-9]+  0x16   instructions_executed:uk\n",
    "--openmetrics": r'^vpmc_events_total{event="instructions_executed",mode="uk",cpu="1"} [0-9]',
    "perfex -i": r"^pmu +p5mmx\n",
    "perfex --json": r'"value":1000,',
    "--plot": RUNS.format(5) + r"(?s:.*)<svg",
    "/dev/fd/3": PROG,
    "--control": r"# nothing was counted",
    "perfex --interval 0.1 sleep 0.3": INTERVAL,
    "perfex --interval 0.1 --for 0.3 -p $$": INTERVAL,
    "perfex --for 0.1 sleep 100": r" 0x16   instructions_executed:u\n",
    "perfex --csv --runs -g mix": r"^metric,",
    "perfex -m ./prog": r"process +[0-9]+ .* prog\n.* 1000  0x16 ",
    "perfex --delay": r" 0x16   instructions_executed:u\n",
    "-g mix ./prog": r"instructions_executed:u",
    "perfex -k ./prog": r"[0-9]{4,}  0x16   instructions_executed:uk\n",
    "--merge": r"2000 .*0x16",
    "-g cpi": r"(?i)cpi",
    "perfex -l branch": r"^0x12 .*branches",
    "--timeline": r'"ph":"X".*"name":"divide"',
    "--compare": r"[0-9.]+  0x16 .* # command 2, the same in all runs\n",
    "for n in": r"^kind,.*\n(?s:.*)^event,.*\n(?s:.*)^event,",
    "perfex -r 2 sh -c": r"[0-9]{4,}  0x16 ",
    "perfex -r 2 false": r"(?i)2 of 2 runs|2 runs .*status|otherwise",
    "perfex -r 2 --json": r'1000',
    "perfex -r 2 --csv": r"1000",
    "perfex --version": r"^perfex [0-9]",
    "perfex -r 10": RUNS.format(10),
    "perfex -r 5": RUNS.format(5),
    "perfex -r 2": RUNS.format(2),
    "perfex --csv ./prog": CSV,
    "perfex -e r16,0x12": r" 1000  0x16 .*\n *[0-9]+  0x12 ",
    "perfex -e cpu-cycles": r" 1[0-9]{3}  0x100  cpu-cycles:u\n",
    "": PROG,
}

OTHERWISE = {"perfex --for 0.1 sleep 100": 143, "perfex -r 2 false": 1}

# The lines write these files.
FILES = {"trace.json", "runs.svg", "log", "table", "runs.json", "runs.csv"}


def section(name):
    """Return the rows of a section's table, as lists of cells."""
    with open(DOCUMENT, encoding="utf-8") as file:
        text = re.search(rf"^## {name}\n(.*?)^## ", file.read(), re.M | re.S)[1]
    return [[cell.strip() for cell in row.strip("|").split("|")]
            for row in re.findall(r"^\| (?!---).*\|$", text, re.M)][1:]


def lines():
    """Return the command lines, without repetitions."""
    cells = [row[2] for name in ("perf stat", "hyperfine") for row in section(name)]
    return list(dict.fromkeys(cell.strip("`") for cell in cells if cell))


def fetched(package):
    """Return where a Debian package was unpacked."""
    return subprocess.run([FETCH, package], check=True, text=True,
                          stdout=subprocess.PIPE).stdout.strip()


def options_of(text):
    """Return the options at the beginning of a line."""
    return re.findall(r"(?<![\w-])(-\w|--[a-z][a-z-]*)", text)


def perf_options():
    """Return the options of perf-stat(1)."""
    [page] = glob.glob(os.path.join(fetched("linux-perf"), "usr/share/man/man1/perf*-stat.1.gz"))
    with gzip.open(page, "rt", encoding="utf-8") as file:
        text = file.read().replace("\\-", "-")
    return {option for line in re.findall(r"^(-.*)\n\.RS 4$", text, re.M)
            for option in options_of(line)}


def hyperfine_options():
    """Return the options that hyperfine --help lists."""
    program = os.path.join(fetched("hyperfine"), "usr/bin/hyperfine")
    text = subprocess.run([program, "--help"], check=True, text=True, stdout=subprocess.PIPE).stdout
    return {option for line in re.findall(r"^ {4,8}(-.*)$", text, re.M)
            for option in options_of(line.split("<")[0])}


def complete():
    """Test that each option has a row in a table."""
    for name, options in (("perf stat", perf_options()), ("hyperfine", hyperfine_options())):
        named = {option for row in section(name) for cell in re.findall(r"`([^`]*)`", row[0])
                 for option in options_of(cell)}
        if len(options) < 20 or options - named:
            raise Failed(f"{name} has {len(options)} options; "
                         f"without a row: {sorted(options - named)}")


def script(commands):
    """Return a script that executes each line, marks its output, and shows the files that it
    has written."""
    text = SETTING
    for number, command in enumerate(commands):
        written = " ".join(dict.fromkeys(
            name for name in re.findall(r"[\w.]+", command) if name in FILES))
        text += (f"rm -f {' '.join(sorted(FILES))}\necho '=== {number}'\n{{ {command}\n}} 2>&1\n"
                 f"echo \"=== status $?\"\n" + (f"cat {written}\n" if written else ""))
    return text


def check(machine):
    """Test that each line ends with the right status and output."""
    commands = lines()
    with tempfile.TemporaryDirectory() as directory:
        path = os.path.join(directory, "lines")
        with open(path, "w", encoding="utf-8") as file:
            file.write(script(commands))
        files = [path, guest.PERFEX, guest.tool("parts"), guest.program("exactly-1000"),
                 *(os.path.join(guest.TOP, "perfex/groups/p5", name) for name in ("mix", "cpi"))]
        result = guest.run(machine, ["sh", "lines"], files)
    parts = re.split(r"=== \d+\n", result.stdout.decode())[1:]
    if len(parts) != len(commands):
        raise Failed(guest.shown(result))
    used, bad = set(), []
    for command, part in zip(commands, parts):
        key = next(key for key in PRINTED if key in command)
        used.add(key)
        status = int(re.search(r"=== status (\d+)\n", part)[1])
        printed = re.sub(r"=== status \d+\n", "", part)
        if status != OTHERWISE.get(command, 0) or not re.search(PRINTED[key], printed, re.M):
            bad.append(f"{command}\nstatus {status}\n{printed:.1000}")
    if bad or used != set(PRINTED):
        raise Failed("\n".join([*bad, f"unused: {sorted(set(PRINTED) - used)}"]))
    return f"{len(commands)} lines"


def tests():
    """Yield the tests of this file."""
    yield Test("other-tools-options", "each option of perf stat and hyperfine has its row",
               complete)
    yield Test("other-tools-lines", "each command line of docs/guide/other-tools.md does what it says",
               lambda: check(Machine(smp=2)))
