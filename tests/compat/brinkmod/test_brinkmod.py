#!/usr/bin/python3 -B
# SPDX-License-Identifier: GPL-2.0-only
"""test_brinkmod: test the files that brinkMod writes, by letting p4pm read them.

Reports in TAP.
"""

import os
import subprocess
import sys
import tempfile

import tap
from tap import expect

HERE = os.path.dirname(os.path.abspath(__file__))
USAGE, OUTPUT, INPUT = 200, 210, 216

EXPERIMENTS = """<exp_config>
<programs><p command="true"/></programs>
<experiments>
<default><set><usr/></set></default>
<one><a base="branch_retired"><set><mmtp/><mmtm/></set></a><x base="x87_fp_retired"/></one>
<two><m base="split_st_retired"><set><os/></set></m>
<l base="loads_retired"><ebs type="imprecise" interval="1000" buffer="1" sample="E" max="1"/></l></two>
</experiments>
</exp_config>
"""


class Run:
    """One run of brinkMod, and of p4pm with each file that it has written."""

    def __init__(self, exp, *arguments):
        self.shown = {}
        with tempfile.TemporaryDirectory() as directory:
            with open(os.path.join(directory, "exp.txt"), "w", encoding="utf-8") as file:
                file.write(exp)
            out = os.path.join(directory, "out")
            run = subprocess.run([os.path.join(HERE, "brinkMod"), "-exp", "exp.txt", "-outdir", "out",
                                  *arguments], cwd=directory, capture_output=True, text=True,
                                 check=False, timeout=300)
            self.status, self.err = run.returncode, run.stderr
            self.wrote = os.path.exists(out)
            for name in os.listdir(out) if self.wrote else ():
                shown = subprocess.run([os.path.join(HERE, "misuse"), os.path.join(out, name), "1", ""],
                                       env={"FAKE_SHOW": "1"}, capture_output=True, text=True,
                                       check=False, timeout=300)
                self.shown[name] = shown.stdout + shown.stderr


def each_experiment_becomes_a_file_that_p4pm_reads():
    run = Run(EXPERIMENTS)
    expect(run.status == 0 and not run.err, run.err)
    expect(run.shown == {
        "one.txt": "count a 0c001804 0003b000 12 0 0\n"
                   "count x 18000204 0003b000 14 0 0\n"
                   "tag x 09000034 00033000 8 0 0\n",
        "two.txt": "count m 1200020c 0003b000 12 1000400 2\n"
                   "count l 10000204 0003b000 14 0 0\n"
                   "tag m 0a00040c 00035000 8 0 0\n"
                   "tag l 04000404 00035000 13 0 0\n"}, run.shown)


def a_conflict_names_both_events_and_nothing_is_written():
    run = Run(EXPERIMENTS.replace('<l base="loads_retired">', '<l base="ld_miss_1l_retired">'))
    expect(run.status == INPUT and "<m> and <l> need different values of pebs_enable" in run.err
           and run.err.startswith("brinkMod: exp.txt:7:1: ") and not run.wrote, run.err)


def an_event_that_starts_after_another_one_is_refused():
    run = Run(EXPERIMENTS.replace(
        '<one><a base="branch_retired"><set><mmtp/><mmtm/></set></a><x base="x87_fp_retired"/></one>',
        '<one><a base="branch_retired"><ebs type="imprecise" interval="1000" buffer="1" sample="E"'
        ' max="1"/></a><b base="branch_retired"><set><cascade/></set></b></one>'))
    expect(run.status == INPUT and not run.wrote and run.err.startswith("brinkMod: exp.txt:5:")
           and "p4pm cannot start <b> after another event" in run.err, run.err)


def the_input_is_not_replaced():
    run = Run(EXPERIMENTS.replace("<one>", "<exp>").replace("</one>", "</exp>"), "-outdir", ".")
    expect(run.status == OUTPUT and 'would replace the input "exp.txt"' in run.err, run.err)


def wrong_options_are_told():
    for arguments, sentence in ((("-none",), "unknown option"), (("x",), '"x" is not an option')):
        run = Run(EXPERIMENTS, *arguments)
        expect(run.status == USAGE and sentence in run.err and not run.wrote, run.err)


def an_output_folder_that_cannot_be_made_is_told():
    run = Run(EXPERIMENTS, "-outdir", "/proc/none")
    expect(run.status == OUTPUT and "cannot make the folder" in run.err, run.err)


sys.exit(tap.run(globals()))
