#!/usr/bin/python3 -B
# SPDX-License-Identifier: GPL-2.0-only
"""test_run_p5mon: test reports, result files, parameters and errors of run_p5mon.

Runs two programs: fake_run_p5mon, which takes the results of executions from the test, and
run_p5mon_fake, which executes commands over a fake driver. Reports in TAP.

The expected reports are those that p5mon has published, to the character. Where a published
figure does not show single counts, the test has counts that give the same averages and
intervals.
"""

import os
import random
import re
import statistics
import subprocess
import sys
import tempfile

import tap
from tap import expect

HERE = os.path.dirname(os.path.abspath(__file__))
FAKE_RUNS = os.path.join(HERE, "fake_run_p5mon")
FAKE_DRIVER = os.path.join(HERE, "run_p5mon_fake")
SAMPLE = os.path.join(HERE, "sample.parms")

USAGE, NO_DEVICE, UNSUPPORTED, BUSY, PERMISSION, OUTPUT, INVALID, INPUT = (
    200, 206, 207, 208, 209, 210, 211, 216)

# These are quantiles of Student's two-sided t from tables, for 95 % and 99 %, by degrees of
# freedom.
STUDENT = {1: (12.706, 63.657), 2: (4.303, 9.925), 3: (3.182, 5.841), 4: (2.776, 4.604),
           5: (2.571, 4.032), 9: (2.262, 3.250), 10: (2.228, 3.169), 19: (2.093, 2.861),
           20: (2.086, 2.845), 39: (2.0227, 2.7079), 40: (2.021, 2.704), 60: (2.000, 2.660),
           120: (1.980, 2.617)}

# Each parameter selects the event of this code.
CODES = {
    "data_read": 0x00, "data_write": 0x01, "data_read_or_write": 0x28, "data_tlb_miss": 0x02,
    "data_read_miss": 0x03, "data_write_miss": 0x04, "data_read_or_write_miss": 0x29,
    "write_to_M_or_E_lines": 0x05, "data_cache_lines_written_back": 0x06,
    "external_snoops": 0x07, "data_cache_snooping_hits": 0x08,
    "memory_accesses_in_both_pipes": 0x09, "bank_conflicts": 0x0a,
    "misaligned_data_memory_or_IO_references": 0x0b, "code_read": 0x0c, "code_tlb_miss": 0x0d,
    "code_cache_miss": 0x0e, "segment_register_loaded": 0x0f, "branches": 0x12,
    "btb_hits": 0x13, "taken_branch_or_btb_hit": 0x14, "pipeline_flushes": 0x15,
    "instructions_executed": 0x16, "instructions_executed_in_v_pipe": 0x17,
    "clocks_while_bus_cycle_in_progress": 0x18, "clocks_stalled_full_write_buffers": 0x19,
    "clocks_stalled_waiting_data_read": 0x1a, "clocks_stalled_write_to_M_or_E_line": 0x1b,
    "locked_bus_cycle": 0x1c, "IO_read_or_write_cycle": 0x1d,
    "non_cacheable_memory_reads": 0x1e, "pipeline_stalled_address_generation_interlock": 0x1f,
    "flops": 0x22, "breakpoint_match_DR0": 0x23, "breakpoint_match_DR1": 0x24,
    "breakpoint_match_DR2": 0x25, "breakpoint_match_DR3": 0x26, "hardware_interrupts": 0x27,
    "count_clocks": 0x40}

HEADER = re.compile(r"run_p5mon started at [A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d \d{4}\n"
                    r"current directory: (.*)\nparameter file: (.*)\narguments:(.*)\n"
                    r"command: (.*)\n\n")

SUMMARY = """\
Results (for 5 repetitions with a 95% confidence level):
  Data Read: 201900.0 +/- 2.8 (0.001%)
  Data TLB Miss: 269.0 +/- 0.0 (0.000%)
  Code Read: 202666.4 +/- 38.8 (0.019%)
  Code TLB Miss: 525.4 +/- 10.2 (1.941%)
  Instructions Executed in the v-pipe: 141021.6 +/- 21.5 (0.015%)
  Clock cycles: 201900.0 +/- 2.8 (0.001%)

Total elapsed time: 0.0 seconds
(program executed 15 times, with an average execution time of 0.2s)
"""

SUMMARY_COUNTS = {
    "data_read": [201902, 201896, 201899, 201903, 201900], "data_tlb_miss": [269] * 5,
    "code_read": [202688, 202713, 202636, 202674, 202621],
    "code_tlb_miss": [513, 539, 522, 531, 522],
    "instructions_executed_in_v_pipe": [141025, 141003, 141009, 141015, 141056],
    "count_clocks": [201902, 201896, 201899, 201903, 201900]}

