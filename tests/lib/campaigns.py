# SPDX-License-Identifier: GPL-2.0-only
"""Run the random tests that tests/tools/torture runs for hours, and make check for a minute."""

import dataclasses

import guest
from guest import Machine


def checks(machine, command, *files):
    """Run a program of tests/guest. Return its last line."""
    lines = guest.run_checks(machine, command, [guest.tool(command[0]), *files])
    return lines[-1].removeprefix("ok ")


def debug(machine):
    """Return this machine with the debugging kernel, which checks itself."""
    return dataclasses.replace(machine, kernel="debug")


def arguments(machine, seed, calls):
    """Run the campaign of calls with random arguments."""
    return checks(machine, ["arguments", str(seed), str(calls)])


def endurance(machine, seed, switches, *disturbances):
    """Run the campaign of tasks that count while they switch, fork and exit."""
    return checks(machine, ["endurance", str(seed), str(switches), *disturbances])


def faults(where):
    """Run the campaign in which allocations fail, one after the other."""
    return checks(debug(Machine()), ["faults", where], guest.program("exactly-1000"))
