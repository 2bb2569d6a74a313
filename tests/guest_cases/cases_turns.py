# SPDX-License-Identifier: GPL-2.0-only
"""Compare intervals of projected counts with exact counts of the same programs.

Programs run again and again with events that share counters. Each count that has an interval is
compared with the count of a run in which the event has its own counter. In each run the clock
ticks at other instructions.

One program and a few runs are enough to find intervals that are much too narrow, or wrong sums
in the driver. With --long there are enough runs to check that 95 of 100 intervals are right.
"""

import functools
import math
import os
import re

import guest
from cases import Failed, Test
from guest import Machine

# These events share the two counters. Each of them happens in all programs here.
EVENTS = ("instructions_executed", "branches", "data_read", "data_write")

# These commands are counted, ordered by the amount of their work. Most counts of the commands
# of LONG, which have many turns, must have intervals.
FEW = {
    "mixed": "sh -c 'wc text; exactly-10000000; gzip -c text; wc text; exactly-10000000'",
}
LONG = {
    "gzip": "sh -c 'gzip -c text; gzip -c text; gzip -c text'",
    "phases": "sh -c 'wc text; wc text; exactly-10000000; exactly-10000000; gzip -c text;"
              " gzip -c text; wc text; wc text; exactly-10000000; exactly-10000000'",
    "many": "sh -c 'i=0; while [ $i -lt 16 ]; do wc text; i=$((i+1)); done'",
}
SHORT = {
    "exit": "exit",
    "echo": "sh -c 'echo a; echo b | cat'",
}

# A line of a report has a number and perhaps a note.
LINE = re.compile(r" *([0-9]+|-)  0x[0-9a-f]+ +(\w+):u(?:  # (.*))?")
INTERVAL = re.compile(r"projected from [0-9.]+% of the time, ([0-9]+) to ([0-9]+) \(95 %\)")
UNKNOWN = re.compile("not counted|not known: (its turns are too few|it did not happen in its turns"
                     "|it happened in too few of its turns)")

# The loop of the variable j lets each run begin at another time within a tick.
SCRIPT = """
chmod 755 /root; export PATH=/root:$PATH
while read name command; do
	for how in {ways}; do
		j=0; while [ $j -lt $((how * 37 % 101)) ]; do j=$((j+1)); done
		option=--multiplex; [ $how = 0 ] && option=--runs
		echo "= $name $how"
		eval "perfex -o /tmp/report $option -e {events} $command" >/dev/null </dev/null
		cat /tmp/report
	done
done
"""


def runs_of(output):
    """Yield the name of each run, its number, and its counts with their notes."""
    for part in output.split("= ")[1:]:
        head, *lines = part.splitlines()
        name, how = head.split()
        found = [match.groups() for match in map(LINE.fullmatch, lines) if match]
        yield name, int(how), {event: (number, note or "") for number, event, note in found}


def judge(exact, number, note):
    """Return whether a count is right, or None if it is not known."""
    interval = INTERVAL.match(note)
    if number == "-":
        if not UNKNOWN.fullmatch(note):
            raise Failed(f"- for the reason {note!r}")
        return None
    if not interval:
        if number != exact or note:
            raise Failed(f"{number} ({note}) without an interval, and it is {exact}")
        return True
    low, high = map(int, interval.groups())
    if not low <= int(number) <= high or not int(number):
        raise Failed(f"{number} is not between {low} and {high}")
    return low <= int(exact) <= high


def most_wrong(number):
    """Return the largest allowed number of wrong intervals. If 5 of 100 intervals are wrong, 99 of
    100 tests have at most this number."""
    left, wrong = 1.0, -1
    while left > 0.01:
        wrong += 1
        left -= math.comb(number, wrong) * 0.05 ** wrong * 0.95 ** (number - wrong)
    return wrong


def check(machine, long, repetitions):
    """Test that 95 of 100 intervals are right, that each projected count has an interval or a
    reason, and that long programs have intervals."""
    programs = {**long, **SHORT}
    script = SCRIPT.format(ways=" ".join(map(str, range(repetitions + 1))),
                           events=",".join(EVENTS)) + "\n"
    script = script.replace("\ndone\n\n", "\ndone <<'END'\n" + "".join(
        f"{name} {command}\n" for name, command in programs.items()) + "END\n")
    text = os.path.join(os.path.dirname(guest.PERFEX), "text")
    files = [guest.perfex(), text, *map(guest.program, ("exit", "exactly-10000000"))]
    result = guest.run(machine, ["sh", "-s"], files, script.encode())
    if result.returncode or result.stderr:
        raise Failed(guest.shown(result))
    exact, wrong, stated, asked = {}, [], 0, 0
    for name, how, figures in runs_of(result.stdout.decode()):
        if not how:
            exact[name] = figures
            continue
        if set(figures) != set(EVENTS):
            raise Failed(f"{name}: {figures}")
        for event, (number, note) in figures.items():
            right = judge(exact[name][event][0], number, note)
            asked += name in long
            if right is None or not INTERVAL.match(note):
                continue
            stated += name in long
            if not right:
                wrong.append(f"{name} {event}: {number} {note}, want {exact[name][event][0]}")
    most = stated // 20 if long is LONG else most_wrong(stated)
    if len(wrong) > most:
        raise Failed(f"{len(wrong)} of {stated} intervals are wrong:\n" + "\n".join(wrong))
    if stated * 3 < asked * 2 or set(exact) != set(programs):
        raise Failed(f"only {stated} of {asked} counts of long programs have an interval")
    return f"{stated} of {asked}, {len(wrong)} wrong"


def tests():
    """Yield the tests of this file."""
    yield Test("intervals", "projected counts lie in their intervals in 95 of 100 cases",
               functools.partial(check, Machine(icount=True), guest.amount(FEW, LONG),
                                 guest.amount(4, 60)))
