# SPDX-License-Identifier: GPL-2.0-only
"""Test perfex when counting is started and stopped from outside, and for several processes and
a single thread.

The programs "phases" and "team" are held where they read their input. Counting starts and stops
while the programs wait there, so the counts are known.
"""

import functools

from cases import Test
from cases_perfex import BUSY, NOBODY, Case, check_cases, complaint, counted
from guest import Machine

# This note follows a count that was stopped for a while.
PARTS = r"# counted in {} of the time: [0-9]+\.[0-9]{{3}} of [0-9]+\.[0-9]{{3}} seconds\n"
NEVER = "# nothing was counted: the count was not started\n"

# held: wait until the program waits for its input. go: let the program execute its next phase.
# tell: write a line to perfex, and wait for its acknowledgement. quiet PID: wait until this
# perfex has handled all signals and waits again, in ppoll(2), which is system call 309, or 414
# with 64 bits of time.
TOOLS = """
mkfifo /tmp/gate /tmp/orders /tmp/acks
exec 5<>/tmp/gate 6<>/tmp/orders 7<>/tmp/acks
trap 'rm -f /tmp/gate /tmp/orders /tmp/acks' EXIT
held() {{ until grep -sq '({program}) S' /proc/[0-9]*/stat; do :; done; }}
go() {{ echo >&5; held; }}
tell() {{ echo $1 >&6; read answer <&7; [ $answer = ack ] || echo $answer; }}
quiet() {{
	until grep -q '^ShdPnd:.0*$' /proc/$1/status; do :; done
	until grep -qE '^(309|414) ' /proc/$1/syscall; do :; done
}}
"""

PHASES = TOOLS.format(program="phases")
CONTROLLED = "perfex --control /tmp/orders,/tmp/acks {} phases <&5 & perfex=$!\nheld\n"
# The program reads its input once more than it has phases.
REST = "\ngo; go; go; echo >&5; wait $perfex"

# The command, a child of perfex, waits for its input in read(2).
SIGNALLED = "perfex --signals {} phases <&5 & perfex=$!\nheld; quiet $perfex\n"
SIGNAL = "kill -{} $perfex; quiet $perfex\n"

