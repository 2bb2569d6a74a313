# SPDX-License-Identifier: GPL-2.0-only
"""Define a test of the guest. The function tests() of each file cases_*.py yields such tests."""

import dataclasses
from collections.abc import Callable


class Failed(Exception):
    """A failed test. The text says what was different."""


@dataclasses.dataclass(frozen=True)
class Test:
    """A test.

    name: its name on the command line
    rule: the rule that must hold, in one sentence
    function: raises Failed if the rule does not hold; may return a figure for the report
    processors: number of the host's processors that it uses, in addition to its machine
    fresh: whether its machines run each time, even if nothing has changed since it passed
    """

    name: str
    rule: str
    function: Callable[[], str | None]
    processors: int = 1
    fresh: bool = False
