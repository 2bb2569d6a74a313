# SPDX-License-Identifier: GPL-2.0-only
"""Find tests whose machines need not run again, because nothing that they depend on has changed
since they passed.

build/results/TEST/ is what tests/emulator/recall.py describes. All machines of a test run again
after it has failed, or was interrupted.
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
    """The output of the machines of a test."""

    def __init__(self, directory):
        self.directory = directory
        self.passed, self.present = (os.path.join(directory, kind)
                                     for kind in ("passed", "present"))
        # Return whether no machine had to run.
        self.was_all = False

    def begin(self, fresh):
        """Make room for those of this run; fresh: forget the others."""
        # A test that failed, or was interrupted, has left its present results.
        if fresh or os.path.exists(self.present):
            for directory in (self.passed, self.present):
                shutil.rmtree(directory, ignore_errors=True)
        os.makedirs(self.present)

    def end(self):
        """Remember the results of this run, and no others, because the test has passed."""
        places = list(os.scandir(self.present))
        self.was_all = bool(places) and all(map(self.is_recalled, places))
        shutil.rmtree(self.passed, ignore_errors=True)
        os.rename(self.present, self.passed)

    def is_recalled(self, place):
        """Return whether the result was remembered."""
        before = os.path.join(self.passed, place.name)
        return (place.stat().st_size > 0 and os.path.exists(before)
                and os.path.samefile(place.path, before))


@contextlib.contextmanager
def remembered(directory, fresh=False):
    """Have guest.run() use the results in a directory, and remember them if all goes well."""
    results = Results(directory)
    os.makedirs(directory, exist_ok=True)
    with open(os.path.join(directory, "lock"), "w", encoding="utf-8") as lock:
        # Another process may be running the same test.
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

    Machines also run each time with options that ask for more than "make check".
    """
    if test.fresh or guest.SINGLE_STEP or guest.LONG or guest.KERNEL != "vpmc":
        return contextlib.nullcontext()
    return remembered(os.path.join(DIRECTORY, test.name), FRESH)
