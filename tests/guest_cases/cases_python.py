# SPDX-License-Identifier: GPL-2.0-only
"""Test regions in the workers of Python's multiprocessing, with Debian's 64-bit Python."""

import functools
import os
import subprocess
import tarfile

import guest
from cases import Failed, Test
from guest import Machine

FETCH = os.path.join(guest.TOP, "tests/emulator/fetch-binary")
SOURCES = os.path.join(guest.TOP, "tests/guest/python")
OUT = os.path.join(guest.BUILD, "python")
ROOT = os.path.join(OUT, "root.tar")

# These packages have Python with ctypes and multiprocessing, and the libraries for it and libvpmc.
PACKAGES = ("python3.11-minimal", "libpython3.11-minimal", "libpython3.11-stdlib", "libffi8",
            "zlib1g", "libexpat1", "libc6", "libcap2")
# The programs of the test do not need these directories.
LEFT_OUT = ("usr/share", "usr/lib/x86_64-linux-gnu/gconv", "etc")

# The module multiprocessing needs semaphores, and a semaphore is a file in /dev/shm.
SCRIPT = """
./busybox tar -xf root.tar -C /
mkdir -p /dev/shm
./busybox mount -t tmpfs none /dev/shm
perfex -e instructions --regions /usr/bin/python3.11 -IS workers.py
"""


def fetch(package):
    """Return the directory in which a package of Debian was unpacked."""
    return subprocess.run([FETCH, package], check=True, stdout=subprocess.PIPE,
                          text=True).stdout.strip()


def plain(entry):
    """Filter an entry of the archive. Equal archives let tests/check reuse the guest's output."""
    if any(f"{entry.name}/".startswith(f"./{name}/") for name in LEFT_OUT):
        return None
    entry.mtime = 0
    return entry


def build():
    """Build the archive of Python and the library with a region. Return the guest's files."""
    os.makedirs(OUT, exist_ok=True)
    with tarfile.open(ROOT, "w") as archive:
        for package in PACKAGES:
            archive.add(fetch(package), ".", filter=plain)
    library = os.path.join(OUT, "libvpmc.so.0")
    subprocess.run(["make", "-s", "-C", os.path.join(guest.TOP, "libvpmc"), f"OUT={OUT}",
                    "PFM=no", library], check=True)
    subprocess.run(["gcc", "-O2", "-shared", "-fPIC", f"-I{guest.TOP}/libvpmc/include",
                    f"-I{guest.TOP}/vpmc/uapi", "-o", f"{OUT}/loop.so", f"{SOURCES}/loop.c",
                    "-Wl,-rpath,.", library], check=True)
    busybox = os.path.join(fetch("busybox-static"), "bin/busybox")
    return [ROOT, library, f"{OUT}/loop.so", f"{SOURCES}/workers.py", busybox, guest.perfex(64)]


def workers(machine):
    """Check that no worker loses a region, and that each region has exactly its instructions."""
    result = guest.run(machine, ["sh", "-c", SCRIPT], build())
    lines = [line.split() for line in result.stderr.decode().splitlines()]
    regions = [[int(word) for word in words[2:5]] for words in lines if words[0] == "region"]
    processes, pool = regions[:3], regions[3:]
    if (result.returncode or result.stdout != b"[0, 0, 0]\n" or len(lines) != len(regions) + 2
            or sorted(calls for calls, _, _ in processes) != [1, 2, 3]
            or sum(calls for calls, _, _ in pool) != 40
            or any(counts != 2 * [2001 * calls] for calls, *counts in regions)):
        raise Failed(guest.shown(result))


def tests():
    """Yield the tests of this file."""
    machine = Machine(cpu="icelake", kernel="vpmc-amd64", smp=2, memory=1024)
    yield Test("python-multiprocessing-icelake",
               "workers of Python's multiprocessing have all their regions",
               functools.partial(workers, machine))
