# SPDX-License-Identifier: GPL-2.0-only
"""Find the shortest sequence that shows a difference."""

from contract import compare, generate


def without(operations):
    """Yield sequences that lack a part, with the larger parts first."""
    size = (len(operations) + 1) // 2
    while size:
        for first in range(0, len(operations), size):
            yield operations[:first] + operations[first + size:]
        size //= 2


def least(operations):
    """Return the sequence with the least possible work between its operations."""
    yield [(*what, (1, 1)) for *what, _ in operations]


def up_to(sequence, step):
    """Return the operations of a sequence up to one step."""
    return [operation for first, operation in sequence.operations if first <= step]


def failing(machine, candidates):
    """Return the candidates that show a difference, with their output, the shortest first. They
    end at the difference."""
    found = []
    for candidate, lines in zip(candidates, compare.run(machine, candidates)):
        step = compare.difference(candidate, lines)
        if step is not None:
            found.append((up_to(candidate, step), lines))
    return sorted(found, key=lambda pair: len(pair[0]))


def shortest(machine, sequence, lines):
    """Drop operations as long as a difference remains. Each round is one boot."""
    operations = up_to(sequence, compare.difference(sequence, lines))
    found = True
    while found:
        parts = [*without(operations), *least(operations)]
        shown = failing(machine, [generate.replay(sequence, part) for part in parts])
        found = shown and shown[0][0] != operations
        if found:
            operations, lines = shown[0]
    return generate.replay(sequence, operations), lines
