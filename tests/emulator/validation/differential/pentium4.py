# SPDX-License-Identifier: GPL-2.0-only
"""Draw random experiments of the Pentium 4's events, and compute their counts from totals.

An experiment is a set of events on up to 18 counters. The rules of the events are those of
docs/guide/models.md.
"""

import collections
import dataclasses
import random
import re

from differential.reckon import IP, Reckoner, Totals

SEED = 4
EXPERIMENTS = 17

COUNTERS = 18
# A second ESCR feeds the counters of a group that are not in this list.
FIRST_HALVES = (0, 1, 4, 5, 8, 9, 12, 13, 16)

# An operation belongs to a kind if its mnemonic matches, and if it uses such registers. The kinds
# are in the order of the events FIRM_EVENTS.
X87 = re.compile(r"fi?(add|subr?|mul|divr?|comp?)[sl]?|fabs|fchs|frndint|ftst|fxam")
PACKED = r"(andn?|or|xor|unpck[lh]|shuf|add|sub|mul|div|min|max|sqrt|hadd|hsub|addsub|cmp)"
SCALAR = r"(add|sub|mul|div|min|max|sqrt|cmp|u?comi)"
KINDS = {"x87": (X87, ""), "mmx": (re.compile(r"p\w+"), "%mm"),
         "integers": (re.compile(r"p\w+"), "%xmm"),
         "packed single": (re.compile(PACKED + "ps"), "%xmm"),
         "packed double": (re.compile(PACKED + "pd"), "%xmm"),
         "scalar single": (re.compile(SCALAR + "ss"), "%xmm"),
         "scalar double": (re.compile(SCALAR + "sd"), "%xmm")}
FIRM_EVENTS = {0x04: "x87", 0x02: "mmx", 0x1a: "integers", 0x08: "packed single",
               0x0c: "packed double", 0x0a: "scalar single", 0x0e: "scalar double"}

# These are bits of an event mask: of uop_type, and of all FIRM events.
LOADS, STORES, ALL = 2, 4, 0x8000


def kind_of(text):
    """Return the kind of an operation, or an empty string."""
    mnemonic = text.split()[0]
    for kind, (pattern, registers) in KINDS.items():
        if pattern.fullmatch(mnemonic) and registers in text:
            return kind
    return ""


@dataclasses.dataclass
class P4Totals(Totals):
    """The sums of the effects of steps, as the Pentium 4 counts them."""

    iterations: int = 0
    taken_conditional: int = 0
    indirect_calls: int = 0
    indirect_jumps: int = 0
    kinds: collections.Counter = dataclasses.field(default_factory=collections.Counter)

    @property
    def not_taken(self):
        """Conditional branches that are not taken."""
        return self.conditional - self.taken_conditional

    @property
    def operations(self):
        """Micro-operations, as the emulator models them."""
        return self.instructions + self.iterations + self.loads + self.stores


class P4Reckoner(Reckoner):
    """A sum for the Pentium 4."""

    def __init__(self, program, addresses):
        super().__init__(program, addresses)
        self.totals = P4Totals()

    def effects(self, step, registers):
        """Add the effects of a step or of an iteration, except for the instruction itself."""
        super().effects(step, registers)
        self.totals.kinds[kind_of(step.text)] += 1
        if "*" in step.text:
            self.totals.indirect_calls += step.branch == "call"
            self.totals.indirect_jumps += step.branch == "jump"

    def iteration(self):
        """Count an iteration, which is a micro-operation."""
        self.totals.iterations += 1

    def complete(self, before, after):
        """Add the effects of the step between two stops. A branch that is taken never leads to
        the next instruction."""
        super().complete(before, after)
        number = self.numbers[before[IP]]
        if self.steps[number].branch == "conditional":
            self.totals.taken_conditional += after[IP] != self.addresses[number + 1]


@dataclasses.dataclass(frozen=True)
class Event:
    """The value of an ESCR, and the ESCR's number in a CCCR and its group of counters, from 1."""

    group: int
    number: int
    event: int
    mask: int
    tag: int = 0
    mode: str = "u"

    def text(self, counter):
        """Return the event in the language of perfex."""
        tag = self.tag << 5 | bool(self.tag) << 4
        code = (self.number << 13 | self.group) << 32 | self.event << 25 | self.mask << 9 | tag
        return f"{code:#x}@{counter}:{self.mode}"


