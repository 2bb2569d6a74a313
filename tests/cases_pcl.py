# SPDX-License-Identifier: GPL-2.0-only
"""PCL 2.2, libvpmc/compat/pcl, on emulated processors."""

import functools
import os

import guest
from cases import Failed, Test
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


def names(machine):
    """perfex counts by PCL's names, from the groups that come with it."""
    result = guest.run(machine, ["sh", "-c", f"""
mkdir -p vpmc/groups/p5
cp pcl vpmc/groups/p5
export XDG_CONFIG_HOME=$PWD
perfex -e PCL_INSTR,pcl_jump exactly-1000
perfex -e PCL_IPC,PCL_CYCLES exactly-1000
perfex -l PCL_JUMP >&2
perfex -e PCL_L2CACHE_MISS exactly-1000"""], [
        guest.PERFEX, guest.program("exactly-1000"), compat("pcl.groups/p5/pcl", 32)])
    # A clock of the emulated processor is an instruction.
    want = ["1000 0x16 instructions_executed:u", "499 0x12 branches:u",
            "1000 - PCL_INSTR events", "499 - PCL_JUMP events",
            "1000 0x16 instructions_executed:u", "1000 0x100 clocks:u",
            "1.000 - PCL_IPC ratio", "1000 - PCL_CYCLES events",
            "- - PCL_JUMP events = branches (group pcl)"]
    lines = [" ".join(line.split()) for line in result.stderr.decode().splitlines()]
    if (lines[:-1] != want or result.returncode != 201
            or not lines[-1].startswith("perfex: unknown event \"PCL_L2CACHE_MISS\"")):
        raise Failed(guest.shown(result))


def tests():
    """The tests of this file."""
    for cpu in ("p5", "mmx"):
        yield Test(f"pcl-{cpu}", "PCL counts what a program is known to do",
                         functools.partial(counts, Machine(cpu=cpu), 32))
    yield Test("pcl-names", "perfex counts by PCL's names, with their make-up",
               functools.partial(names, Machine(cpu="p5")))
