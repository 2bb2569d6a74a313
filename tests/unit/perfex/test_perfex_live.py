#!/usr/bin/python3 -B
# SPDX-License-Identifier: GPL-2.0-only
"""test_perfex_live: test perfex --live and the line of progress on a terminal.

perfex runs on a pseudo-terminal, and pyte, a terminal emulator, shows its output: the display of
--live, and the line with the number of the present run. The program is fake_perfex of this
directory, with its own clock and counts: the first count gains 1000 in the first interval, 2000 in
the second, and so on. Reports in TAP.
"""

import contextlib
import fcntl
import os
import pty
import re
import select
import signal
import struct
import sys
import tempfile
import termios
import time

import pyte

import tap
from tap import expect

PERFEX = os.path.join(os.path.dirname(os.path.abspath(__file__)), "fake_perfex")
# The makefile replaces @TOP@ by the directory of the sources.
DOCUMENT = os.path.join("@TOP@", "docs/history/pentium-tools.md")
LIMIT_S = 30

# This picture is on the screen after four seconds.
NARROW = """\
sleep 1000                 4.0 s  q: end
event             count   per s history
instructions:u   10.00k  4.000k     ▃▅▇█
hardware_interru      -       - never in
"""

WIDE = """\
sleep 1000{time:>190}
event                                count   per second history
instructions:u                       10000         4000{bars:>145}
hardware_interrupts:u                    -            - never in user mode
""".format(time="4.0 s  q: end", bars="▃▅▇█")


class Terminal:
    """Run perfex on a separate terminal."""

    def __init__(self, *args, size=(100, 12), term="linux", locale="C.UTF-8", redirect="",
                 **environment):
        self.screen = pyte.Screen(*size)
        self.stream = pyte.ByteStream(self.screen)
        self.text = b""
        self.status = None
        self.pid, self.terminal = pty.fork()
        if not self.pid:
            fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", *reversed(size), 0, 0))
            # A shell that starts the tests in the background may let them ignore this signal.
            signal.signal(signal.SIGINT, signal.SIG_DFL)
            os.environ.update(environment, LC_ALL=locale)
            os.environ.pop("TERM", None)
            if term:
                os.environ["TERM"] = term
            os.execv("/bin/sh", ["sh", "-c", f'exec "$0" "$@" {redirect}', PERFEX, *args])
        self.before = termios.tcgetattr(self.terminal)

    def read(self):
        """Read for a moment the output of perfex onto the screen. Return False at its end."""
        if not select.select([self.terminal], [], [], 0.05)[0]:
            return True
        try:
            text = os.read(self.terminal, 65536)
        except OSError:
            return False
        self.text += text
        self.stream.feed(text)
        return bool(text)

    @property
    def lines(self):
        """Return the text on the screen, without blank lines at the end."""
        return "\n".join(line.rstrip() for line in self.screen.display).rstrip() + "\n"

    def wait_for(self, what):
        """Wait until a text is shown."""
        end = time.monotonic() + LIMIT_S
        while what not in self.lines:
            expect(self.read() and time.monotonic() < end,
                   f"{what!r} does not appear, but\n{self.lines}")
        # Read the rest of the picture.
        while select.select([self.terminal], [], [], 0.2)[0] and self.read():
            pass

    def check(self, picture):
        """Wait until the screen shows the text."""
        end = time.monotonic() + LIMIT_S
        while self.lines != picture and time.monotonic() < end and self.read():
            pass
        expect(self.lines == picture, f"there should be\n{picture}and there is\n{self.lines}")

    def type(self, keys):
        """Type keys like a user."""
        os.write(self.terminal, keys)

    def resize(self, columns, rows):
        """Let the user make the window larger or smaller."""
        self.screen.resize(rows, columns)
        fcntl.ioctl(self.terminal, termios.TIOCSWINSZ,
                    struct.pack("HHHH", rows, columns, 0, 0))

    def finish(self):
        """Wait for the end of perfex; return its status and all its output."""
        end = time.monotonic() + LIMIT_S
        while self.read():
            expect(time.monotonic() < end, f"perfex goes on:\n{self.lines}")
        self.status = os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])
        return self.status, self.text.decode()

    def close(self):
        """End the remaining processes."""
        if self.status is None:
            os.kill(self.pid, signal.SIGKILL)
            os.waitpid(self.pid, 0)
        os.close(self.terminal)


