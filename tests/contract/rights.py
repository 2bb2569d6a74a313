# SPDX-License-Identifier: GPL-2.0-only
"""Model credentials, programs, and access to counts: vpmc(7) and ptrace(2)."""

import dataclasses

ROOT, USER, STRANGER = 0, 1000, 1001

EVERY = frozenset(("perfmon", "admin", "ptrace", "net_raw", "others"))


@dataclasses.dataclass(frozen=True)
class Cred:
    """Credentials: the real, effective and saved user and group, and capabilities."""

    uid: tuple
    gid: tuple
    permitted: frozenset = frozenset()
    effective: frozenset = frozenset()
    ambient: frozenset = frozenset()

    def is_perfmon(self):
        """Return whether the task may see and count everything."""
        return bool(self.effective & {"perfmon", "admin"})

    def matches(self, watched):
        """Return whether all IDs of @watched are the real IDs of these credentials."""
        return set(watched.uid) == {self.uid[0]} and set(watched.gid) == {self.gid[0]}

    def may_see_part(self, cred):
        """Return whether a reader of ALL may see the part that was counted with @cred."""
        return not cred or self.covers(cred)

    def covers(self, watched):
        """Return whether a program with these credentials may watch a program with the credentials
        of @watched."""
        same = self.matches(watched) or (self.uid, self.gid) == (watched.uid, watched.gid)
        return (same and watched.permitted <= self.permitted or self.is_perfmon()
                or "ptrace" in self.effective)

    def may_watch(self, watched):
        """Return whether a reader with these credentials may watch a program with the credentials
        of @watched.

        The real IDs must match.
        """
        return self.matches(watched) and self.covers(watched) or "ptrace" in self.effective


def cred_of(user, capabilities=frozenset()):
    """Return the credentials of an ordinary program of a user, or of root."""
    kept = EVERY if user == ROOT else frozenset(capabilities)
    ambient = frozenset() if user == ROOT else kept
    return Cred((user,) * 3, (user,) * 3, kept, kept, ambient)


# contract.c makes these programs, in this order.
ROLES = (cred_of(ROOT), cred_of(USER), cred_of(STRANGER), cred_of(STRANGER, {"ptrace"}),
         cred_of(STRANGER, {"perfmon"}), cred_of(STRANGER, {"admin"}))


@dataclasses.dataclass(frozen=True)
class File:
    """A program: its set-user-ID or set-group-ID, its capabilities, and whether it is secret,
    so that only some users may read it."""

    path: str
    user: int | None = None
    group: int | None = None
    capabilities: frozenset = frozenset()
    secret: bool = False


FILES = (File("/tmp/plain"), File("/tmp/root", user=ROOT), File("/tmp/stranger", user=STRANGER),
         File("/tmp/group", group=ROOT), File("/tmp/capable", capabilities=frozenset({"net_raw"})),
         File("/tmp/unreadable", secret=True))


class Image:
    """The memory of a program.

    pages: the pages of the threads, each with the handle that has mapped it and that it keeps
    open"""

    def __init__(self, dumpable=True, pages=None):
        self.dumpable = dumpable
        self.pages = dict(pages or {})

    def copy(self):
        """Return a copy for a forked process."""
        return Image(self.dumpable, self.pages)


def gains(old, new):
    """Return whether a program has rights with the new credentials that it lacks with the old
    credentials."""
    return ((old.uid[1], old.gid[1]) != (new.uid[1], new.gid[1])
            or not new.permitted <= old.permitted)


def execute(cred, file):
    """Return the credentials after executing a file, by the rules of capabilities(7), and
    whether the program has rights that its user lacks."""
    euid = cred.uid[1] if file.user is None else file.user
    egid = cred.gid[1] if file.group is None else file.group
    permitted, effective = file.capabilities, bool(file.capabilities)
    if ROOT in (cred.uid[0], euid) and not (effective and cred.uid[0] != ROOT):
        permitted, effective = EVERY, effective or euid == ROOT
    ambient = cred.ambient
    if file.capabilities or (euid, egid) != (cred.uid[0], cred.gid[0]):
        ambient = frozenset()
    permitted |= ambient
    new = Cred((cred.uid[0], euid, euid), (cred.gid[0], egid, egid), permitted,
               permitted if effective else ambient, ambient)
    hidden = file.secret and "others" not in cred.effective and cred.uid[1] != ROOT
    mixed = cred.uid[0] != cred.uid[1] or cred.gid[0] != cred.gid[1]
    return new, hidden or mixed or gains(cred, new)


