# SPDX-License-Identifier: GPL-2.0-only
"""Encode orders for the actors, tests/guest/interface/actor-32.S and actor-64.S, in the form
that tests/guest/interface/contract.c reads, and compute their costs."""

import struct

FIRST_ORDERS, SLOTS, SLOT_SHIFT, HEAD = 100, 0x10000000, 11, 80
FIRST_HANDLE, NR_HANDLES, MAX_ACTORS = 10, 8, 16
# These are the directory and the cgroup.procs of the collected cgroup, and the cgroup.procs of
# the root.
CGROUP_DIRECTORY, CGROUP_INSIDE, CGROUP_OUTSIDE = 20, 21, 22

# There are these ways to execute an order, and these values that a patch can add to it.
CALL, CREATE, COUNT = range(3)
PID, PAGE = range(2)

# These are the system calls, and their numbers for 32 and for 64 bits.
(EXIT, FORK, EXECVE, CLOSE, KILL, IOCTL, MUNMAP, WAIT4, CLONE, PRCTL, SIGACTION, SIGTIMEDWAIT,
 SETRESUID, SETRESGID, GETTID, EXIT_GROUP, WRITE) = SYSTEM_CALLS = (
     "exit", "fork", "execve", "close", "kill", "ioctl", "munmap", "wait4", "clone", "prctl",
     "rt_sigaction", "rt_sigtimedwait", "setresuid", "setresgid", "gettid", "exit_group",
     "write")
NUMBERS = {
    32: (1, 2, 11, 6, 37, 54, 91, 114, 120, 172, 174, 177, 208, 210, 224, 252, 4),
    64: (60, 57, 59, 3, 62, 16, 11, 61, 56, 157, 13, 128, 117, 119, 186, 231, 1),
}

(INFO, START, STOP, READ, RECORD, SYSTEM_START, SYSTEM_STOP, SYSTEM_READ, ATTACH, SIGNAL, MAP,
 QUERY) = (0xbf00 + number for number in range(12))
CGROUP = 0xbf0d

# For each call of the driver, these are the offsets in its structure of the words of the answer
# that are printed.
FORMATS = {
    None: (), INFO: (24, 48, 56), START: (12, 16, 24, 32, 40), STOP: (8, 16),
    READ: (12, 16, 20, 24, 28, 32, 36, 40, 48, 64, 72), QUERY: (12, 16, 24, 32, 40, 56, 64),
    RECORD: (8, 12, 32, 36, 40, 44, 48, 56, 72, 80), SYSTEM_READ: (12, 16, 20, 24, 40, 48),
    ATTACH: (16, 24), SIGNAL: (24, 32), MAP: (16, 24), COUNT: (0, 4), CGROUP: (12,)}
NAMES = {
    None: (), INFO: ("generation", "system", "start"),
    START: ("reason", "event", "generation", "start", "self"), STOP: ("generation", "start"),
    READ: ("state", "nr", "running", "other", "revoked", "stopped", "unwaited", "generation", "start",
           "count0", "count1"),
    QUERY: ("nr", "generation", "start", "code0", "how0", "code1", "how1"),
    RECORD: ("pid", "tid", "what", "nr", "lost", "stopped", "generation", "start", "count0", "count1"),
    SYSTEM_READ: ("state", "nr", "cpus", "generation", "count0", "count1"),
    ATTACH: ("generation", "start"), SIGNAL: ("generation", "start"),
    MAP: ("generation", "start"), COUNT: ("count", "high"), CGROUP: ("pad",),
    SIGTIMEDWAIT: ("code", "event", "count", "start")}


