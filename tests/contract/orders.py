# SPDX-License-Identifier: GPL-2.0-only
"""Orders for the actors of tests/guest/actor.S, as tests/guest/contract.c reads them, and what
they cost."""

import struct

FIRST_ORDERS, SLOTS, SLOT_SHIFT, HEAD = 100, 0x10000000, 11, 64
FIRST_HANDLE, NR_HANDLES, MAX_ACTORS = 10, 8, 16

# How an order is executed, and what a patch adds.
CALL, CREATE, COUNT = range(3)
PID, PAGE = range(2)

# System calls.
EXIT, FORK, EXECVE, CLOSE, KILL, IOCTL, MUNMAP, WAIT4, CLONE, PRCTL = (
    1, 2, 11, 6, 37, 54, 91, 114, 120, 172)
SIGACTION, SIGTIMEDWAIT, SETRESUID, SETRESGID, GETTID, EXIT_GROUP = 174, 177, 208, 210, 224, 252

(INFO, START, STOP, READ, RECORD, SYSTEM_START, SYSTEM_STOP, SYSTEM_READ, ATTACH, SIGNAL, MAP,
 QUERY) = (0xbf00 + number for number in range(12))

# What is printed of an answer: offsets of words in the structure of each call of the driver.
FORMATS = {
    None: (), INFO: (24, 48, 56), START: (12, 16, 24, 32, 40), STOP: (8, 16),
    READ: (12, 16, 20, 24, 28, 32, 40, 56, 64), QUERY: (12, 16, 24, 32, 40, 56, 64),
    RECORD: (8, 12, 32, 36, 40, 48, 56, 72, 80), SYSTEM_READ: (12, 16, 20, 24, 40, 48),
    ATTACH: (16, 24), SIGNAL: (24, 32), MAP: (16, 24), COUNT: (0, 4),
    SIGTIMEDWAIT: (24, 28, 32, 40)}
NAMES = {
    None: (), INFO: ("generation", "system", "start"),
    START: ("reason", "event", "generation", "start", "self"), STOP: ("generation", "start"),
    READ: ("state", "nr", "running", "other", "revoked", "generation", "start", "count0", "count1"),
    QUERY: ("nr", "generation", "start", "code0", "how0", "code1", "how1"),
    RECORD: ("pid", "tid", "what", "nr", "lost", "generation", "start", "count0", "count1"),
    SYSTEM_READ: ("state", "nr", "cpus", "generation", "count0", "count1"),
    ATTACH: ("generation", "start"), SIGNAL: ("generation", "start"),
    MAP: ("generation", "start"), COUNT: ("count", "high"),
    SIGTIMEDWAIT: ("code", "event", "count", "start")}
FORMAT_NUMBERS = {key: number for number, key in enumerate(FORMATS)}


def formats():
    """The beginning of a file."""
    words = [len(FORMATS)]
    for offsets in FORMATS.values():
        words += [len(offsets), *(HEAD + offset for offset in offsets)]
    return struct.pack(f"<{len(words)}I", *words)


def order(actor, nr, args=(), data=b"", *, how=CALL, work=(1, 1), child=0, form=None, patches=()):
    """A step of the file. work: rounds of the two loops. patches: (word of args, what, actor)."""
    reply = HEAD
    if form is not None:
        reply += max(FORMATS[form]) + 4
        data = data.ljust(max(FORMATS[form]) + 4, b"\0")
    words = [FIRST_ORDERS + actor, how, *work, nr, *args, *(0,) * (5 - len(args)),
             SLOTS + (child << SLOT_SHIFT), FIRST_ORDERS + child, reply, 0, 0, 0]
    data += bytes(-len(data) % 4)
    body = struct.pack("<16I", *(word & 0xffffffff for word in words)) + data
    head = struct.pack("<BBBBI", actor, FORMAT_NUMBERS[form], len(patches), 0, len(body))
    return head + b"".join(struct.pack("<HBB", *patch) for patch in patches) + body


def data_of(actor):
    """The address of an actor's data."""
    return SLOTS + (actor << SLOT_SHIFT) + HEAD


def arg(index):
    """Where an argument is, for a patch."""
    return 20 + 4 * index


def request(actor, handle, what, data, work, patches=()):
    """An ioctl(2) of a handle."""
    return order(actor, IOCTL, (FIRST_HANDLE + handle, what, data_of(actor)), data, work=work,
                 form=what if what in FORMATS else START if what == SYSTEM_START else STOP,
                 patches=patches)


def start_data(events, flags):
    """struct vpmc_start."""
    data = struct.pack("<6I3Q", 48 + 24 * len(events), flags, len(events), 0, 0, 0, 0, 0, 0)
    return data + b"".join(struct.pack("<QHHIQ", e.code, e.counter, e.modes, e.pad, e.extra)
                           for e in events)


# What is counted: instructions, branches, misaligned reads.

def entry(work):
    """From an order to its system call."""
    rounds, reads = work
    return 2 * rounds + 3 * reads + 13, rounds + reads + 3, reads


def to_count(work, refused):
    """From an order to its RDPMC, which does not complete if it is refused."""
    rounds, reads = work
    return 2 * rounds + 3 * reads + 8 - refused, rounds + reads + 2, reads


LEAVE = (12, 3, 0)		# from the system call to the next order
LEAVE_COUNT = (17, 4, 0)	# likewise from RDPMC
LEAVE_CREATE = (14, 4, 0)	# of who creates
BEGIN_CHILD = (11, 3, 0)	# of who is created
BEGIN_PROGRAM = (11, 1, 0)
