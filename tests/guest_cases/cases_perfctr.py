# SPDX-License-Identifier: GPL-2.0-only
"""Test perfctr: its perfex, which is called perfex.perfctr here, and a ported program."""

import functools
import os
import re

import guest
from cases import Failed, Test
from guest import Machine

COMMAND = os.path.join(guest.BUILD, "guest/compat/perfex.perfctr")

# Each command line has its status, its standard output and its error output.
LINES = (
    ("perfex.perfctr -e 0x96 exactly-1000", 0, "", r" *1000  0x16   instructions_executed:u\n"),
    ("perfex.perfctr --event=0x96@1 -e 0xd2 -- exactly-1000", 0, "",
     r" *1000  0x16   instructions_executed:u\n *[0-9]+  0x12   branches:uk\n"),
    ("perfex.perfctr exactly-1000", 0, "", r" *1000  0x16   instructions_executed:u\n"),
    ("perfex.perfctr -e 150 -o counts exactly-1000 && cat counts", 0,
     r" *1000  0x16   instructions_executed:u\n", ""),
    ("perfex.perfctr -e 0x96 --output=counts exactly-1000 && cat counts", 0,
     r" *1000  0x16   instructions_executed:u\n", ""),
    ("perfex.perfctr -e 0x96 sh -c 'exit 3'", 3, "", r" *[0-9]+  0x16   .*\n"),
    ("perfex.perfctr -i", 0, r"processor +GenuineIntel family 5 (?s:.*)", ""),
    ("perfex.perfctr -l", 0, r"processor (?s:.*)\n0x16  instructions_executed\n(?s:.*)", ""),
    ("perfex.perfctr -L", 0,
     r"processor (?s:.*)\n0x16   0,1  instructions_executed +instructions (?s:.*)", ""),
    ("perfex.perfctr --info >i; perfex.perfctr -i | cmp - i", 0, "", ""),
    ("perfex.perfctr --list >l; perfex.perfctr -l | cmp - l", 0, "", ""),
    ("perfex.perfctr --long-list >L; perfex.perfctr -L | cmp - L", 0, "", ""),
    ("perfex.perfctr -h", 0, r"usage: perfex\.perfctr (?s:.*)", ""),
    ("perfex.perfctr -e 0x16 true", 201, "",
     r"perfex\.perfctr: event \"0x16\" counts nothing: .*\n"),
    *((f"perfex.perfctr --{option} true", 200, "", r"perfex\.perfctr: options that begin .*\n")
      for option in ("p4pe=0x1000001", "p4_pebs_enable=1", "p4pmv=0x1", "p4_pebs_matrix_vert=1")),
    ("perfex.perfctr -e", 200, "", r"perfex\.perfctr: unknown option, or one without .*\n"),
    ("perfex.perfctr", 200, "", r"perfex\.perfctr: give a command to count .*\n"),
    ("PATH=/nowhere /root/perfex.perfctr true", 127, "",
     r"perfex\.perfctr: cannot run perfex: .*\n"),
)


def command_lines(machine):
    """Run all command lines in one boot."""
    script = "".join(f"{{ {line}\n}} >out 2>err\necho \"=== $?\"\ncat out\necho ===\ncat err\n"
                     for line, *_ in LINES)
    result = guest.run(machine, ["sh", "-c", script],
                       [COMMAND, guest.PERFEX, guest.program("exactly-1000")])
    found = re.findall(r"=== (\d+)\n((?:.*\n)*?)===\n((?:(?!===).*\n)*)", result.stdout.decode())
    if len(found) != len(LINES):
        raise Failed(guest.shown(result))
    for (line, status, stdout, stderr), (got, out, err) in zip(LINES, found):
        if (int(got) != status or not re.fullmatch(stdout, out)
                or not re.fullmatch(stderr, err)):
            raise Failed(f"{line}\nstatus {got}\nstdout:\n{out:.1500}\nstderr:\n{err:.1500}")


def ported(machine):
    """Test that each additional factor costs the same number of instructions."""
    result = guest.run(machine, ["sh", "-c", "self 10; self 20; self 30"], [guest.tool("self")])
    found = re.fullmatch(r"factorial 10 modulo 2\^32: 3628800\ninstructions (\d+)\nclocks \d+\n"
                         r"(?:.*\n)instructions (\d+)\nclocks \d+\n"
                         r"(?:.*\n)instructions (\d+)\nclocks \d+\n", result.stdout.decode())
    if result.returncode or result.stderr or not found:
        raise Failed(guest.shown(result))
    ten, twenty, thirty = (int(number) for number in found.groups())
    if not ten > twenty - ten == thirty - twenty >= 10 * 4:
        raise Failed(guest.shown(result))


def tests():
    """Yield the tests of this file."""
    yield Test("perfctr-options", "perfex.perfctr takes the options of perfctr's perfex",
               functools.partial(command_lines, Machine()))
    for cpu in ("mmx", "p5"):
        yield Test(f"perfctr-ported-{cpu}", "the ported program counts its own function exactly",
                   functools.partial(ported, Machine(cpu=cpu)))
