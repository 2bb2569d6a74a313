# SPDX-License-Identifier: GPL-2.0-only
"""The contract of vpmc(4) and vpmc(7) as a program: what each call answers, or why it is refused.

A world has processes with threads, and handles of /dev/vpmc. Generations and starts are numbers
of which only equality means something. A negative one is new, and may be one of the others.
"""

import dataclasses
import errno

from contract import rights
from contract.rights import CLOSED, OPEN, Access, Image

USER_MODE, KERNEL_MODE = 1, 2
INSTRUCTIONS, BRANCHES, READS = 0x16, 0x12, 0x0b
CODES = (INSTRUCTIONS, BRANCHES, READS)

AT_EXEC, RESUME, COLLECT, RECORDS, FORCE, MULTIPLEX, FOLD = (1 << bit for bit in range(7))
FROM_ZERO = COLLECT | RECORDS | FORCE | FOLD
FLAGS = AT_EXEC | RESUME | MULTIPLEX | FROM_ZERO

THREAD, SELF, CHILDREN, ALL = range(4)
STOPPED, ARMED, RUNNING, EXITED, REVOKED = range(5)
BUSIEST = (EXITED, REVOKED, STOPPED, ARMED, RUNNING)

LAST, RESTARTED, OTHER, HIDDEN = 1, 2, 4, 8

(REASON_FLAGS, REASON_NONE_GIVEN, REASON_TOO_MANY, REASON_UNKNOWN, REASON_RESERVED, REASON_PIN,
 REASON_NO_COUNTER, REASON_TAKEN, REASON_MODES, REASON_RESUME) = range(1, 11)


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


class Sum:
    """Counts of several threads, and how many are missing."""

    def __init__(self):
        self.count = (0, 0)
        self.added = self.other = self.revoked = 0

    def add(self, more):
        """More of the same events."""
        self.count = tuple(a + b for a, b in zip(self.count, more.count))
        self.added += more.added
        self.other += more.other
        self.revoked += more.revoked

    def miss(self, more):
        """More of other events."""
        self.other += more.added + more.other
        self.revoked += more.revoked

    def hide(self, more):
        """More that must not be shown."""
        self.other += more.other
        self.revoked += more.added + more.revoked

    def add_thread(self, thread, events):
        """What a thread has counted in its present generation."""
        if thread.state == REVOKED:
            self.revoked += 1
        elif thread.events == events:
            self.count = tuple(a + b for a, b in zip(self.count, thread.count))
            self.added += 1
        else:
            self.other += 1


