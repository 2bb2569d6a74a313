# SPDX-License-Identifier: GPL-2.0-only
"""Read the numbers in the first comments of tests/guest/programs/*.S.

tests/guest/programs/prog.h describes their form.
"""

import ast
import dataclasses
import glob
import operator
import os
import re

SOURCES = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))),
                       "guest/programs")

EVENTS = ("0x16", "0x12", "0x00", "0x01", "0x28", "0x0b", "0x0f", "0x1c", "0x1d", "0x27", "clocks")

# Events are counted in these pairs. The last pair counts instructions once more, with clocks.
PAIRS = (("0x16", "0x12"), ("0x00", "0x01"), ("0x28", "0x0b"), ("0x0f", "0x1c"),
         ("0x1d", "0x27"), ("clocks", "0x16"))

LINE = re.compile(r"(0x[0-9a-f]{2}|clocks) = (.+)")
OPERATORS = {ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul}


@dataclasses.dataclass(frozen=True)
class Program:
    """A program: its name, the rule that it tests, its counts by event with errata and without,
    its exit status, and the only processor on which it runs."""

    name: str
    rule: str
    counts: dict
    counts_without_errata: dict
    status: int
    cpu: str


def value(node):
    """Return the value of an expression of numbers, +, - and *."""
    if isinstance(node, ast.Constant) and isinstance(node.value, int):
        return node.value
    if isinstance(node, ast.BinOp) and type(node.op) in OPERATORS:
        return OPERATORS[type(node.op)](value(node.left), value(node.right))
    raise ValueError("not a sum of products")


def number(text):
    """Return the number of "EXPRESSION = NUMBER", of an expression alone, or of a number alone."""
    values = {value(ast.parse(part.strip(), mode="eval").body) for part in text.split("=")}
    if len(values) != 1:
        raise ValueError(f"{text}: the sides differ, {values}")
    return values.pop()


def complete(counts):
    """Add the events that a program does not mention."""
    whole = dict.fromkeys(EVENTS, 0) | counts
    whole.setdefault("0x16", 0)
    if "0x28" not in counts:
        whole["0x28"] = whole["0x00"] + whole["0x01"]
    if "clocks" not in counts:
        whole["clocks"] = whole["0x16"]
    return whole


def parse(path):
    """Read one source file."""
    with open(path, encoding="utf-8") as file:
        comment = file.read().split("*/", 2)[1]
    sections = {"expect:": {}, "expect-no-errata:": {}}
    fields, section = {}, None
    for line in comment.splitlines():
        line = line.strip(" \t*")
        if line in sections:
            section = sections[line]
        elif section is not None and (match := LINE.fullmatch(line)):
            section[match[1]] = number(match[2])
        elif match := re.fullmatch(r"(rule|cpu|status): (.+)", line):
            fields[match[1]] = match[2]
    expected = sections["expect:"]
    return Program(name=os.path.basename(path).removesuffix(".S"), rule=fields["rule"],
                   counts=complete(expected),
                   counts_without_errata=complete(expected | sections["expect-no-errata:"]),
                   status=int(fields.get("status", 0)), cpu=fields.get("cpu", ""))


def programs():
    """Return all programs with numbers, by name."""
    paths = sorted(glob.glob(os.path.join(SOURCES, "*.S")))
    return [parse(path) for path in paths if os.path.basename(path) != "exactly-n.S"]


def program(name):
    """Return one program."""
    return parse(os.path.join(SOURCES, f"{name}.S"))
