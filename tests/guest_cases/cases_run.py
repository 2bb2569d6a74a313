# SPDX-License-Identifier: GPL-2.0-only
"""Test "make run" and "make shell": users' programs, files, and the contents of a guest."""

import os
import re
import select
import shlex
import subprocess
import tempfile

import guest
from cases import Failed, Test
from guest import MACHINE_FAILED

BUILD_PROGRAM = os.path.join(guest.TOP, "tests/emulator/build-program")
EXAMPLES = os.path.join(guest.TOP, "docs/examples")
README = os.path.join(guest.TOP, "README.md")

# This program prints its arguments, and writes a file with all bytes, N times.
SOURCE = r"""
#include <stdio.h>
#include <stdlib.h>
#include <vpmc.h>

int main(int argc, char **argv)
{
	FILE *file = fopen("counts", "wb");

	for (int i = 0; i < 256 * atoi(argv[1]); i++)
		putc(i, file);
	printf("%s %s\n", vpmc_strerror(VPMC_E_BUSY), argv[argc - 1]);
	return 7;
}
"""

MAKEFILE = """
CFLAGS = -Wall $(shell pkg-config --cflags vpmc)
LDLIBS = $(shell pkg-config --libs vpmc)
mine: mine.o
"""


def write(directory, name, text):
    """Write a file; return its path."""
    path = os.path.join(directory, name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    return path


def machine(directory, *arguments):
    """Run the machine from a directory, like a user."""
    return subprocess.run([guest.RUNNER, *arguments], check=False, cwd=directory,
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE)


def expect(result, status, stdout, stderr=b""):
    """Compare a result with the expected result."""
    if (result.returncode, result.stdout, result.stderr) != (status, stdout, stderr):
        raise Failed(f"{guest.shown(result)}\nwant status {status}, stdout {stdout!r:.200}, "
                     f"stderr {stderr!r:.200}")


def expect_file(directory, name, content):
    """Compare a file that was brought back from the guest."""
    with open(os.path.join(directory, name), "rb") as file:
        if file.read() != content:
            raise Failed(f"{name} has come with other bytes")


def build(path):
    """Compile a program for the guest."""
    return subprocess.run([BUILD_PROGRAM, path], check=False, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE)


def programs():
    """Test a C file and a directory, and the errors for other arguments."""
    with tempfile.TemporaryDirectory() as top:
        write(top, "mine/mine.c", SOURCE)
        write(top, "mine/Makefile", MAKEFILE)
        # The object file for this machine must not be used for the guest.
        subprocess.run(["gcc", "-c", "-I", os.path.join(guest.TOP, "libvpmc/include"), "mine.c"],
                       check=True, cwd=os.path.join(top, "mine"))
        for path in (write(top, "two words.c", SOURCE), os.path.join(top, "mine")):
            result = build(path)
            program = result.stdout.decode().rstrip("\n")
            if result.returncode:
                raise Failed(guest.shown(result))
            result = machine(top, "--file", program, "--get", "counts", "--",
                             os.path.basename(program), "3", "a b")
            expect(result, 7, b"counters busy a b\n")
            expect_file(top, "counts", bytes(range(256)) * 3)
        write(top, "bad.c", "int main(void) { return nothing; }\n")
        write(top, "script", "#!/bin/sh\n")
        write(top, "empty/readme", "")
        write(top, "fails/Makefile", "all:\n\tfalse\n")
        write(top, "none/Makefile", "all:\n")
        write(top, "several/Makefile", "all: a b\n")
        write(top, "several/a.c", "int main(void) { return 0; }\n")
        write(top, "several/b.c", "int main(void) { return 0; }\n")
        write(top, "here/here.c", "int main(void) { return 0; }\n")
        write(top, "here/Makefile", "here: here.c\n\tgcc -o here here.c\n")
        for name, text in (
                ("missing.c", "there is no {}: let PROG be a C file, or a directory with a "
                              "Makefile"),
                ("bad.c", "{} does not compile for the guest: correct what the compiler says above"),
                ("script", "{} is no C file: let PROG be one whose name ends in .c, or a directory "
                           "with a Makefile"),
                ("empty", "{} has no Makefile: write one that makes a program, or let PROG be a C "
                          "file"),
                ("fails", "the Makefile of {} fails: correct what it says above"),
                ("none", "the Makefile of {} makes no program: let its first target be one"),
                ("several", "the Makefile of {} makes several programs: give the one to be counted "
                            "the name of the directory, several"),
                ("here", "the Makefile of {} makes here for this machine: let it compile with "
                         "$(CC)")):
            path = os.path.join(top, name)
            result = build(path)
            lines = result.stderr.decode().splitlines()
            if (result.returncode != 1 or result.stdout
                    or lines[-1] != f"make run: {text.format(path)}"):
                raise Failed(guest.shown(result))


def get():
    """Test that all kinds of files are brought back, and the names for which no file is copied."""
    data = bytes(range(256)) * 40000
    with tempfile.TemporaryDirectory() as top:
        write(top, "input", "")
        with open(os.path.join(top, "input"), "wb") as file:
            file.write(data)
        options = ["--file", "input", "--get", "large", "--get", "two words", "--get", "empty"]
        script = "cp input large; echo 1 >'two words'; : >empty; mkdir directory; exit "
        result = machine(top, *options, "--", "sh", "-c", script + "0")
        expect(result, 0, b"")
        for name, content in (("large", data), ("two words", b"1\n"), ("empty", b"")):
            expect_file(top, name, content)
            os.unlink(os.path.join(top, name))
        words = b"machine: cannot bring %s: %s; let the command write it into its current directory\n"
        wrong = ["--get", "directory", *options, "--get", "nothing"]
        said = words % (b"directory", b"Not a regular file") + words % (
            b"nothing", b"No such file or directory")
        for status, want in (("0", MACHINE_FAILED), ("3", 3)):
            result = machine(top, "--smp", "2", *wrong, "--", "sh", "-c", script + status)
            expect(result, want, b"", said)
            expect_file(top, "large", data)
        for name in ("", ".", "..", "/etc/passwd", "a/b"):
            result = machine(top, "--get", name, "--", "true")
            if (result.returncode != MACHINE_FAILED
                    or b"give the plain name of a file in the command's current directory"
                    not in result.stderr):
                raise Failed(guest.shown(result))


def none():
    """Test that a machine without a processor, or without memory, is refused."""
    for option in ("--smp", "--memory"):
        for number in ("0", "-1"):
            result = machine(guest.TOP, f"{option}={number}", "--", "true")
            said = f"machine: argument {option}: give a number from 1 instead of {number}\n"
            if result.returncode != MACHINE_FAILED or not result.stderr.endswith(said.encode()):
                raise Failed(guest.shown(result))


def tools():
    """Test the commands and devices that each guest has."""
    with tempfile.TemporaryDirectory() as top:
        examples = sorted(name[:-2] for name in os.listdir(EXAMPLES) if name.endswith(".c"))
        names = ["awk", "vi", "less", "perfex", *examples]
        expect(machine(top, "--", "which", *names), 0,
               "".join(f"/bin/{name}\n" for name in names).encode())
        script = ("echo a b | awk '{ print $2 }' >/dev/stdout; echo c >/dev/stderr; "
                  "echo d | cat /dev/stdin; cat /dev/fd/3 3<<-E\n\te\n\tE\n"
                  "perfex -o - -e instructions true")
        result = machine(top, "--", "sh", "-c", script)
        lines = result.stdout.decode().splitlines()
        if (result.returncode or result.stderr != b"c\n" or lines[:3] != ["b", "d", "e"]
                or not lines[3].endswith("instructions:u")):
            raise Failed(guest.shown(result))
        # The first group is for the family, and the second group is for all processors.
        result = machine(top, "--", "perfex", "-o", "-", "--runs", "-g", "mix,cache", "true")
        if result.returncode or b"  branches  %" not in result.stdout:
            raise Failed(guest.shown(result))
        # Users' variables would change the results of tests.
        expect(machine(top, "--bare", "--", "sh", "-c", "which perfex || echo none"), 0, b"none\n")


# These are the metrics of the groups in the README's command with all models. Each metric has its
# factor (100 for per cent) and its two events.
DERIVED = {"misses": (100, "cache-misses", "cache-references"),
           "cpi": (1, "clocks", "instructions"),
           "paired": (200, "instructions_executed_v_pipe", "instructions")}


def models():
    """Run the README's command with all models, like "make run"."""
    with open(README, encoding="utf-8") as file:
        options, command = re.search(r"^ +make run OPTIONS='(--model all)' CMD='(.*)'$",
                                     file.read(), re.MULTILINE).groups()
    result = machine(guest.TOP, "--timeout", "900", *options.split(), "--", *shlex.split(command))
    values = {words[2].split(":")[0]: float(words[0])
              for line in result.stderr.decode().splitlines()
              if len(words := line.split()) > 2 and re.fullmatch(r"[0-9.]+", words[0])}
    if result.returncode or b" modelled: " not in result.stderr:
        raise Failed(guest.shown(result))
    # The runs are not exactly alike, and the events of a metric come from a single run.
    for metric, (factor, many, few) in DERIVED.items():
        want = factor * values.get(many, 0) / values[few]
        if not want or abs(values[metric] - want) > want / 100:
            raise Failed(f"{metric} is not {factor} * {many} / {few}\n{guest.shown(result)}")
    # At best two instructions execute at once, so half of them go through the V pipe.
    if values["cpi"] < 0.5 or values["paired"] > 100 or values["misses"] > 100:
        raise Failed(guest.shown(result))
    return f"{values['misses']} % of accesses miss, {values['cpi']} clocks per instruction"


class Shell:
    """This is a shell in the guest."""

    PROMPT = b"guest# "

    def __init__(self, process):
        self.process = process

    def answer(self):
        """Return the output of the console up to the next prompt."""
        said = b""
        while not said.endswith(self.PROMPT):
            if not select.select([self.process.stdout], [], [], 120)[0]:
                raise Failed(f"the shell says no more than {said.decode(errors='replace')}")
            data = os.read(self.process.stdout.fileno(), 1 << 16)
            if not data:
                raise Failed(f"the shell ends after {said.decode(errors='replace')}")
            said += data
        return said.decode(errors="replace").replace("\r", "")

    def ask(self, command):
        """Type a command. Return its output."""
        self.process.stdin.write(command.encode() + b"\n")
        self.process.stdin.flush()
        return self.answer()


def shell():
    """Test that the commands that the shell suggests at its start work."""
    with subprocess.Popen([guest.RUNNER], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        try:
            prompt = Shell(process)
            greeting = prompt.answer().splitlines()[-4:-1]
            if not all("  counts " in line for line in greeting):
                raise Failed(f"the shell greets with {greeting}")
            for line in greeting:
                command = line.split("  ")[0]
                if "instructions_executed" not in prompt.ask(command):
                    raise Failed(f"{command} does not count")
        finally:
            process.kill()


def tests():
    """Yield the tests of this file."""
    yield Test("run-program", "a C file and a directory are compiled for the guest, and errors "
               "say what to do", programs)
    yield Test("run-get", "files come back byte for byte, and those that cannot are named", get)
    yield Test("run-none", "a machine has at least one processor, and some memory", none)
    yield Test("run-tools", "a guest has perfex, the examples, awk, vi, less and /dev/stdout", tools)
    yield Test("run-models", "the README's line shows misses and clocks per instruction", models)
    yield Test("run-shell", "a shell greets with three commands that work", shell)
