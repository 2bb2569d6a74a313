# SPDX-License-Identifier: GPL-2.0-only
"""Test that the remembered output of a machine is unchanged. tests/unit/tools/test_recall.in
tests the rest."""

import tempfile

import guest
import results
from cases import Failed, Test
from guest import Machine

MACHINE = Machine(kernel="stock")

# This command prints all bytes, and the time, which changes.
PRINT = ["sh", "-c", "cat; cat >&2 data; cat /proc/uptime; exit 3"]
CRASH = ["sh", "-c", "echo c >/proc/sysrq-trigger"]


def repeated(machine, command, times=2, **options):
    """Return the results of a test that runs a command several times, and whether the last run
    needed no machine."""
    with tempfile.TemporaryDirectory() as directory:
        found = []
        for _ in range(times):
            with results.remembered(directory) as remembered:
                found.append(guest.run(machine, command, **options))
    return *((each.returncode, each.stdout, each.stderr) for each in found), remembered.was_all


def same():
    """Test that a repeated test gets the same time, and all bytes of both outputs."""
    data = bytes(range(256)) * 1000
    with tempfile.TemporaryDirectory() as directory:
        path = f"{directory}/data"
        with open(path, "wb") as file:
            file.write(data[::-1])
        first, second, was_all = repeated(MACHINE, PRINT, files=[path], stdin=data)
    if not was_all or first != second:
        raise Failed(f"{first}, and then {second}")
    status, stdout, stderr = first
    if (status, stdout[:len(data)], stderr) != (3, data, data[::-1]) or stdout == data:
        raise Failed(f"{first} is not what the command prints")


def never():
    """Test that some machines run again: those that have failed, and those with parallel
    processors."""
    for machine, command, status in ((MACHINE, CRASH, guest.MACHINE_FAILED),
                                     (MACHINE, ["sh", "-c", "exit 125"], guest.MACHINE_FAILED),
                                     (Machine(kernel="stock", smp=2, parallel=True), ["true"], 0)):
        *found, was_all = repeated(machine, command)
        if was_all or [each[0] for each in found] != [status] * 2:
            raise Failed(f"{command} was not run twice: {found}")


def tests():
    """Yield the tests of this file."""
    yield Test("recall-same", "the recorded output of a command is each byte that it printed", same,
               fresh=True)
    yield Test("recall-never", "a machine that fails is not remembered, nor one whose processors "
               "are parallel", never, fresh=True)
