#!/usr/bin/python3 -B
# SPDX-License-Identifier: GPL-2.0-only
"""test_countit: test how CountIt runs a program with each experiment.

The program is the example of p4pm over fake counters, or a script that shows its arguments. Reports
in TAP.
"""

import os
import re
import subprocess
import sys
import tempfile

import tap
from tap import expect

HERE = os.path.dirname(os.path.abspath(__file__))
USAGE, OUTPUT, INPUT, NOT_EXECUTABLE, NOT_FOUND = 200, 210, 216, 126, 127

EXPERIMENTS = """<exp_config>
<programs><p command="true"/></programs>
<experiments>
<default><set><usr/></set></default>
<zwei><a base="branch_retired"><set><mmtp/></set></a></zwei>
<eins><b base="instr_retired"><set><nbogusntag/></set></b></eins>
</experiments>
</exp_config>
"""


class Run:
    """One run of CountIt in a directory that is removed afterwards."""

    def __init__(self, *arguments, exp=EXPERIMENTS, folders=()):
        self.files = {}
        with tempfile.TemporaryDirectory() as directory:
            with open(os.path.join(directory, "exp"), "w", encoding="utf-8") as file:
                file.write(exp)
            for folder in ("tmp", *folders):
                os.mkdir(os.path.join(directory, folder))
            run = subprocess.run([os.path.join(HERE, "CountIt"), *arguments], cwd=directory,
                                 env={**os.environ, "TMPDIR": os.path.join(directory, "tmp")},
                                 capture_output=True, text=True, check=False, timeout=300)
            self.status, self.out, self.err = run.returncode, run.stdout, run.stderr
            self.left = os.listdir(os.path.join(directory, "tmp"))
            for folder in folders:
                self.files[folder] = sorted(os.listdir(os.path.join(directory, folder)))


def the_program_runs_once_with_each_experiment():
    run = Run("-expfile", "exp", os.path.join(HERE, "factorial"), folders=("zwei", "eins"))
    expect(run.status == 0 and not run.err, run.err)
    expect(run.out == "TSC= 199000\na = 199\nTSC= 199000\nb = 199\n", run.out)
    files = sorted([f"factorial{i}.txt" for i in range(99)] + ["loop.txt"])
    expect(run.files == {"zwei": files, "eins": files}, run.files)
    expect(not run.left, run.left)


def the_last_two_arguments_are_the_file_and_its_name():
    run = Run("-expfile", "exp", "-iters", "2", "sh", "-c", 'echo "$*"; wc -l <"$3"', "x", "y", "-z")
    expect(run.status == 0 and not run.err and not run.left, run.err)
    lines = run.out.splitlines()
    expect(len(lines) == 8 and all(line == "1" for line in lines[1::2]), lines)
    for line, name in zip(lines[::2], ("zwei", "zwei", "eins", "eins")):
        expect(re.fullmatch(rf"y -z /.*/CountIt\.\w+/{name}\.txt {name}", line), line)


def a_program_that_fails_ends_countit_with_its_status():
    run = Run("-expfile", "exp", "-iters", "3", "sh", "-c", "echo once; exit 7")
    expect(run.status == 7 and run.out == "once\n" and not run.left, f"{run.status} {run.out}")
    run = Run("-expfile", "exp", "sh", "-c", "kill -9 $$")
    expect(run.status == 137 and not run.left, run.status)
    run = Run("-expfile", "exp", "./none")
    expect(run.status == NOT_FOUND and 'cannot execute the program "./none"' in run.err, run.err)
    run = Run("-expfile", "exp", "./exp")
    expect(run.status == NOT_EXECUTABLE, run.status)


def a_conflict_is_told_before_the_program_runs():
    run = Run("-expfile", "exp", "echo", exp=EXPERIMENTS.replace('<b base="instr_retired">',
                                                                 '<c base="bnr"/><b base="none">'))
    expect(run.status == INPUT and run.err.startswith("CountIt: exp:6:") and not run.out
           and not run.left, run.err)


def wrong_options_are_told():
    for arguments, sentence in (((), "name the file of experiments and a program"),
                                (("-expfile", "exp"), "name the file of experiments and a program"),
                                (("-iters", "0"), '"0" is not a number of runs'),
                                (("-iters", "-1"), '"-1" is not a number of runs'),
                                (("-none",), "unknown option")):
        run = Run(*arguments)
        expect(run.status == USAGE and sentence in run.err, run.err)


sys.exit(tap.run(globals()))