def set_user(cred, user):
    """Return credentials after setresuid(2) to one user, or None if it is refused."""
    if "others" not in cred.effective and user not in cred.uid:
        return None
    new = dataclasses.replace(cred, uid=(user,) * 3)
    if ROOT in cred.uid and user != ROOT:
        new = dataclasses.replace(new, permitted=frozenset(), effective=frozenset(),
                                  ambient=frozenset())
    elif cred.uid[1] != ROOT and user == ROOT:
        new = dataclasses.replace(new, effective=new.permitted)
    return new


def set_group(cred, group):
    """Return credentials after setresgid(2) to one group, or None if it is refused."""
    if "others" not in cred.effective and group not in cred.gid:
        return None
    return dataclasses.replace(cred, gid=(group,) * 3)


OPEN, OWN, CLOSED = range(3)
NEW, ENDED = "new", "ended"

# For each moment, the table has the new level of the counts for each old level. vpmc(7) has the
# same table.
MOMENTS = {
    "start": (NEW, NEW, NEW),
    "start of kernel mode by others": (CLOSED, CLOSED, CLOSED),
    "join": (NEW, OWN, CLOSED),
    "join of one with other rights": (OWN, OWN, CLOSED),
    "join of kernel mode by others": (CLOSED, CLOSED, CLOSED),
    "fork or first exec": (NEW, NEW, NEW),
    "fork or first exec, kernel": (NEW, NEW, CLOSED),
    "fork or first exec, kernel, no CAP_PERFMON": (CLOSED, CLOSED, CLOSED),
    "exec": (NEW, CLOSED, CLOSED),
    "exec, rights are lost": (CLOSED, CLOSED, CLOSED),
    "exec, enters a user namespace of its user's": (OPEN, CLOSED, CLOSED),
    "exec, kernel, no CAP_PERFMON": (CLOSED, CLOSED, CLOSED),
    "exec, rights are gained, unprivileged start": (ENDED, ENDED, ENDED),
    "wait": (OPEN, OWN, CLOSED),
    "wait for what only the parent may see": (OWN, OWN, CLOSED),
    "wait for what the parent may not see": (OPEN, OWN, CLOSED),
    "ALL collects": (OPEN, OWN, CLOSED),
    "ALL collects more, privileged start": (CLOSED, CLOSED, CLOSED),
    "ALL collects more, unprivileged start": (OPEN, OWN, CLOSED),
    "anything else": (OPEN, OWN, CLOSED),
}


