# SPDX-License-Identifier: GPL-2.0-only
"""Run sequences in the guest, and compare the answers with those of the model."""

import os
import tempfile

import guest
from contract.sequence import NEGATIVE, AnyOf, Quotient
from cases import Failed


class Names:
    """A mapping between the model's numbers and the real numbers. Different numbers of the model
    have different real numbers."""

    def __init__(self):
        self.real, self.names, self.taken = {}, {}, {}

    def fits(self, expected, word):
        """Return whether a word of an answer is the expected word."""
        if expected is None:
            return True
        if expected is NEGATIVE:
            return word >> 31 == 1
        if isinstance(expected, int):
            return expected & 0xffffffff == word
        if isinstance(expected, Quotient):
            return word // expected.divisor == expected.number
        key = expected.key()
        if not key[1] and key[0] == "number" or not word:
            return not key[1] and not word
        return (self.real.setdefault(key, word) == word
                and self.names.setdefault((key[0], word), key) == key)


    def fit(self, expected, words):
        """Return whether all words of an answer are the expected words."""
        if isinstance(expected, AnyOf):
            taken = self.taken.setdefault(id(expected.group), set())
            for number, every in enumerate(expected):
                if number not in taken and self.fit(every, words):
                    taken.add(number)
                    return True
            return False
        return len(expected) == len(words) and all(map(self.fits, expected, words))


def parse(line):
    """Return the answers to an order, by actor."""
    answers = {}
    for answer in filter(None, line.split(";")):
        actor, result, *words = (int(word, 16) for word in answer.split())
        answers[actor] = (result, words)
    return answers


def difference(sequence, lines):
    """Return the first step with unexpected answers, or None."""
    names = Names()
    for step, (expected, line) in enumerate(zip(sequence.expected, lines)):
        answers = parse(line)
        if answers.keys() != expected.keys():
            return step
        for actor, (result, words) in expected.items():
            real, found = answers[actor]
            if not names.fits(result, real) or not names.fit(words, found):
                return step
    return None


def run(machine, sequences):
    """Run sequences for the machine's target in one guest. Return the lines that each sequence
    prints."""
    calls = sequences[0].target.calls
    with tempfile.TemporaryDirectory(prefix="contract-") as directory:
        script = os.path.join(directory, "script")
        with open(script, "wb") as file:
            file.write(calls.formats())
            for sequence in sequences:
                file.write(sequence.bytes())
        result = guest.run(machine, ["contract", "script"],
                           [guest.tool("contract", calls.bits), guest.tool("actor", calls.bits),
                            script])
    lines = result.stdout.decode().splitlines()
    wanted = sum(len(sequence.steps) for sequence in sequences)
    if result.returncode or result.stderr or len(lines) != wanted:
        raise Failed(f"{len(lines)} of {wanted} lines\n{guest.shown(result)[-2000:]}")
    return split(sequences, lines)


def split(sequences, lines):
    """Return the output lines of each sequence."""
    parts, at = [], 0
    for sequence in sequences:
        parts.append(lines[at:at + len(sequence.steps)])
        at += len(sequence.steps)
    return parts


def describe(sequence, lines):
    """Return a difference as text: each operation up to the difference, and then the answers."""
    step = difference(sequence, lines)
    text = [f"roles {sequence.roles}"]
    text += [str(operation) for first, operation in sequence.operations if first <= step]
    expected = {}
    for actor, (result, words) in sequence.expected[step].items():
        expected[actor] = [show(word) for word in (result, *words)]
    real = {actor: [f"{word:x}" for word in (result, *words)]
            for actor, (result, words) in parse(lines[step]).items()}
    return "\n".join([*text, f"expected {expected}", f"found    {real}"])


def show(word):
    """Return an expected word as text."""
    if word is None or word is NEGATIVE:
        return "?" if word is None else "-"
    if isinstance(word, list):
        return [show(one) for one in word]
    if isinstance(word, int):
        return f"{word & 0xffffffff:x}"
    if isinstance(word, Quotient):
        return f"{word.number * word.divisor:x}+"
    return f"{word.key()[0]}{word.key()[1]}"
