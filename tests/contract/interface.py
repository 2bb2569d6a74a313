# SPDX-License-Identifier: GPL-2.0-only
"""What vpmc(4) names: modes, flags, scopes, states, reasons; which events can be counted."""

import dataclasses
import errno

USER_MODE, KERNEL_MODE = 1, 2
INSTRUCTIONS, BRANCHES, READS = 0x16, 0x12, 0x0b
CODES = (INSTRUCTIONS, BRANCHES, READS)

AT_EXEC, RESUME, COLLECT, RECORDS, FORCE, MULTIPLEX, FOLD = (1 << bit for bit in range(7))
FROM_ZERO = COLLECT | RECORDS | FORCE | FOLD
FLAGS = AT_EXEC | RESUME | MULTIPLEX | FROM_ZERO

THREAD, SELF, CHILDREN, ALL = range(4)
STOPPED, ARMED, RUNNING, EXITED, REVOKED = range(5)

LAST, RESTARTED, OTHER, HIDDEN = 1, 2, 4, 8

(REASON_FLAGS, REASON_NONE_GIVEN, REASON_TOO_MANY, REASON_UNKNOWN, REASON_RESERVED, REASON_PIN,
 REASON_NO_COUNTER, REASON_TAKEN, REASON_MODES, REASON_RESUME) = range(1, 11)
REASON_MORE = 13


class Refused(Exception):
    """A call fails, and changes nothing."""

    def __init__(self, error, reason=0, event=0):
        super().__init__(errno.errorcode[error])
        self.error, self.reason, self.event = error, reason, event


def refuse_if(condition, error):
    """Fail if so."""
    if condition:
        raise Refused(error)


@dataclasses.dataclass(frozen=True)
class Event:
    """What one counter counts."""

    code: int
    counter: int
    modes: int = USER_MODE
    pad: int = 0
    extra: int = 0


def check_events(events, may_share=False):
    """Can they be counted at the same time, or share counters?"""
    def bad(reason, event=0):
        raise Refused(errno.EINVAL, reason, event)

    if not events:
        bad(REASON_NONE_GIVEN)
    if len(events) > 2 and not may_share:
        bad(REASON_TOO_MANY)
    for i, event in enumerate(events):
        if event.code & 0x200:
            bad(REASON_PIN, i)
        if event.code & ~0x13f:
            bad(REASON_RESERVED, i)
        if event.code == 0x3f:
            bad(REASON_UNKNOWN, i)
        if event.pad:
            bad(REASON_RESERVED, i)
        if event.extra:
            bad(REASON_MORE, i)
        if event.counter > 1:
            bad(REASON_NO_COUNTER, i)
        if not event.modes or event.modes & ~3:
            bad(REASON_MODES, i)
        if event.counter in [before.counter for before in events[:i]] and not may_share:
            bad(REASON_TAKEN, i)


def share(events):
    """Do some of them share a counter?"""
    return events is not None and len({event.counter for event in events}) < len(events)


def counts_kernel(events):
    """Is there an event of kernel mode?"""
    return any(event.modes & KERNEL_MODE for event in events)


def add_cost(count, events, cost):
    """The counts of events when so much more has been executed."""
    per_code = dict(zip(CODES, cost))
    more = [per_code[event.code] for event in events] + [0, 0]
    return count[0] + more[0], count[1] + more[1]
