# SPDX-License-Identifier: GPL-2.0-only
"""Tests, and how they are run: a few guests at a time."""

import concurrent.futures
import dataclasses
import os
import threading
import traceback
from collections.abc import Callable


class Failed(Exception):
    """What a test raises; the text says what differed."""


@dataclasses.dataclass(frozen=True)
class Test:
    """One test.

    name: what it is called on the command line
    rule: what must hold, in one sentence
    function: raises Failed if it does not; may return a figure to report
    processors: how many of the host's it keeps busy
    """

    name: str
    rule: str
    function: Callable[[], str | None]
    processors: int = 1


class Processors:
    """The host's processors, lent to tests."""

    def __init__(self, count):
        self.count = count
        self.free = count
        self.changed = threading.Condition()

    def take(self, wanted):
        """Wait for so many, or for all if there are less."""
        wanted = min(wanted, self.count)
        with self.changed:
            self.changed.wait_for(lambda: self.free >= wanted)
            self.free -= wanted
        return wanted

    def give_back(self, taken):
        """The opposite of take."""
        with self.changed:
            self.free += taken
            self.changed.notify_all()


def run_one(test):
    """Run a test; return whether it passed and what there is to say of it."""
    try:
        return True, test.function() or ""
    except Failed as failure:
        return False, str(failure)
    except Exception:  # pylint: disable=broad-except
        return False, traceback.format_exc()


def report(test, passed, text):
    """Print a test's line, and below it what went wrong."""
    line = f"{'ok' if passed else 'FAIL'} {test.name} ({test.rule})"
    if passed:
        lines = [f"{line}: {text}" if text else line]
    else:
        lines = [line, *("    " + detail for detail in text.splitlines())]
    print("\n".join(lines), flush=True)


def run(tests):
    """Run all tests, report each as it ends, return how many passed and failed."""
    processors = Processors(min(2, os.cpu_count() or 1))
    print_lock = threading.Lock()
    failures = 0

    def job(test, taken):
        nonlocal failures
        try:
            passed, text = run_one(test)
        finally:
            processors.give_back(taken)
        with print_lock:
            report(test, passed, text)
            failures += not passed

    with concurrent.futures.ThreadPoolExecutor(processors.count) as pool:
        for test in tests:
            pool.submit(job, test, processors.take(test.processors))
    return len(tests) - failures, failures
