# SPDX-License-Identifier: GPL-2.0-only
"""Model the counts of processors, and the events that they refuse."""

import dataclasses
import errno
import functools

from contract import interface
from contract.interface import Event, Refused

# The place of a code in Pmu.codes says what the code counts: instructions, branches or reads.
# Only the loop of the actors makes these reads.
READS = 2

# These are names of sets of events in Pmu.events: those that can be counted, and those that
# cannot.
FITTING = ("ib", "bi", "b1i0", "i", "r1", "ir", "ik", "both")
REFUSED = ("none", "three", "unknown", "reserved", "wide", "period", "extra", "pin", "counter",
           "taken", "modes", "modes16", "precise", "cascade")


@dataclasses.dataclass(frozen=True)
class Pmu:
    """The counters of a processor.

    codes: the codes of instructions, branches and reads
    counters: number of counters
    pin: the bit of a code that controls a pin
    fields: all bits that a code may have
    reserved: a bit that a code may not have
    refused: a code that no counter counts, and the reason
    rdpmc: whether user mode may read counters
    """

    codes: tuple[int, int, int]
    counters: int
    pin: int
    fields: int
    reserved: int
    refused: tuple[int, int]
    rdpmc: bool = True

    @functools.cached_property
    def events(self):
        """Return sets of events by their names."""
        instructions, branches, reads = self.codes
        return {
            "ib": (Event(instructions, 0), Event(branches, 1)),
            "bi": (Event(branches, 0), Event(instructions, 1)),
            "b1i0": (Event(branches, 1), Event(instructions, 0)),
            "i": (Event(instructions, 0),),
            "r1": (Event(reads, 1),),
            "ir": (Event(instructions, 0), Event(reads, 1)),
            "ik": (Event(instructions, 0), Event(branches, 1, interface.KERNEL_MODE)),
            "both": (Event(instructions, 1, 3),),
            "none": (),
            "three": (Event(instructions, 0), Event(branches, 1), Event(reads, 1)),
            "unknown": (Event(instructions, 0), Event(self.refused[0], 1)),
            "reserved": (Event(instructions | self.reserved, 0),),
            "wide": (Event(instructions, 0), Event(branches | 1 << 32, 1)),
            "period": (Event(instructions, 0, period=1000),),
            "extra": (Event(instructions, 0), Event(branches, 1, extra=1 << 63)),
            "pin": (Event(instructions | self.pin, 0),),
            "counter": (Event(instructions, self.counters),),
            "taken": (Event(instructions, 1), Event(branches, 1)),
            "modes": (Event(instructions, 0, 0), Event(branches, 1)),
            "modes16": (Event(instructions, 0), Event(branches, 1, 17)),
            "precise": (Event(instructions, 0),
                        Event(branches, 1, 1 | interface.PRECISE_MODE)),
            "cascade": (Event(instructions, 0),
                        Event(branches, 1, 1 | interface.CASCADE_MODE)),
        }

    def check(self, events, may_share=False):
        """Check whether the events can be counted at the same time, or whether they can share
        counters."""
        def bad(reason, event=0):
            raise Refused(errno.EINVAL, reason, event)

        if not events:
            bad(interface.REASON_NONE_GIVEN)
        if len(events) > self.counters and not may_share:
            bad(interface.REASON_TOO_MANY)
        for i, event in enumerate(events):
            reason = self.refuses(event)
            if reason:
                bad(reason, i)
            if event.counter in [before.counter for before in events[:i]] and not may_share:
                bad(interface.REASON_TAKEN, i)

    def refuses(self, event):
        """Return the reason why an event cannot be counted, even alone, or 0."""
        reasons = (
            (event.code & self.pin, interface.REASON_PIN),
            (event.code & ~self.fields, interface.REASON_RESERVED),
            (event.code == self.refused[0], self.refused[1]),
            (event.extra, interface.REASON_MORE),
            (event.counter >= self.counters, interface.REASON_NO_COUNTER),
            (not event.modes & 3 or event.modes & ~15, interface.REASON_MODES),
            (event.period, interface.REASON_NO_SAMPLES),
            (event.modes & interface.PRECISE_MODE, interface.REASON_PRECISE),
            (event.modes & interface.CASCADE_MODE, interface.REASON_CASCADE),
        )
        return next((reason for wrong, reason in reasons if wrong), 0)


MMX = Pmu((0x16, 0x12, 0x0b), 2, 0x200, 0x13f, 0x400, (0x3f, interface.REASON_UNKNOWN))
P5 = dataclasses.replace(MMX, rdpmc=False)
# Ice Lake has eight counters for any event, and three for one event each. It refuses the event
# of load latency, which needs another register.
ICELAKE = Pmu((0xc0, 0xc4, 0x21d0), 11, 1 << 19, 0xff84ffff, 1 << 22,
              (0x1cd, interface.REASON_MORE))
# This is one of AMD's processors. Its northbridge's events are shared with other processors.
OPTERON = Pmu((0xc0, 0xc2, 0x124), 4, 1 << 19, 0xff84ffff, 1 << 22,
              (0xe0, interface.REASON_SHARED))

PLACE = {code: place for pmu in (MMX, ICELAKE, OPTERON) for place, code in enumerate(pmu.codes)}


def add_cost(count, events, cost):
    """Return the counts of events after further code with this cost."""
    more = [cost[PLACE[event.code]] for event in events] + [0, 0]
    return count[0] + more[0], count[1] + more[1]
