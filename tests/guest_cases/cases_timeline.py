# SPDX-License-Identifier: GPL-2.0-only
"""Test perfex --timeline: it writes JSON that trace viewers read, with the regions that
--regions lists."""

import collections
import functools
import json

import guest
from cases import Failed, Test
from guest import Machine

TURNS = 4000
# These are the instructions and branches of a loop of 100 rounds.
TURN = [201, 100]
EVENTS = ["instructions_executed:u", "branches:u"]


def files(bits):
    """Return the files of the guest."""
    return [guest.tool("timeline", bits), guest.tool("regions", bits), guest.perfex(bits)]


class Timeline:
    """The regions of each thread in a file of perfex --timeline, by pid and tid.

    A region consists of its name, its begin and end in nanoseconds, and its counts or None. A
    file that breaks a rule of the format is a failure.
    """

    def __init__(self, text, shown):
        self.shown = shown
        self.size = len(text)
        self.regions = collections.defaultdict(list)
        self.notes = []
        self.spans = collections.defaultdict(list)
        self.threads = set()
        try:
            self.trace = json.loads(text)
        except ValueError as error:
            self.fail(f"is no JSON: {error}")
        if set(self.trace) != {"displayTimeUnit", "traceEvents", "otherData"}:
            self.fail(f"has members {list(self.trace)}")
        self.other = self.trace["otherData"]
        for event in self.trace["traceEvents"]:
            self.read(event)
        for spans in self.spans.values():
            self.check_times(sorted(spans))

    def fail(self, text):
        """Fail because the file breaks a rule."""
        raise Failed(f"the timeline {text}\n{self.shown}")

    def read(self, event):
        """Read an event."""
        thread = (event["pid"], event["tid"])
        if event["ph"] == "M":
            self.threads.add((thread, event["name"], event["args"]["name"]))
            return
        members = ["ph", "cat", "pid", "tid", "name", "ts", "dur", "args"]
        if event["ph"] != "X" or event["cat"] not in ("region", "perfex") or list(event) != members:
            self.fail(f"has {event}")
        begin, length = (round(event[name] * 1000) for name in ("ts", "dur"))
        self.spans[thread].append((begin, begin + length, event["name"]))
        if event["cat"] == "region":
            self.end(thread, event, begin, begin + length)

    def check_times(self, spans):
        """Check that all times of a thread differ, and that regions end within the region in
        which they begin."""
        times = [time for begin, end, _ in spans for time in (begin, end)]
        if len(set(times)) != len(times):
            self.fail("has equal times")
        around = []
        for span in spans:
            while around and around[-1][1] < span[0]:
                around.pop()
            if span[1] < span[0] or (around and span[1] > around[-1][1]):
                self.fail(f"has {span} in {around}")
            around.append(span)

    def end(self, thread, event, begin, end):
        """End a region.

        Its exclusive counts are its counts minus the counts of the regions directly within it.
        """
        counts = {name: count for name, count in event["args"].items() if name != "note"}
        if not counts:
            self.notes.append((event["name"], event["args"]["note"]))
        both = [counts[each] for name in counts if not name.endswith(" exclusive")
                for each in (name, name + " exclusive" if name + " exclusive" in counts else name)]
        self.regions[thread].append((event["name"], begin, end, both or None))

    def sums(self):
        """Return the calls and the sums of all counts for each process and region."""
        sums = {}
        for (pid, _), regions in self.regions.items():
            for name, _, _, counts in regions:
                old = sums.setdefault(str(pid), {}).get(name, [0] * (1 + len(counts or ())))
                sums[str(pid)][name] = [old[0] + 1] + [
                    a + b for a, b in zip(old[1:], counts or old[1:])]
        return sums


def traced(machine, command, options=(), bits=32, status=0):
    """Run a command with --regions and --timeline. Return the timeline, the regions that
    --regions lists by process, and the sentences of perfex."""
    script = (f"perfex --regions --timeline=t {' '.join(options)} {command}; "
              f"status=$?; cat t; exit $status")
    result = guest.run(machine, ["sh", "-c", script], files(bits))
    shown = guest.shown(result)
    if result.returncode != status:
        raise Failed(shown)
    listed, others = {}, []
    for line in result.stderr.decode().splitlines():
        words = line.split()
        if words[0] == "region":
            numbers = [None if word == "-" else int(word) for word in words[2:-1]]
            listed.setdefault(words[1], {})[words[-1]] = numbers
        elif line.startswith("perfex: "):
            others.append(line)
    return Timeline(result.stdout.decode(), shown), listed, others