ALL = """\
Results (for 5 repetitions with a 95% confidence level):
  Event: Data Read
    rep 0:      201902
    rep 1:      201902
    rep 2:      201902
    rep 3:      201902
    rep 4:      201907
    -----
  Average:      201903.0 +/- 2.3 (0.001%)
  Event: Data TLB Miss
    rep 0:      269
    rep 1:      269
    rep 2:      269
    rep 3:      269
    rep 4:      271
    -----
  Average:      269.4 +/- 0.9 (0.341%)
Total elapsed time: 0.0 seconds
(program executed 5 times, with an average execution time of 0.2s)
"""

ALL_COUNTS = {"data_read": [201902, 201902, 201902, 201902, 201907],
              "data_tlb_miss": [269, 269, 269, 269, 271]}

REGIONS = """\
Results (for 3 regions, 3 repetitions, 95% confidence level):
  Region 0, entered 1 times and exited 1 times:
    Branches: 797.0 +/- 0.0 (0.000%) [797.0]
    BTB Hits: 502.3 +/- 11.3 (2.241%) [502.3]
  Region 1, entered 100 times and exited 100 times:
    Branches: 3900.0 +/- 0.0 (0.000%) [39.0]
    BTB Hits: 2993.0 +/- 6.5 (0.218%) [29.9]
  Region 2, entered 1 times and exited 1 times:
    Branches: 174.0 +/- 0.0 (0.000%) [174.0]
    BTB Hits: 57.3 +/- 3.1 (5.446%) [57.3]

Total elapsed time: 0.0 seconds
(program executed 3 times, with an average execution time of 0.2s)
"""

# Each region has its number of entries, and the counts of branches and of BTB hits.
REGION_COUNTS = {0: (1, [797] * 3, [498, 498, 511]), 1: (100, [3900] * 3, [2995, 2996, 2988]),
                 2: (1, [174] * 3, [59, 58, 55])}

REGIONS_ALL = """\
Results (for 3 regions, 3 repetitions, 95% confidence level):

Region 0, entered 1 times and exited 1 times:

Event: Branches
rep 1:          797
rep 2:          797
rep 3:          797
-----
Average:        797.0 +/- 0.0 (0.000%)
                797.0 per time region entered

Event: BTB Hits
rep 1:          498
rep 2:          498
rep 3:          511
-----
Average:        502.3 +/- 11.3 (2.241%)
                502.3 per time region entered

Region 1, entered 100 times and exited 100 times:

Event: Branches
rep 1:          3900
rep 2:          3900
rep 3:          3900
-----
Average:        3900.0 +/- 0.0 (0.000%)
                39.0 per time region entered

Event: BTB Hits
rep 1:          2995
rep 2:          2996
rep 3:          2988
-----
Average:        2993.0 +/- 6.5 (0.218%)
                29.9 per time region entered

Region 2, entered 1 times and exited 1 times:

Event: Branches
rep 1:          174
rep 2:          174
rep 3:          174
-----
Average:        174.0 +/- 0.0 (0.000%)
                174.0 per time region entered

Event: BTB Hits
rep 1:          59
rep 2:          58
rep 3:          55
-----
Average:        57.3 +/- 3.1 (5.446%)
                57.3 per time region entered

Total elapsed time: 0.0 seconds
(program executed 3 times, with an average execution time of 0.2s)
"""

FILE_ALL = """\
# run_p5mon results file
# Results (5 repetitions, 95% confidence level):
# Event Repetition Value [conf.int] [percentage]
0x3 0          11113
0x3 1          11003
0x3 2          10962
0x3 3          10975
0x3 4          10979
0x3 -1         11006.4 63.2 0.574
0x4 0          8856
0x4 1          8876
0x4 2          8816
0x4 3          8850
0x4 4          8845
0x4 -1         8848.6 22.3 0.252
"""

FILE_ALL_COUNTS = {"data_read_miss": [11113, 11003, 10962, 10975, 10979],
                   "data_write_miss": [8856, 8876, 8816, 8850, 8845]}

FILE_SUMMARY = """\
# run_p5mon results file
# Results (5 repetitions, 95% confidence level):
# Event Repetition Value [conf.int] [percentage]
0x3 -1         11800.4 50.9 0.431
0x4 -1         10565.6 25.9 0.245
"""

FILE_SUMMARY_COUNTS = {"data_read_miss": [11879, 11782, 11747, 11783, 11811],
                       "data_write_miss": [10532, 10577, 10596, 10549, 10574]}

FILE_REGIONS = """\
# run_p5mon results file
# Results (for 2 regions, 5 repetitions, 95% confidence level):
# Region Event Repetition Value [conf.int] [percentage]
# Region 0: entered 1 exited 1
0 0x3 0          5
0 0x3 1          5
0 0x3 2          5
0 0x3 3          5
0 0x3 4          5
0 0x3 -1        5.0 0.0 0.000 5.0
0 0x4 0          6
0 0x4 1          6
0 0x4 2          6
0 0x4 3          6
0 0x4 4          6
0 0x4 -1        6.0 0.0 0.000 6.0
# Region 1: entered 1 exited 1
1 0x3 0          0
1 0x3 1          0
1 0x3 2          0
1 0x3 3          0
1 0x3 4          0
1 0x3 -1        0.0 0.0 NaN 0.0
1 0x4 0          2
1 0x4 1          2
1 0x4 2          2
1 0x4 3          2
1 0x4 4          2
1 0x4 -1        2.0 0.0 0.000 2.0
"""


