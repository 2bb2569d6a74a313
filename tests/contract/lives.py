# SPDX-License-Identifier: GPL-2.0-only
"""Model the lives of threads and processes: fork, exec, exit, wait, close."""

import dataclasses

from contract import rights
from contract.interface import (ARMED, EXITED, LAST, REVOKED, RUNNING, STOPPED, counts_kernel)
from contract.rights import CLOSED, Access, Image
from contract.collect import Group
from contract.tasks import Process, Sum, Thread


class Lives:
    """All processes, and their handles. Generations and starts are numbers."""

    def __init__(self):
        self.last = 0
        # The session that collects the cgroup.
        self.collector = None
        self.handles = []
        self.keeper = Process(None, rights.ROLES[0], Image(), ())
        self.processes = [self.keeper]

    def number(self):
        """Return a number that has not been used."""
        self.last += 1
        return self.last

    def create_process(self, cred):
        """Create a process that no actor has forked."""
        process = Process(self.keeper, cred, Image(), self.handles)
        self.processes.append(process)
        return process

    def create_thread(self, process, actor):
        """Create a thread of a process. The thread does not count."""
        thread = Thread(process, actor)
        process.threads.append(thread)
        if process.pid is None:
            process.pid = actor
        return thread

    def clone(self, creator, actor):
        """Let a thread create another thread by clone(2)."""
        thread = self.create_thread(creator.process, actor)
        thread.known = creator.known
        if creator.state == RUNNING:
            self.inherit(thread, creator)
        else:
            creator.note_gap()
        self.enter_born(thread)
        return thread

    def inherit(self, thread, creator):
        """Let a new thread count the events of its creator, from zero."""
        thread.known = True
        self.reset(thread, creator.events, creator.start)
        thread.state = RUNNING

    def fork(self, creator, actor, shares_memory):
        """Create a process. After vfork it shares the memory of its creator."""
        parent = creator.process
        image = parent.image if shares_memory else parent.image.copy()
        process = Process(parent, parent.cred, image, parent.handles)
        process.ignores, process.inside = parent.ignores, parent.inside
        self.processes.append(process)
        thread = self.create_thread(process, actor)
        if creator.state == RUNNING:
            process.session, process.fold = parent.session, parent.fold
            process.keeps = parent.keeps
            process.program = parent.program
            process.access = parent.access.fork(process, counts_kernel(creator.events))
            process.generation, process.start = self.number(), creator.start
            process.events = creator.events
            process.born = True
            parent.unwaited += 1
            self.inherit(thread, creator)
        else:
            creator.note_gap()
        if creator.page and not shares_memory:
            thread.known = thread.page = True
            thread.mapped = creator.mapped
            thread.accepted = creator.accepted
        self.enter_born(thread)
        return thread

    def enter_born(self, thread):
        """Let a new thread check the cgroup, unless it already counts for the cgroup's session."""
        inherits = thread.events is not None and thread.process.session is self.collector
        thread.arrives = bool(self.collector and thread.process.inside and not inherits)

    def execute(self, thread, file):
        """Replace all threads of a process by another program."""
        process = thread.process
        self.exit_threads(process.others(thread))
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
        else:
            thread.note_gap()

    def keep(self, thread, what, group):
        """Add a thread's counts to those of the exited threads, and record them."""
        process, session = thread.process, thread.process.session
        if thread.is_present():
            process.exited.add_thread(thread, process.events)
            if session:
                session.keep_thread(thread)
        if session:
            session.record(thread, what, group)

    def reset(self, thread, events, start):
        """Set a thread's counts to zero."""
        thread.events, thread.start = events, start
        thread.count, thread.has_run, thread.signals = (0, 0), False, {}
        thread.stopped, thread.noted = 0, False
        thread.generation, thread.state = thread.process.generation, STOPPED

    def exit_threads(self, threads):
        """Let threads of one process exit, in no particular order."""
        group = Group()
        for thread in threads:
            self.exit_thread(thread, group)

    def exit_thread(self, thread, group):
        """End a thread, and keep its counts."""
        process = thread.process
        if thread.known:
            thread.note_gap()
            last = len(process.known()) == 1
            self.keep(thread, LAST if last else 0, group)
            thread.state = REVOKED if thread.state == REVOKED else EXITED
        thread.alive = False
        if thread.tid == process.pid:
            process.first_dumpable = process.image.dumpable
        if thread.known and not process.known() and process.fold and not process.is_alive():
            self.add_child(process.parent, process, True)
        if not process.is_alive():
            self.end_process(process)

    def end_process(self, process):
        """End a process whose last thread has exited. Its children get another parent."""
        process.zombie = True
        process.image = process.image.copy()
        process.image.dumpable = process.first_dumpable
        self.drop_handles(process, set(process.handles))
        for child in self.processes:
            if child.parent is process:
                child.parent = self.keeper
        if process.parent.ignores:
            process.reaped = True

    def add_child(self, parent, child, at_exit):
        """Add the counts of a child to those of the parent's children, once."""
        if child.folded or not child.has_counts():
            return
        child.folded = True
        if not parent.generation:
            parent.generation = parent.start = self.number()
        if not parent.busy():
            parent.access.collect(parent)
        parent.unwaited += child.unwaited - child.born
        may = parent.access.add(child.access, parent, at_exit)
        if may and parent.events is None and child.events is not None:
            parent.set_events(child.events)
        before = own = Sum.add if parent.events == child.events else Sum.miss
        if not may:
            before = own = Sum.hide
        elif child.before_closed and not parent.access.add(Access(CLOSED), parent, at_exit):
            before = Sum.hide
        own(parent.children, child.exited)
        own(parent.children, child.children)
        before(parent.children, child.before)

    def reap(self, child):
        """Let the parent wait for the process."""
        self.add_child(child.parent, child, False)
        child.reaped = True

    def drop_handles(self, process, handles):
        """Drop some handles of a process."""
        process.handles -= handles
        self.release_handles()

    def release_handles(self):
        """Close the handles that no process has any more."""
        alive = [p for p in self.processes if p.is_alive()]
        for handle in self.handles:
            if any(handle in p.handles or handle in p.image.pages.values() for p in alive):
                continue
            self.close(handle)

    def close(self, handle):
        """Close a handle that no process has any more."""
        if handle.session:
            handle.session.closed, handle.session.keeps_records = True, False
            handle.session.records = []
            if handle.session is self.collector:
                self.collector = None
