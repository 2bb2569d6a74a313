#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# Some of LIKWID's performance groups compute with counters that they do not count.
#
# Version:   LIKWID 5.2.2+dfsg1-1 (Debian 12)
# Expected:  LIKWID has 717 groups for its architectures. In each of them the formulas use
#            only counters of their group, under the names that the group gives them. A
#            sum over all units of one kind has each unit that the group counts.
# Seen:      The library reads all 717 groups without a complaint. They have 5820 formulas.
#            21 of these use a counter that is not in the group: some leave out the
#            options that are part of the counter's name ("PMC1" for
#            "PMC1:MATCH0=0x0081:MATCH1=0x1" in sandybridge/L3CACHE), zen3 has formulas
#            with Intel's fixed counters, and others have a misprint ("PM5", "IBOX0"). In
#            haswellEP/CACHES four sums have 14 of the 18 units that are counted, so that
#            they are too small on processors of more than 14 cores. In ivybridgeEP/CACHES
#            three formulas have blanks in their middle, and the library keeps what
#            follows the last blank: 10 of 15 units and the opening bracket are lost.
# Meaning:   A tool that takes over groups of another one must check that each name in a
#            formula is that of a counter of the same group. perfex refuses a group of
#            events whose formula names an event that the group does not have.
#
# It needs apt-get with the lists of Debian 12, dpkg, a C compiler and Python.
set -eu

VERSION=5.2.2+dfsg1-1

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
apt-get -q download "likwid=$VERSION" liblua5.3-0 libhwloc15 libudev1 >/dev/null 2>&1
for package in ./*.deb; do
	dpkg -x "$package" .
done
libraries=$work/usr/lib/x86_64-linux-gnu
groups=$work/usr/share/likwid/perfgroups

cat >groups.c <<'END'
#include <likwid.h>
#include <stdio.h>
#include <string.h>

/* Print counters and formulas of a group as the library reads them. */
static void print_group(const char *path, const char *architecture, const char *name)
{
	GroupInfo group;
	int i;

	memset(&group, 0, sizeof(group));
	if (perfgroup_readGroup(path, architecture, name, &group)) {
		printf("refused\t%s/%s\n", architecture, name);
		return;
	}
	for (i = 0; i < group.nevents; i++)
		printf("counter\t%s/%s\t%s\n", architecture, name, group.counters[i]);
	for (i = 0; i < group.nmetrics; i++)
		printf("formula\t%s/%s\t%s\n", architecture, name, group.metricformulas[i]);
}

/* groups PATH [ARCHITECTURE NAME]... */
int main(int argc, char **argv)
{
	int i;

	for (i = 2; i + 1 < argc; i += 2)
		print_group(argv[1], argv[i], argv[i + 1]);
	return 0;
}
END
cc -O1 -Wall -Wextra -Iusr/include -o groups groups.c "$libraries/liblikwid.so.5.2" \
	-Wl,--allow-shlib-undefined
(cd "$groups" && find . -name '*.txt' | sort | sed 's,^\./,,; s,\.txt$,,; s,/, ,') |
	LD_LIBRARY_PATH=$libraries:$work/lib/x86_64-linux-gnu xargs ./groups "$groups" >all

cat >check.py <<'END'
import collections
import re

COUNTERS = collections.defaultdict(set)
FORMULAS = []
refused = 0
for line in open("all", encoding="utf-8"):
    kind, *words = line.rstrip("\n").split("\t")
    if kind == "refused":
        refused += 1
    elif kind == "counter":
        COUNTERS[words[0]].add(words[1])
    else:
        FORMULAS.append(words)


def rest(group, formula):
    """What is left of a formula without the counters of its group."""
    for counter in sorted(COUNTERS[group], key=len, reverse=True):
        formula = formula.replace(counter, "0")
    return formula


def left_out(group, formula):
    """Units that the group counts, of a kind of which the formula has others."""
    units = collections.defaultdict(set)
    for counter in COUNTERS[group]:
        unit = re.fullmatch(r"([A-Z]+)\d+(C\d+(?::.*)?)", counter)
        if unit:
            units[unit.groups()].add(counter)
    for counters in units.values():
        used = {counter for counter in counters
                if re.search(r"\b" + re.escape(counter) + r"(?![\d:])", formula)}
        if len(used) > 1 and used != counters:
            return len(counters) - len(used)
    return 0


foreign = collections.Counter(group for group, formula in FORMULAS
                              if re.search(r"\b[A-Z][A-Z0-9_]+", rest(group, formula)))
short = collections.Counter(f"{group} {left_out(group, formula)}"
                            for group, formula in FORMULAS if left_out(group, formula))
print(len(COUNTERS), "groups,", refused, "refused,", len(FORMULAS), "formulas")
print("formulas with a counter that the group does not have:", sum(foreign.values()))
for group, number in sorted(foreign.items()):
    print(" ", group, number)
print("sums that leave out units:", sum(short.values()))
for group, number in sorted(short.items()):
    print(" ", group, number)
END
python3 check.py >seen

cat >expected <<'END'
717 groups, 0 refused, 5820 formulas
formulas with a counter that the group does not have: 21
  ivybridgeEP/UNCORECLOCK 1
  knl/HBM_OFFCORE 6
  knl/L2 4
  phi/VECTOR2 1
  power8/CPISTACK1 1
  sandybridge/L3CACHE 3
  sandybridgeEP/L3CACHE 3
  zen3/L2CACHE 1
  zen3/L3CACHE 1
sums that leave out units: 7
  haswellEP/CACHES 4 4
  ivybridgeEP/CACHES 10 3
END
if ! cmp -s expected seen; then
	echo "expected, and seen:"
	diff expected seen || true
	exit 1
fi
sed 's/^/    /' seen