class Run:
    """The output of run_p5mon, and the files in its directory."""

    def __init__(self, arguments, files, program, environment):
        with tempfile.TemporaryDirectory() as self.directory:
            for name, text in files.items():
                with open(os.path.join(self.directory, name), "w", encoding="utf-8") as file:
                    file.write(text)
                if text.startswith("#!"):
                    os.chmod(os.path.join(self.directory, name), 0o755)
            result = subprocess.run(
                [program, *arguments], cwd=self.directory, stdin=subprocess.DEVNULL,
                capture_output=True, text=True, check=False,
                env={**os.environ, "FAKE_RUNS": "runs", "FAKE_LOG": "log", **environment})
            self.files = {}
            for name in os.listdir(self.directory):
                with open(os.path.join(self.directory, name), encoding="utf-8") as file:
                    self.files[name] = file.read()
        self.status, self.out, self.err = result.returncode, result.stdout, result.stderr

    def __str__(self):
        return f"status {self.status}\n{self.out}\n{self.err}\n{self.files.get('log')}"

    def report(self):
        """Return the output after the header. Times that are not known in advance are replaced
        by 0.0."""
        header = HEADER.match(self.out)
        expect(self.status == 0 and header, str(self))
        return re.sub(r"(?<=Total elapsed time: )\d+\.\d(?= seconds\n)", "0.0",
                      self.out[header.end():])

    def refused(self, status, *words):
        """Check that the command has printed one sentence, and has ended with this status."""
        expect(self.status == status and self.err.startswith("run_p5mon: ")
               and self.err.count("\n") == 1 and all(word in self.err for word in words),
               f"want {status}, {words}\n{self}")


def parameters(settings):
    """Return the text of a parameter file."""
    return "(p5mon\n" + "".join(f"{name} = {value};\n" for name, value in settings.items()) + "end)\n"


def run(settings, *arguments, runs="", program=FAKE_RUNS, **environment):
    """Run run_p5mon with a parameter file."""
    return Run(arguments, {"STD_PARMS": parameters({"command": "hello", **settings}),
                           "runs": runs}, program, environment)


def executions(counts):
    """Return executions for events with these counts, one of each repetition. Each execution
    has two events."""
    columns = list(counts.values())
    lines = []
    for repetition in range(len(columns[0])):
        for first in range(0, len(columns), 2):
            pair = [column[repetition] for column in columns[first:first + 2]] + [0]
            lines.append(f"run {pair[0]} {pair[1]}\n")
    return "".join(lines)


def region_executions(counts):
    """Return executions with regions and two events."""
    lines = []
    for repetition in range(len(next(iter(counts.values()))[1])):
        lines.append("run 0 0\n")
        lines += [f"{region} {entered} {entered} {first[repetition]} {second[repetition]}\n"
                  for region, (entered, first, second) in counts.items()]
    return "".join(lines)


def count(counts, *arguments, **settings):
    """Run run_p5mon for events that have these counts."""
    repetitions = len(next(iter(counts.values())))
    return run({"repetitions": repetitions, **dict.fromkeys(counts, "yes"), **settings},
               *arguments, runs=executions(counts))


def count_regions(counts, names, **settings):
    """Run run_p5mon for two events in regions that have these counts."""
    repetitions = len(next(iter(counts.values()))[1])
    return run({"repetitions": repetitions, "use_assembly_regions": "yes",
                **dict.fromkeys(names, "yes"), **settings}, runs=region_executions(counts))


def same(found, wanted):
    """Fail if two texts differ."""
    expect(found == wanted, f"found:\n{found}\nwanted:\n{wanted}")


def the_header_says_what_was_run():
    result = count({"data_read": [1]})
    match = HEADER.match(result.out)
    expect(match and match[1] == os.path.realpath(result.directory)
           and match[2] == "./STD_PARMS" and match[3] == "" and match[4] == "hello", str(result))
    result = run({"data_read": "yes"}, "-Fcommand=wc text", "-F", "repetitions=1",
                 runs="run 1 1\n")
    match = HEADER.match(result.out)
    expect(match and match[3] == " -Fcommand=wc text -F repetitions=1"
           and match[4] == "wc text", str(result))


def a_summary_has_the_published_layout_and_numbers():
    same(count(SUMMARY_COUNTS, published_intervals="yes").report(), SUMMARY)


def all_results_have_the_published_layout_and_numbers():
    same(count(ALL_COUNTS, published_intervals="yes", output_all_results="yes").report(), ALL)


def regions_have_the_published_layout_and_numbers():
    same(count_regions(REGION_COUNTS, ("branches", "btb_hits"),
                       published_intervals="yes").report(), REGIONS)


