# SPDX-License-Identifier: GPL-2.0-only
"""Test perfex --cgroup, and handles that collect the processes of a cgroup."""

import functools

import cases_profile
import guest
from cases import Failed, Test
from cases_families import KERNEL64, MODELS64
from guest import Machine

GROUP = "/tmp/cgroup/test"

# The two programs differ by two instructions. The shells that execute them do not differ.
SCRIPT = f"""
mkdir /tmp/cgroup && mount -t cgroup2 none /tmp/cgroup && mkdir {GROUP} || exit
enter='echo 0 >{GROUP}/cgroup.procs; exec'
for n in 5 7; do
	perfex --cgroup {GROUP} -o count sh -c "sh -c '$enter ./exactly-$n'" || exit
	read -r count rest <count
	echo $((count - n))
done
perfex --cgroup {GROUP} -o count ./exactly-1000 && cat count
perfex --cgroup {GROUP} -o count --for 0.2 && cat count
perfex --cgroup {GROUP} -o count sh -c "perfex -o none sh -c '$enter ./exactly-5'" && cat count
perfex --cgroup {GROUP} -a ./exactly-5
perfex --cgroup /tmp ./exactly-5
perfex --cgroup /nowhere ./exactly-5
"""

REFUSED = ("--cgroup cannot be combined with -a", "not of a directory of cgroup version 2",
           "cannot open the cgroup /nowhere: No such file or directory")


def counted(machine):
    """Count processes that enter a cgroup, processes that do not, and a process that cannot be
    counted."""
    result = guest.run(machine, ["sh", "-c", SCRIPT], [
        guest.perfex(64), *(guest.program(f"exactly-{n}", 64) for n in (5, 7, 1000))])
    lines = result.stdout.decode().splitlines()
    said = result.stderr.decode().splitlines()
    if len(lines) != 6:
        raise Failed(guest.shown(result))
    first, second, outside, nobody, missing, named = lines
    if first != second or not first.isdigit() or first == "0" or not named.endswith(
            "(sh) is missing in these counts: it was counted already, or could not be started"):
        raise Failed(guest.shown(result))
    if any(line.split()[:1] != ["0"] for line in (outside, nobody, missing)):
        raise Failed(guest.shown(result))
    if len(said) != len(REFUSED) or any(text not in line for text, line in zip(REFUSED, said)):
        raise Failed(guest.shown(result))


# One process is in the cgroup before, one enters it while it runs, and one enters it and then
# executes the program.
PROFILED = f"""
mkdir /tmp/cgroup && mount -t cgroup2 none /tmp/cgroup && mkdir {GROUP} || exit
PATH=.:$PATH
shares 100000000 & first=$!
shares 100000000 & second=$!
echo $first >{GROUP}/cgroup.procs
perfex --profile -e instructions:u/{cases_profile.PERIOD} --cgroup {GROUP} sh -c "
	echo $second >{GROUP}/cgroup.procs; echo 0 >{GROUP}/cgroup.procs; shares 500"
status=$?
kill $first $second
exit $status
"""


def profiled(machine):
    """Profile the processes that are in a cgroup and that enter it."""
    result = guest.run(machine, ["sh", "-c", PROFILED], [
        guest.perfex(64), guest.tool("shares", 64)])
    rows, samples, most, shown = cases_profile.read_profile(result)
    cases_profile.check_shares(rows, samples, shown)
    if not most / 2 < samples <= most:
        raise Failed(f"there are {samples} samples of {most}\n{shown}")


# At first no cgroup is mounted, and then only a cgroup below the root is mounted. For the next
# profile, one process is in this cgroup, one is in the root, and one is created. The last profile
# also covers kernel mode.
OF_SYSTEM = f"""
perfex --system --profile ./shares 1
mkdir /tmp/cgroup /tmp/bound && mount -t cgroup2 none /tmp/cgroup && mkdir {GROUP} || exit
mount --bind {GROUP} /tmp/bound && umount /tmp/cgroup || exit
perfex --system --profile ./shares 1
mount -t cgroup2 none /tmp/cgroup || exit
PATH=.:$PATH
shares 100000000 & first=$!
shares 100000000 & second=$!
echo $first >{GROUP}/cgroup.procs
perfex --system --profile -e instructions:u/{cases_profile.PERIOD} shares 500
status=$?
kill $first $second
perfex --system --profile -e instructions/100003 dd if=/dev/zero of=/dev/null bs=1 count=20000 2>&1 |
	grep -cF ' [kernel] '
exit $status
"""


def system_profiled(machine):
    """Profile all processes of the machine."""
    result = guest.run(machine, ["sh", "-c", OF_SYSTEM], [
        guest.perfex(64), guest.tool("shares", 64)])
    if result.stderr.decode().count(
            "the cgroup that all processes are in, and it is not mounted here: mount it with "
            "'mount -t cgroup2 none /sys/fs/cgroup' or, in a container, run perfex outside of it") != 2:
        raise Failed(guest.shown(result))
    rows, samples, most, shown = cases_profile.read_profile(result)
    cases_profile.check_shares(rows, samples, shown)
    if not most / 2 < samples <= most or sum(row[2] for row in rows if row[5] == "shares") < 2 * (
            500 * 20000 // cases_profile.PERIOD) or result.stdout.strip() in (b"", b"0"):
        raise Failed(f"there are {samples} samples of {most}\n{shown}")


def tests():
    """Yield the tests of this file."""
    yield Test("profile-system-icelake", "a profile of the system has all processes, whatever cgroup "
               "they are in, and kernel mode", functools.partial(
                   system_profiled, Machine(cpu="icelake", kernel=KERNEL64)), 2)
    yield Test("profile-cgroup-icelake", "a profile of a cgroup has the mappings of processes that "
               "were in it and that enter it", functools.partial(
                   profiled, Machine(cpu="icelake", kernel=KERNEL64, smp=2)), 2)
    for cpu in MODELS64:
        yield Test(f"perfex_cgroup-{cpu}-amd64",
                   "a cgroup has the counts of the processes that enter it, and names the "
                   "missing ones",
                   functools.partial(counted, Machine(cpu=cpu, kernel=KERNEL64)))
