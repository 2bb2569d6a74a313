# SPDX-License-Identifier: GPL-2.0-only
"""Test that docs/guide/events.md agrees with the emulator on each event of the Pentium."""

import functools
import os
import re

import guest
from cases import Failed, Test
from guest import Machine

MANUAL = os.path.join(guest.TOP, "docs/guide/events.md")

# With these sets, each model that an event needs is missing at least once.
MODELS = ("", "caches", "tlb", "btb", "pipeline", "btb,pipeline", "caches,pipeline,bus", "all")

PARTS = {"caches", "tlb", "btb", "pipeline", "bus"}

# This is the code of clocks: their bit in CESR.
CLOCKS = 0x100

# A line of "perfex -l" has a code, counters, a name, and perhaps a remark before the
# description.
LISTED = re.compile(r"0x([0-9a-f]+) +([01,]+) +(\S+)(?:\n +| +)"
                    r"(?:\((not emulated here|modelled|one per instruction)\))?")
NO_MARK = None


def codes(cell):
    """Return the codes of a table's cell: none if it is a heading."""
    if cell == "clocks":
        return [CLOCKS]
    return [int(code, 16) for code in re.findall(r"\b([0-9A-F]{2})h\b", cell)]


def stated():
    """Return the description of each event in the manual, by code and counter."""
    with open(MANUAL, encoding="utf-8") as file:
        text = file.read().split("\n### The rules", 1)[0].split("\n## The rules", 1)[0]
    words = {}
    for line in text.splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if not line.startswith("|") or not codes(cells[0]):
            continue
        # If both counters have the same event, the row has one name and one word; otherwise it
        # has two names and two words.
        for code in codes(cells[0]):
            for counter, word in enumerate(cells[2:] * 2 if len(cells) == 3 else cells[3:]):
                words[code, counter] = word
    return words


def mark(word, models):
    """Return the remark of perfex for an event that the document describes by a word."""
    if word == "exact":
        return NO_MARK
    if word in ("-", "not emulated"):
        return "not emulated here"
    if word == "one per instruction; with pipeline modelled":
        return "modelled" if "pipeline" in models else "one per instruction"
    needed = set(word.split(", "))
    if not needed <= PARTS:
        raise Failed(f"the manual has an unknown word: {word}")
    return "modelled" if needed <= models else "not emulated here"


def compare(models):
    """Compare all events with a machine that has these models."""
    result = guest.run(Machine(models=models), ["./perfex", "-l"], [guest.PERFEX])
    if result.returncode:
        raise Failed(guest.shown(result))
    has = PARTS if models == "all" else set(models.split(","))
    words, wrong, number = stated(), [], 0
    for code, counters, name, found in LISTED.findall(result.stdout.decode()):
        word = words.get((int(code, 16), int(counters[0])))
        number += 1
        if not word:
            wrong.append(f"{name} (0x{code}) has no row in docs/guide/events.md: add it")
        elif (found or NO_MARK) != mark(word, has):
            wrong.append(f"{name} (0x{code}) is {found or 'exact'}, and in the manual {word}")
    if wrong or number < 75:
        raise Failed("\n".join([*wrong, f"{number} events"]))
    return f"{number} events"


def tests():
    """Yield a test with each set of models."""
    for models in MODELS:
        yield Test(f"events-{models.replace(',', '-') or 'none'}",
                   "the manual says of each event what the emulator says of it",
                   functools.partial(compare, models))