def all_results_of_regions_have_the_published_layout_and_numbers():
    same(count_regions(REGION_COUNTS, ("branches", "btb_hits"), published_intervals="yes",
                       output_all_results="yes").report(), REGIONS_ALL)


def a_result_file_has_all_results():
    result = count(FILE_ALL_COUNTS, published_intervals="yes", output_all_results="yes",
                   output_file="out")
    same(result.files["out"], FILE_ALL)
    expect("Average:      11006.4 +/- 63.2 (0.574%)\n" in result.report(), str(result))


def a_result_file_has_a_summary():
    same(count(FILE_SUMMARY_COUNTS, published_intervals="yes", output_file="out").files["out"],
         FILE_SUMMARY)


def a_result_file_has_regions():
    counts = {0: (1, [5] * 5, [6] * 5), 1: (1, [0] * 5, [2] * 5)}
    same(count_regions(counts, ("data_read_miss", "data_write_miss"), published_intervals="yes",
                       output_all_results="yes", output_file="out").files["out"], FILE_REGIONS)


def the_published_parameter_file_is_understood():
    with open(SAMPLE, encoding="utf-8") as file:
        text = file.read()
    result = Run(["-P", "sample"], {"sample": text, "runs": executions(FILE_SUMMARY_COUNTS)},
                 FAKE_RUNS, {})
    expect(result.err == "published_intervals".join(
        ("run_p5mon: warning: sample does not set ", "\n")), str(result))
    expect("5 repetitions with a 95%" in result.report(), str(result))
    same(result.files["log"], "hello\n" + 5 * "hello 0x3 0x4 user\n")
    expect(len(result.files["p5mon_output"].splitlines()) == 5, str(result))
    # The dump has all parameters that were set.
    result = Run(["-Psample", "-Fdump_parms=yes", "-Fparm_dump_file_name=dump",
                  "-Fpublished_intervals=no"],
                 {"sample": text, "runs": executions(FILE_SUMMARY_COUNTS)}, FAKE_RUNS, {})
    expect(not result.err, str(result))
    read = dict(re.findall(r"^\s*(\w+) = (.*);$", text, re.MULTILINE))
    dumped = dict(re.findall(r"^\s*(\w+) = (.*);$", result.files["dump"], re.MULTILINE))
    read["confidence_level_99"] = read.pop("conf_level_99")
    same(dumped, {**read, "dump_parms": "yes", "parm_dump_file_name": "dump",
                  "published_intervals": "no"})


def what_is_dumped_reads_the_same():
    values = ("echo a # b", "echo a\\b \\\\", "echo $HOME$ $ $n$", "echo a;", "echo 'a  b'")
    for value in values:
        written = re.sub(r"([\\#$])", r"\\\1", value)
        result = run({"command": written, "branches": "yes"}, "-Fdump_parms=yes",
                     "-Fparm_dump_file_name=dump", "-Fwarn_parm_not_used=no", runs="run 1 2\n")
        expect(HEADER.match(result.out)[4] == value, str(result))
        again = Run(["-P", "dump", "-Fparm_dump_file_name=again"],
                    {"dump": result.files["dump"], "runs": "run 1 2\n"}, FAKE_RUNS, {})
        expect(HEADER.match(again.out)[4] == value, f"{result.files['dump']}\n{again}")
        same(again.files["again"], result.files["dump"].replace("= dump;", "= again;"))


def near(text, number, digits):
    """Return whether a printed number equals another one, apart from the last digit of tables."""
    return abs(float(text) - number) <= 0.6 * 10 ** -digits + abs(number) * 3e-4


def intervals_are_those_of_student(published=False):
    """Compare intervals with the intervals from Python's statistics and the tables."""
    generator = random.Random(4036)
    for repetitions in (2, 3, 4, 5, 10, 20, 40, 61, 121):
        for level, percent in enumerate((95, 99)):
            freedom = repetitions if published else repetitions - 1
            if freedom not in STUDENT:
                continue
            values = [generator.randrange(10 ** 9, 10 ** 9 + 10 ** generator.randrange(1, 9))
                      for _ in range(repetitions)]
            deviation = statistics.pstdev if published else statistics.stdev
            interval = STUDENT[freedom][level] * deviation(values) / repetitions ** 0.5
            result = count({"branches": values}, output_file="out",
                           confidence_level_99="yes" if level else "no",
                           published_intervals="yes" if published else "no")
            average, found, part = result.files["out"].splitlines()[-1].split()[2:]
            mean = statistics.mean(values)
            expect(average == f"{mean:.1f}" and near(found, interval, 1)
                   and near(part, 100 * interval / mean, 3)
                   and f"{repetitions} repetitions, {percent}% confidence"
                   in result.files["out"],
                   f"{values}: want {mean} {interval}\n{result.files['out']}")


def published_intervals_are_those_of_the_published_figures():
    intervals_are_those_of_student(published=True)