@contextlib.contextmanager
def live(*args, **options):
    """Run perfex --live on a terminal."""
    terminal = Terminal("--live", *args, **options)
    try:
        yield terminal
    finally:
        terminal.close()


def two_events(**options):
    """Return the expected picture of two events, which stays on the screen."""
    return live("-n", "-e", "instructions,0x27", "sleep", "1000", FAKE_STOP_MS="4000",
                FAKE_NEVER="1", **options)


def a_narrow_terminal():
    with two_events(size=(40, 8)) as terminal:
        terminal.check(NARROW)


def a_wide_terminal():
    with two_events(size=(200, 8)) as terminal:
        terminal.check(WIDE)


def without_utf8_bars_are_ascii():
    with two_events(size=(200, 8), locale="C") as terminal:
        terminal.check(WIDE.replace("▃▅▇█", ":=*#"))


def another_size_is_another_picture():
    with two_events(size=(200, 8)) as terminal:
        terminal.check(WIDE)
        terminal.resize(40, 8)
        terminal.check(NARROW)
        terminal.resize(200, 30)
        terminal.check(WIDE)


def the_history_grows_to_the_width():
    with live("-n", "sleep", "1000", size=(40, 4), FAKE_STOP_MS="64000") as terminal:
        # The history shows the last of 64 values.
        terminal.wait_for("64.0 s")
        row = terminal.lines.splitlines()[2]
        expect(row == "instructions_exe 288.0k  8.000k ▂▃▄▅▆▇██", row)


def each_processor_has_a_row_if_they_fit():
    picture = """\
all processors{time:>86}
event                          count   per second history
instructions:uk                 2500          600{bars:>51}
  cpu 0                         1200          300{bars2:>51}
  cpu 1                         1300          300{bars3:>51}
"""
    with live("--system", "-e", "instructions", size=(100, 5), FAKE_STOP_MS="4000") as terminal:
        terminal.check(picture.format(time="4.0 s  q: end", bars="█▇▇▇", bars2="████",
                                      bars3="█▇▇▇"))
        terminal.resize(100, 4)
        terminal.check("\n".join(picture.format(time="4.0 s  q: end", bars="█▇▇▇", bars2="",
                                                bars3="").splitlines()[:3]) + "\n")


def a_processor_that_is_switched_on_has_no_rate_before():
    # The new processor's earlier counts are unknown, so the histories of all processors begin
    # again.
    with live("--system", "-e", "instructions", size=(100, 6), FAKE_CPU_MS="3000",
              FAKE_STOP_MS="4000") as terminal:
        terminal.check("""\
all processors{time:>86}
event                          count   per second history
instructions:uk                 4200         1200{bars:>51}
  cpu 0                         1300          400{bar:>51}
  cpu 1                         1400          400{bar:>51}
  cpu 2                         1500          400{bar:>51}
""".format(time="4.0 s  q: end", bars="▄▄█▆", bar="█"))


def rows_that_do_not_fit_are_numbered():
    with two_events(size=(200, 3)) as terminal:
        terminal.check("\n".join(WIDE.splitlines()[:2]) + "\n2 more: enlarge the terminal\n")


def projected_counts_are_marked():
    with live("-n", "--multiplex", "-e", "0x16@0,0x27@0:k", "sleep", "1000", FAKE_SHARE="1",
              FAKE_STOP_MS="1000") as terminal:
        terminal.wait_for("1.0 s")
        expect(re.search(r"^hardware_interrupts:k +\d+\* ", terminal.lines, re.M) and
               re.search(r"^instructions_executed:u +1000 ", terminal.lines, re.M), terminal.lines)


def what_is_derived_has_a_row():
    with tempfile.NamedTemporaryFile("w", suffix=".group") as group:
        group.write("A group.\n\nevent instructions\nmetric rate per-second = "
                    "instructions / time\n")
        group.flush()
        with live("-n", "-g", group.name, "sleep", "1000", FAKE_STOP_MS="4000") as terminal:
            terminal.wait_for("4.0 s")
            row = terminal.lines.splitlines()[3]
            expect(row.split() == ["rate", "per-second", "4000.000", "▃▅▇█"], row)


def q_ends_a_command_as_ctrl_c_does():
    for key in b"q", b"\x03":
        with two_events() as terminal:
            terminal.wait_for("4.0 s")
            terminal.type(key)
            status, text = terminal.finish()
            expect(status == 128 + signal.SIGINT, f"status {status}")
            expect(text.endswith("0x27   hardware_interrupts:u  # never in user mode\r\n"), text)


