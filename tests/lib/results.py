# SPDX-License-Identifier: GPL-2.0-only
"""Find tests whose machines need not run again, because no file that they need has changed
since they passed.

tests/emulator/recall.py describes build/results/TEST/. After a test has failed, or was
interrupted, all of its machines run again.
"""

import contextlib
import fcntl
import os
import shutil

import guest

DIRECTORY = os.path.join(guest.BUILD, "results")

# True if all machines run (set by check --fresh).
FRESH = False


class Results:
    """The remembered output of the machines of a test."""

    def __init__(self, directory):
        self.directory = directory
        self.passed, self.present = (os.path.join(directory, kind)
                                     for kind in ("passed", "present"))
        # This is true if no machine had to run.
        self.was_all = False

    def begin(self, fresh):
        """Prepare a place for the results of this run. If fresh is true, forget all other
        results."""
        # If a test has failed or was interrupted, its present results are still there.
        if fresh or os.path.exists(self.present):
            for directory in (self.passed, self.present):
                shutil.rmtree(directory, ignore_errors=True)
        os.makedirs(self.present)

    def end(self):
        """Remember the results of this run only, because the test has passed."""
        places = list(os.scandir(self.present))
        self.was_all = bool(places) and all(map(self.is_recalled, places))
        shutil.rmtree(self.passed, ignore_errors=True)
        os.rename(self.present, self.passed)

    def is_recalled(self, place):
        """Return whether a result of this run was remembered from the last run."""
        before = os.path.join(self.passed, place.name)
        return (place.stat().st_size > 0 and os.path.exists(before)
                and os.path.samefile(place.path, before))


@contextlib.contextmanager
def remembered(directory, fresh=False):
    """Let guest.run() use the results in a directory. Remember the new results if the test
    passes."""
    results = Results(directory)
    os.makedirs(directory, exist_ok=True)
    with open(os.path.join(directory, "lock"), "w", encoding="utf-8") as lock:
        # Another process may be running the same test, so wait.
        fcntl.flock(lock, fcntl.LOCK_EX)
        results.begin(fresh)
        guest.RESULTS = directory
        try:
            yield results
        finally:
            guest.RESULTS = None
        results.end()


def of(test):
    """Remember the output of a test's machines, unless its machines run each time.

    Machines also run each time with options for more than "make check" does.
    """
    if (test.fresh or guest.SINGLE_STEP or guest.SAMPLING or guest.LONG
            or guest.KERNEL != "vpmc" or guest.CPU):
        return contextlib.nullcontext()
    return remembered(os.path.join(DIRECTORY, test.name), FRESH)
