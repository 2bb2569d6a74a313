# SPDX-License-Identifier: GPL-2.0-only
"""The tests of the guest that are run once more with an interrupt possible at any instruction."""

import functools
import glob
import importlib
import os
import re

import guest
from guest import Machine

# Of the machines that a program is run on, the last in this order is taken.
VARIANT = re.compile(r"(-(mmx|p5))?(-\d)?(-(far|wrap))?$")


def machine_of(test):
    """The machine of a test that boots one, or None."""
    if not isinstance(test.function, functools.partial):
        return None
    values = (*test.function.args, *test.function.keywords.values())
    return next((value for value in values if isinstance(value, Machine)), None)


def is_suitable(test):
    """A Pentium where instructions take their time, and nobody else interrupts."""
    machine = machine_of(test)
    return machine and machine.cpu in ("mmx", "p5") and machine.kernel == "vpmc" and not (
        machine.icount or machine.adversary or machine.single_step)


def tests():
    """One for each program or command, of two processors if there is one."""
    chosen = {}
    for path in sorted(glob.glob(os.path.join(guest.TOP, "tests/cases_*.py"))):
        module = importlib.import_module(os.path.basename(path).removesuffix(".py"))
        for test in sorted(filter(is_suitable, module.tests()), key=lambda test: test.processors):
            chosen[VARIANT.sub("", test.name)] = test
    return list(chosen.values())
