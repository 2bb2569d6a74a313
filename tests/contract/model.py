# SPDX-License-Identifier: GPL-2.0-only
"""Model the contract of vpmc(4) and vpmc(7): the answer of each call, or its error.

A world has processes with threads, and handles of /dev/vpmc. Generations and starts are numbers;
only their equality has a meaning. A negative number is not known yet, and may be equal to another
number.
"""

import dataclasses
import errno

from contract import rights
from contract.collect import Group, Session
from contract.interface import (
    ALL, ARMED, AT_EXEC, CHILDREN, COLLECT, EXITED, FLAGS, FOLD, FORCE, FROM_ZERO, HIDDEN, KEEP,
    LAST, MULTIPLEX, REASON_FLAGS, REASON_RESUME, RECORDS, RESTARTED, RESUME, REVOKED, RUNNING,
    SELF, STOPPED, THREAD, Refused, counts_kernel, refuse_if, share)
from contract.lives import Lives
from contract.pmu import add_cost
from contract.rights import Access
from contract.tasks import BUSIEST, Process, Sum, Thread


class World(Lives):
    """The whole state, and the calls.

    caller: the thread that makes a call
    pmu: the counters of the processor
    cgroups: whether the kernel has cgroups"""

    def __init__(self, pmu, cgroups):
        super().__init__()
        self.pmu, self.cgroups = pmu, cgroups
        self.system, self.owner = False, None
        self.system_events, self.system_generation, self.system_count = None, 0, (0, 0)

    # These functions find the process or thread to which a call applies.

    def is_own(self, handle, caller):
        """Return whether a handle stands for the caller's process."""
        return not handle.attached and handle.process in (None, caller.process)

    def target(self, handle, caller):
        """Return the threads to which a start or stop applies, their process, and whether they are
        all threads of the process."""
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

    # These calls start and stop.

    def start(self, caller, handle, events, flags):
        """Answer VPMC_START."""
        threads, process, whole = self.target(handle, caller)
        if (flags & ~FLAGS or flags & RESUME and flags & FROM_ZERO
                or flags & RECORDS and not flags & COLLECT):
            raise Refused(errno.EINVAL, REASON_FLAGS)
        self.pmu.check(events, flags & MULTIPLEX)
        if flags & COLLECT and not handle.session:
            handle.session = Session()
        refuse_if(counts_kernel(events) and not caller.process.cred.is_perfmon(), errno.EPERM)
        if flags & COLLECT and handle.session.cgroup:
            self.check_system(caller)
        refuse_if(self.system, errno.EBUSY)
        self.check_start(caller, process, threads, whole, events, flags)
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
        self.leave_gaps(threads, process.session, session, flags)
        hides = others and not self.shows_numbers(caller, process)
        if not flags & RESUME:
            start = self.begin_anew(caller, process, threads, events, flags, others)
        for thread in threads:
            self.let_run(thread, events, start, flags)
        if session:
            process.session, process.starter = session, True
            session.events, session.generation = events, process.generation
            session.start, session.sum, session.cred = start, Sum(), None
            session.access = dataclasses.replace(process.access)
            session.records, session.keeps_records = [], bool(flags & RECORDS)
            if session.cgroup:
                self.look(session)
        handle.process = process
        process.own |= process is caller.process
        if caller in threads and caller.page:
            caller.accept()
        first = process if whole else threads[0]
        return {"generation": first.generation, "start": first.start,
                "self": 0 if hides else process.start}

    def check_start(self, caller, process, threads, whole, events, flags):
        """Check whether the threads may start in this way."""
        threads = [t for t in threads if t.known]
        resume = flags & RESUME
        if whole and resume and process.events is not None:
            self.compare(caller, process, process.events, events)
        able = False
        refuse_if(any(thread.is_busy() for thread in threads) and not flags & FORCE, errno.EBUSY)
        for thread in threads:
            if resume and thread.can_resume():
                self.compare(caller, process, thread.events, events)
                able = True
        refuse_if(resume and not able, errno.ENODATA)

    def compare(self, caller, process, events, wanted):
        """Compare the requested events with the events of the process. Only a caller that may see
        the counts can resume them."""
        self.check_sight(caller, process)
        if events != wanted:
            raise Refused(errno.EINVAL, REASON_RESUME)

    def members(self, session):
        """Return the processes that the session collects and that still have a thread."""
        return [p for p in self.processes if p.session is session and p.known()]

    def check_collect(self, session, process):
        """Check that no other handle collects the process, and that this handle does not
        collect another process."""
        other = process.session not in (None, session) and not process.session.closed
        refuse_if(other or any(p is not process for p in self.members(session)), errno.EBUSY)

    def leave_closed(self, process, session):
        """If the handle of the process's session is closed, leave the session, so that another
        handle may collect the process."""
        if session and process.session and process.session.closed:
            process.session, process.starter = None, False

    @staticmethod
    def leave_gaps(threads, member, session, flags):
        """If a session other than the start's session collects threads in the cgroup, record the
        counts that they leave out before the start or before their next exec."""
        if (not member or not member.cgroup or member.closed or member is session
                or flags & RESUME):
            return
        for thread in threads:
            if thread.state == RUNNING and flags & AT_EXEC:
                thread.state, thread.accepted = STOPPED, False
            thread.note_gap()

    def begin_anew(self, caller, process, threads, events, flags, others):
        """Start threads from zero: in the current generation if other threads continue to
        count, and otherwise in a new one."""
        kernel = counts_kernel(events)
        for thread in threads:
            if thread.is_busy():
                thread.state, thread.accepted = STOPPED, False
            elif others:
                thread.note_gap()
        if others:
            for thread in threads:
                self.keep(thread, RESTARTED, Group())
            process.access.join(process, caller.process, kernel)
            process.fold |= bool(flags & FOLD)
            start = self.number()
        else:
            access = Access()
            access.start(process, caller.process, kernel)
            self.begin_generation(process, events, access)
            process.fold, process.keeps = bool(flags & FOLD), bool(flags & KEEP)
            process.own = False
            start = process.start
        for thread in threads:
            self.reset(thread, events, start)
        return start

    def begin_generation(self, process, events, access):
        """Begin a new generation. The counts so far will only be added to those of the parent."""
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

    def let_run(self, thread, events, start, flags):
        """Resume a thread, or start it from zero if it has no counts to resume."""
        if thread.is_busy() or thread.state == REVOKED:
            return
        if not thread.can_resume():
            self.reset(thread, events, start)
        elif flags & RESUME:
            thread.note_gap()
        thread.noted = False
        thread.state, thread.accepted = ARMED if flags & AT_EXEC else RUNNING, False

    def stop(self, caller, handle):
        """Answer VPMC_STOP."""
        threads, process, whole = self.target(handle, caller)
        gone = process.exited
        started = (any(t.events is not None for t in threads)
                   or threads and whole and gone.added + gone.other + gone.revoked)
        refuse_if(not started, errno.ENODATA if threads else errno.ESRCH)
        for thread in threads:
            if thread.is_busy():
                thread.state, thread.accepted = STOPPED, False
            else:
                thread.note_gap()
        first = process if whole else threads[0]
        known = self.shows_numbers(caller, process)
        return {"generation": first.generation if known else 0,
                "start": first.start if known else 0}

    # These methods model the cgroup that a handle collects.

    def cgroup(self, caller, handle, known):
        """Answer VPMC_CGROUP. known: whether the descriptor is the cgroup's."""
        self.check_system(caller)
        session = handle.session
        refuse_if(not session or session.events is None, errno.ENODATA)
        refuse_if(session.cgroup, errno.EBUSY)
        refuse_if(not self.cgroups, errno.EOPNOTSUPP)
        refuse_if(not known, errno.EBADF)
        session.cgroup, self.collector = True, session
        self.look(session)
        return {}

    def look(self, session):
        """Let all threads in the cgroup check it, because the cgroup is collected from now on."""
        session.missed.clear()
        for thread in [t for p in self.processes if p.inside for t in p.threads]:
            thread.arrives |= thread.alive

    def move(self, process, inside):
        """Move a process into the cgroup, or out of it."""
        if inside and not process.inside and self.collector:
            for thread in process.threads:
                thread.arrives |= thread.alive
        process.inside = inside

    def arrive(self, thread):
        """Let a thread check the cgroup before it executes more in user mode."""
        arrives, thread.arrives = thread.arrives, False
        process, session = thread.process, self.collector
        if not arrives or not session or not process.inside:
            return
        if process.session is session:
            is_collected = thread.known and thread.events is not None
        else:
            is_collected = self.enter(process, session)
        if not is_collected:
            session.miss(thread)

    def enter(self, process, session):
        """Start a process that enters the cgroup. Returns whether that was possible."""
        if self.system:
            return False
        force = self.is_left(process)
        if process.session and process.session.closed and (force or not process.busy()):
            process.session, process.starter = None, False
        if process.session or process.busy() and not force:
            return False
        kernel, access = counts_kernel(session.events), Access()
        access.enter(process, kernel)
        threads = [t for t in process.threads if t.alive]
        for thread in threads:
            thread.known = True
            if thread.is_busy():
                thread.state, thread.accepted = STOPPED, False
        self.begin_generation(process, session.events, access)
        process.start = session.start
        process.own = process.fold = process.keeps = False
        for thread in threads:
            self.reset(thread, session.events, session.start)
            self.let_run(thread, session.events, session.start, 0)
        process.session = session
        return True

    def is_left(self, process):
        """Return whether a closed file collects the process. No other reader is shown its
        counts."""
        session = process.session
        alive = [p for p in self.processes if p.is_alive()]
        is_open = [h for h in self.handles if h.process is process and any(
            h in p.handles or h in p.image.pages.values() for p in alive)]
        return (session and session.closed and process.start == session.start and not is_open
                and not process.own and not process.keeps)

    # These calls read.

    def subject(self, caller, handle, scope):
        """Return the thread, process or session that a scope of the handle means."""
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
        """Check whether the caller may see the counts."""
        process = subject.process if isinstance(subject, Thread) else subject
        own = caller.process is process or caller.process.session is subject
        refuse_if(not process.access.may_see(caller.process, own), errno.EPERM)

    def read(self, caller, handle, scope):
        """Answer VPMC_READ, with a structure that has no room for times."""
        subject = self.subject(caller, handle, scope)
        total, running, unwaited = Sum(), 0, 0
        if scope == ALL:
            total, running, state = self.collected(subject, caller.process)
        elif scope == THREAD:
            total.add_thread(subject, subject.events)
            total.stopped = 0 if subject.state == REVOKED else subject.stopped
            state = subject.state
        else:
            state = subject.state()
            total.add(subject.children if scope == CHILDREN else subject.exited)
            if scope == CHILDREN:
                unwaited = max(0, subject.unwaited)
            if scope == SELF:
                total.stopped = subject.exited.stopped
                running = int(bool(subject.known()))
                for thread in subject.present():
                    total.add_thread(thread, subject.events)
        self.check_sight(caller, subject)
        refuse_if(share(subject.events), errno.EINVAL)
        return {"state": state, "running": running, "other": total.other,
                "revoked": total.revoked, "stopped": total.stopped, "unwaited": unwaited,
                "generation": subject.generation, "start": subject.start,
                "events": subject.events or (), "count": total.count}

    def collected(self, session, reader):
        """Return all counts of a session that a process may see, including those of its living
        members."""
        total, members = Sum(), self.members(session)
        if reader.cred.may_see_part(session.cred):
            total.add(session.sum)
        else:
            total.hide(session.sum)
        for thread in [t for p in members for t in p.present()]:
            session.show_thread(total, thread, reader)
        state = max((p.state() for p in members), key=BUSIEST.index, default=EXITED)
        return total, len(members), state

    def query(self, caller, handle, scope):
        """Answer VPMC_QUERY."""
        subject = self.subject(caller, handle, scope)
        refuse_if(subject.events is None, errno.ENODATA)
        self.check_sight(caller, subject)
        return {"generation": subject.generation, "start": subject.start,
                "events": subject.events}

    def info(self, caller, handle):
        """Answer VPMC_INFO."""
        process = handle.process or caller.process
        known = self.shows_numbers(caller, process)
        return {"generation": process.generation if known else 0,
                "start": process.start if known else 0, "system": int(self.system)}

    @staticmethod
    def shows_numbers(caller, process):
        """Return whether a process has counts, and the caller may see their generation and
        start."""
        return (process.events is not None
                and process.access.may_see(caller.process, process is caller.process))

    def record(self, caller, handle):
        """Answer VPMC_RECORD. Any record of the group may be the next one."""
        session = handle.session
        refuse_if(not session or not session.records, errno.ENODATA)
        group = session.records[0]
        may = session.access.may_see(caller.process, caller.process.session is session)
        may = may and caller.process.cred.may_see_part(session.cred)
        may = may and (not group[0]["closed"] or caller.process.cred.is_perfmon())
        refuse_if(may and share(group[0]["events"]), errno.EINVAL)
        group.taken += 1
        if group.taken == len(group):
            session.records.pop(0)
        shared = {"generation": session.generation, "start": session.start}
        last = LAST if group.last and group.taken == len(group) else 0
        answers = []
        for record in group:
            answer = record | shared | {"what": record["what"] | last}
            if not may:
                answer |= {"what": answer["what"] | HIDDEN, "count": (0, 0), "stopped": 0,
                           "events": answer["events"][:1]}
            answers.append(answer)
        return {"group": group, "any of": answers}

    # The following calls attach, map pages, and use system mode.

    def attach(self, caller, handle, target, alone):
        """Answer VPMC_ATTACH to a thread or its process."""
        refuse_if(handle.attached or handle.process, errno.EXDEV)
        process = target.process
        gone = not target.alive if alone or target.tid != process.pid else process.reaped
        refuse_if(gone or (not alone and target.tid != process.pid), errno.ESRCH)
        refuse_if(not rights.may_trace(caller.process, process), errno.EPERM)
        for thread in process.threads:
            thread.known |= thread.alive
        handle.attached, handle.process = True, process
        handle.thread = target if alone else None
        known = self.shows_numbers(caller, process)
        start = target.start if alone else process.start
        return {"generation": process.generation if known else 0,
                "start": start if known and (not alone or target.events is not None) else 0}

    def map(self, caller, handle):
        """Answer VPMC_MAP."""
        refuse_if(not self.is_own(handle, caller), errno.EXDEV)
        refuse_if(not self.pmu.rdpmc, errno.EOPNOTSUPP)
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
        """Answer VPMC_SIGNAL."""
        refuse_if(not self.is_own(handle, caller), errno.EXDEV)
        refuse_if(signal > 64 or signal and not period, errno.EINVAL)
        refuse_if(caller.events is None or caller.state == REVOKED, errno.ENODATA)
        self.check_sight(caller, caller)
        refuse_if(event >= len(caller.events) or share(caller.events), errno.EINVAL)
        caller.signals.pop(event, None)
        if signal:
            caller.signals[event] = signal, period
        return {"generation": caller.generation, "start": caller.start}

    def check_system(self, caller):
        """Refuse a caller that may not use system mode."""
        refuse_if(not caller.process.cred.is_perfmon(), errno.EPERM)

    def system_start(self, caller, handle, events, flags):
        """Answer VPMC_SYSTEM_START."""
        self.check_system(caller)
        if flags & ~FORCE:
            raise Refused(errno.EINVAL, REASON_FLAGS)
        self.pmu.check(events)
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
        """Take the counters from all threads that count or are armed to count."""
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
        """Answer VPMC_SYSTEM_STOP."""
        self.check_system(caller)
        refuse_if(self.owner is not handle, errno.ENODATA)
        self.system = False
        return {"generation": self.system_generation, "start": self.system_generation}

    def system_read(self, caller, handle, cpu):
        """Answer VPMC_SYSTEM_READ."""
        self.check_system(caller)
        refuse_if(cpu not in (0, -1), errno.EINVAL)
        refuse_if(self.owner is not handle, errno.ENODATA)
        return {"state": RUNNING if self.system else STOPPED, "cpus": 1,
                "generation": self.system_generation, "events": self.system_events,
                "count": self.system_count}

    def close(self, handle):
        """If the handle has started system mode and no process has the handle any more, stop
        system mode."""
        super().close(handle)
        if self.owner is handle:
            self.system, self.owner = False, None

    def spend(self, thread, cost):
        """Let a thread execute this number of instructions in user mode."""
        self.arrive(thread)
        thread.spend(cost)
        if self.system:
            self.system_count = add_cost(self.system_count, self.system_events, cost)