def check_clean(timeline, **flaws):
    """Check that nothing is lost or in the wrong order, except the expected flaws."""
    names = ("lost_entries", "earlier_stamps", "ends_without_begin", "begins_without_end")
    want = {name: flaws.get(name, 0) for name in names}
    if {name: timeline.other[name] for name in names} != want:
        timeline.fail(f"has {timeline.other}, and not {want}")


def nested(machine, bits):
    """Test the counts of each call of nested regions."""
    for options in (["-e", "instructions_executed,branches"] if bits == 32 else
                    ["-e", "instructions,branches"], []):
        timeline, listed, _ = traced(machine, "regions nested", options, bits)
        check_clean(timeline)
        [regions] = timeline.regions.values()
        names = [region[0] for region in regions]
        nr = 2 if options else 1
        inner = [number for count in [2001, 1000][:nr] for number in (count, count)]
        if (timeline.sums() != listed or names != ["inner", "empty", "inner", "outer"]
                or regions[0][3] != inner or regions[1][3] != [0, 0] * nr):
            timeline.fail("has other regions or counts")


def raw(machine, bits):
    """Test that --regions=raw and the timeline leave the costs in the counts."""
    timeline, _, _ = traced(machine, "regions nested", [], bits)
    script = "perfex --regions=raw --timeline=t regions nested && cat t"
    result = guest.run(machine, ["sh", "-c", script], files(bits))
    costly = Timeline(result.stdout.decode(), guest.shown(result))
    net = [region[3][0] for region in next(iter(timeline.regions.values()))]
    gross = [region[3][0] for region in next(iter(costly.regions.values()))]
    lines = [line.split() for line in result.stderr.decode().splitlines()]
    listed = {words[1]: {} for words in lines if words[0] == "region"}
    for words in lines:
        if words[0] == "region":
            listed[words[1]][words[-1]] = [int(word) for word in words[2:-1]]
    if costly.sums() != listed or not all(a < b for a, b in zip(net, gross)):
        costly.fail(f"has {gross}, and {net} without costs")


def many(machine, bits):
    """Test more entries than any buffer has. None is lost, and each call has its count."""
    for options in (["-e", "instructions,branches"], ["-e", "instructions"]):
        many_of(machine, bits, options)


def many_of(machine, bits, options):
    """Check the program "many" with some options."""
    timeline, listed, _ = traced(machine, "timeline many", options, bits)
    check_clean(timeline)
    [regions] = timeline.regions.values()
    events = options[1].count(",") + 1
    want = [number for count in TURN[:events] for number in (count, count)]
    turns = [region[3] for region in regions if region[0] == "turn"]
    if timeline.sums() != listed or turns != TURNS * [want] or len(regions) != TURNS + 1:
        odd = [counts for counts in turns if counts != want][:5]
        timeline.fail(f"has {len(turns)} turns, and of other counts {odd}")


def threads(machine, bits):
    """Test that each thread has its own regions."""
    timeline, listed, _ = traced(machine, "regions threads", [], bits)
    check_clean(timeline)
    named = {thread for thread, name, value in timeline.threads
             if (name, value) == ("thread_name", "regions")}
    if (timeline.sums() != listed or len(timeline.regions) != 8
            or not set(timeline.regions) <= named
            or any(len(regions) != 1 for regions in timeline.regions.values())):
        timeline.fail("has other threads")


def handlers(machine, bits):
    """Test that regions of signal handlers are complete if the handlers may interrupt any
    instruction."""
    handled = guest.amount(12, 50)
    for events in ("instructions,branches", "instructions"):
        timeline, listed, _ = traced(machine, f"timeline handlers {handled}", ["-e", events], bits)
        check_clean(timeline)
        [regions] = timeline.regions.values()
        wrong = [region for region in regions if region[0] == "handler" and region[3][0] < 21]
        if timeline.sums() != listed or wrong:
            timeline.fail(f"has {timeline.sums()}, and not {listed}; {wrong}")


def forks(machine, bits):
    """Test that a child has its own regions, which its parent does not have."""
    timeline, listed, _ = traced(machine, "timeline forks", [], bits)
    names = sorted(sorted(region[0] for region in regions)
                   for regions in timeline.regions.values())
    parent = [listed[pid] for pid in listed if "parent" in listed[pid]]
    sums = [sums for sums in timeline.sums().values() if "parent" in sums]
    if (names != [["child", "turn"], ["lone", "turn"], ["parent", "turn", "turn"]]
            or sums != parent):
        timeline.fail(f"has {names}")


def killed(machine, bits):
    """Test a process that a signal kills: the entries before that, and the open regions, are in
    the file."""
    timeline, listed, others = traced(machine, "timeline killed", [], bits, 137)
    check_clean(timeline, begins_without_end=1)
    [regions] = timeline.regions.values()
    if ([region[0] for region in regions] != ["turn", "turn", "open"]
            or timeline.notes != [("open", "it had not ended")] or others
            or list(listed.values()) != [{"turn": [2, 2 * TURN[0], 2 * TURN[0]],
                                          "open": [1, None, None]}]
            or regions[-1][2] <= regions[-1][1]):
        timeline.fail(f"has {regions} and {timeline.notes}")