CONTROL = (
    Case("two parts of a command",
         PHASES + CONTROLLED.format("--start-stopped")
         + "tell enable; go; tell disable; go; tell enable; go; tell disable\n"
           "echo >&5; wait $perfex", 0, "",
         counted(203 + 20003) + PARTS.format("2 parts")),
    Case("a part that is stopped",
         PHASES + CONTROLLED.format("")
         + "go; tell disable; go; tell enable; go; echo >&5; wait $perfex", 0, "",
         counted(22231 - 2003) + PARTS.format("2 parts")),
    Case("an order twice is one",
         PHASES + CONTROLLED.format("--start-stopped")
         + "tell disable; tell enable; go; tell enable; go; tell disable; tell disable; go\n"
           "echo >&5; wait $perfex", 0, "",
         counted(203 + 2003) + PARTS.format("1 part")),
    Case("no part of the children with -n",
         PHASES + CONTROLLED.format("-n --start-stopped")
         + "tell enable; go; tell disable; go; go; echo >&5; wait $perfex", 0, "",
         counted(0) + PARTS.format("1 part")),
    Case("no order",
         PHASES + CONTROLLED.format("--start-stopped") + REST, 0, "", counted(0) + NEVER),
    Case("all the time",
         PHASES + CONTROLLED.format("") + REST, 0, "", counted(22231)),
    Case("a line that is no order",
         PHASES + CONTROLLED.format("--start-stopped")
         + "tell enable; tell nonsense; tell disabled; go; tell disable; go; go\n"
           "echo >&5; wait $perfex", 0, "error\nerror\n",
         complaint('unknown line "nonsense" from /tmp/orders,/tmp/acks: write enable or disable')
         + complaint('unknown line "disabled" from /tmp/orders,/tmp/acks: write enable or '
                     'disable')
         + counted(203) + PARTS.format("1 part")),
    Case("descriptors in place of names",
         PHASES + "perfex --control fd:6,7 --start-stopped phases <&5 & perfex=$!\nheld\n"
         + "go; tell enable; go; tell disable; go; echo >&5; wait $perfex", 0, "",
         counted(2003) + PARTS.format("1 part")),
    Case("blocks are of what was counted in them",
         PHASES + CONTROLLED.format("--interval 1000 --start-stopped")
         + "go; tell enable; go; tell disable; go; echo >&5; wait $perfex", 0, "",
         r"# [0-9]+\.[0-9]{3} seconds\n" + counted(2003) + PARTS.format("1 part")),
    Case("signals",
         PHASES + SIGNALLED.format("--start-stopped") + SIGNAL.format("USR1") + "go\n"
         + SIGNAL.format("USR2") + "go\n" + SIGNAL.format("USR1") + REST.replace("go; go; go", "go"),
         0, "", counted(22231 - 9 - 2003) + PARTS.format("2 parts")),
    # Signals that control counting do not reach the command, which they would kill. Other
    # signals do.
    Case("other signals go to the command",
         PHASES + SIGNALLED.format("") + "kill $perfex; wait $perfex; s=$?\n"
         "echo >&5; echo >&5; echo >&5; echo >&5; exit $s", 143, "", counted("[0-9]+")
         + "# 1 process is still running: these counts contain what was counted there so far\n"),
    # When the delay is over, perfex waits without a limit, in sigtimedwait(2), which is system
    # call 177 or 421. By then, the program may or may not wait for its first input, which comes
    # after 9 instructions.
    Case("a delay",
         PHASES + "perfex --delay 0.2 phases <&5 & perfex=$!\nheld\n"
         "until grep -qE '^(177|421) 0x[0-9a-f]+ 0x[0-9a-f]+ 0x0 ' /proc/$perfex/syscall; do :; done"
         + REST, 0, "", counted("(22231|22222)") + PARTS.format("1 part")),
    Case("a delay that is longer than the command",
         "perfex --delay 1000 calls", 0, "", counted(0) + NEVER),
    Case("a running process in parts",
         PHASES + "phases <&5 & held; target=$(sed -n 's/ (phases) S.*//p' /proc/[0-9]*/stat)\n"
         "perfex --control /tmp/orders,/tmp/acks --start-stopped -p $target & perfex=$!\n"
         "tell enable; go; tell disable; go; tell enable; go; tell disable; echo >&5\n"
         "wait $perfex", 0, "", counted(203 + 20003) + PARTS.format("2 parts")),
    Case("counts of parts and a privileged program",
         "cp exit /tmp/raised; chmod 4755 /tmp/raised; mkfifo -m 666 /tmp/orders /tmp/acks\n"
         "exec 6<>/tmp/orders 7<>/tmp/acks\n"
         + NOBODY + "perfex --control /tmp/orders,/tmp/acks --start-stopped sh -c "
         "'echo enable >&6; read x <&7; /tmp/raised; exit 0'\n"
         "s=$?; rm /tmp/raised /tmp/orders /tmp/acks; exit $s", 211, "",
         complaint("the counts are invalid: a thread has executed a privileged program, and its "
                   "earlier counts are not known for each part, so count all the time")),
    Case("a pipe that does not exist", "perfex --control /tmp/none exit", 200, "",
         complaint("cannot open /tmp/none of --control: No such file or directory (mkfifo makes "
                   "a named pipe)")),
    Case("a file that is no pipe", "perfex --control exit,exit exit", 200, "",
         complaint("cannot open exit of --control: Text file busy (mkfifo makes a named pipe)")
         + "|" + complaint("exit of --control is not a named pipe: make one with mkfifo")),
    Case("a descriptor that is not open", "perfex --control fd:9 exit", 200, "",
         complaint('"9" of --control is not an open descriptor: give fd:N, or fd:N,M with M for '
                   'acknowledgements')),
)

TEAM = TOOLS.format(program="team") + """
team <&5 & first=$!
until [ "$(cat /proc/$first/task/*/stat 2>/dev/null | grep -c '(team) S')" = 2 ]; do :; done
second=$(ls /proc/$first/task | grep -vx $first)
"""
# perfex counts when it waits in poll(2), which is system call 168.
COUNTED = "perfex {} & perfex=$!\nuntil grep -q '^168 ' /proc/$perfex/syscall; do :; done\n"
RELEASE = "printf xx >&5; wait $perfex; s=$?; wait $first; exit $s"

