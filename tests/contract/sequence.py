# SPDX-License-Identifier: GPL-2.0-only
"""Make a sequence of operations: the orders that carry them out, and the answers of the model."""

import dataclasses
import errno
import struct

from contract import interface, orders, pmu, rights
from contract.collect import Handle
from contract.interface import Refused
from contract.model import World

# No order has a higher cost than this.
MOST = (200, 200, 200)

WNOHANG, WALL, SIGKILL, SIGCHLD = 1, 0x40000000, 9, 17
CLONE_THREAD, CLONE_VFORK = 0x00050f00, 0x4111


class AnyOf(list):
    """Words that occur once each, in any order. "group" names their kind."""

    def __init__(self, every, group):
        super().__init__(every)
        self.group = group


class Pid:
    """The number of a process or thread."""

    def __init__(self, actor):
        self.actor = actor

    def key(self):
        """Return the key by which this word is compared with others."""
        return "pid", self.actor


# An expected word need not be a number. It can be any negative word, or a word with a given
# quotient.
NEGATIVE = object()


@dataclasses.dataclass(frozen=True)
class Quotient:
    """A word with a given quotient by another word."""

    divisor: int
    number: int



class Number:
    """The number of a generation or of a start. It may be 0."""

    def __init__(self, number):
        self.number = number

    def key(self):
        """Return the key by which this word is compared with others."""
        return "number" if self.number >= 0 else "late", self.number


def counts_of(events, count):
    """Return two words for the counts, with None for a count that cannot be predicted."""
    known = [None if event.modes & interface.KERNEL_MODE else value
             for event, value in zip(events, count)]
    return (known + [0, 0])[:2]


