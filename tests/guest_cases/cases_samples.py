# SPDX-License-Identifier: GPL-2.0-only
"""Test samples: where the events of processes happen."""

import functools
import re

import guest
from cases import Failed, Test
from cases_families import KERNEL64
from guest import Machine

# The processors whose counters interrupt, with the sizes of the programs.
MODELS = {
    "pentium3": ("vpmc", (32,)),
    "core2": ("vpmc", (32,)),
    "nehalem": (KERNEL64, (64,)),
    "icelake": (KERNEL64, (32, 64)),
    "opteron": (KERNEL64, (64,)),
    "zen4": (KERNEL64, (32, 64)),
}

KNOWN = ("exactly-1000", "exactly-1000000")
LOG = re.compile(r"unknown reason|BUG|WARNING|INFO: ")


def run(machine, command, bits, programs=()):
    """Run a test program and look at the kernel's log after it."""
    shell = f"{command}; status=$?; dmesg >log; ! grep -E '{LOG.pattern}' log >&2 && exit $status"
    return guest.run_checks(machine, ["sh", "-c", "PATH=.:$PATH; " + shell],
                            [guest.tool(command.split()[0], bits),
                             *(guest.program(name, bits) for name in programs)],
                            guest.number_of_checks(command.split(), machine))
