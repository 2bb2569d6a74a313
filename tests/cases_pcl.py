# SPDX-License-Identifier: GPL-2.0-only
"""PCL 2.2, libvpmc/compat/pcl, on emulated processors."""

import functools
import os

import guest
from cases import Test
from guest import Machine

KERNEL64 = "vpmc-amd64"

# How many checks each machine makes.
CHECKS = {"p5": 4, "mmx": 4}


def compat(name, bits):
    """Path of a program that "make compat-guest" has built."""
    return os.path.join(guest.BUILD, "guest" if bits == 32 else "guest64", "compat", name)


def counts(machine, bits):
    """Counts, levels and the low-level interface, on counters that are known."""
    guest.run_checks(machine, ["pcl_counts"], [compat("pcl_counts", bits)],
                     CHECKS[machine.cpu])


def tests():
    """The tests of this file."""
    for cpu in ("p5", "mmx"):
        yield Test(f"pcl-{cpu}", "PCL counts what a program is known to do",
                         functools.partial(counts, Machine(cpu=cpu), 32))