def both_names_of_the_level_are_known():
    for name in "confidence_level_99", "conf_level_99":
        result = count({"branches": [10, 12]}, **{name: "yes"})
        expect("Results (for 2 repetitions with a 99% confidence level):\n"
               "  Branches: 11.0 +/- 63.7 (578.697%)\n" in result.report(), str(result))


def one_repetition_has_no_interval():
    expect("  Branches: 10.0 +/- NaN (NaN%)\n" in count({"branches": [10]}).report(), "")
    expect("  Branches: 10.0 +/- 0.0 (0.000%)\n"
           in count({"branches": [10]}, published_intervals="yes").report(), "")


def each_event_has_a_parameter():
    result = run({"skip_initialization_run": "yes", "output_file": "out",
                  **dict.fromkeys(CODES, "yes")}, runs=20 * "run 7 8\n")
    expect(result.status == 0, str(result))
    wanted = [f"0x{code:x}" for code in CODES.values()]
    same([line.split()[0] for line in result.files["out"].splitlines()[3:]], wanted)
    same([word for word in result.files["log"].split() if word.startswith("0x")], wanted)
    for name, code in CODES.items():
        result = count({name: [5]})
        expect(f" 0x{code:x} user\n" in result.files["log"], f"{name}\n{result}")


def two_events_are_counted_in_each_execution():
    result = count({"data_read": [1, 4], "branches": [2, 5], "count_clocks": [3, 6]})
    same(result.files["log"],
         "hello\n" + 2 * "hello 0x0 0x12 user\nhello 0x40 user\n")
    expect("Branches: 3.5 " in result.out and "Clock cycles: 4.5 " in result.out
           and "(program executed 4 times," in result.out, str(result))


def the_initialization_run_can_be_skipped():
    result = count({"data_read": [1]}, skip_initialization_run="yes")
    same(result.files["log"], "hello 0x0 user\n")


def modes_are_chosen():
    for user, kernel in ("yes", "no"), ("no", "yes"), ("yes", "yes"):
        result = count({"data_read": [1]}, user_events=user, kernel_events=kernel)
        modes = (" user" if user == "yes" else "") + (" kernel" if kernel == "yes" else "")
        expect(f"hello 0x0{modes}\n" in result.files["log"] and not result.err, str(result))


def no_mode_is_warned_of():
    result = count({"data_read": [0]}, user_events="no")
    expect(result.status == 0 and result.err.startswith("run_p5mon: warning: nothing is counted"),
           str(result))


def messages_are_as_verbose_as_asked_for():
    counts = {"data_read": [1, 4], "branches": [2, 5], "count_clocks": [3, 6]}
    same(count(counts, verbose_level="0").err, "")
    same(count(counts, verbose_level="1").err,
         "run_p5mon: initialization run, which is not counted\n"
         "run_p5mon: repetition 1 of 2\nrun_p5mon: repetition 2 of 2\n")
    same(count(counts, verbose_level="2", skip_initialization_run="yes").err,
         "run_p5mon: repetition 1 of 2\n"
         "run_p5mon: execution 1 of 4: Data Read, Branches\n"
         "run_p5mon: execution 2 of 4: Clock cycles\n"
         "run_p5mon: repetition 2 of 2\n"
         "run_p5mon: execution 3 of 4: Data Read, Branches\n"
         "run_p5mon: execution 4 of 4: Clock cycles\n")


def an_event_that_cannot_happen_is_warned_of():
    result = run({"btb_hits": "yes"}, runs="run 0 0\n", FAKE_NEVER="1")
    same(result.err, "run_p5mon: warning: BTB Hits is always 0: not emulated here\n")


def the_command_line_overrides_the_file():
    result = run({"repetitions": 9, "branches": "no"}, "-Frepetitions=2", "-F", "branches=yes",
                 "-FREPETITIONS=1", runs="run 3 0\n")
    expect("for 1 repetitions" in result.report(), str(result))


def files_have_comments_and_other_sections():
    text = """
# (p5mon
(Lglobal
command = other;
end)
  (P5MON
  command = a \\# b      # not c
  Branches
\tdata_read=on;  # yes
  repetitions 2 ;
  data_write = Off;
END)
(p5mon
command = third;
end)
"""
    result = Run([], {"STD_PARMS": text, "runs": 2 * "run 1 2\n"}, FAKE_RUNS, {})
    expect(HEADER.match(result.out)[4] == "a # b", str(result))
    same(result.files["log"].splitlines()[1:], 2 * ["/bin/sh 0x0 0x12 user"])


