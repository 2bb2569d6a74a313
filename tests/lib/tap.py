# SPDX-License-Identifier: GPL-2.0-only
"""Run the tests of a program in Python, and report in TAP.

tests/unit/run lets programs find this module. Such a program ends with

    sys.exit(tap.run(globals()))

A function of the program is a test if it can be called without an argument, and its name has
several words.
"""

import inspect
import traceback


class Failed(Exception):
    """A test raises this if it fails. The text says why."""


def expect(condition, what):
    """Fail the test unless the condition is true."""
    if not condition:
        raise Failed(what)


def needs_no_argument(function):
    """Return whether a function can be called without an argument."""
    return all(parameter.default is not parameter.empty
               for parameter in inspect.signature(function).parameters.values())


def run(names):
    """Run the tests among the global names of a program. Return its exit status."""
    tests = [value for name, value in names.items()
             if inspect.isfunction(value) and value.__module__ == names["__name__"]
             and "_" in name and needs_no_argument(value)]
    print(f"1..{len(tests)}")
    failed = 0
    for number, test in enumerate(tests, 1):
        try:
            test()
            print(f"ok {number} - {test.__name__}", flush=True)
        except Exception:
            failed += 1
            print(f"not ok {number} - {test.__name__}")
            print("# " + traceback.format_exc().replace("\n", "\n# "), flush=True)
    return 1 if failed else 0