class Calls:
    """Orders that make system calls, for 32-bit or 64-bit programs.

    printed: the offsets of the words to print: FORMATS, and those of system calls"""

    def __init__(self, bits):
        self.bits, self.size = bits, bits // 8
        self.word = {32: "I", 64: "Q"}[bits]
        self.numbers = {None: 0, **dict(zip(SYSTEM_CALLS, NUMBERS[bits]))}
        # In siginfo_t, the code is the third word. The values of the driver follow, aligned
        # like an address.
        says = self.info() + 8 + self.size
        self.printed = FORMATS | {SIGTIMEDWAIT: (self.info() + 8, says, says + 4, says + 12)}

    def formats(self):
        """Return the beginning of a script, which has the formats of the answers."""
        words = [len(self.printed)]
        for offsets in self.printed.values():
            words += [len(offsets), *(HEAD + offset for offset in offsets)]
        return struct.pack(f"<{len(words)}I", *words)

    def order(self, actor, call, args=(), data=b"", *, how=CALL, work=(1, 1), child=0, form=None,
              patches=()):
        """Return an order as a step of the script.

        work: rounds of the two loops. patches: (place, what, actor) of each
        """
        reply = HEAD
        if form is not None:
            reply += max(self.printed[form]) + 4
            data = data.ljust(max(self.printed[form]) + 4, b"\0")
        words = [FIRST_ORDERS + actor, how, *work, self.numbers[call],
                 SLOTS + (child << SLOT_SHIFT), FIRST_ORDERS + child, reply, 0, 0]
        args = [word & 0xffffffff for word in (*args, *(0,) * (5 - len(args)))]
        data += bytes(-len(data) % 4)
        body = struct.pack("<10I5Q", *words, *args) + data
        head = struct.pack("<BBBBI", actor, list(self.printed).index(form), len(patches), 0,
                           len(body))
        return head + b"".join(struct.pack("<HBB", *patch) for patch in patches) + body

    def request(self, actor, handle, what, data, work, patches=()):
        """Return an ioctl(2) of a handle."""
        return self.order(actor, IOCTL, (FIRST_HANDLE + handle, what, data_of(actor)), data,
                          work=work, form=what if what in FORMATS else
                          START if what == SYSTEM_START else STOP, patches=patches)

    def execute(self, actor, path, work):
        """Return an execve(2). The argument and the path follow argv, whose last word is envp."""
        argv = data_of(actor)
        argument = argv + 2 * self.size
        data = struct.pack(f"<2{self.word}I", argument, 0, FIRST_ORDERS + actor)
        return self.order(actor, EXECVE, (argument + 4, argv, argv + self.size),
                          data + path.encode() + b"\0", work=work)

    def set_action(self, actor, signal, handler, work):
        """Return a sigaction(2). Flags, another address and the signals follow the handler."""
        data = struct.pack(f"<3{self.word}Q", handler, 0, 0, 0)
        return self.order(actor, SIGACTION, (signal, data_of(actor), 0, 8), data, work=work)

    def info(self):
        """Return the place of the siginfo_t from sigtimedwait(2), which follows the set and the
        time."""
        return 8 + 2 * self.size

    def take_signal(self, actor, signal, work):
        """Return a sigtimedwait(2) of a signal, which does not wait."""
        data = struct.pack(f"<Q2{self.word}", 1 << (signal - 1), 0, 0)
        place = data_of(actor)
        return self.order(actor, SIGTIMEDWAIT, (place, place + self.info(), place + 8, 8), data,
                          work=work, form=SIGTIMEDWAIT)


CALLS32, CALLS64 = Calls(32), Calls(64)


def settling(step):
    """Return a step after which contract.c waits until the kernel has done its delayed work."""
    return step[:3] + b"\1" + step[4:]


def data_of(actor):
    """Return the address of the data of an actor."""
    return SLOTS + (actor << SLOT_SHIFT) + HEAD


def arg(index):
    """Return the place of an argument in an order, for a patch."""
    return 40 + 8 * index


def start_data(events, flags):
    """Return a struct vpmc_start."""
    data = struct.pack("<6I3Q", 48 + 24 * len(events), flags, len(events), 0, 0, 0, 0, 0, 0)
    return data + b"".join(struct.pack("<QHHIQ", e.code, e.counter, e.modes, e.period, e.extra)
                           for e in events)


# Costs are counts of these events: instructions, branches, and the reads of the loop.

def entry(work):
    """Return the cost of an order up to its system call."""
    rounds, reads = work
    return 2 * rounds + 3 * reads + 13, rounds + reads + 3, reads


def to_count(work, refused):
    """Return the cost of an order up to its RDPMC. A refused RDPMC does not complete."""
    rounds, reads = work
    return 2 * rounds + 3 * reads + 8 - refused, rounds + reads + 2, reads


LEAVE = (12, 3, 0)		# from the system call to the next order
LEAVE_COUNT = (18, 4, 0)	# from RDPMC to the next order
LEAVE_CREATE = (14, 4, 0)	# of the creator
BEGIN_CHILD = (11, 3, 0)	# of the new task
BEGIN_PROGRAM = (11, 1, 0)