class Thread:
    """A thread. known: it has counters, which it gets before it starts."""

    def __init__(self, process, actor):
        self.process, self.actor, self.tid = process, actor, actor
        self.alive, self.known = True, False
        self.events, self.count = None, (0, 0)
        self.state, self.generation, self.start = STOPPED, 0, 0
        self.has_run = False
        # mapped: whose page is, or was copied, at the place of its own.
        self.page = self.accepted = False
        self.mapped = None
        # By event: signal, period. By signal: event, multiple, start.
        self.signals, self.pending = {}, {}

    def is_busy(self):
        """Does it count, or wait for an exec to do so?"""
        return self.state in (RUNNING, ARMED)

    def is_present(self):
        """Are its counts of its process's present generation?"""
        return self.events is not None and self.generation == self.process.generation

    def can_resume(self):
        """Has it stopped, in the present generation?"""
        return self.events is not None and self.state == STOPPED and self.is_present()

    def spend(self, cost):
        """It executes so much in user mode."""
        if self.state != RUNNING:
            return
        self.has_run = True
        before, self.count = self.count, add_cost(self.count, self.events, cost)
        for event, (signal, period) in self.signals.items():
            if before[event] // period < self.count[event] // period:
                self.pending[signal] = event, self.count[event] // period, period, self.start

    def multiples(self, cost):
        """How many of each period there will be in its counts when it has executed so much."""
        count = add_cost(self.count, self.events, cost)
        return [count[event] // period for event, (_, period) in self.signals.items()]

    def passes_multiple(self, cost):
        """Will it be due a signal then?"""
        return self.state == RUNNING and self.multiples(cost) != self.multiples((0, 0, 0))

    def is_near(self, event, period, cost):
        """Might a count pass a multiple of a period when it has executed so much?"""
        count = add_cost(self.count, self.events, cost)
        return self.count[event] // period != count[event] // period

    def shows_page(self):
        """Can it read its count without a system call?"""
        return self.page and self.mapped and self.accepted and self.state == RUNNING

    def accept(self):
        """Its page shows what it counts now, if it may see that."""
        self.accepted = (self.events is not None and not share(self.events)
                         and self.process.access.may_see(self.process, True))


class Process:
    """A process, and what it has counted. exited: by threads that are gone; before: in earlier
    generations, still to be added to the parent's."""

    def __init__(self, parent, cred, image, handles):
        self.parent, self.cred, self.image, self.handles = parent, cred, image, set(handles)
        self.threads, self.pid = [], None
        # What it executes, when that is first counted. Processes that it forks then, too.
        self.program = None
        self.zombie = self.reaped = self.ignores = False
        self.events, self.generation, self.start = None, 0, 0
        self.exited, self.before, self.children = Sum(), Sum(), Sum()
        self.access, self.before_closed = Access(), False
        self.fold = self.folded = False
        self.session = None

    def is_alive(self):
        """Has it a thread?"""
        return any(t.alive for t in self.threads)

    def others(self, thread):
        """The other threads, in the order in which they are killed by one."""
        at = self.threads.index(thread)
        return [t for t in self.threads[at + 1:] + self.threads[:at] if t.alive]

    def known(self):
        """Threads with counters."""
        return [t for t in self.threads if t.alive and t.known]

    def present(self):
        """Threads with counts of the present generation."""
        return [t for t in self.known() if t.is_present()]

    def busy(self):
        """Threads that count or are armed."""
        return [t for t in self.known() if t.is_busy()]

    def state(self):
        """That of the busiest thread."""
        return max((t.state for t in self.present()), key=BUSIEST.index, default=EXITED)

    def has_counts(self):
        """Did it or its children ever count?"""
        return self.events is not None or self.children.other or self.children.revoked

    def set_events(self, events):
        """If they are others, what it has is missing from now on."""
        if self.events != events:
            for name in ("exited", "before", "children"):
                changed = Sum()
                changed.miss(getattr(self, name))
                setattr(self, name, changed)
        self.events = events


class Group(list):
    """Records that are made at one moment, and so in any order. taken: how many have been."""

    taken = 0

    def is_mixed(self):
        """Do some of them take more room?"""
        return len({share(record["events"]) for record in self}) > 1


class Session:
    """What a handle collects. records: groups."""

    def __init__(self):
        self.events, self.generation, self.start = None, 0, 0
        self.sum, self.access = Sum(), Access()
        self.closed = self.keeps_records = False
        self.records = []

    def add_thread(self, total, thread):
        """What a thread of a member has counted, if it may be collected."""
        if thread.state == REVOKED or not self.access.add(thread.process.access):
            total.revoked += 1
        else:
            total.add_thread(thread, self.events)

    def record(self, thread, what, group):
        """Keep one of a thread."""
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
        group.append({
            "pid": thread.process.pid, "tid": thread.tid, "what": what,
            "events": self.events if thread.events is None else thread.events,
            "count": thread.count if present and may else (0, 0),
            "closed": not self.access.covers(thread.process.access)})


class Handle:
    """An open file. whole, thread: what it is attached to."""

    def __init__(self):
        self.process = self.whole = self.thread = self.session = None
        self.attached = False


class World:
    """All that there is, and the calls. caller: a thread. rdpmc: the processor has it."""

    def __init__(self, rdpmc):
        self.rdpmc = rdpmc
        self.last = 0
        self.handles = []
        self.keeper = Process(None, rights.ROLES[0], Image(), ())
        self.processes = [self.keeper]
        self.system, self.owner = False, None
        self.system_events, self.system_generation, self.system_count = None, 0, (0, 0)

    def number(self):
        """One that was never used."""
        self.last += 1
        return self.last

    # Which process or thread a call means.

    def is_own(self, handle, caller):
        """Is it the caller's process?"""
        return not handle.attached and handle.process in (None, caller.process)

    def target(self, handle, caller):
        """The threads that a start or stop is about, their process, and whether it is whole."""
        if not handle.attached:
            refuse_if(not self.is_own(handle, caller), errno.EXDEV)
            return [caller], caller.process, False
        process = handle.process
        gone = process.reaped if handle.thread is None else not handle.thread.alive
        refuse_if(gone, errno.ESRCH)
        refuse_if(not rights.may_trace(caller.process, process), errno.EPERM)
        if handle.thread:
            return [handle.thread], process, False
        return [t for t in process.threads if t.alive], process, True

    # Start and stop.

    def start(self, caller, handle, events, flags):
        """VPMC_START."""
        threads, process, whole = self.target(handle, caller)
        if (flags & ~FLAGS or flags & RESUME and flags & FROM_ZERO
                or flags & RECORDS and not flags & COLLECT):
            raise Refused(errno.EINVAL, REASON_FLAGS)
        check_events(events, flags & MULTIPLEX)
        if flags & COLLECT and not handle.session:
            handle.session = Session()
        refuse_if(counts_kernel(events) and not caller.process.cred.is_perfmon(), errno.EPERM)
        refuse_if(self.system, errno.EBUSY)
        self.check_start(process, threads, whole, events, flags)
        session = handle.session if flags & COLLECT else None
        if session:
            self.check_collect(session, process)
        refuse_if(not threads, errno.ESRCH)
        others = [t for t in process.busy() if t not in threads]
        refuse_if(session and others, errno.EBUSY)

        for thread in [t for t in process.threads if t.alive] if flags & FOLD else threads:
            thread.known = True
        self.leave_closed(process, session)
        start = process.start
        if not flags & RESUME:
            start = self.begin_anew(caller, process, threads, events, flags, others)
        for thread in threads:
            self.let_run(thread, events, start, ARMED if flags & AT_EXEC else RUNNING)
        if session:
            process.session = session
            session.events, session.generation = events, process.generation
            session.start, session.sum = start, Sum()
            session.access = dataclasses.replace(process.access)
            session.records, session.keeps_records = [], bool(flags & RECORDS)
        handle.process = process
        if caller in threads and caller.page:
            caller.accept()
        first = process if whole else threads[0]
        return {"generation": first.generation, "start": first.start, "self": process.start}

    def check_start(self, process, threads, whole, events, flags):
        """May the threads start like that?"""
        threads = [t for t in threads if t.known]
        resume = flags & RESUME
        if whole and resume and process.events not in (None, events):
            raise Refused(errno.EINVAL, REASON_RESUME)
        able = False
        for thread in threads:
            refuse_if(thread.is_busy() and not flags & FORCE, errno.EBUSY)
            if resume and thread.can_resume():
                if thread.events != events:
                    raise Refused(errno.EINVAL, REASON_RESUME)
                able = True
        refuse_if(resume and not able, errno.ENODATA)

    def members(self, session):
        """Processes with a thread left that the session collects."""
        return [p for p in self.processes if p.session is session and p.known()]

    def check_collect(self, session, process):
        """No other open file collects the process, and this one collects no other process."""
        other = process.session not in (None, session) and not process.session.closed
        refuse_if(other or any(p is not process for p in self.members(session)), errno.EBUSY)

    def leave_closed(self, process, session):
        """Another handle may collect it when one is closed."""
        if session and process.session and process.session.closed:
            process.session = None

    def keep(self, thread, what, group):
        """What the thread has counted is added to what is gone."""
        process, session = thread.process, thread.process.session
        if thread.is_present():
            process.exited.add_thread(thread, process.events)
            if session:
                session.add_thread(session.sum, thread)
        if session:
            session.record(thread, what, group)

    def begin_anew(self, caller, process, threads, events, flags, others):
        """From zero: in the present generation if others go on counting, else in a new one."""
        kernel = counts_kernel(events)
        closed = kernel and process is not caller.process
        level = CLOSED if closed else rights.level_of(process)
        for thread in threads:
            if thread.is_busy():
                thread.state, thread.accepted = STOPPED, False
        if others:
            for thread in threads:
                self.keep(thread, RESTARTED, Group())
            process.access.level = max(process.access.level, level)
            process.fold |= bool(flags & FOLD)
            start = self.number()
        else:
            access = Access(privileged=caller.process.cred.is_perfmon())
            access.begin(process, level)
            self.begin_generation(process, events, access)
            process.fold = bool(flags & FOLD)
            start = process.start
        for thread in threads:
            self.reset(thread, events, start)
        return start

    def begin_generation(self, process, events, access):
        """What there is will only be added to the parent's."""
        group = Group()
        for thread in process.present():
            self.keep(thread, RESTARTED, group)
        if process.has_counts() and not access.covers(process.access):
            process.before_closed = True
        process.before.add(process.exited)
        process.before.add(process.children)
        process.exited, process.children = Sum(), Sum()
        process.set_events(events)
        process.access = access
        process.generation = process.start = self.number()

    def reset(self, thread, events, start):
        """To zero."""
        thread.events, thread.start = events, start
        thread.count, thread.has_run, thread.signals = (0, 0), False, {}
        thread.generation, thread.state = thread.process.generation, STOPPED

    def let_run(self, thread, events, start, state):
        """From where it is, or from zero if it has nothing to resume."""
        if thread.is_busy() or thread.state == REVOKED:
            return
        if not thread.can_resume():
            self.reset(thread, events, start)
        thread.state, thread.accepted = state, False

    def stop(self, caller, handle):
        """VPMC_STOP."""
        threads, process, whole = self.target(handle, caller)
        started = [t for t in threads if t.events is not None]
        refuse_if(not started, errno.ENODATA if threads else errno.ESRCH)
        for thread in threads:
            if thread.is_busy():
                thread.state, thread.accepted = STOPPED, False
        first = process if whole else threads[0]
        return {"generation": first.generation, "start": first.start}

    # Reading.

    def subject(self, caller, handle, scope):
        """The thread, process or session that a scope of the handle means."""
        refuse_if(scope > ALL, errno.EINVAL)
        if scope == ALL:
            subject = handle.session
        elif scope == THREAD:
            refuse_if(not handle.thread and not self.is_own(handle, caller), errno.EXDEV)
            subject = handle.thread or caller
        else:
            refuse_if(handle.thread, errno.EXDEV)
            subject = handle.process or caller.process
        known = subject and (subject.has_counts() if isinstance(subject, Process)
                             else subject.events is not None)
        refuse_if(not known, errno.ENODATA)
        return subject

    def check_sight(self, caller, subject):
        """May the caller see it?"""
        process = subject.process if isinstance(subject, Thread) else subject
        own = caller.process is process or caller.process.session is subject
        refuse_if(not process.access.may_see(caller.process, own), errno.EPERM)

    def read(self, caller, handle, scope):
        """VPMC_READ, with a structure that has no room for times."""
        subject = self.subject(caller, handle, scope)
        total, running = Sum(), 0
        if scope == ALL:
            total, running, state = self.collected(subject)
        elif scope == THREAD:
            total.add_thread(subject, subject.events)
            state = subject.state
        else:
            state = subject.state()
            total.add(subject.children if scope == CHILDREN else subject.exited)
            if scope == SELF:
                running = int(bool(subject.known()))
                for thread in subject.present():
                    total.add_thread(thread, subject.events)
        self.check_sight(caller, subject)
        refuse_if(share(subject.events), errno.EINVAL)
        return {"state": state, "running": running, "other": total.other,
                "revoked": total.revoked, "generation": subject.generation,
                "start": subject.start,
                "events": subject.events or (), "count": total.count}

    def collected(self, session):
        """All that a session has, its living members included."""
        total, members = Sum(), self.members(session)
        total.add(session.sum)
        for thread in [t for p in members for t in p.present()]:
            session.add_thread(total, thread)
        state = max((p.state() for p in members), key=BUSIEST.index, default=EXITED)
        return total, len(members), state

    def query(self, caller, handle, scope):
        """VPMC_QUERY."""
        subject = self.subject(caller, handle, scope)
        refuse_if(subject.events is None, errno.ENODATA)
        self.check_sight(caller, subject)
        return {"generation": subject.generation, "start": subject.start,
                "events": subject.events}

    def info(self, caller, handle):
        """VPMC_INFO."""
        process = handle.process or caller.process
        known = process.events is not None
        return {"generation": process.generation if known else 0,
                "start": process.start if known else 0, "system": int(self.system)}

    def record(self, caller, handle):
        """VPMC_RECORD, likewise: each of these may be next."""
        session = handle.session
        refuse_if(not session or not session.records, errno.ENODATA)
        group = session.records[0]
        refuse_if(share(group[0]["events"]), errno.EINVAL)
        group.taken += 1
        if group.taken == len(group):
            session.records.pop(0)
        may = session.access.may_see(caller.process, caller.process.session is session)
        shared = {"generation": session.generation, "start": session.start}
        answers = []
        for record in group:
            answer = record | shared
            if not may or answer.pop("closed") and not caller.process.cred.is_perfmon():
                answer |= {"what": answer["what"] | HIDDEN, "count": (0, 0)}
            answers.append(answer)
        return {"group": group, "any of": answers}

    # Attaching, pages, system mode.

    def attach(self, caller, handle, target, alone):
        """VPMC_ATTACH to a thread or its process."""
        refuse_if(handle.attached or handle.process, errno.EXDEV)
        process = target.process
        gone = not target.alive if alone or target.tid != process.pid else process.reaped
        refuse_if(gone or (not alone and target.tid != process.pid), errno.ESRCH)
        refuse_if(not rights.may_trace(caller.process, process), errno.EPERM)
        for thread in process.threads:
            thread.known |= thread.alive
        handle.attached, handle.process = True, process
        handle.thread = target if alone else None
        known = process.events is not None
        start = target.start if alone else process.start
        return {"generation": process.generation if known else 0,
                "start": start if known and (not alone or target.events is not None) else 0}

    def map(self, caller, handle):
        """VPMC_MAP."""
        refuse_if(not self.is_own(handle, caller), errno.EXDEV)
        refuse_if(not self.rdpmc, errno.EOPNOTSUPP)
        caller.known = True
        if caller.events is not None:
            self.check_sight(caller, caller)
        caller.page = True
        if not caller.mapped:
            caller.mapped = caller
            caller.process.image.pages[caller] = handle
        caller.accept()
        known = caller.events is not None
        return {"generation": caller.generation if known else 0,
                "start": caller.start if known else 0}

    def signal(self, caller, handle, event, signal, period):
        """VPMC_SIGNAL."""
        refuse_if(not self.is_own(handle, caller), errno.EXDEV)
        refuse_if(signal > 64 or signal and not period, errno.EINVAL)
        refuse_if(caller.events is None or caller.state == REVOKED, errno.ENODATA)
        refuse_if(event >= len(caller.events) or share(caller.events), errno.EINVAL)
        self.check_sight(caller, caller)
        caller.signals.pop(event, None)
        if signal:
            caller.signals[event] = signal, period
        return {"generation": caller.generation, "start": caller.start}

    def check_system(self, caller):
        """Who may use system mode?"""
        refuse_if(not caller.process.cred.is_perfmon(), errno.EPERM)

    def system_start(self, caller, handle, events, flags):
        """VPMC_SYSTEM_START."""
        self.check_system(caller)
        if flags & ~FORCE:
            raise Refused(errno.EINVAL, REASON_FLAGS)
        check_events(events)
        busy = self.owner is not handle if self.system else (
            not flags & FORCE and caller.state == RUNNING)
        refuse_if(busy, errno.EBUSY)
        self.system_generation = self.number()
        if not self.system:
            self.take_counters()
        self.system, self.owner = True, handle
        self.system_events, self.system_count = events, (0, 0)
        return {"generation": self.system_generation, "start": self.system_generation,
                "self": self.system_generation}

    def take_counters(self):
        """From all who count, or are armed."""
        for process in self.processes:
            busy, present = process.busy(), process.present()
            if not busy:
                continue
            process.generation = self.number()
            if process.session:
                process.session.generation = -self.number()
            for thread in present:
                thread.generation, thread.accepted = process.generation, False
            for thread in busy:
                thread.state = REVOKED

    def system_stop(self, caller, handle):
        """VPMC_SYSTEM_STOP."""
        self.check_system(caller)
        refuse_if(self.owner is not handle, errno.ENODATA)
        self.system = False
        return {"generation": self.system_generation, "start": self.system_generation}

    def system_read(self, caller, handle, cpu):
        """VPMC_SYSTEM_READ."""
        self.check_system(caller)
        refuse_if(cpu not in (0, -1), errno.EINVAL)
        refuse_if(self.owner is not handle, errno.ENODATA)
        return {"state": RUNNING if self.system else STOPPED, "cpus": 1,
                "generation": self.system_generation, "events": self.system_events,
                "count": self.system_count}

    def spend(self, thread, cost):
        """A thread executes so much in user mode."""
        thread.spend(cost)
        if self.system:
            self.system_count = add_cost(self.system_count, self.system_events, cost)

    # Fork, exec, exit, wait, close.

    def create_process(self, cred):
        """One that nobody else has forked."""
        process = Process(self.keeper, cred, Image(), self.handles)
        self.processes.append(process)
        return process

    def create_thread(self, process, actor):
        """A thread of it that does not count."""
        thread = Thread(process, actor)
        process.threads.append(thread)
        if process.pid is None:
            process.pid = actor
        return thread

    def clone(self, creator, actor):
        """A new thread."""
        thread = self.create_thread(creator.process, actor)
        thread.known = creator.known
        if creator.state == RUNNING:
            self.inherit(thread, creator)
        return thread

    def inherit(self, thread, creator):
        """Count what the creator counts, from zero."""
        thread.known = True
        self.reset(thread, creator.events, creator.start)
        thread.state = RUNNING

    def fork(self, creator, actor, shares_memory):
        """A new process; as by vfork if it shares the memory."""
        parent = creator.process
        image = parent.image if shares_memory else parent.image.copy()
        process = Process(parent, parent.cred, image, parent.handles)
        process.ignores = parent.ignores
        self.processes.append(process)
        thread = self.create_thread(process, actor)
        if creator.state == RUNNING:
            process.session, process.fold = parent.session, parent.fold
            process.program = parent.program
            process.access = parent.access.fork(process, counts_kernel(creator.events))
            process.generation, process.start = self.number(), creator.start
            process.events = creator.events
            self.inherit(thread, creator)
        if creator.page and not shares_memory:
            thread.known = thread.page = True
            thread.mapped = creator.mapped
            thread.accepted = thread.events is not None and not share(thread.events) and (
                creator.accepted or not counts_kernel(thread.events))
        return thread

    def execute(self, thread, file):
        """Another program in place of all threads."""
        process = thread.process
        for other in process.others(thread):
            self.exit_thread(other)
        thread.tid = process.pid
        process.cred, raised = rights.execute(process.cred, file)
        process.image, process.program = Image(dumpable=not raised), None
        self.release_handles()
        thread.page = thread.accepted = False
        thread.mapped = None
        thread.signals = {}
        if not thread.known or thread.events is None:
            return
        was = dataclasses.replace(process.access)
        counted = (thread.state != ARMED or thread.has_run or process.exited.added
                   or process.children.added)
        may = process.access.execute(process, raised, counted, counts_kernel(thread.events))
        if process.before.added and not process.access.covers(was):
            process.before_closed = True
        if not may:
            thread.state = REVOKED
            process.generation = thread.generation = self.number()
        elif thread.state == ARMED:
            thread.state = RUNNING

    def exit_thread(self, thread):
        """What it has counted is kept."""
        process = thread.process
        if thread.known:
            last = len(process.known()) == 1
            self.keep(thread, LAST if last else 0, Group())
            thread.state = REVOKED if thread.state == REVOKED else EXITED
        thread.alive = False
        if thread.known and not process.known() and process.fold and not process.is_alive():
            self.add_child(process.parent, process, True)
        if not process.is_alive():
            self.end_process(process)

    def end_process(self, process):
        """Its last thread has exited. Its children have another parent."""
        process.zombie = True
        process.image = process.image.copy()
        self.drop_handles(process, set(process.handles))
        for child in self.processes:
            if child.parent is process:
                child.parent = self.keeper
        if process.parent.ignores:
            process.reaped = True

    def add_child(self, parent, child, at_exit):
        """Add what it counted to the parent's children, once."""
        if child.folded or not child.has_counts():
            return
        child.folded = True
        if not parent.generation:
            parent.generation = parent.start = self.number()
        if not parent.busy():
            parent.access.collect(parent)
        if parent.events is None and child.events is not None:
            parent.set_events(child.events)
        before = own = Sum.add if parent.events == child.events else Sum.miss
        if not parent.access.add(child.access, parent, at_exit):
            before = own = Sum.hide
        elif child.before_closed and not parent.access.add(Access(CLOSED), parent, at_exit):
            before = Sum.hide
        own(parent.children, child.exited)
        own(parent.children, child.children)
        before(parent.children, child.before)

    def reap(self, child):
        """Its parent waits for it."""
        self.add_child(child.parent, child, False)
        child.reaped = True

    def drop_handles(self, process, handles):
        """The process has them no more."""
        process.handles -= handles
        self.release_handles()

    def release_handles(self):
        """Those that nobody has any more are closed."""
        alive = [p for p in self.processes if p.is_alive()]
        for handle in self.handles:
            if any(handle in p.handles or handle in p.image.pages.values() for p in alive):
                continue
            if self.owner is handle:
                self.system, self.owner = False, None
            if handle.session:
                handle.session.closed, handle.session.keeps_records = True, False
                handle.session.records = []
