#!/usr/bin/python3 -B
# SPDX-License-Identifier: GPL-2.0-only
"""test_p4pm: test the files, the stack and the refusals of p4pm over fake counters.

The n-th reading has 1000 n clocks, and event i has counted n (i + 1). Reports in TAP.
"""

import os
import subprocess
import sys
import tempfile

import tap
from tap import expect

HERE = os.path.dirname(os.path.abspath(__file__))

BITS = "{:032b}".format
BRANCHES = f"count taken {BITS(0x0c001804)} {BITS(0x0003b000)} 12 {BITS(0)} {BITS(0)}\n"
X87 = (f"tag x87 {BITS(0x09000034)} {BITS(0x00033000)} 8 {BITS(0)} {BITS(0)}\n"
       f"count x87 {BITS(0x18000204)} {BITS(0x0003b000)} 13 {BITS(0x01000001)} {BITS(1)}\n")


class Run:
    """One run of a program in a directory with a file of events, which is removed afterwards."""

    def __init__(self, events, program, *arguments, folders=()):
        self.files = {}
        with tempfile.TemporaryDirectory() as directory:
            with open(os.path.join(directory, "events"), "w", encoding="utf-8") as file:
                file.write(events)
            for folder in folders:
                os.mkdir(os.path.join(directory, folder))
            run = subprocess.run([os.path.join(HERE, program), "events", *arguments], cwd=directory,
                                 capture_output=True, text=True, check=False, timeout=300)
            self.status, self.out, self.err = run.returncode, run.stdout, run.stderr
            for folder, _, names in os.walk(directory):
                for name in names:
                    path = os.path.join(folder, name)
                    with open(path, encoding="utf-8") as file:
                        self.files[os.path.relpath(path, directory)] = file.read()
        del self.files["events"]


def misused(calls, sentence, maximum="2", events=BRANCHES):
    """Test that a program that misuses p4pm gets a sentence."""
    run = Run(events, "misuse", maximum, calls)
    expect(run.status == 1 and run.err.startswith("p4pm: ") and sentence in run.err, run.err)
    return run


def the_factorial_has_a_file_for_each_round_and_one_for_the_loop():
    run = Run(BRANCHES + X87, "factorial", folders=("results",))
    expect(run.status == 0 and not run.err, run.err)
    expected = {f"results/factorial{i}.txt": "TSC= 1000\ntaken = 1\nx87 = 2\n" for i in range(99)}
    # The loop reads once at its begin and its end, and twice in each round.
    expected["results/loop.txt"] = "TSC= 199000\ntaken = 199\nx87 = 398\n"
    expect(run.files == expected, run.files)
    expect(run.out == expected["results/loop.txt"], run.out)


def events_have_the_values_of_their_bits_and_counts_come_first():
    os.environ["FAKE_SHOW"] = "1"
    run = Run("# comment\n\n" + X87 + BRANCHES, "misuse", "1", "")
    del os.environ["FAKE_SHOW"]
    expect(run.out == "count x87 18000204 0003b000 13 1000001 1\n"
                      "count taken 0c001804 0003b000 12 0 0\n"
                      "tag x87 09000034 00033000 8 0 0\n", run.out)


def each_end_belongs_to_the_last_begin():
    run = Run(BRANCHES, "misuse", "3", "bbebee")
    expect(run.out == "1000\n1000\n5000\n" and not run.files, run.out)


def only_write_files_writes():
    expect(Run(BRANCHES, "misuse", "3", "bf").files == {}, "written early")
    run = Run(BRANCHES, "misuse", "3", "bebfw")
    expect(run.files == {"result.txt": "TSC= 1000\ntaken = 1\n"}, run.files)


def initialize_begins_again():
    run = Run(BRANCHES, "misuse", "1", "beibebe")
    expect(run.out == "1000\n1000\n1000\n" and run.status == 0, run.out)


def a_file_that_cannot_be_written_is_told():
    run = Run(BRANCHES, "factorial")
    expect(run.status == 0 and run.err.count("p4pm: cannot write \"results/") == 100, run.err)


def misuse_is_told():
    expect(misused("bebebe", "more than 2 measurements").out == "1000\n1000\n", "counted")
    misused("bbb", "called 2 times without an end")
    misused("bee", "ends that has not begun")
    misused("bl", "is too long")
    misused("", "pass at least 1", "0")


def another_thread_and_a_child_must_begin_themselves():
    for calls, function in (("bke", "end_count"), ("kb", "begin_count"), ("bkf", "end_count_file"),
                            ("t", "begin_count")):
        run = misused(calls, "has not called initialize()")
        expect(f"p4pm: {function}() was called in a thread or process" in run.err and not run.out,
               run.err)
    run = Run(BRANCHES, "misuse", "1", "bkibe")
    expect(run.status == 0 and run.out == "1000\n", run.out)


def wrong_files_are_told_with_their_line():
    count, name, escr, cccr, counter, pebs, matrix = BRANCHES.split()
    words = [count, name, escr, cccr, counter, pebs, matrix]
    for index, word, sentence in ((0, "sum", "begins with \"sum\""), (2, "2", "32 digits"),
                                  (3, escr + "0", "32 digits"), (4, "18", "from 0 to 17"),
                                  (4, "x", "from 0 to 17"), (5, "0x0", "32 digits"),
                                  (6, "2" * 32, "32 digits"), (6, "", "6 words, and not 7"),
                                  (6, "0 0", "8 words, and not 7"), (1, "x" * 400, "too long")):
        wrong = words[:index] + [word] + words[index + 1:]
        misused("", "events:2: ", events=BRANCHES + " ".join(wrong) + "\n")
        misused("", sentence, events=BRANCHES + " ".join(wrong) + "\n")
    misused("", "events:19: the file has more than 18 events", events=BRANCHES * 19)
    misused("", "events: the file has no event", events="# nothing\n")


def a_file_that_is_not_there_is_told():
    run = subprocess.run([os.path.join(HERE, "misuse"), "/none\r", "1", ""], capture_output=True,
                         text=True, check=False, timeout=300)
    expect(run.returncode == 1 and 'cannot open "/none\\x0d": No such file' in run.stderr, run.stderr)


sys.exit(tap.run(globals()))
