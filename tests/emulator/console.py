# SPDX-License-Identifier: GPL-2.0-only
"""Find reports of faults among the messages that the guest's kernel writes to its console."""

import re

TROUBLE = re.compile(r"Kernel panic|Oops|BUG|WARNING:|general protection fault: |"
                     r"rcu.*(stall|starved)|blocked for more than|UBSAN: |ODEBUG|"
                     r"INFO: trying to register|(list_add|list_del) corruption|kmemleak: ")
# A stock kernel warns about its F00F workaround on the second Pentium.
TOLERATED = re.compile(r"WARNING: .* do_clear_cpu_cap\+")
TAIL = 40  # lines


def read(path):
    """Return the text of a file to which the emulator has written the console."""
    try:
        with open(path, encoding="utf-8", errors="replace", newline="\n") as file:
            return file.read().replace("\r", "")
    except FileNotFoundError:
        return ""


def trouble(text):
    """Return the first line that reports a fault of the kernel, or None."""
    return next((line for line in text.splitlines()
                 if TROUBLE.search(line) and not TOLERATED.search(line)), None)


def with_tail(reason, text):
    """Return a reason for a failure, followed by the end of the console."""
    return "\n".join([reason, "The end of the console:", *text.splitlines()[-TAIL:]])
