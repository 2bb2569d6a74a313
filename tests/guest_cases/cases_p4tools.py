# SPDX-License-Identifier: GPL-2.0-only
"""Test tools for the Pentium 4: brink, p4pm with CountIt, and perfex.perfctr."""

import functools
import os
import re

import guest
from cases import Failed, Test
from guest import Machine

COMPAT = os.path.join(guest.BUILD, "guest64/compat")
CONFIG = os.path.join(guest.TOP, "perfex/compat/brink/pentium4_emon.xml")
FILES = [CONFIG, os.path.join(COMPAT, "brink"), os.path.join(COMPAT, "CountIt"),
         os.path.join(COMPAT, "factorial"), os.path.join(COMPAT, "perfex.perfctr"),
         guest.perfex(64), guest.program("exactly-1000", 64), guest.program("exactly-1000000", 64)]

EXPERIMENTS = """<exp_config>
<programs><short command="exactly-1000"/><long command="exactly-1000000"/></programs>
<experiments>
<default><set><usr/></set></default>
<all>
<instructions base="instr_retired"><set><nbogusntag/></set></instructions>
<again base="instr_retired"><set><nbogusntag/></set></again>
<bogus base="instr_retired"><set><bogusntag/></set></bogus>
<loads base="loads_retired"/>
<x87 base="x87_fp_retired"/>
</all>
<sampled>
<instructions base="instr_retired"><set><nbogusntag/></set>
<ebs type="imprecise" interval="100000" buffer="100" sample="A" max="20"/></instructions>
<loads base="loads_retired">
<ebs type="precise" interval="1000" buffer="100" sample="A" max="20"/></loads>
</sampled>
<cascaded>
<instructions base="instr_retired"><set><nbogusntag/></set>
<ebs type="imprecise" interval="300000" buffer="100" sample="E" max="20"/></instructions>
<rest base="instr_retired"><set><nbogusntag/><cascade/></set></rest>
</cascaded>
</experiments>
</exp_config>
"""

FACTORIAL = """<exp_config>
<programs><p command="true"/></programs>
<experiments>
<default><set><usr/></set></default>
<instructions><i base="instr_retired"><set><nbogusntag/></set></i></instructions>
<taken><t base="branch_retired"><set><mmtp/><mmtm/></set></t></taken>
</experiments>
</exp_config>
"""


def script(machine, text):
    """Run a shell script with the tools. Return its standard output, or fail."""
    result = guest.run(machine, ["sh", "-c", text], FILES)
    if result.returncode or result.stderr:
        raise Failed(guest.shown(result))
    return result.stdout.decode()


def expect(found, expected):
    """Fail unless the two are the same."""
    if found != expected:
        raise Failed(f"found {found}\nexpected {expected}")


def brink(machine):
    """Count two programs whose instructions are known, with tags, samples and a cascade.

    Each program makes only one load: its system call reads the gate of the call.
    """
    out = script(machine, f"""cat >exp.xml <<'END'
{EXPERIMENTS}END
brink -config pentium4_emon.xml -exp exp.xml -outdir out || exit
tail -n +2 out/events_counts.exp.txt
tail -n 1 out/job.long.all/job.long.all.raw.txt | cut -d ' ' -f 2-
tail -n +2 out/job.long.sampled/job.long.sampled.ebs_samples.txt | grep -c '^instructions .* 0x'
tail -n +2 out/job.long.cascaded/job.long.cascaded.ebs_samples.txt | grep -c '^instructions'
""")
    expect(out, "".join(
        f"{name} all instructions {count}\n{name} all again {count}\n{name} all bogus 0\n"
        f"{name} all loads 1\n{name} all x87 0\n{name} sampled instructions {count}\n"
        f"{name} sampled loads 1\n{name} cascaded instructions {count}\n"
        f"{name} cascaded rest {max(count - 300000, 0)}\n"
        for name, count in (("short", 1000), ("long", 1000000))) + "1000000 1000000 0 1 0\n10\n3\n")


def refusals(machine):
    """Test that brink refuses a setting that the driver cannot make, and writes no file before
    that."""
    for setting, sentence in (
            ("<set><cascade/></set>", "<a> has <cascade/>, and no event before it has an interval"),
            ('<set><os/></set><ebs type="precise" interval="100000" buffer="1" sample="E" max="1"/>',
             "in user mode alone: clear <os/>")):
        out = script(machine, f"""cat >exp.xml <<'END'
<exp_config><programs><p command="true"/></programs><experiments><e>
<a base="front_end_event"><set><usr/><nbogus/></set>{setting}</a></e></experiments></exp_config>
END
brink -config pentium4_emon.xml -exp exp.xml -outdir out 2>err
echo $?; ls -d out 2>/dev/null; cat err""")
        if not re.fullmatch(rf"216\nbrink: exp\.xml:2:\d+: .*{re.escape(sentence)}.*\n", out):
            raise Failed(out)