def draw_events(source):
    """Return the events from which the counters of an experiment choose, by group. Both ESCRs that
    tag loads and stores get the same value."""
    mask = source.randrange
    tags = source.choice((LOADS, STORES, LOADS | STORES))
    tagging = Event(4, 2, 0x02, tags, mode=source.choice("uuuk"))
    return {
        1: [Event(1, 6, 0x13, 1)],
        2: [Event(2, 2, 0x04, 2 * mask(1, 16)) for _ in range(2)],
        3: [Event(3, 1, event, ALL, source.choice((0, 1, 2, 4, 8))) for event in FIRM_EVENTS],
        4: [Event(4, 4, 0x01, mask(1, 4)), Event(4, 4, 0x02, mask(1, 16)),
            Event(4, 4, 0x07, mask(1, 4)), tagging, tagging,
            *(Event(4, 5, 0x06, mask(1, 16)) for _ in range(2)),
            *(Event(4, 5, 0x08, mask(1, 4)) for _ in range(2)),
            *(Event(4, 5, 0x0c, mask(1, 256)) for _ in range(2))],
    }


def draw(source):
    """Return the events of a random experiment by counter. Counters that choose the same ESCR count
    the same event."""
    events = draw_events(source)
    escrs, chosen = {}, {}
    for counter in source.sample(range(COUNTERS), source.randrange(6, COUNTERS + 1)):
        event = source.choice(events[min(counter // 4 + 1, 4)])
        escr = event.group, event.number, counter in FIRST_HALVES
        chosen[counter] = escrs.setdefault(escr, event)
    return chosen


def retired_branches(mask, totals):
    """Count branch_retired. All branches are predicted."""
    taken = totals.branches - totals.not_taken
    return bool(mask & 1) * totals.not_taken + bool(mask & 4) * taken


def branches_of_type(mask, totals):
    """Count retired_branch_type. A branch counts once, whatever masks it has."""
    calls = totals.calls if mask & 4 else bool(mask & 16) * totals.indirect_calls
    return (bool(mask & 2) * totals.conditional + calls + bool(mask & 24) * totals.returns
            + bool(mask & 16) * totals.indirect_jumps)


def tagged_accesses(event, experiment, totals):
    """Count front_end_event: loads and stores that uop_type tags in user mode."""
    tags = {tag.mask for tag in experiment if (tag.group, tag.number, tag.mode) == (4, 2, "u")}
    mask = max(tags, default=0) if event.mask & 1 else 0
    return bool(mask & LOADS) * totals.loads + bool(mask & STORES) * totals.stores


def tagged_operations(event, experiment, totals):
    """Count execution_event: operations of the kinds that have one of the tags of its mask."""
    kinds = {FIRM_EVENTS[tag.event] for tag in experiment if tag.group == 3 and tag.tag & event.mask}
    return sum(totals.kinds[kind] for kind in kinds)


def count(event, experiment, totals):
    """Return the count of an event of an experiment."""
    if event.group == 1:
        return totals.instructions
    if event.group == 2:
        return branches_of_type(event.mask, totals)
    if event.group == 3:
        return totals.kinds[FIRM_EVENTS[event.event]]
    if event.number == 4:
        first = totals.operations if event.event == 1 else totals.instructions
        return bool(event.mask & 1) * first
    return {0x02: lambda *_: 0, 0x06: lambda *_: retired_branches(event.mask, totals),
            0x08: tagged_accesses, 0x0c: tagged_operations}[event.event](event, experiment, totals)


def experiments():
    """Return the random experiments."""
    source = random.Random(SEED)
    return [draw(source) for _ in range(EXPERIMENTS)]


def counts(experiment, totals):
    """Return the counts of an experiment by event."""
    events = set(experiment.values())
    return {event.text(counter): count(event, events, totals)
            for counter, event in experiment.items()}
