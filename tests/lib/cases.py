# SPDX-License-Identifier: GPL-2.0-only
"""Define a test of the guest. The function tests() of each file cases_*.py yields such tests."""

import dataclasses
from collections.abc import Callable


class Failed(Exception):
    """A failed test. The text says what differed."""


@dataclasses.dataclass(frozen=True)
class Test:
    """One test.

    name: what it is called on the command line
    rule: what must hold, in one sentence
    function: raises Failed if it does not; may return a figure to report
    processors: how many of the host's it keeps busy, in addition to its machine's
    fresh: whether its machines run each time, though nothing has changed since it passed
    """

    name: str
    rule: str
    function: Callable[[], str | None]
    processors: int = 1
    fresh: bool = False
