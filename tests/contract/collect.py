# SPDX-License-Identifier: GPL-2.0-only
"""Model handles of /dev/vpmc, and the counts that they collect."""

from contract.interface import HIDDEN, LAST, MISSING, OTHER, REVOKED, STOPPED, share
from contract.rights import Access
from contract.tasks import Sum


class Group(list):
    """Records that are made at one moment, so that their order does not matter.

    taken: number of records that have been taken
    last: whether the record that is taken last says that the process has no thread any more
    """

    taken = 0
    last = False

    def is_mixed(self):
        """Return whether some of the records need more room than other records."""
        return len({share(record["events"]) for record in self}) > 1


class Session:
    """The counts that a handle collects.

    cred: the credentials with which the sum and the records were counted
    records: the records, in groups
    cgroup: whether it collects the processes of the cgroup
    missed: the threads in the cgroup that it could not start"""

    def __init__(self):
        self.events, self.generation, self.start = None, 0, 0
        self.sum, self.access, self.cred = Sum(), Access(), None
        self.closed = self.keeps_records = False
        self.records = []
        self.cgroup, self.missed = False, set()

    def add_thread(self, total, thread, may=True):
        """Add the counts of a member's thread to a total, if they may be collected.

        may: whether the reader of the total may see these counts"""
        if thread.state == REVOKED or not self.access.add(thread.process.access) or not may:
            total.revoked += 1
        else:
            total.add_thread(thread, self.events)
            total.stopped += thread.stopped if thread.events == self.events else 0

    def show_thread(self, total, thread, reader):
        """Add the counts of a living thread, for a reader that may have lost rights since."""
        process = thread.process
        may = process is reader or reader.cred.may_see_part(process.access.cred)
        revoked = total.revoked
        self.add_thread(total, thread, may)
        total.stopped += total.revoked == revoked and self.has_stopped(thread)

    def has_stopped(self, thread):
        """Return whether a thread that entered the cgroup has stopped without executing more."""
        return (self.cgroup and thread.events == self.events and thread.state == STOPPED
                and not thread.noted and not thread.process.starter)

    def keep_thread(self, thread):
        """Add the counts of a thread that exits."""
        self.add_thread(self.sum, thread)
        self.cred = self.access.note(self.cred, thread.process.access)

    def miss(self, thread):
        """Record once that a thread in the cgroup cannot be started."""
        if thread in self.missed:
            return
        self.missed.add(thread)
        self.sum.other += 1
        if self.keeps_records:
            self.records.append(Group([{
                "pid": thread.process.pid, "tid": thread.tid, "what": MISSING,
                "events": self.events, "count": (0, 0), "stopped": 0, "closed": False}]))

    def record(self, thread, what, group):
        """Keep a record of a thread."""
        present = thread.is_present()
        if not self.keeps_records or not (present or what & LAST):
            return
        may = self.access.add(thread.process.access)
        if thread.state == REVOKED or not may:
            what |= HIDDEN
        elif thread.events is not None and thread.events != self.events:
            what |= OTHER
        if not group:
            self.records.append(group)
        group.last |= bool(what & LAST)
        group.append({
            "pid": thread.process.pid, "tid": thread.tid, "what": what & ~LAST,
            "events": self.events if thread.events is None else thread.events,
            "count": thread.count if present and may else (0, 0),
            "stopped": thread.stopped if present and may else 0,
            "closed": not self.access.covers(thread.process.access)})


class Handle:
    """An open file.

    whole, thread: the process or the thread to which it is attached"""

    def __init__(self):
        self.process = self.whole = self.thread = self.session = None
        self.attached = False
