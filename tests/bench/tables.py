# SPDX-License-Identifier: GPL-2.0-only
"""Measure what perfex needs for the table of a profile of many samples, on this machine."""

import os
import re
import subprocess

import guest
from bench import samples
from cases import Failed

HOST = os.path.join(guest.BUILD, "host")
COLLECT = os.path.join(HOST, "collect")
DIRECTORY = os.path.join(samples.OUT, "big")
PROGRAM = os.path.join(DIRECTORY, "big")

SAMPLES = 10000000
# Each sample is at one of so many instructions.
PLACES = (100000, 400000)
WAYS = {"functions": "by function", "lines": "by line", "instructions": "by instruction"}
MEGABYTE = 1 << 20
# Instructions are counted for fewer samples, because the counting is slow.
COUNTED = 1000000

# These are the limits. MEMORY: megabytes. SAMPLE: instructions to make and collect a sample. TABLE:
# instructions for the table by function, most of which elfutils executes. SAMPLES samples then take
# some 7e9 instructions, which is less than five seconds.
MEMORY = 200
SAMPLE = 330
TABLE = 4000000000
# The program has about so many megabytes of debug information.
DEBUG_INFORMATION = 50

PRINTED = re.compile(r"collected in ([\d.]+) s, printed in ([\d.]+) s, (\d+) KB at most")


def output(*words):
    """Run a command, which must succeed. Return what it prints."""
    result = subprocess.run(words, check=False, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                            text=True)
    if result.returncode:
        raise Failed(f"{' '.join(words)}: {result.stderr}")
    return result.stdout + result.stderr


def build():
    """Build the measuring program, and the profiled program, which takes minutes."""
    output("make", "-s", "-C", samples.HERE, "collect", f"OUT={HOST}", "CC=gcc")
    script = os.path.join(samples.HERE, "big-program")
    if not os.path.exists(PROGRAM) or os.path.getmtime(PROGRAM) < os.path.getmtime(script):
        output(script, DIRECTORY)
    sections = output("size", "-A", PROGRAM)
    debug = sum(int(size) for size in re.findall(r"^\.debug\S* +(\d+)", sections, re.M))
    if round(debug / MEGABYTE) < DEBUG_INFORMATION:
        raise Failed(f"{PROGRAM} has only {debug} bytes of debug information")


def collect(places, way):
    """Make a table. Return the processor time to collect and to print, and the bytes of memory."""
    found = PRINTED.search(output(COLLECT, PROGRAM, str(SAMPLES), str(places), way))
    return float(found[1]), float(found[2]), int(found[3]) << 10


def instructions():
    """Return how many instructions a sample takes, and the table by function."""
    path = os.path.join(samples.OUT, "callgrind.out")
    output("valgrind", "--tool=callgrind", f"--callgrind-out-file={path}", COLLECT, PROGRAM,
           str(COUNTED), str(PLACES[0]), "functions")
    text = output("callgrind_annotate", "--inclusive=yes", "--threshold=100", path)
    taken, printed = (int(re.search(rf"^ *([\d,]+) .*collect\.c:{name}\b", text, re.M)[1]
                          .replace(",", "")) for name in ("take", "print"))
    return round(taken / COUNTED), printed


def limit(what, found, most):
    """Fail if a cost is above its limit."""
    if found > most:
        raise Failed(f"{what}: {found}, and at most {most} is allowed")


def report(reports):
    """Report the table, and fail if it needs more memory or instructions than its limits. Times are
    only shown."""
    build()
    rows = []
    for places in PLACES:
        for way, words in WAYS.items():
            name = f"at {places:,} instructions, {words}"
            collected, printed, memory = collect(places, way)
            limit(f"memory for {name}", memory, MEMORY * MEGABYTE)
            rows.append([name, f"{collected + printed:.1f} s", f"{collected:.1f} s",
                         f"{memory / MEGABYTE:.0f} MB"])
            reports.record(("table of a profile", way, places), "host",
                           dict.fromkeys(samples.TOTALS, 0), memory)
    reports.table("The table of a profile", [
        f"{SAMPLES:,} samples", "processor time", "of it to collect", "memory at most"], rows)
    sample, table = instructions()
    limit("instructions of a sample", sample, SAMPLE)
    limit("instructions of the table", table, TABLE)
    rows = [["to make and collect a sample", sample],
            ["the table by function", f"{table / 1e9:.1f} · 10⁹"]]
    reports.table("Instructions of a profile", ["", "instructions"], rows)