def overflow(machine, bits):
    """Test a process whose stack is full: all regions that it has begun end where it dies."""
    timeline, listed, _ = traced(machine, 'sh -c "ulimit -s 64; exec timeline overflow"', [], bits,
                                 139)
    [regions] = timeline.regions.values()
    check_clean(timeline, begins_without_end=len(regions))
    if (len(regions) < 100 or {region[0] for region in regions} != {"deep"}
            or {region[3] for region in regions} != {None}
            or timeline.notes != len(regions) * [("deep", "it had not ended")]
            or list(listed.values()) != [{"deep": [len(regions), None, None]}]):
        timeline.fail(f"has {len(regions)} regions; listed are {listed}")


def left(machine, bits):
    """Test that a region which its thread does not end lasts until the thread exits."""
    timeline, _, _ = traced(machine, "timeline left", [], bits)
    check_clean(timeline, begins_without_end=1)
    threads = sorted(timeline.regions.values(), key=len)
    names = [[region[0] for region in regions] for regions in threads]
    if names != [["turn"], ["turn", "open"]] or threads[1][1][2] > threads[0][0][1]:
        timeline.fail(f"has {threads}")


def executed(machine, bits):
    """Test the regions before an exec, and the regions of the new program."""
    timeline, _, _ = traced(machine, "timeline exec", [], bits)
    check_clean(timeline, begins_without_end=1)
    [regions] = timeline.regions.values()
    names = [region[0] for region in regions]
    if names != ["turn", "open"] + TURNS * ["turn"] + ["outer"]:
        timeline.fail(f"has {names[:4]}")


def workers(machine, bits):
    """Test that processes that end in another way than by exit(3) have all their regions."""
    timeline, listed, _ = traced(machine, "timeline workers", [], bits)
    check_clean(timeline)
    sums = sorted(timeline.sums().values(), key=str)
    want = [{"turn": [turns] + 2 * [turns * TURN[0]]} for turns in (1, 2, 2, 2, 2)]
    if sums != want or timeline.sums() != listed:
        timeline.fail(f"has {sums}, and not {want}; listed are {listed}")


def unmatched(machine, bits):
    """Test that ends that do not match end the open regions, in both outputs."""
    timeline, listed, _ = traced(machine, "timeline unmatched", [], bits)
    check_clean(timeline)
    if timeline.sums() != listed:
        timeline.fail(f"has {timeline.sums()}, and not {listed}")


def lost(machine, bits):
    """Test that calls without space are counted and reported, and that the other calls are in
    the file."""
    limited = "sh -c \"trap '' XFSZ; ulimit -f 260; exec timeline many\""
    timeline, _, others = traced(machine, limited, [], bits, 211)
    [regions] = timeline.regions.values()
    missing = timeline.other["lost_entries"]
    noted = 2 * len(regions) - timeline.other["begins_without_end"]
    if (not missing or noted + missing != 2 * (TURNS + 1)
            or not any(line.startswith(f"perfex: {missing} begins and ends") for line in others)):
        timeline.fail(f"has {len(regions)} regions, and has lost {missing}: {others}")


CASES = (
    ("nested", "a timeline has each call of a region, with its counts", nested),
    ("raw", "costs are in a timeline as in the list of regions", raw),
    ("many", "a timeline of any length is whole", many),
    ("threads", "a timeline has each thread", threads),
    ("handlers", "regions of signal handlers are in the timeline, and nothing is lost", handlers),
    ("forks", "processes do not mix in a timeline", forks),
    ("killed", "the timeline has all events of a killed process", killed),
    ("overflow", "the timeline has all regions of a process whose stack is full", overflow),
    ("left", "a region in which its thread exits ends there", left),
    ("exec", "programs of one process follow each other in a timeline", executed),
    ("workers", "workers that leave by _exit(2) have their regions in a timeline", workers),
    ("unmatched", "ends that do not match are in the timeline as in the list", unmatched),
    ("lost", "events for which a timeline has no space are counted", lost),
)


def tests():
    """Yield the tests of this file."""
    for name, machine, bits in (("mmx", Machine(smp=2), 32), ("p5", Machine(cpu="p5"), 32),
                                ("icelake", Machine(cpu="icelake", kernel="vpmc-amd64"), 64)):
        for case, rule, function in CASES:
            if bits == 64 or name == "mmx" or case in ("nested", "many"):
                yield Test(f"timeline-{case}-{name}", rule,
                           functools.partial(function, machine, bits))
