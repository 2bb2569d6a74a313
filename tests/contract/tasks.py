# SPDX-License-Identifier: GPL-2.0-only
"""Model threads and processes, and their counts."""

from contract.interface import ARMED, EXITED, REVOKED, RUNNING, STOPPED, share
from contract.pmu import add_cost
from contract.rights import Access

BUSIEST = (EXITED, REVOKED, STOPPED, ARMED, RUNNING)


class Sum:
    """The sum of the counts of several threads, with the numbers of missing counts and of gaps."""

    def __init__(self):
        self.count = (0, 0)
        self.added = self.other = self.revoked = self.stopped = 0

    def add(self, more):
        """Add counts of the same events."""
        self.count = tuple(a + b for a, b in zip(self.count, more.count))
        self.stopped += more.stopped if more.added else 0
        self.added += more.added
        self.other += more.other
        self.revoked += more.revoked

    def miss(self, more):
        """Count a sum of other events as missing."""
        self.other += more.added + more.other
        self.revoked += more.revoked

    def hide(self, more):
        """Count a sum that must not be shown as missing."""
        self.other += more.other
        self.revoked += more.added + more.revoked

    def add_thread(self, thread, events):
        """Add the counts of a thread in its present generation."""
        if thread.state == REVOKED:
            self.revoked += 1
        elif thread.events == events:
            self.count = tuple(a + b for a, b in zip(self.count, thread.count))
            self.added += 1
        else:
            self.other += 1


class Thread:
    """A thread.

    known: whether it has counters; a thread can have counters before it starts"""

    def __init__(self, process, actor):
        self.process, self.actor, self.tid = process, actor, actor
        self.alive, self.known = True, False
        self.events, self.count = None, (0, 0)
        self.state, self.generation, self.start = STOPPED, 0, 0
        self.has_run = False
        # stopped: number of gaps in the counts; noted: whether the last stop is one of the
        # gaps.
        self.stopped, self.noted = 0, False
        # mapped: the thread whose page, or a copy of it, is at the place for this thread's
        # page.
        self.page = self.accepted = False
        self.mapped = None
        # signals: signal and period by event. pending: event, multiple and start by signal.
        self.signals, self.pending = {}, {}
        # Whether it looks at the cgroup that it is in before it executes more in user mode.
        self.arrives = False

    def is_busy(self):
        """Return whether the thread counts, or waits for an exec to begin counting."""
        return self.state in (RUNNING, ARMED)

    def is_present(self):
        """Return whether the thread's counts belong to the present generation of its process."""
        return self.events is not None and self.generation == self.process.generation

    def can_resume(self):
        """Return whether the thread has stopped in the present generation."""
        return self.events is not None and self.state == STOPPED and self.is_present()

    def note_gap(self):
        """If the counts are stopped, note a gap, unless this stop has been noted."""
        if self.events is None or self.state != STOPPED or self.noted:
            return
        self.stopped, self.noted = self.stopped + 1, True
        if self.is_present() and self.events == self.process.events:
            self.process.exited.stopped += 1

    def spend(self, cost):
        """Count code with this cost in user mode."""
        if self.state != RUNNING:
            return
        self.has_run = True
        before, self.count = self.count, add_cost(self.count, self.events, cost)
        for event, (signal, period) in self.signals.items():
            if before[event] // period < self.count[event] // period:
                self.pending[signal] = event, self.count[event] // period, period, self.start

    def multiples(self, cost):
        """Return the number of whole periods in each count after code with this cost."""
        count = add_cost(self.count, self.events, cost)
        return [count[event] // period for event, (_, period) in self.signals.items()]

    def passes_multiple(self, cost):
        """Return whether a signal becomes due in code with this cost."""
        return self.state == RUNNING and self.multiples(cost) != self.multiples((0, 0, 0))

    def is_near(self, event, period, cost):
        """Return whether a count may pass a multiple of a period in code with this cost."""
        count = add_cost(self.count, self.events, cost)
        return self.count[event] // period != count[event] // period

    def shows_page(self):
        """Return whether the thread can read its count without a system call."""
        return self.page and self.mapped and self.accepted and self.state == RUNNING

    def accept(self):
        """Let the page of the thread show the present counts, if the thread may see them."""
        self.accepted = (self.events is not None and not share(self.events)
                         and self.process.access.may_see(self.process, True))


class Process:
    """A process and its counts.

    exited: the counts of threads that have exited
    before: the counts of earlier generations, which will be added to those of the parent"""

    def __init__(self, parent, cred, image, handles):
        self.parent, self.cred, self.image, self.handles = parent, cred, image, set(handles)
        self.threads, self.pid = [], None
        # This is the program that the process executes when it is first counted. Processes that
        # it forks afterwards inherit this.
        self.program = None
        self.zombie = self.reaped = self.ignores = False
        # This is true if the memory of the process could be dumped when its first thread
        # exited. It applies to the zombie.
        self.first_dumpable = True
        self.events, self.generation, self.start = None, 0, 0
        self.exited, self.before, self.children = Sum(), Sum(), Sum()
        self.access, self.before_closed = Access(), False
        self.fold = self.folded = False
        # born: whether it has counted since it was forked. unwaited: number of such processes
        # whose counts are not in children.
        self.born, self.unwaited = False, 0
        self.session = None
        # inside: it is in the cgroup; own: it has started itself; keeps: VPMC_START_KEEP; starter:
        # the handle that collects it was started for it.
        self.inside = self.own = self.keeps = self.starter = False

    def is_alive(self):
        """Return whether the process has a living thread."""
        return any(t.alive for t in self.threads)

    def others(self, thread):
        """Return the other living threads, in the order in which this thread kills them."""
        at = self.threads.index(thread)
        return [t for t in self.threads[at + 1:] + self.threads[:at] if t.alive]

    def known(self):
        """Return the living threads that have counters."""
        return [t for t in self.threads if t.alive and t.known]

    def present(self):
        """Return the threads with counts of the present generation."""
        return [t for t in self.known() if t.is_present()]

    def busy(self):
        """Return the threads that count or are armed."""
        return [t for t in self.known() if t.is_busy()]

    def state(self):
        """Return the state of the busiest thread."""
        return max((t.state for t in self.present()), key=BUSIEST.index, default=EXITED)

    def has_counts(self):
        """Return whether the process or its children have ever counted."""
        return self.events is not None or self.children.other or self.children.revoked

    def set_events(self, events):
        """Set the events. If they change, the earlier counts are missing from now on."""
        if self.events != events:
            for name in ("exited", "before", "children"):
                changed = Sum()
                changed.miss(getattr(self, name))
                setattr(self, name, changed)
        self.events = events