def a_command_gets_one_signal_by_q():
    script = "n=0; trap 'n=$((n + 1))' INT; while [ $n = 0 ]; do sleep 0.1; done; sleep 0.5; " \
             "exit $n"
    with live("sh", "-c", script, FAKE_STOP_MS="4000") as terminal:
        terminal.wait_for("4.0 s")
        terminal.type(b"q")
        expect(terminal.finish()[0] == 1, f"signals: {terminal.status}")


def q_ends_system_mode_and_the_count_of_a_process():
    for args in ("--system",), ("-p", str(os.getppid())):
        with live(*args, FAKE_STOP_MS="4000") as terminal:
            terminal.wait_for("4.0 s")
            terminal.type(b"q")
            status, text = terminal.finish()
            expect(status == 0 and re.search(r"\d  0x16   instructions_executed:uk?\r\n$", text),
                   f"status {status}\n{text}")


def a_cgroup_is_the_title():
    with live("--cgroup", "/tmp", "-e", "instructions", FAKE_STOP_MS="4000") as terminal:
        terminal.wait_for("4.0 s")
        title = terminal.lines.splitlines()[0]
        expect(title == f"/tmp{'4.0 s  q: end':>96}", title)


def other_keys_do_nothing():
    with two_events(size=(200, 8)) as terminal:
        terminal.check(WIDE)
        terminal.type(b"x\r\x1b[A ")
        time.sleep(0.5)
        terminal.check(WIDE)


def the_report_is_of_the_whole():
    script = "until [ -e \"$0\" ]; do sleep 0.1; done; exit 3"
    with tempfile.TemporaryDirectory() as directory, \
            live("-n", "sh", "-c", script, f"{directory}/end", FAKE_STOP_MS="5000") as terminal:
        terminal.wait_for("5.0 s")
        with open(f"{directory}/end", "w", encoding="utf-8"):
            pass
        status, text = terminal.finish()
        expect(status == 3, f"status {status}")
        # This is 1000 + 2000 + ... + 6000. There is one more reading than there are intervals.
        expect(text.endswith("               21000  0x16   instructions_executed:u\r\n"), text)


def what_a_command_prints_comes_behind():
    script = "echo out; echo err >&2; [ -t 0 ] || [ -t 1 ] || [ -t 2 ] || echo no terminal; cat; " \
             "until [ -e \"$0\" ]; do sleep 0.1; done"
    with tempfile.TemporaryDirectory() as directory, \
            live("-n", "sh", "-c", script, f"{directory}/end", FAKE_STOP_MS="4000") as terminal:
        terminal.wait_for("4.0 s")
        expect(not re.search("^(out|err)$", terminal.lines, re.M), terminal.lines)
        with open(f"{directory}/end", "w", encoding="utf-8"):
            pass
        status, text = terminal.finish()
        expect(status == 0 and
               re.search(r"out\r\nerr\r\nno terminal\r\n +\d+  0x16   ins\S+:u\r\n$", text), text)


def what_is_redirected_stays_so():
    with tempfile.NamedTemporaryFile("r") as file:
        with live("-n", "sh", "-c", "echo out; cat; sleep 0.5", FAKE_STOP_MS="4000",
                  redirect=f">{file.name} <<'E'\nin\nE\n") as terminal:
            status, text = terminal.finish()
        expect(status == 0 and "out\r\n" not in text, f"status {status}\n{text}")
        text = file.read()
        expect(text == "out\nin\n", text)


def a_complaint_comes_behind():
    with live("-n", "sleep", "1", FAKE_STOP_MS="4000", FAKE_LOST="1") as terminal:
        status, text = terminal.finish()
        expect(status == 211 and re.search(r"perfex: the counts are invalid.*\r\n$", text),
               f"status {status}\n{text}")


def a_short_command_shows_nothing():
    with live("-n", "true", FAKE_WAIT_MS="10000") as terminal:
        status, text = terminal.finish()
        expect(status == 0 and "\x1b" not in text, f"{text!r}")


def the_terminal_is_what_it_was():
    with two_events(term="xterm") as terminal:
        terminal.wait_for("4.0 s")
        during = termios.tcgetattr(terminal.terminal)
        expect(during[3] & termios.ICANON == 0 and during[3] & termios.ISIG,
               "keys are read in lines")
        terminal.type(b"q")
        # The terminal keeps its attributes as long as this end of it is open.
        _, text = terminal.finish()
        expect(termios.tcgetattr(terminal.terminal) == terminal.before, "other attributes")
        expect("\x1b[?1049h" in text and "0x16" in text.split("\x1b[?1049l")[1], f"{text!r}")


