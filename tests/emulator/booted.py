# SPDX-License-Identifier: GPL-2.0-only
"""Save machines that have booted, and continue each of them whenever a command is to be run.

build/booted/KEY/ has
    initramfs   the files with which the machine booted
    state.lz4   its state at the moment when init asks for its task
    console     the messages of its kernel until this moment
KEY is a digest of everything that a boot depends on.
"""

import contextlib
import fcntl
import hashlib
import os
import subprocess
import tempfile
import time

import console
import emulator
from emulator import Failure
from monitor import Monitor

DIRECTORY = os.path.join(emulator.BUILD, "booted")

# If one of these files changes, the saved machine may change.
MAKERS = ("booted.py", "emulator.py", "monitor.py")

# When a machine is saved, others that were not used for this number of seconds are removed.
UNUSED = 24 * 3600


def identity(path):
    """Return the identity of a file: its name, time and size. The tools that build these files
    replace them."""
    status = os.stat(path)
    return f"{path} {status.st_mtime_ns} {status.st_size}"


def content(path):
    """Return a digest of the contents of a file."""
    with open(path, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()


def key(arguments):
    """Return the name of a saved machine."""
    parts = [*emulator.hardware(arguments), *emulator.kernel_words(arguments),
             content(emulator.init(arguments)),
             *(content(os.path.join(os.path.dirname(__file__), file)) for file in MAKERS),
             # The speed of the host's TSC is on the kernel's command line.
             emulator.host_cpu("model name"),
             identity(emulator.built("qemu", "bin/qemu-system-x86_64")),
             identity(emulator.kernel_image(arguments)),
             emulator.built("userland" if arguments.bits == 32 else "userland-amd64")]
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:16]


def state(directory):
    """Return the path of a machine's state."""
    return os.path.join(directory, "state.lz4")


def initramfs(directory):
    """Return the files with which a machine has booted."""
    return os.path.join(directory, "initramfs")


def console_text(directory):
    """Return the messages of the machine's kernel."""
    return console.read(os.path.join(directory, "console"))


@contextlib.contextmanager
def locked(directory, wait=fcntl.LOCK_EX):
    """Keep other processes from making or removing this machine while the caller has the lock."""
    with open(f"{directory}.lock", "w", encoding="utf-8") as lock:
        fcntl.flock(lock, wait)
        yield


def is_unused(directory):
    """Return whether a machine has not been used for long."""
    return time.time() - os.stat(directory).st_mtime > UNUSED


def remove_unused(work):
    """Remove machines that have not been used for long.

    work: a directory to which machines are moved first; the caller removes the directory
    """
    for entry in os.scandir(DIRECTORY):
        # Another process may use or remove the machine first, so ignore failures.
        with contextlib.suppress(OSError):
            if entry.is_dir() and is_unused(entry.path):
                with locked(entry.path, fcntl.LOCK_EX | fcntl.LOCK_NB):
                    if is_unused(entry.path):
                        os.rename(entry.path, os.path.join(work, entry.name))


def save(command, path, deadline):
    """Run an emulator until init stops it, save its state, and return whether it is complete."""
    monitor = Monitor(deadline)
    with open(path, "wb") as file, \
            subprocess.Popen(["lz4", "-qc"], stdin=subprocess.PIPE, stdout=file) as lz4:
        with subprocess.Popen(command + monitor.arguments(), stdin=subprocess.DEVNULL, stdout=2,
                              pass_fds=[monitor.theirs.fileno()]) as process:
            monitor.theirs.close()
            try:
                complete = monitor.save(lz4.stdin.fileno())
            finally:
                process.kill()
    return complete and lz4.returncode == 0


def boot(arguments, directory, deadline):
    """Boot a machine and save it. A Failure has the end of the console."""
    emulator.make_initramfs(arguments, initramfs(directory))
    command = [*emulator.command_line(arguments, initramfs(directory)),
               "-serial", f"file:{os.path.join(directory, 'console')}",
               *emulator.channels({})]
    saved = save(command, state(directory), deadline)
    text = console_text(directory)
    if trouble := console.trouble(text):
        reason = f"the guest's kernel reports: {trouble}"
    elif saved:
        return
    elif time.monotonic() >= deadline:
        reason = f"no result after {arguments.timeout:g} seconds"
    else:
        reason = "the machine could not be booted and saved"
    raise Failure(console.with_tail(reason, text))


def find(arguments, deadline):
    """Return the directory of a machine that has booted."""
    directory = os.path.join(DIRECTORY, key(arguments))
    os.makedirs(DIRECTORY, exist_ok=True)
    with locked(directory):
        if not os.path.isdir(directory):
            with tempfile.TemporaryDirectory(dir=DIRECTORY) as work:
                remove_unused(work)
                place = os.path.join(work, "machine")
                os.mkdir(place)
                boot(arguments, place, deadline)
                os.rename(place, directory)
        os.utime(directory)
    return directory
