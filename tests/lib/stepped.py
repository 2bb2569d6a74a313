# SPDX-License-Identifier: GPL-2.0-only
"""List the tests of the guest that run once more, with an interrupt possible at each
instruction."""

import glob
import importlib
import os
import re

import guest

# A program runs on several machines; the last one in the order of these parts is used.
VARIANT = re.compile(r"(-(mmx|p5))?(-\d)?(-(far|wrap))?$")


def is_suitable(test):
    """Return whether a test's machine is a Pentium with real timing and without other
    interrupts."""
    machine = guest.machine_of(test)
    return machine and machine.cpu in ("mmx", "p5") and machine.kernel == "vpmc" and not (
        machine.icount or machine.adversary or machine.single_step)


def processors_of(test):
    """Return the number of processors of the machine of a test."""
    return guest.machine_of(test).smp


def tests():
    """Return one test for each program or command, with two processors if possible."""
    chosen = {}
    for path in sorted(glob.glob(os.path.join(guest.TOP, "tests/guest_cases/cases_*.py"))):
        module = importlib.import_module(os.path.basename(path).removesuffix(".py"))
        for test in sorted(filter(is_suitable, module.tests()), key=processors_of):
            chosen[VARIANT.sub("", test.name)] = test
    return list(chosen.values())