class Sequence:
    """The operations so far on a target.

    steps: orders for the guest
    expected: for each order, the answers by actor; an answer is a result with words
    operations: the operations as they were passed, each with its first step"""

    def __init__(self, roles, target):
        self.roles, self.target, self.calls = roles, target, target.calls
        self.world = World(target.pmu, target.cgroups)
        self.world.handles = [Handle() for _ in range(orders.NR_HANDLES)]
        self.actors, self.waiting = {}, {}
        self.steps, self.expected, self.operations = [], [], []
        for actor, role in enumerate(roles):
            process = self.world.create_process(rights.ROLES[role])
            self.actors[actor] = self.world.create_thread(process, actor)

    def bytes(self):
        """Return the sequence as a part of the script."""
        head = struct.pack(f"<{len(self.roles) + 2}I", len(self.roles), *self.roles,
                           len(self.steps))
        return head + b"".join(self.steps)

    def is_ready(self, actor):
        """Return whether an actor waits for an order."""
        return (actor in self.actors and self.actors[actor].alive and actor not in self.waiting)

    def shares_memory(self, actor):
        """Return whether an actor is a child of vfork(2) that uses its parent's memory, or such
        a parent."""
        process = self.actors[actor].process
        return any(t.alive and t.process is not process and t.process.image is process.image
                   for t in self.actors.values())

    def perform(self, operation):
        """Perform one operation. Return whether it was possible."""
        name, actor, *args = operation
        if not self.is_ready(actor):
            return False
        while name != "pass" and self.actors[actor].passes_multiple(MOST):
            if not self.pass_multiple(actor):
                return False
        if self.actors[actor].arrives:
            # Let its counts be known before the operation is chosen.
            self.add(self.do_number(actor))
        collector = self.world.collector
        step = getattr(self, "do_" + name)(actor, *args)
        if not step:
            return False
        if collector is not self.world.collector:
            step = orders.settling(step[0]), step[1]
        self.operations.append((len(self.steps), operation))
        self.add(step)
        if name == "vfork":
            # The id of the child is not known before the parent continues, so ask for it.
            self.add(self.do_number(args[0]))
        return True

    def pass_multiple(self, actor):
        """If a signal may become due, let it become due now, and let the actor read the count
        afterwards. Then the actor does not get the signal while it falls asleep, which would
        cost one instruction."""
        thread = self.actors[actor]
        own = [n for n, h in enumerate(self.world.handles)
               if h in thread.process.handles and self.world.is_own(h, thread)]
        rounds = next((n for n in range(1, 1000) if self.passes_before((n, 1), thread)), None)
        return own and rounds and self.perform(("pass", actor, own[0], (rounds, 1)))

    @staticmethod
    def passes_before(work, thread):
        """Return whether a thread passes a multiple before a system call, and none after it."""
        now = orders.entry(work)
        later = tuple(a + b for a, b in zip(now, orders.LEAVE))
        return thread.passes_multiple(now) and thread.multiples(now) == thread.multiples(later)

    def do_pass(self, actor, handle, work):
        """Call VPMC_READ after a multiple of each period, and long before the next multiple."""
        thread, handles = self.actors[actor], self.world.handles
        usable = handles[handle] in thread.process.handles and self.world.is_own(
            handles[handle], thread)
        if not usable or not self.passes_before(work, thread):
            return None
        return self.do_read(actor, handle, interface.THREAD, work)

    def add(self, step):
        """Add one order with its answers."""
        self.steps.append(step[0])
        self.expected.append(step[1])

    def spend(self, actor, cost):
        """Let an actor execute this number of instructions."""
        self.world.spend(self.actors[actor], cost)

    def call(self, actor, work, what, *args):
        """Call the driver in the model. Return its result and words, and any other answers."""
        self.spend(actor, orders.entry(work))
        try:
            result, answer = 0, what(self.actors[actor], *args)
        except Refused as refused:
            result = -refused.error
            answer = {"reason": refused.reason, "event": refused.event}
        self.spend(actor, orders.LEAVE)
        return result, answer

    def request(self, actor, handle, what, data, work, method, *args, patches=(), form=None):
        """Return an ioctl(2) with its answer in words."""
        step = self.calls.request(actor, handle, what, data, work, patches)
        names = orders.NAMES[form or what]
        h = self.world.handles[handle]
        if h not in self.actors[actor].process.handles:
            self.spend(actor, orders.entry(work))
            self.spend(actor, orders.LEAVE)
            return step, {actor: (-errno.EBADF, [0] * len(names))}
        result, answer = self.call(actor, work, method, h, *args)
        return step, {actor: (result, self.words(names, answer))}

    def words(self, names, answer):
        """Return an answer's fields in the order in which they are printed."""
        if "any of" in answer:
            return AnyOf([self.words(names, one) for one in answer["any of"]], answer["group"])
        words = dict.fromkeys(names, 0)
        for name, value in answer.items():
            if name in ("generation", "start", "self"):
                words[name] = Number(value)
            elif name in ("pid", "tid"):
                words[name] = Pid(value)
            elif name in words:
                words[name] = value
        if "events" in answer:
            events = answer["events"]
            words["nr"] = len(events)
            for i, event in enumerate(events):
                if "code0" in words:
                    words[f"code{i}"] = event.code
                    words[f"how{i}"] = event.counter | event.modes << 16
            if "count" in answer:
                words["count0"], words["count1"] = counts_of(events, answer["count"])
        return [words[name] for name in names]

    # Each of these operations returns a step and its answers, or None if it is not possible
    # now.

    def do_start(self, actor, handle, events, flags, work):
        """Call VPMC_START."""
        events, thread = self.target.pmu.events[events], self.actors[actor]
        session = self.world.handles[handle].session
        if session and session.cgroup and interface.share(events):
            return None
        if flags & interface.RESUME and any(thread.is_near(event, period, MOST)
                                        for event, (_, period) in thread.signals.items()):
            return None
        return self.request(actor, handle, orders.START, orders.start_data(events, flags), work,
                            self.world.start, events, flags)

    def do_stop(self, actor, handle, work):
        """Call VPMC_STOP."""
        return self.request(actor, handle, orders.STOP, struct.pack("<IIQQ", 24, 0, 0, 0), work,
                            self.world.stop, form=orders.STOP)

    def do_read(self, actor, handle, scope, work):
        """Call VPMC_READ."""
        data = struct.pack("<II", 80, scope)
        return self.request(actor, handle, orders.READ, data, work, self.world.read, scope)

    def do_query(self, actor, handle, scope, work):
        """Call VPMC_QUERY."""
        data = struct.pack("<II", 104, scope).ljust(104, b"\0")
        return self.request(actor, handle, orders.QUERY, data, work, self.world.query, scope)

    def do_info(self, actor, handle, work):
        """Call VPMC_INFO."""
        return self.request(actor, handle, orders.INFO, struct.pack("<I", 64), work,
                            self.world.info)

    def do_record(self, actor, handle, work):
        """Call VPMC_RECORD."""
        session = self.world.handles[handle].session
        if session and session.records and session.records[0].is_mixed():
            return None
        data = struct.pack("<I", 328).ljust(328, b"\0")
        return self.request(actor, handle, orders.RECORD, data, work, self.world.record)

    def do_attach(self, actor, handle, target, alone, work):
        """Call VPMC_ATTACH."""
        thread = self.actors.get(target)
        # A zombie that was the first of several threads has a number, but no memory.
        if not thread or alone and not thread.alive and not thread.process.reaped and (
                thread.tid == thread.process.pid):
            return None
        data = struct.pack("<IIiIQQ", 32, int(alone), 0, 0, 0, 0)
        patch = (orders.HEAD + 8, orders.PID, thread.tid)
        return self.request(actor, handle, orders.ATTACH, data, work, self.world.attach, thread,
                            alone, patches=[patch])

    def do_map(self, actor, handle, work):
        """Call VPMC_MAP."""
        if self.shares_memory(actor):
            return None
        data = struct.pack("<IIQQQ", 32, 0, 0, 0, 0)
        return self.request(actor, handle, orders.MAP, data, work, self.world.map)

    def do_unmap(self, actor, work):
        """Unmap the page."""
        thread = self.actors[actor]
        if not thread.mapped:
            return None
        step = self.calls.order(actor, orders.MUNMAP, (0, 4096), work=work,
                                patches=[(orders.arg(0), orders.PAGE, actor)])
        thread.process.image.pages.pop(thread.mapped)
        thread.mapped = None
        self.world.release_handles()
        return step, {actor: self.plain(actor, work, 0)}

    def do_count(self, actor, work):
        """Read the first count without a system call."""
        thread = self.actors[actor]
        if not thread.mapped:
            return None
        # This is the address of the page's first count.
        step = self.calls.order(actor, None, (32,), how=orders.COUNT, work=work, form=orders.COUNT,
                                patches=[(orders.arg(0), orders.PAGE, actor)])
        events = thread.events or ()
        refused = interface.counts_kernel(events) and not thread.accepted
        self.spend(actor, orders.to_count(work, refused))
        words = [None, NEGATIVE]
        if thread.shows_page():
            known = counts_of(thread.events, thread.count)[0]
            words = [known, 0]
        self.spend(actor, orders.LEAVE_COUNT)
        return step, {actor: (0, words)}

    def do_signal(self, actor, handle, event, signal, period, work):
        """Call VPMC_SIGNAL."""
        thread = self.actors[actor]
        shared = interface.share(thread.events)  # is refused
        known = thread.events and not shared and event < len(thread.events)
        kernel = known and thread.events[event].modes & interface.KERNEL_MODE
        near = known and signal and period and thread.is_near(event, period, MOST)
        others = [other for e, (other, _) in thread.signals.items() if e != event]
        if kernel or near or signal in others:
            return None
        data = struct.pack("<4I3Q", 40, 0, event, signal, period, 0, 0)
        return self.request(actor, handle, orders.SIGNAL, data, work, self.world.signal, event,
                            signal, period)

    def do_take_signal(self, actor, signal, work):
        """Call sigtimedwait(2) without waiting."""
        step = self.calls.take_signal(actor, signal, work)
        self.plain(actor, work, 0)
        pending = self.actors[actor].pending.pop(signal, None)
        if not pending:
            return step, {actor: (-errno.EAGAIN, [0] * 4)}
        event, multiple, period, start = pending
        return step, {actor: (signal, [0x80, event, Quotient(period, multiple), Number(start)])}

    def do_cgroup(self, actor, handle, known, work):
        """Call VPMC_CGROUP. One handle at a time collects the cgroup, and its events share no
        counter."""
        session = self.world.handles[handle].session
        may_begin = known and session and session.events is not None and not session.cgroup
        if may_begin and (self.world.collector or interface.share(session.events)):
            return None
        fd = orders.CGROUP_DIRECTORY if known else orders.FIRST_HANDLE
        return self.request(actor, handle, orders.CGROUP, struct.pack("<IIiI", 16, 0, fd, 0),
                            work, self.world.cgroup, known)

    def do_move(self, actor, inside, work):
        """Move the process into the cgroup, or out of it."""
        if not self.target.cgroups:
            return None
        procs = orders.CGROUP_INSIDE if inside else orders.CGROUP_OUTSIDE
        step = self.calls.order(actor, orders.WRITE, (procs, orders.data_of(actor), 1), b"0",
                                work=work)
        self.spend(actor, orders.entry(work))
        self.world.move(self.actors[actor].process, inside)
        self.spend(actor, orders.LEAVE)
        return step, {actor: (1, [])}

    def do_system_start(self, actor, handle, events, flags, work):
        """Call VPMC_SYSTEM_START."""
        events = self.target.pmu.events[events]
        return self.request(actor, handle, orders.SYSTEM_START, orders.start_data(events, flags),
                            work, self.world.system_start, events, flags, form=orders.START)

    def do_system_stop(self, actor, handle, work):
        """Call VPMC_SYSTEM_STOP."""
        return self.request(actor, handle, orders.SYSTEM_STOP, struct.pack("<IIQQ", 24, 0, 0, 0),
                            work, self.world.system_stop, form=orders.STOP)

    def do_system_read(self, actor, handle, cpu, work):
        """Call VPMC_SYSTEM_READ."""
        data = struct.pack("<Ii", 56, cpu)
        step, answers = self.request(actor, handle, orders.SYSTEM_READ, data, work,
                                     self.world.system_read, cpu)
        result, words = answers[actor]
        if not result:
            # The program that gives the orders is counted, too, but only actors make these
            # reads.
            events = self.world.system_events
            for i, event in enumerate(events):
                if pmu.PLACE[event.code] != pmu.READS:
                    words[4 + i] = None
        return step, {actor: (result, words)}

    # These operations are not calls of the driver.

    def plain(self, actor, work, result):
        """Return a system call that has a result."""
        self.spend(actor, orders.entry(work))
        self.spend(actor, orders.LEAVE)
        return result, []

    def do_fork(self, actor, child, work):
        """Call fork(2)."""
        if child in self.actors:
            return None
        step = self.calls.order(actor, orders.FORK, how=orders.CREATE, work=work, child=child)
        self.spend(actor, orders.entry(work))
        self.actors[child] = self.world.fork(self.actors[actor], child, False)
        self.spend(child, orders.BEGIN_CHILD)
        self.spend(actor, orders.LEAVE_CREATE)
        return step, {actor: (Pid(child), [])}

    def do_thread(self, actor, child, work):
        """Call clone(2) of a thread."""
        if child in self.actors or self.shares_memory(actor):
            return None
        step = self.calls.order(actor, orders.CLONE, (CLONE_THREAD,), how=orders.CREATE, work=work,
                                child=child)
        self.spend(actor, orders.entry(work))
        self.actors[child] = self.world.clone(self.actors[actor], child)
        self.spend(child, orders.BEGIN_CHILD)
        self.spend(actor, orders.LEAVE_CREATE)
        return step, {actor: (Pid(child), [])}

    def do_vfork(self, actor, child, work):
        """Call vfork(2): the parent waits until the child executes a program or exits."""
        if child in self.actors:
            return None
        step = self.calls.order(actor, orders.CLONE, (CLONE_VFORK,), how=orders.CREATE, work=work,
                                child=child)
        self.spend(actor, orders.entry(work))
        self.actors[child] = self.world.fork(self.actors[actor], child, True)
        self.spend(child, orders.BEGIN_CHILD)
        self.waiting[actor] = ("vfork", child)
        return step, {}

    def do_number(self, actor):
        """Call gettid(2)."""
        step = self.calls.order(actor, orders.GETTID)
        self.spend(actor, orders.entry((1, 1)))
        self.spend(actor, orders.LEAVE)
        return step, {actor: (Pid(self.actors[actor].tid), [])}

    def do_execute(self, actor, file, work):
        """Call execve(2)."""
        thread = self.actors[actor]
        step = self.calls.execute(actor, rights.FILES[file].path, work)
        self.spend(actor, orders.entry(work))
        gone = [t.actor for t in thread.process.others(thread)]
        self.world.execute(thread, rights.FILES[file])
        self.spend(actor, orders.BEGIN_PROGRAM)
        for other in gone:
            self.waiting.pop(other, None)
        return step, self.wake()

    def leave(self, actor, nr, work, threads):
        """Let threads exit, by a system call of one of them."""
        return self.leave_by(self.calls.order(actor, nr, (0,), work=work), actor, work, threads)

    def leave_by(self, step, actor, work, threads):
        """Let threads exit by any step of one of them."""
        self.spend(actor, orders.entry(work))
        self.end(threads)
        return step, self.wake()

    def end(self, threads):
        """Let threads exit."""
        self.world.exit_threads(threads)
        for thread in threads:
            self.waiting.pop(thread.actor, None)

    @staticmethod
    def are_recorded_alike(threads):
        """Return whether the records of threads that end together do not depend on their order.
        A thread without counts of the present generation leaves a record only if it is the last
        thread.
        """
        known = [thread for thread in threads if thread.known]
        return len(known) < 2 or all(thread.is_present() for thread in known)

    def do_exit(self, actor, work):
        """Call exit(2) of the thread."""
        return self.leave(actor, orders.EXIT, work, [self.actors[actor]])

    def do_exit_group(self, actor, work):
        """Call exit_group(2)."""
        thread = self.actors[actor]
        threads = [thread, *thread.process.others(thread)]
        if not self.are_recorded_alike(threads):
            return None
        return self.leave(actor, orders.EXIT_GROUP, work, threads)

    def do_kill(self, actor, target, work):
        """Call kill(2) for a process."""
        victim = self.actors.get(target)
        if not victim or victim.process.reaped:
            return None
        threads = [t for t in victim.process.threads if t.alive]
        if not self.are_recorded_alike(threads):
            return None
        thread = self.actors[actor]
        step = self.calls.order(actor, orders.KILL, (0, SIGKILL), work=work,
                                patches=[(orders.arg(0), orders.PID, victim.process.pid)])
        mine, theirs = thread.process.cred, victim.process.cred
        may = ("others" in mine.effective or thread.process is victim.process
               or {mine.uid[0], mine.uid[1]} & {theirs.uid[0], theirs.uid[2]})
        if not may:
            return step, {actor: self.plain(actor, work, -errno.EPERM)}
        if thread.process is victim.process:
            return self.leave_by(step, actor, work, threads)
        answers = {actor: self.plain(actor, work, 0)}
        self.end(threads)
        return step, answers | self.wake()

    def wake(self):
        """Return the answers of actors that were waiting for the last operation."""
        answers = {}
        for actor, (why, child) in list(self.waiting.items()):
            other = self.actors[child]
            if why == "vfork":
                shares = other.process.image is self.actors[actor].process.image
                if not other.process.zombie and shares:
                    continue
                self.spend(actor, orders.LEAVE_CREATE)
            else:
                if not other.process.zombie:
                    continue
                self.world.reap(other.process)
                self.spend(actor, orders.LEAVE)
            del self.waiting[actor]
            answers[actor] = (Pid(other.process.pid), [])
        return answers

    def do_wait(self, actor, child, blocks, work):
        """Call wait4(2) for one process."""
        other = self.actors.get(child)
        if not other:
            return None
        thread, process = self.actors[actor], other.process
        step = self.calls.order(actor, orders.WAIT4, (0, 0, WALL | (0 if blocks else WNOHANG), 0),
                                work=work, patches=[(orders.arg(0), orders.PID, process.pid)])
        if process.parent is not thread.process or process.reaped:
            return step, {actor: self.plain(actor, work, -errno.ECHILD)}
        if process.zombie:
            self.spend(actor, orders.entry(work))
            self.world.reap(process)
            self.spend(actor, orders.LEAVE)
            return step, {actor: (Pid(process.pid), [])}
        if not blocks:
            return step, {actor: self.plain(actor, work, 0)}
        if thread.process.ignores or any(why == "wait" and self.actors[one].process is process
                                         for why, one in self.waiting.values()):
            return None
        self.spend(actor, orders.entry(work))
        self.waiting[actor] = ("wait", child)
        return step, {}

    def do_ignore(self, actor, ignores, work):
        """Ignore SIGCHLD, or stop ignoring it."""
        process = self.actors[actor].process
        if any(self.actors[a].process is process for a in self.waiting):
            return None
        step = self.calls.set_action(actor, SIGCHLD, int(ignores), work)
        process.ignores = ignores
        return step, {actor: self.plain(actor, work, 0)}

    def do_become(self, actor, what, number, work):
        """Call setresuid(2) or setresgid(2) of the first thread, if it is alone.

        A first thread that has exited keeps its old credentials, and kill(2) checks these.
        """
        thread, process = self.actors[actor], self.actors[actor].process
        if thread.tid != process.pid or any(t.alive for t in process.others(thread)):
            return None
        nr, change = ((orders.SETRESUID, rights.set_user) if what == "user" else
                      (orders.SETRESGID, rights.set_group))
        step = self.calls.order(actor, nr, (number,) * 3, work=work)
        new = change(process.cred, number)
        answer = {actor: self.plain(actor, work, 0 if new else -errno.EPERM)}
        if new:
            if rights.gains(process.cred, new):
                process.image.dumpable = False
            process.cred = new
        return step, answer

    def do_dumpable(self, actor, value, work):
        """Call PR_SET_DUMPABLE."""
        step = self.calls.order(actor, orders.PRCTL, (4, int(value)), work=work)
        self.actors[actor].process.image.dumpable = value
        return step, {actor: self.plain(actor, work, 0)}

    def do_close(self, actor, handle, work):
        """Call close(2) of a handle."""
        process, h = self.actors[actor].process, self.world.handles[handle]
        step = self.calls.order(actor, orders.CLOSE, (orders.FIRST_HANDLE + handle,), work=work)
        known = h in process.handles
        self.spend(actor, orders.entry(work))
        self.world.drop_handles(process, {h})
        self.spend(actor, orders.LEAVE)
        return step, {actor: (0 if known else -errno.EBADF, [])}