def macros_have_the_value_of_the_command_line_or_the_environment():
    settings = {"command": "$DIR$/x $n$ \\$HOME\\$ $ a$b", "branches": "yes"}
    files = {"STD_PARMS": parameters(settings), "runs": "run 1 2\n"}
    result = Run(["-DDIR=/bin", "-Dn=3"], files, FAKE_RUNS, {"n": "4", "HOME": "/root"})
    expect(HEADER.match(result.out)[4] == "/bin/x 3 $HOME$ $ a$b", str(result))
    result = Run(["-DDIR=a#b\\c"], files, FAKE_RUNS, {"n": "4"})
    expect(HEADER.match(result.out)[4] == "a#b\\c/x 4 $HOME$ $ a$b", str(result))
    Run(["-Dn=3"], files, FAKE_RUNS, {}).refused(INPUT, "STD_PARMS:2", "$DIR$", "-DDIR=VALUE")
    Run(["-Dn"], files, FAKE_RUNS, {}).refused(USAGE, "-D", "NAME=VALUE")
    other = {"STD_PARMS": "(other\na = $nothing$;\nend)\n" + parameters({"command": "hello"})
             + "# $nothing$\n", "runs": ""}
    Run([], other, FAKE_RUNS, {})


def warnings_of_the_file_are_chosen():
    settings = {"branches": "yes", "nonsense": "1"}
    text = parameters({"command": "first", **settings}).replace("end)", "command = second;\nend)")
    files = {"STD_PARMS": text, "runs": "run 1 2\n"}
    result = Run([], files, FAKE_RUNS, {})
    same(result.err, 'run_p5mon: warning: ./STD_PARMS:4: "nonsense" is not a parameter\n'
         'run_p5mon: warning: ./STD_PARMS:5: command is set to "second", after "first" in'
         ' line 2\n')
    expect(HEADER.match(result.out)[4] == "second", str(result))
    # This parameter has two names.
    same(count({"branches": [10, 12]}, confidence_level_99="yes", conf_level_99="no").err,
         'run_p5mon: warning: ./STD_PARMS:6: conf_level_99 is set to "no", after "yes" in line 5\n')
    result = Run(["-Fwarn_parm_not_used=no", "-Fwarn_parm_defined_twice=no",
                  "-Fwarn_parm_not_defined=yes", "-Fparm_warn_file_name=warnings"],
                 files, FAKE_RUNS, {})
    lines = result.files["warnings"].splitlines()
    # There is a warning for each parameter except command, branches, and four that the command
    # line sets.
    expect(not result.err and len(lines) == 19 + 39 - 6
           and "run_p5mon: warning: ./STD_PARMS does not set repetitions" in lines, str(result))


def wrong_values_are_refused():
    for name, value, words in (
            ("repetitions", "0", "a number from 1"), ("repetitions", "x", "a number from 1"),
            ("repetitions", "-1", "a number from 1"),
            ("max_regions", "101", "a number from 1 to 100"),
            ("verbose_level", "1.5", "a number from 0"), ("branches", "maybe", "yes or no"),
            ("user_events", "2", "yes or no"), ("repeat_first_run", "yes", "repeat_first_run")):
        run({"data_read": "yes", name: value}).refused(USAGE, name, words)
    run({"repetitions": "0"}).refused(USAGE, "./STD_PARMS:3: repetitions")
    run({}, "-Frepetitions=0").refused(USAGE, "-F: repetitions")


def what_is_missing_is_named():
    run({"command": "", "data_read": "yes"}).refused(USAGE, "command is not set")
    run({}).refused(USAGE, "no event")
    Run([], {}, FAKE_RUNS, {}).refused(INPUT, '"./STD_PARMS"', "No such file", "-P")
    Run(["-P", "none"], {}, FAKE_RUNS, {}).refused(INPUT, '"none"')
    Run([], {"STD_PARMS": "(other\nend)\n"}, FAKE_RUNS, {}).refused(INPUT, "no section (p5mon")
    Run([], {"STD_PARMS": "(p5mon\n"}, FAKE_RUNS, {}).refused(INPUT, "has no end")


def wrong_options_are_refused():
    run({}, "-x").refused(USAGE, "-x", "use: run_p5mon")
    run({}, "-P").refused(USAGE, "-P has no argument")
    run({}, "-Fcommand").refused(USAGE, '"command" has no value')
    run({}, "-Fnonsense=1").refused(USAGE, 'no parameter "nonsense"')
    run({}, "hello").refused(USAGE, '"hello" is not an option')


def files_that_cannot_be_written_are_named():
    # The error comes before anything is executed.
    result = count({"data_read": [1]}, output_file="none/out")
    result.refused(OUTPUT, "none/out")
    expect(not result.out and "log" not in result.files, str(result))
    count({"data_read": [1]}, parm_warn_file_name="none/out").refused(OUTPUT, "none/out")
    count({"data_read": [1]}, dump_parms="yes",
          parm_dump_file_name="none/out").refused(OUTPUT, "none/out")
    with open("/dev/full", "w", encoding="utf-8") as full:
        with tempfile.TemporaryDirectory() as directory:
            with open(os.path.join(directory, "STD_PARMS"), "w", encoding="utf-8") as file:
                file.write(parameters({"command": "true", "data_read": "yes"}))
            result = subprocess.run([FAKE_DRIVER], cwd=directory, stdout=full, check=False,
                                    stderr=subprocess.PIPE, text=True)
    expect(result.returncode == OUTPUT and "cannot write the report" in result.stderr,
           str(result))