def judge(counts, least):
    """Check the counts of 99 rounds and of the loop around them, by file.

    A round composes its file name. Rounds whose file names have the same length must have the same
    counts. The loop in a round must count at least as much as given.
    """
    loop = counts.pop("loop")
    # Leave out round 0: a loop over the digits writes all other numbers, but not 0.
    for first, last in ((1, 9), (10, 98)):
        rounds = {counts[f"factorial{i}"] for i in range(first, last + 1)}
        if len(rounds) != 1 or not least < min(rounds) < 2 * least:
            raise Failed(f"least {least}\nrounds {rounds}")
    if len(counts) != 99 or not sum(counts.values()) < loop < 2 * 99 * least:
        raise Failed(f"loop {loop}\nrounds {counts}")


def count_it(machine):
    """Test that the rounds of p4pm's example have the same counts, with each experiment."""
    out = script(machine, f"""cat >exp.xml <<'END'
{FACTORIAL}END
mkdir instructions taken
CountIt -expfile exp.xml -configfile pentium4_emon.xml factorial >/dev/null || exit
for kind in instructions taken; do
	awk -v kind=$kind '/ = / {{ print kind, FILENAME, $3 }}' $kind/*.txt
done""")
    counts = {"instructions": {}, "taken": {}}
    for kind, file, count in re.findall(r"(\w+) .*/(\w+)\.txt (\d+)\n", out):
        counts[kind][file] = int(count)
    judge(counts["instructions"], 3 * 19999)
    judge(counts["taken"], 19998)


def p4pm(machine):
    """Test that a 32-bit program of p4pm counts the instructions of its rounds, with bits from a
    file."""
    line = "count i {:032b} {:032b} 12 {:032b} {:032b}".format(0x04000204, 0x00039000, 0, 0)
    result = guest.run(machine, ["sh", "-c", f"""echo '{line}' >events
mkdir results
factorial events >/dev/null || exit
awk '/ = / {{ print FILENAME, $3 }}' results/*.txt"""],
                       [os.path.join(guest.BUILD, "guest/compat/factorial")])
    if result.returncode or result.stderr:
        raise Failed(guest.shown(result))
    judge({file: int(count) for file, count in
           re.findall(r"results/(\w+)\.txt (\d+)\n", result.stdout.decode())}, 3 * 19999)


def perfctr(machine):
    """Test that perfex.perfctr takes the values of registers that perfctr's perfex took."""
    out = script(machine, "perfex.perfctr -e 0x39000/0x04000204@0x8000000C"
                 " -e 0x0003B000/0x0C001804@0x8000000E -o counts exactly-1000 && cat counts")
    if not re.match(r" *1000 ", out):
        raise Failed(out)


def tagged(machine):
    """Test that a tagged event counts with its tags in each way to count, or is refused.

    The program makes one load.
    """
    events = "uop_type:tagloads,front_end_event"
    others = "branch_retired:taken,branch_retired:not_taken"
    ways = ("-n", "--multiplex", "--runs")
    out = script(machine, "".join(f"""perfex {way} -e {events} -o counts exactly-1000 || exit
awk '/front_end_event/ {{ print $1 }}' counts
perfex {way} -e {events},{others} exactly-1000 2>&1 | sed 's/ needs .*//; s/ tags .*//'
""" for way in ways))
    refused = "perfex: event front_end_event counts only while another event\n"
    first = "perfex: no counter left for event branch_retired:not_taken: it\n"
    expect(out, f"1\n{first}1\n{refused}1\n{refused}")


def tests():
    """Yield the tests of this file."""
    machine = Machine(cpu="prescott", kernel="vpmc-amd64")
    for function, rule in (
            (brink, "brink counts exactly, with tags, and takes each sample"),
            (refusals, "brink refuses what the driver cannot do, and writes nothing"),
            (count_it, "CountIt runs a program of p4pm, whose nested measurements repeat"),
            (tagged, "tags are not divided from the event that counts them"),
            (perfctr, "perfex.perfctr takes values of CCCRs and ESCRs")):
        yield Test(f"p4tools-{function.__name__}", rule, functools.partial(function, machine))
    yield Test("p4tools-p4pm", "a 32-bit program of p4pm measures each round of its loop",
               functools.partial(p4pm, Machine(cpu="p4")))
