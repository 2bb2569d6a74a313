# SPDX-License-Identifier: GPL-2.0-only
"""Define the names of vpmc(4): modes, flags, scopes, states, reasons, events."""

import dataclasses
import errno

USER_MODE, KERNEL_MODE, PRECISE_MODE, CASCADE_MODE = 1, 2, 4, 8

AT_EXEC, RESUME, COLLECT, RECORDS, FORCE, MULTIPLEX, FOLD, KEEP = (1 << bit for bit in range(8))
FROM_ZERO = COLLECT | RECORDS | FORCE | FOLD | KEEP
FLAGS = AT_EXEC | RESUME | MULTIPLEX | FROM_ZERO

THREAD, SELF, CHILDREN, ALL = range(4)
STOPPED, ARMED, RUNNING, EXITED, REVOKED = range(5)

LAST, RESTARTED, OTHER, HIDDEN, MISSING = 1, 2, 4, 8, 32

(REASON_FLAGS, REASON_NONE_GIVEN, REASON_TOO_MANY, REASON_UNKNOWN, REASON_RESERVED, REASON_PIN,
 REASON_NO_COUNTER, REASON_TAKEN, REASON_MODES, REASON_RESUME) = range(1, 11)
REASON_SHARED, REASON_MORE = 12, 13
REASON_NO_SAMPLES, REASON_PRECISE, REASON_CASCADE = 17, 20, 22


class Refused(Exception):
    """An error of a call, which then changes nothing."""

    def __init__(self, error, reason=0, event=0):
        super().__init__(errno.errorcode[error])
        self.error, self.reason, self.event = error, reason, event


def refuse_if(condition, error):
    """Let the call fail with this error if the condition is true."""
    if condition:
        raise Refused(error)


@dataclasses.dataclass(frozen=True)
class Event:
    """The event on one counter."""

    code: int
    counter: int
    modes: int = USER_MODE
    period: int = 0
    extra: int = 0


def share(events):
    """Return whether some of the events share a counter."""
    return events is not None and len({event.counter for event in events}) < len(events)


def counts_kernel(events):
    """Return whether some of the events count kernel mode."""
    return any(event.modes & KERNEL_MODE for event in events)
