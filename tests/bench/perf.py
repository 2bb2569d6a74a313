# SPDX-License-Identifier: GPL-2.0-only
"""Compare perf_event and vpmc on the same kernel and processor."""

from bench import samples
from bench.samples import Run
from cases import Failed

CPU = "icelake"

EVENTS = {"one": "1 event", "two": "2 events"}
# Each way of counting has the prefix of its words in count.h.
WAYS = {"perf_event": "perf-", "vpmc": ""}

# Each row has the words for the counts of the two tasks of a switch. If both words are the
# same, each task has started its own count.
SWITCHES = tuple((f"{{0}}{word} {partner} nothing", name, ways) for word, partner, name, ways in (
    ("one", "{0}one", "switch, 1 event → 1 event", ("there",)),
    ("one", "{0}two", "switch, 1 event → 2 events", ("there", "back")),
    ("two", "{0}two", "switch, 2 events → 2 events", ("there",)),
    ("two", "inherited", "switch, 2 events → 2 inherited ones", ("there", "back")),
    ("two", "nothing", "switch, 2 events → none", ("there", "back")),
    ("two-mapped", "{0}two-mapped", "switch, 2 mapped → 2 mapped", ("there",))))
SWITCH_BASE = "switches nothing nothing nothing"

# These are operations of compare.c, with and without a mapped page.
CALLS = (("", "go-on", "stop, go on"), ("", "again", "stop, start from zero"),
         ("", "read", "read by a system call"), ("-mapped", "own", "read in user mode"))
# First, each way must have these counts.
KNOWN = (1000, 499)

LIVES = (("fork", "fork, exit, wait"), ("exec", "fork, exec, exit, wait"))


def run(command):
    """Return the run of a command."""
    return Run(command, cpu=CPU, kernel=samples.KERNEL64)


def commands():
    """Yield all commands to run."""
    yield "compare"
    yield "lives nothing"
    yield SWITCH_BASE
    for prefix in WAYS.values():
        yield from (f"lives {prefix}{events}" for events in EVENTS)
        yield from ("switches " + words.format(prefix) for words, _, _ in SWITCHES)


def runs():
    """Return the runs of all commands."""
    return [run(command) for command in commands()]


def measured(command):
    """Return the samples of a command."""
    return samples.samples_of(run(command))


def check_known(found=None):
    """Check that both ways have the counts of a known program."""
    found = found or measured("compare")
    for prefix in WAYS.values():
        for word in (f"{events}{mapped}" for events in EVENTS for mapped in ("", "-mapped")):
            counts = [found[name][0] for name in sorted(found)
                      if name.startswith(f"{prefix}{word}-known-")]
            if counts != list(KNOWN[:2 if word.startswith("two") else 1]):
                raise Failed(f"{prefix}{word} counts {counts}, want {KNOWN}")


def call_costs(name):
    """Return the cost of an operation of compare.c, without the cost of the measurement."""
    found = measured("compare")
    return samples.difference(samples.least(found[name]), samples.least(found["nothing"]))


def reverse(name):
    """Return the name of the switch in the other direction."""
    ends = name.removeprefix("switch, ").split(" → ")
    return f"switch, {ends[1]} → {ends[0]}"


def rows():
    """Return all operations as (name, totals without counting, {way to count: how much more}).

    For a call that exists only to count, the totals are None.
    """
    for words, name, directions in SWITCHES:
        for way in directions:
            base = measured(SWITCH_BASE)[way]
            yield (name if way == "there" else reverse(name), samples.middle(base),
                   {who: samples.added(measured("switches " + words.format(prefix))[way], base)
                    for who, prefix in WAYS.items()})
    for mapped, operation, name in CALLS:
        for events, shown in EVENTS.items():
            yield (f"{name}, {shown}", None,
                   {who: call_costs(f"{prefix}{events}{mapped}-{operation}")
                    for who, prefix in WAYS.items()})
    for operation, name in LIVES:
        base = measured("lives nothing")[operation]
        for events, shown in EVENTS.items():
            yield (f"{name}, {shown}", samples.middle(base),
                   {who: samples.added(measured(f"lives {prefix}{events}")[operation], base)
                    for who, prefix in WAYS.items()})