@dataclasses.dataclass
class Access:
    """Access to counts: a level, and the program and credentials to which the counts belong.

    privileged: whether the process that started the counts may watch any program"""

    level: int = OPEN
    cred: Cred | None = None
    program: object = None
    privileged: bool = False

    def may_see(self, reader, own):
        """Return whether the process @reader may see the counts.

        own: whether the counts are those of the reader"""
        if own and self.level != CLOSED and self.program is reader.program:
            return True
        return reader.cred.is_perfmon() or (
            self.level == OPEN and (not self.cred or reader.cred.may_watch(self.cred)))

    def covers(self, more):
        """Return whether all readers that may see these counts may also see @more."""
        if self.level == CLOSED:
            return True
        if not self.cred or not more.cred or more.level == CLOSED:
            return False
        if more.level == OWN and (self.level != OWN or self.program is not more.program):
            return False
        return self.cred.covers(more.cred)

    def begin(self, process, level):
        """Begin to count the program that the process executes now."""
        process.program = process.program or object()
        self.level, self.cred, self.program = level, process.cred, process.program

    def level_after(self, moment, process):
        """Return the new level of a process's counts by a row of the table."""
        level = MOMENTS[moment][self.level]
        return level_of(process) if level == NEW else level

    def change(self, process, moment, continues):
        """Change the level by a row of the table. If counting continues, the counts belong to
        the program that the process executes now, and to its credentials."""
        level = self.level_after(moment, process)
        if continues:
            self.begin(process, level)
        else:
            self.level = level

    def start(self, process, caller, kernel):
        """Let the caller start the process from zero."""
        others = kernel and process is not caller
        moment = "start of kernel mode by others" if others else "start"
        self.privileged = caller.cred.is_perfmon()
        self.begin(process, self.level_after(moment, process))

    def enter(self, process, kernel):
        """Start the process from zero when it enters a cgroup that is collected, as a caller with
        CAP_PERFMON would."""
        moment = "start of kernel mode by others" if kernel else "start"
        self.privileged = True
        self.begin(process, self.level_after(moment, process))

    def join(self, process, caller, kernel):
        """Let the caller start a thread of the process while other threads of the process count."""
        self.level = self.level_after("join", process)
        if not self.cred.covers(process.cred):
            self.level = self.level_after("join of one with other rights", process)
        if kernel and process is not caller:
            self.level = self.level_after("join of kernel mode by others", process)

    @staticmethod
    def first(process, kernel):
        """Return the row for a process that is forked, or that executes a program before it has
        counted."""
        if not kernel:
            return "fork or first exec"
        return ("fork or first exec, kernel" if process.cred.is_perfmon()
                else "fork or first exec, kernel, no CAP_PERFMON")

    def fork(self, child, kernel):
        """Return the access to the counts of a child that inherits the counting."""
        access = Access(level=self.level, privileged=self.privileged)
        access.begin(child, access.level_after(self.first(child, kernel), child))
        return access

    def execute(self, process, raised, counted, kernel):
        """Update the access after an exec. Return whether counting may continue."""
        gained = raised or not self.cred.covers(process.cred)
        lost = not process.cred.covers(self.cred)
        moment = self.exec_moment(process, lost, kernel) if counted else self.first(process, kernel)
        if gained and not self.privileged:
            moment = "exec, rights are gained, unprivileged start"
        if MOMENTS[moment][self.level] == ENDED:
            return False
        self.change(process, moment, not counted or self.level == OPEN and not lost)
        return True

    @staticmethod
    def exec_moment(process, lost, kernel):
        """Return the row for a process that has counted and now executes another program."""
        if lost:
            return "exec, rights are lost"
        if kernel and not process.cred.is_perfmon():
            return "exec, kernel, no CAP_PERFMON"
        return "exec"

    def collect(self, process):
        """Prepare to add counts of children to those of a process that does not count. Such a
        process may have executed other programs since."""
        if not self.cred:
            self.begin(process, self.level_after("start", process))
            self.privileged = False
        elif self.program is not process.program:
            lost = not process.cred.covers(self.cred)
            self.change(process, self.exec_moment(process, lost, False),
                        self.level == OPEN and not lost)

    def note(self, cred, more):
        """Return the credentials of a session's counts after more counts are added to it. A
        reader whose credentials cover them may see all of the counts."""
        if not cred or cred.covers(more.cred):
            return cred or more.cred
        return self.cred

    def add(self, more, process=None, at_exit=False):
        """Return whether counts may be added to the counts of a process that reaps a child, or
        of a session. Fewer readers may see the sum afterwards."""
        if self.covers(more) and (not process or self.level == CLOSED
                                  or process.cred.covers(more.cred)):
            return True
        if not process:
            kind = "privileged" if self.privileged else "unprivileged"
            self.level = MOMENTS[f"ALL collects more, {kind} start"][self.level]
            return self.privileged
        may = process.cred.covers if at_exit else process.cred.may_watch
        if not process.cred.is_perfmon() and (more.level != OPEN or not may(more.cred)):
            return False
        level = MOMENTS["wait for what only the parent may see"][self.level]
        if level == OWN:
            self.begin(process, level)
        return True


def level_of(process):
    """Return the level of counts that begin with the program that the process executes now."""
    return OPEN if process.image.dumpable else OWN


def may_trace(tracer, process):
    """Return the result of PTRACE_MODE_READ_REALCREDS and of PTRACE_MODE_ATTACH_REALCREDS,
    which are equal here."""
    if tracer is process or "ptrace" in tracer.cred.effective:
        return True
    return (tracer.cred.matches(process.cred) and process.image.dumpable
            and process.cred.permitted <= tracer.cred.permitted)
