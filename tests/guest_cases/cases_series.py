# SPDX-License-Identifier: GPL-2.0-only
"""Test the kernel series, patch by patch."""

import functools
import glob
import os
import subprocess

import guest
from cases import Failed, Test
from guest import Machine

BUILD_SERIES = os.path.join(guest.TOP, "tests/emulator/build-series")


def prefix(count):
    """Build the kernel with the first patches of the series, and boot it."""
    result = subprocess.run([BUILD_SERIES, str(count)], check=False, text=True,
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if result.returncode:
        raise Failed(result.stderr)
    directory = result.stdout.splitlines()[-1]
    for smp in (1, 2):
        result = guest.run(Machine(kernel=directory, smp=smp), ["uname", "-r"])
        if result.returncode or not result.stdout.startswith(b"6.12.") or result.stderr:
            raise Failed(guest.shown(result))


def tests():
    """Yield a test for each patch except the last one, with which all other tests boot."""
    patches = sorted(glob.glob(os.path.join(guest.TOP, "kernel-patches/6.12/*.patch")))
    # Go from the last patch back to the first patch, because the tree has the whole series.
    for count in range(len(patches) - 1, 0, -1):
        yield Test(f"series-{count}", "each patch of the series builds and boots by itself",
                   functools.partial(prefix, count), 2)