def what_cannot_move_a_cursor_is_refused():
    for term, sentence in (("", "TERM is not set"), ("nonsense", "its name in TERM is unknown"),
                           ("dumb", "it cannot move its cursor")):
        with live("echo", "ran", term=term) as terminal:
            status, text = terminal.finish()
            expect(status == 210 and text.startswith("perfex: --live cannot use the terminal: " +
                                                     sentence), f"status {status}\n{text}")
            expect("ran" not in text, "the command has run")


def without_a_terminal_it_is_refused():
    with live("echo", "ran") as terminal:
        terminal.finish()
    with tempfile.NamedTemporaryFile("r") as file:
        pid = os.fork()
        if not pid:
            os.setsid()
            out = os.open(file.name, os.O_WRONLY)
            os.dup2(out, 1)
            os.dup2(out, 2)
            os.execv(PERFEX, ["perfex", "--live", "echo", "ran"])
        status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
        text = file.read()
        expect(status == 210 and text.startswith("perfex: --live needs a terminal, and there is"
                                                 " none"), f"status {status}\n{text}")


def parts_and_a_timeline_go_with_it():
    script = "until [ -e \"$0\" ]; do sleep 0.1; done"
    for option in "--delay=1000", "--timeline=/dev/null":
        delayed = "delay" in option
        with tempfile.TemporaryDirectory() as directory, \
                live("-n", option, "sh", "-c", "sleep 1" if delayed else script,
                     f"{directory}/end", FAKE_STOP_MS="4000") as terminal:
            terminal.wait_for("0.0 s" if delayed else "4.0 s")
            with open(f"{directory}/end", "w", encoding="utf-8"):
                pass
            status, text = terminal.finish()
            expect(status == 0 and re.search(r"\d  0x16   instructions_executed:u\r\n", text),
                   f"{option}: status {status}\n{text}")


def what_it_cannot_show_is_refused():
    for option in ("-m",), ("-r", "2"), ("--compare", "true", "::"), ("--regions",), \
            ("--runs",), ("-l",), ("--plot=plot", "--interval=1"):
        with live(*option, "true") as terminal:
            status, text = terminal.finish()
            expect(status == 200 and "--live" in text and option[0][:6] in text,
                   f"{option}: status {status}\n{text}")


def lines_of_the_document_show_what_they_say():
    with open(DOCUMENT, encoding="utf-8") as file:
        lines = re.findall(r"\| `perfex (.*--live.*)` \|", file.read())
    expect(len(lines) == 3, f"docs/history/pentium-tools.md has other lines: {lines}")
    for line in lines:
        terminal = Terminal(*line.split(), FAKE_STOP_MS="4000")
        terminal.wait_for("4.0 s  q: end")
        expect(re.search(r"^instructions:u.* [0-9]+ .*[\u2581-\u2588]{4}", terminal.lines, re.M),
               f"{line}\n{terminal.lines}")
        terminal.type(b"q")
        status, text = terminal.finish()
        expect(status in (0, 130) and "  0x16   instructions:u" in text,
               f"{line}: status {status}\n{text}")
        terminal.close()


def several_runs_are_numbered():
    with tempfile.TemporaryDirectory() as directory:
        gate = os.path.join(directory, "gate")
        os.mkfifo(gate)
        terminal = Terminal("-r", "2", "--warmup=1", "-n", "cat", gate, redirect=">/dev/null",
                            FAKE_STOP_MS="0")
        for run in "run 1 of 3", "run 2 of 3, 0 s left", "run 3 of 3, 0 s left":
            terminal.wait_for(run)
            with open(gate, "w", encoding="utf-8"):
                pass
        status, _ = terminal.finish()
        # The line about the runs has been removed.
        expect(status == 0 and "run" not in terminal.lines.replace("2 runs", ""),
               f"status {status}\n{terminal.lines}")
        terminal.close()


def one_run_has_no_number_nor_runs_whose_output_is_there():
    for args, redirect in (("-n", "true"), ">/dev/null"), (("-r2", "-n", "echo", "ran"), ""):
        terminal = Terminal(*args, redirect=redirect)
        status, text = terminal.finish()
        expect(status == 0 and " of " not in text, f"status {status}\n{text}")
        terminal.close()


sys.exit(tap.run(globals()))