TWO = TOOLS.format(program="gate") + """
gate <&5 & first=$!
gate <&5 & second=$!
until [ "$(cat /proc/$first/stat /proc/$second/stat | grep -c '(gate) S')" = 2 ]; do :; done
"""


def listed(count, name="gate"):
    """Return a line of the list of processes."""
    return rf"process +[0-9]+ +{count}  {name}\n"


HEAD = r"# process +pid +instructions_executed:u  command\n"

TARGETS = (
    Case("the first thread", TEAM + COUNTED.format("-t $first") + RELEASE, 0, "", counted(1003)),
    Case("the second thread", TEAM + COUNTED.format("--tid $second") + RELEASE, 0, "",
         counted(10003)),
    Case("both threads", TEAM + COUNTED.format("-p $first") + RELEASE, 0, "", counted(11006)),
    Case("a thread for some time", TEAM + "perfex --for 0.05 -t $second; printf xx >&5; wait $first",
         0, "", counted(0)),
    # If the last thread of the process has ended by then, its line is in the list, too.
    Case("a thread with the lists", TEAM + COUNTED.format("-mp -t $second") + RELEASE, 0, "",
         r"# thread .*\nthread +[0-9]+ +[0-9]+ +10003  team\n"
         r"(thread +[0-9]+ +[0-9]+ +0  team\n)?" + HEAD + listed(10003, "team")
         + counted(10003)
         + "(# 1 process is still running: threads that have not ended are not listed\n)?"),
    Case("a thread and what it creates",
         "mkfifo /tmp/gate\n"
         "sh -c 'read x </tmp/gate; calls; calls & exec calls' & target=$!\n"
         "until grep -q '(sh) S' /proc/$target/stat; do :; done\n" + COUNTED.format("-am -t $target")
         + "echo >/tmp/gate; wait $target; rm /tmp/gate; wait $perfex", 0, "",
         "# process .*\n(process +[0-9]+ +[0-9]+  calls\n){2,3}" + counted("[0-9]{4,}")
         + "(# .*\n){0,2}"),
    Case("a thread that counts already",
         TEAM + COUNTED.format("-t $second") + "perfex -t $second; echo $?\n" + RELEASE, 0, "208\n",
         complaint(r"thread #: " + BUSY + "the thread counts already, so wait until it has "
                   "stopped, or replace its events by VPMC_FORCE (perfex --force)")
         + counted(10003)),
    Case("no such thread", "perfex -t 32123", 213, "",
         complaint("there is no thread 32123: check the number, or it has exited")),
    Case("two processes", TWO + COUNTED.format("-p $first,$second") + RELEASE, 0, "",
         HEAD + listed(1004) + listed(1004) + counted(2008)),
    Case("two processes, of which one is another's child",
         PHASES + "phases <&5 & first=$!; held\n"
         "second=$(sed -n 's/ (phases) S.*//p' /proc/[0-9]*/stat)\n"
         + COUNTED.format("-p $first -p $second") + "go; go; go; echo >&5\n"
         "wait $perfex", 0, "", HEAD + listed(10, "phases") + listed("22212", "phases")
         + counted(22222)),
    Case("no such process among several", TWO + "perfex -p $first,32123; echo $?\n"
         + COUNTED.format("-p $first") + RELEASE, 0, "213\n",
         complaint("there is no process 32123: check the number, or it has exited")
         + counted(1004)),
    # perfex could start one of the two processes, and stops it again.
    Case("one of several counts already", TWO + COUNTED.format("-p $second")
         + "perfex -p $first,$second; echo $?\nprintf xx >&5; wait $perfex", 0, "208\n",
         complaint(r"process #: " + BUSY + "the process counts already, so wait until it has "
                   "stopped, or replace its events by VPMC_FORCE (perfex --force)")
         + counted(1004)),
)


def tests():
    """Yield the tests of this file."""
    for cpu, smp in (("mmx", 1), ("mmx", 2), ("p5", 2)):
        machine = Machine(cpu=cpu, smp=smp)
        yield Test(f"perfex-control-{cpu}-{smp}",
                   "the count has what was done while it was not stopped, of all processes",
                   functools.partial(check_cases, machine, CONTROL))
        yield Test(f"perfex-targets-{cpu}-{smp}",
                   "of several processes each one's count is known, and of a process each thread's",
                   functools.partial(check_cases, machine, TARGETS))