def a_result_file_does_not_need_a_reader_of_the_report():
    with tempfile.TemporaryDirectory() as directory:
        with open(os.path.join(directory, "STD_PARMS"), "w", encoding="utf-8") as file:
            file.write(parameters({"command": "cat pipe", "data_read": "yes", "output_file": "out",
                                   "skip_initialization_run": "yes"}))
        os.mkfifo(os.path.join(directory, "pipe"))
        with subprocess.Popen([FAKE_DRIVER], cwd=directory, stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL) as process:
            process.stdout.read(1)
            process.stdout.close()
            with open(os.path.join(directory, "pipe"), "w", encoding="utf-8"):
                pass
        with open(os.path.join(directory, "out"), encoding="utf-8") as file:
            text = file.read()
    expect("\n0x0 -1         1000.0 NaN NaN\n" in text, text)


def a_result_file_keeps_what_it_has_until_there_are_results():
    files = {"STD_PARMS": parameters({"command": "nowhere", "data_read": "yes",
                                      "output_file": "out"}), "out": "before\n" * 100}
    result = Run([], files, FAKE_DRIVER, {})
    expect(result.status == 127 and result.files["out"] == files["out"], str(result))
    result = Run(["-Fcommand=true"], files, FAKE_DRIVER, {})
    expect("before" not in result.files["out"] and result.status == 0, str(result))


def regions_beyond_the_most_are_refused():
    counts = {0: (1, [1], [1]), 5: (1, [1], [1])}
    count_regions(counts, ("branches", "btb_hits"), max_regions=5).refused(
        USAGE, "entered region 5: set max_regions to 6")
    expect("for 2 regions" in count_regions(counts, ("branches", "btb_hits"),
                                            max_regions=6).report(), "")


def regions_may_be_left_more_often_than_entered():
    result = run({"branches": "yes", "repetitions": 2, "use_assembly_regions": "yes"},
                 runs="run 0 0\n1 3 2 9 0\n2 0 1 4 0\nrun 0 0\n1 3 2 9 0\n2 0 1 4 0\n")
    expect("  Region 1, entered 3 times and exited 2 times:\n"
           "    Branches: 9.0 +/- 0.0 (0.000%) [3.0]\n"
           "  Region 2, entered 0 times and exited 1 times:\n"
           "    Branches: 4.0 +/- 0.0 (0.000%) [NaN]\n" in result.report(), str(result))
    same(result.err, "".join(
        f"run_p5mon: warning: region {number} was entered {times} times and left {left} times: its"
        " counts are invalid\n" for number, times, left in ((1, 3, 2), (2, 0, 1))))


def regions_that_are_not_entered_as_often_are_warned_of():
    result = run({"branches": "yes", "repetitions": 2, "use_assembly_regions": "yes"},
                 runs="run 0 0\n1 3 3 9 0\nrun 0 0\n1 4 4 9 0\n")
    expect(result.err == "run_p5mon: warning: region 1 was entered 4 times, and 3 times in the"
           " first execution, which the report shows\n", str(result))


def execute(command, *arguments, **environment):
    """Execute a command over the fake driver."""
    return run({"data_read": "yes"}, f"-Fcommand={command}", *arguments, program=FAKE_DRIVER,
               **environment)


def printed(result, text):
    """Return how often the output contains these lines."""
    return len(re.findall("^" + re.escape(text), result.out, re.MULTILINE))


def commands_are_executed_without_a_shell():
    for command, out in (
            ("echo a  b", "a b\n"), ("echo 'a  b' \"c \\\"d\\\"\" e\\ f", "a  b c \"d\" e f\n"),
            ("echo a>out", None), ("cat <STD_PARMS >out", None), ("echo a 1>&2", None),
            (r"printf '<%s>\n' ''", "<>\n"), ("ls . /nowhere 2>/dev/null >out", None),
            ("echo 5'>'x", "5>x\n"), ("echo a{b}#", "a{b}#\n")):
        result = execute(command)
        expect(result.status == 0 and "/bin/sh" not in result.err, f"{command}\n{result}")
        if out is not None:
            expect(printed(result, out) == 2, f"{command}\n{result}")
    result = execute("echo a >>out")
    expect(result.files["out"] == "a\na\n", str(result))
    result = execute("cat < STD_PARMS > out")
    expect(result.files["out"] == result.files["STD_PARMS"], str(result))


def other_commands_have_a_shell_which_is_told_of():
    for command, out in (("echo a | cat", "a\n"), ("echo $((1 + 1))", "2\n"),
                         ("A=b; echo $A", "b\n"), ("echo \"$0\"", "/bin/sh\n"),
                         ("echo a && echo b", "a\nb\n"), ("B=1 env | grep ^B=", "B=1\n"),
                         ("echo STD*S", "STD_PARMS\n"), ("echo `echo c`", "c\n"),
                         ("cat <<E", None), ("echo 'unfinished", None), ("echo a 12>out", None),
                         ("cat 00<STD_PARMS", None)):
        result = execute(command)
        expect("/bin/sh executes the command, and is counted" in result.err,
               f"{command}\n{result}")
        if out is not None:
            expect(result.status == 0 and printed(result, out) == 2, f"{command}\n{result}")


