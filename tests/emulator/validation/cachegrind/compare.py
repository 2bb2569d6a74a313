# SPDX-License-Identifier: GPL-2.0-only
"""Compare cache misses of real programs in valgrind and on the emulated Pentium.

The programs are applets of the guest's busybox. On this machine valgrind executes them, and
caches.c counts the misses in the trace. On the emulated Pentium perfex counts the misses. Both
execute the same instructions at the same addresses, with the stack at the same place in its
page, and without a kernel.
"""

import dataclasses
import functools
import operator
import os
import re
import shutil
import subprocess
import sys
import tempfile

import guest
from cases import Failed
from guest import Machine

HERE = os.path.dirname(os.path.abspath(__file__))
OUT = os.path.join(guest.BUILD, "guest/cachegrind")

BUSYBOX = os.path.join(guest.path_of("userland"), "busybox")

KINDS = ("code", "reads", "writes")

# Both caches have this number of ways. They have 128 sets and lines of 32 bytes.
WAYS = {"p5": 2, "mmx": 4}

# Run a program with an environment of the size that puts the stack at the same place in its
# page. The program has a real-time priority, so no other process runs in between.
ALIKE = """
want=$1 events=$2
shift 2
begin=$(env -i PAD= ./stackat "$@") || exit
pad=$(printf "%$(((begin - want + 4096) % 4096))s" | tr ' ' x)
[ $(env -i PAD=$pad ./stackat "$@") = $want ] || exit
env -i PAD=$pad /bin/chrt -f 1 ./perfex -o counts $events ./busybox "$@" <text >/dev/null || exit
grep -v '^#' counts
"""

# Each run counts these events.
RUNS = (("-e 0x0e", ("code",)), ("-e 0x03 -e 0x04", ("reads", "writes")))

# The emulator may differ by this number of misses. The reasons are that a page is replaced when
# it is written for the first time, and that the kernel's vectors and environment differ from
# valgrind's.
MOST = {"code": 1, "reads": 8, "writes": 8}

PROGRAMS = {
    "wc": ["wc", "text"],
    "gzip": ["gzip", "-c", "text"],
    "gunzip": ["gunzip", "-c", "text.gz"],
    "sort": ["sort", "text"],
    "md5sum": ["md5sum", "text"],
    "sha256sum": ["sha256sum", "text"],
    "sed": ["sed", "s/e/E/g", "text"],
    "grep": ["grep", "-c", "in", "text"],
    "tr": ["tr", "a-z", "A-Z"],
    "hexdump": ["hexdump", "text"],
    "uniq": ["uniq", "text"],
    "cut": ["cut", "-c", "1-20", "text"],
}


@dataclasses.dataclass(frozen=True)
class Opinion:
    """Misses of code, reads and writes, from four sources.

    cachegrind: by cachegrind
    theirs: by caches.c with cachegrind's rules
    ours: by caches.c with the Pentium's rules
    emulated: by the emulated Pentium, without the kernel"""

    cachegrind: tuple
    theirs: tuple
    ours: tuple
    emulated: tuple


def build():
    """Build the programs that are needed in addition to busybox."""
    subprocess.run(["make", "-s", "-C", HERE, f"OUT={OUT}",
                    f"CC32={os.path.join(guest.path_of('userland'), 'bin/i586-cc')}"], check=True)
    write_locked(BUSYBOX, os.path.join(OUT, "locked"))


def make_files(directory):
    """Put the programs and their input into a directory; return their paths."""
    shutil.copy(BUSYBOX, directory)
    shutil.copy(os.path.join(OUT, "stackat"), directory)
    with open(os.path.join(guest.BUILD, "guest/text"), "rb") as file:
        text = file.read(6000)
    with open(os.path.join(directory, "text"), "wb") as file:
        file.write(text)
    subprocess.run(["gzip", "-k", "-n", "text"], cwd=directory, check=True)
    return [os.path.join(directory, name) for name in sorted(os.listdir(directory))]


def valgrind(directory, tool, command, **streams):
    """Start valgrind with one variable in the environment, like the programs in the guest.

    If two comparisons lead to the same place, valgrind would execute the second one even after
    the first has jumped. --vex-guest-chase=no prevents this.
    """
    with open(os.path.join(directory, "text"), "rb") as text:
        return subprocess.Popen(["valgrind", "--vex-guest-chase=no", f"--tool={tool[0]}", *tool[1:],
                                 *command],
                                cwd=directory, stdin=text,
                                env={"PATH": os.environ["PATH"], "PAD": ""}, **streams)


def finished(process, what):
    """Wait for a process. Return its output, or fail."""
    output, errors = process.communicate()
    if process.returncode:
        raise Failed(f"{what}: status {process.returncode}\n{errors or output}")
    return output


def numbers(line):
    """Return all numbers of a text, in which commas separate thousands."""
    return [int(number.replace(",", "")) for number in re.findall(r"\b\d[\d,]*\b", line)]


