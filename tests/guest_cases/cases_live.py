# SPDX-License-Identifier: GPL-2.0-only
"""Test perfex --live on the console of make shell. The terminal is pyte, a terminal emulator."""

import functools
import os
import pty
import re
import select
import signal
import subprocess
import time

import cases_pentium_tools
import cases_run
import guest
import pyte
from cases import Failed, Test
from guest import Machine

# This is long, because the host may be busy.
LIMIT_S = 600
PROMPT = r"\nguest#$"

# After some intervals, the picture has the title, and a row with the count of each event.
PICTURE = r"^{title} +(?:[2-9]|\d\d+)\.\d+ s  q: end\nevent +count +per second history\n{rows}$"
ROW = r"{event}:\w+ +\d+ +\d+ .*"
REPORT = r"^ *(\d+)  0x[0-9a-f]+   {event}:\w+$"


class Console:
    """This is the terminal of a machine with a shell."""

    def __init__(self, machine, files):
        words = [guest.RUNNER, *machine.options()]
        for file in files:
            words += ["--file", file]
        self.screen = pyte.Screen(80, 24)
        self.stream = pyte.ByteStream(self.screen)
        ours, theirs = pty.openpty()
        self.terminal = ours
        self.process = subprocess.Popen(words, stdin=theirs, stdout=theirs, stderr=theirs,
                                        start_new_session=True)
        os.close(theirs)

    @property
    def text(self):
        """Return the text on the screen, without blanks at the ends."""
        return "\n".join(line.rstrip() for line in self.screen.display).rstrip()

    def wait_for(self, pattern):
        """Wait until the screen matches, and return the match."""
        end = time.monotonic() + LIMIT_S
        while not (match := re.search(pattern, self.text, re.M)):
            if time.monotonic() > end or self.process.poll() is not None:
                raise Failed(f"{pattern!r} does not appear, but\n{self.text}")
            if select.select([self.terminal], [], [], 0.1)[0]:
                self.stream.feed(os.read(self.terminal, 65536))
        return match

    def type(self, keys):
        """Type text like a user."""
        os.write(self.terminal, keys.encode())

    def execute(self, command):
        """Clear the screen, and type a command."""
        self.type(f"clear; {command}\r")

    def close(self):
        """End the machine, as a user does."""
        if self.process.poll() is None:
            self.type("\x01x")
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
        os.close(self.terminal)


def lines():
    """Return the command lines with --live in the README and in docs/history/pentium-tools.md."""
    with open(cases_run.README, encoding="utf-8") as file:
        ours = re.findall(r"^ +guest# (.*--live.*?) +#", file.read(), re.M)
    theirs = [line for line in cases_pentium_tools.lines() if "--live" in line]
    if not ours or not theirs:
        raise Failed(f"the README and docs/history/pentium-tools.md have {ours} and {theirs}")
    return ours + theirs


def check_line(console, line):
    """Test that a line shows its counts, and that q ends a line that does not end by itself."""
    named = re.search(r"-e (\S+)", line)
    events = named[1].split(",") if named else [r"instructions_\w+"]
    title = "all processors" if "--system" in line else re.search(r"\S+ \d+$", line)[0]
    rows = "\n".join(ROW.format(event=event) for event in events)
    console.execute(line)
    console.wait_for(PICTURE.format(title=title, rows=rows))
    if "--system" in line:
        console.type("q")
    report = "\n".join(REPORT.format(event=event) for event in events)
    console.wait_for(report + PROMPT)


def check(machine, bits):
    """Test that each line works, that a count is exact, and that unsuitable terminals are named."""
    console = Console(machine, [guest.perfex(bits), guest.program("exactly-10000000", bits)])
    try:
        console.wait_for("guest#")
        # A message of the kernel would disturb the picture.
        console.type("echo 1 > /proc/sys/kernel/printk; clear\r")
        for line in lines():
            check_line(console, line)
        console.execute("perfex --live --interval 0.01 exactly-10000000")
        count = console.wait_for(REPORT.format(event=r"instructions_\w+") + PROMPT)[1]
        if count != "10000000":
            raise Failed(f"10000000 instructions are {count}\n{console.text}")
        console.execute("TERM=dumb perfex --live true; echo status $?")
        console.wait_for(r"it cannot move its cursor(?s:.*)^status 210" + PROMPT)
    finally:
        console.close()


def tests():
    """Yield the tests of this file."""
    yield Test("live", "perfex --live draws on a guest's console, and its report is exact",
               functools.partial(check, Machine(), 32))
    yield Test("live-64", "perfex of 64 bits draws there, too, and its report is exact",
               functools.partial(check, Machine(cpu="icelake", kernel="vpmc-amd64"), 64))