def counts_are_those_of_all_processes_of_the_command():
    result = execute("true")
    expect("  Data Read: 1000.0 +/- NaN (NaN%)\n" in result.report() and not result.err,
           str(result))


def the_current_directory_is_searched_after_path():
    files = {"STD_PARMS": parameters({"data_read": "yes"}),
             "hello": "#!/bin/sh\necho found\n", "true": "#!/bin/sh\necho wrong\n"}
    result = Run(["-Fcommand=hello"], files, FAKE_DRIVER, {})
    expect(result.status == 0 and printed(result, "found\n") == 2, str(result))
    result = Run(["-Fcommand=true"], files, FAKE_DRIVER, {})
    expect(result.status == 0 and not printed(result, "wrong"), str(result))


def commands_that_cannot_be_executed_are_named():
    execute("nowhere").refused(127, '"nowhere"', "PATH")
    execute("./STD_PARMS").refused(126, '"./STD_PARMS"', "Permission denied")
    execute("cat < nowhere").refused(126, 'descriptor 0', '"nowhere"', "No such file")


def how_the_command_ends_is_warned_of_once():
    result = execute("false", "-Frepetitions=3")
    same(result.err, "run_p5mon: warning: the command has ended with status 1\n")
    result = execute("sh -c 'kill -9 $$'")
    same(result.err, "run_p5mon: warning: signal 9 has ended the command\n")


def a_command_without_regions_is_told_of():
    execute("true", "-Fuse_assembly_regions=yes").refused(
        INVALID, "no regions", "-lp5mon", "p5mon_asm_init")


def regions_of_all_processes_are_added_up():
    line = "echo 3 2 2 40 >>$P5MON_REGIONS_FILE"
    result = execute(f"sh -c '{line}; {line}'", "-Fuse_assembly_regions=yes",
                     "-Fskip_initialization_run=yes", "-Frepetitions=2")
    expect("  Region 3, entered 4 times and exited 4 times:\n"
           "    Data Read: 80.0 +/- 0.0 (0.000%) [20.0]\n" in result.report(), str(result))
    # Regions are reported only in a counted run: in the first run there is no file.
    execute("sh -c 'echo error it is so >>$P5MON_REGIONS_FILE'", "-Fuse_assembly_regions=yes",
            "-Fskip_initialization_run=yes").refused(INVALID, "its regions: it is so")
    execute("sh -c 'echo 100 1 1 1 >>$P5MON_REGIONS_FILE'", "-Fuse_assembly_regions=yes",
            "-Fskip_initialization_run=yes").refused(INVALID, "link it again")


def without_the_pentium_it_does_not_run():
    execute("true", FAKE_PMU="p6").refused(UNSUPPORTED, "Invalid processor")
    execute("true", FAKE_ERRNO="2").refused(NO_DEVICE, "/dev/vpmc")


def what_cannot_be_started_is_told_of():
    execute("true", FAKE_START_ERRNO="16").refused(BUSY, "busy")
    execute("true", FAKE_START_ERRNO="1").refused(PERMISSION, "perm")


def the_parameter_file_is_not_overwritten():
    for parameter, name in (("output_file", "STD_PARMS"), ("output_file", "../{}/STD_PARMS"),
                            ("parm_warn_file_name", "STD_PARMS"),
                            ("parm_dump_file_name", "STD_PARMS")):
        text = parameters({"command": "hello", "branches": "yes", "dump_parms": "yes",
                           "nonsense": "yes", parameter: name.format("parameters")})
        with tempfile.TemporaryDirectory() as directory:
            directory = os.path.join(directory, "parameters")
            os.mkdir(directory)
            path = os.path.join(directory, "STD_PARMS")
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
            result = subprocess.run([FAKE_RUNS], cwd=directory, capture_output=True, text=True,
                                    check=False, env={**os.environ, "FAKE_RUNS": "runs"})
            expect(result.returncode == USAGE and "name another one" in result.stderr, str(result))
            with open(path, encoding="utf-8") as file:
                expect(file.read() == text, "it was")


def the_command_does_not_outlive_run_p5mon():
    # If the command outlived run_p5mon, it would keep the pipe open. The command prints a line
    # when it begins.
    with tempfile.TemporaryDirectory() as directory:
        with open(os.path.join(directory, "STD_PARMS"), "w", encoding="utf-8") as file:
            file.write(parameters({"command": "sh -c 'echo begun; exec sleep 1000'",
                                   "data_read": "yes"}))
        with subprocess.Popen([FAKE_DRIVER], cwd=directory, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, text=True) as process:
            while process.stdout.readline() != "begun\n":
                pass
            process.terminate()
            process.communicate(timeout=300)
            expect(process.returncode == -15, f"status {process.returncode}")


sys.exit(tap.run(globals()))
