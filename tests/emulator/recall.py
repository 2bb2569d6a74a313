# SPDX-License-Identifier: GPL-2.0-only
"""Remember the output of a command on a machine, and print it again as long as nothing has changed.

A test has a directory with
    passed/KEY.N    the output of its commands when it passed last
    present/KEY.N   their output in this run
KEY is a digest of all data that a command's output depends on. N numbers runs with the same KEY
from 0, because a test may run a command twice to compare the outputs. A file is empty while the
command runs. It stays empty if the output must not be used again.
"""

import contextlib
import dataclasses
import hashlib
import itertools
import os

import booted
import emulator

# These files affect the output of a machine, in addition to those that booted.py lists.
MAKERS = ("console.py", "machine", "recall.py")


@dataclasses.dataclass
class Result:
    """The output of a command, and its exit status."""

    status: int
    stdout: bytes
    stderr: bytes


def key(arguments, words, task):
    """Return a digest of everything that a command's output depends on.

    words: the emulator's arguments for the command, without paths
    task: path of the guest's task
    """
    parts = [booted.key(arguments), emulator.threads(arguments), *words,
             "wake" if arguments.wake else "", arguments.emulator or "", booted.content(task),
             *(booted.content(os.path.join(os.path.dirname(__file__), file)) for file in MAKERS)]
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:32]


def claim(directory, name):
    """Reserve the next place of a key. Return its path.

    The file at this path has the remembered output, or is empty.
    """
    for number in itertools.count():
        passed, present = (os.path.join(directory, kind, f"{name}.{number}")
                           for kind in ("passed", "present"))
        with contextlib.suppress(FileExistsError):
            try:
                os.link(passed, present)
            except FileNotFoundError:
                with open(present, "xb"):
                    pass
            return present


def find(place):
    """Return the result that is remembered in a place, or None."""
    with open(place, "rb") as file:
        if not (sizes := file.readline()):
            return None
        status, size = map(int, sizes.split())
        return Result(status, file.read(size), file.read())


def keep(place, result):
    """Remember a result. If this is interrupted, the place stays empty."""
    new = f"{place}.new"
    with open(new, "wb") as file:
        file.write(b"%d %d\n" % (result.status, len(result.stdout)))
        file.write(result.stdout)
        file.write(result.stderr)
    os.replace(new, place)