def by_cachegrind(directory, ways, arguments):
    """Return the misses of cachegrind."""
    size = f"{ways * 128 * 32},{ways},32"
    with tempfile.TemporaryFile() as log:
        tool = ["cachegrind", "--cache-sim=yes", f"--I1={size}", f"--D1={size}",
                "--LL=1048576,1,32", "--cachegrind-out-file=/dev/null", f"--log-fd={log.fileno()}"]
        finished(valgrind(directory, tool, ["./busybox", *arguments], pass_fds=[log.fileno()],
                          stdout=subprocess.DEVNULL), "cachegrind")
        log.seek(0)
        text = log.read().decode()
    code = re.search(r"I1 +misses: +([\d,]+)", text)
    data = re.search(r"D1 +misses: .*", text)
    if not code or not data:
        raise Failed(f"cachegrind says nothing of misses:\n{text}")
    return (*numbers(code[1]), *numbers(data[0])[-2:])


def write_locked(program, path):
    """Write the addresses of a program's instructions that lock the bus."""
    text = subprocess.run(["objdump", "-d", "-w", "--no-show-raw-insn", program], check=True,
                          stdout=subprocess.PIPE, text=True).stdout
    addresses = re.findall(r"^ *([0-9a-f]+):\t(?:lock|xchg [^(]*\()", text, re.MULTILINE)
    with open(path, "w", encoding="ascii") as file:
        file.write("".join(f"{address}\n" for address in addresses))


@functools.cache
def by_trace(directory, name):
    """Return the misses of caches.c in a program's trace, by rules and ways."""
    reader, writer = os.pipe()
    locked = os.path.join(OUT, "locked")
    with subprocess.Popen([os.path.join(OUT, "caches"), locked], stdin=reader,
                          stdout=subprocess.PIPE, text=True) as caches:
        os.close(reader)
        process = valgrind(directory, ["lackey", "--trace-mem=yes", f"--log-fd={writer}"],
                           ["./busybox", *PROGRAMS[name]], pass_fds=[writer],
                           stdout=subprocess.DEVNULL)
        os.close(writer)
        lines = finished(caches, "caches").splitlines()
        finished(process, "lackey")
    misses = {}
    for line in lines:
        rules, ways, *counts = line.split()
        misses[rules, int(ways)] = tuple(map(int, counts))
    return misses


def stack(directory, arguments):
    """Return the place in its page at which a program's stack begins in valgrind."""
    return int(finished(valgrind(directory, ["none", "-q"], ["./stackat", *arguments],
                                 stdout=subprocess.PIPE, text=True), "stackat"))


def by_emulator(machine, files, where, arguments):
    """Return the counts of perfex, by kind."""
    counts = {}
    for events, kinds in RUNS:
        command = ["sh", "-c", ALIKE, "sh", str(where), events, *arguments]
        result = guest.run(machine, command, [*files, guest.PERFEX])
        lines = result.stdout.decode().splitlines()
        if result.returncode or len(lines) < len(kinds):
            raise Failed(guest.shown(result))
        counts.update((kind, int(line.split()[0])) for kind, line in zip(kinds, lines))
    return tuple(counts[kind] for kind in KINDS)


def machine_of(cpu):
    """Return a machine whose addresses, and whose entry into the kernel, are the same as in
    valgrind."""
    return Machine(cpu=cpu, icount=True, models="caches", user_only=True,
                   append="norandmaps vdso32=0")


def opinions(directory, files, cpu, name):
    """Return the misses of one program from all sources."""
    arguments, ways = PROGRAMS[name], WAYS[cpu]
    misses = by_trace(directory, name)
    return Opinion(by_cachegrind(directory, ways, arguments), misses["cachegrind", ways],
                   misses["pentium", ways],
                   by_emulator(machine_of(cpu), files, stack(directory, arguments), arguments))


def differences(opinion):
    """Return the differences as text, which is empty if there are none."""
    if opinion.cachegrind != opinion.theirs:
        yield f"cachegrind has {opinion.cachegrind}, and its rules give {opinion.theirs}"
    for kind, ours, emulated in zip(KINDS, opinion.ours, opinion.emulated):
        if abs(emulated - ours) > MOST[kind]:
            yield f"{kind}: the trace gives {ours} misses, the emulator {emulated}"


def compare(cpu, name):
    """Raise Failed if the misses of one program differ. Return them as text."""
    build()
    with tempfile.TemporaryDirectory() as directory:
        opinion = opinions(directory, make_files(directory), cpu, name)
    if wrong := list(differences(opinion)):
        raise Failed("\n".join(f"{name}: {line}" for line in wrong))
    return f"{cell(opinion.ours)} and {cell(opinion.emulated)}"


def cell(counts):
    """Return the misses of code, reads and writes."""
    return " ".join(map(str, counts))


def main():
    """Print a table of all programs, or of those on the command line."""
    names, wrong, equal = sys.argv[1:] or list(PROGRAMS), [], 0
    build()
    print("| program | Pentium | cachegrind | its rules | the Pentium's rules | emulated |\n"
          "| --- | --- | --- | --- | --- | --- |")
    for name in names:
        with tempfile.TemporaryDirectory() as directory:
            files = make_files(directory)
            for cpu in WAYS:
                opinion = opinions(directory, files, cpu, name)
                wrong += [f"{name}, {cpu}: {line}" for line in differences(opinion)]
                equal += sum(map(operator.eq, opinion.ours, opinion.emulated))
                print(f"| {name} | {cpu} | {cell(opinion.cachegrind)} | {cell(opinion.theirs)} | "
                      f"{cell(opinion.ours)} | {cell(opinion.emulated)} |", flush=True)
    print(f"{equal} of {len(names) * len(WAYS) * len(KINDS)} equal")
    if wrong:
        sys.exit("\n".join(wrong))


if __name__ == "__main__":
    main()
