# SPDX-License-Identifier: GPL-2.0-only
"""Test perfex: the sentences and statuses of its errors, and its output.

All cases of a machine run in one boot: a shell script runs them one after the other and marks
the output of each case.
"""

import dataclasses
import functools
import re

import guest
from cases import Failed, Test
from guest import Machine

# This is a line of the report.
LINE = r" *{count}  {code}  +{name}:{modes}{mark}\n"

# This text follows the name of an event that shared its counter. It is an interval, or the
# reason why there is none.
PROJECTED = r"  # (projected from [0-9]{1,2}\.[0-9]% of the time, [0-9]+ to [0-9]+ \(95 %\)" \
            "|not counted|not known: [a-z ]+)"
NOT_COUNTED = "  # not counted"
# This text follows the name of an event that cannot happen. Its line has "-" instead of a
# count.
NOT_EMULATED = "  # not emulated here"
# This text follows projected counts. It gives the number of unknown counts, and says that an
# emulator counts.
PROJECTED_NOTES = r"(# [0-9]+ counts? (is|are) not known, since the turns say too little: .*\n)?" \
                  "(# this processor is emulated: shares are of the emulator's time, not of a " \
                  "processor's\n)?"


def counted(count, code="0x16", name="instructions_executed", modes="u", mark=""):
    """Return a regular expression for a line of the report."""
    return LINE.format(count=count, code=code, name=name, modes=modes, mark=mark)


CLOCKS = guest.clocks_note(1) + "\n"

# Save a report, and compare another run with it.
SAVED = "perfex --json -o old.json calls; perfex --compare --limit {} old.json :: calls; s=$?; " \
        "rm old.json; exit $s"
COMPARED = "# command 1: {}\n" + counted(1188) + "# command 2: calls\n" + counted(1188) \
           + "# ratios to command 1\n" \
           + r" +{}  0x16   instructions_executed:u  # command 2, of one run\n"

# One block has the touched pages and the sleeps, and all other blocks have none.
USED = r"(.|\n)*executed:u\n +{}  -      minor_faults\n +0  -      major_faults\n" \
       r" +{}  -      voluntary_switches\n"

# The program "calls" has these lists of threads and processes.
THREADS = "# thread +pid +tid +instructions_executed:u  command\n" \
          "thread +([0-9]+) +\\1 +1188  calls\n"
PROCESSES = "# process +pid +instructions_executed:u  command\nprocess +[0-9]+ +1188  calls\n"


# No process reads the text that is written to descriptor 5.
CLOSED_PIPE = "trap '' PIPE; mkfifo /tmp/f; exec 4<>/tmp/f 5>/tmp/f 4<&-; rm /tmp/f\n"

# This directory has no space left.
FULL = "mkdir /tmp/full; mount -t tmpfs -o size=4k none /tmp/full; echo >/tmp/full/file\n"


def each(options, command):
    """Return a script that runs a command with each of the options. Its status is that of all
    commands if they agree, and otherwise 1."""
    commands = [command.format(option) for option in options]
    return commands[0] + "; first=$?\n" + "".join(
        f"{command}; [ $? = $first ] || exit 1\n" for command in commands[1:]) + "(exit $first)"


@dataclasses.dataclass(frozen=True)
class Case:
    """A command line, its status, and the patterns of its standard output and error output."""

    name: str
    command: str
    status: int
    stdout: str = ""
    stderr: str = ""


def complaint(sentence):
    """Return a pattern for the line that perfex prints if it fails. In the sentence, PMU stands
    for the name of the counters, and # for a number."""
    return f"perfex: {re.escape(sentence)}\n".replace("PMU", "p5(mmx)?").replace(r"\#", "[0-9]+")


UNKNOWN_CODE = "unknown event {}: this processor (PMU) has no such event code (perfex -l lists " \
               "the events)"
UNKNOWN_NAME = 'unknown event "{}": this processor (PMU) has no event of that name (perfex -l ' \
               'lists the events)'
OTHER_PROCESSOR = "unknown event {}: only p5mmx processors have it and this one is p5 (perfex -l " \
                  "lists the events)"
NO_KERNEL_MODE = "no permission to count event {} in kernel mode: that needs CAP_PERFMON, so run " \
                 "it as root or count user mode alone"
RESTRICTED = "no permission to count: the administrator has restricted it to CAP_PERFMON, by " \
             "the vpmc module's parameter \"restricted\" or by perf_event_paranoid"
TAKEN = "no counter left for event {}: it needs counter {}, which event {} has, so count them " \
        "in two runs or let them share it (perfex --runs, or --multiplex)"
NO_SYSTEM_MODE = "no permission for system mode: that needs CAP_PERFMON or CAP_SYS_ADMIN, so run " \
                 "it as root or with one of the two"
NO_CAPABILITY = " (perfex has neither CAP_PERFMON nor CAP_SYS_ADMIN: \"setcap cap_perfmon+ep " \
                "perfex\" gives it the first)"
NOT_EFFECTIVE = " (CAP_PERFMON is permitted to perfex but not effective: \"setcap " \
                "cap_perfmon+ep perfex\" sets both)"
BUSY = "the counters are busy: "
INVALID = "the counts are invalid: generation # was started and it is generation # now (events " \
          "changed, counters taken away, or overwritten as dmesg says, or a privileged program or " \
          "one in another user namespace executed), so start again"
NOT_FOUND = 'cannot find the command "{}": check its spelling and PATH'
NOT_EXECUTABLE = 'cannot execute the command "{}": Permission denied'

# Run a command as an ordinary user. The program must be in a directory that this user can
# search.
NOBODY = "setuidgid nobody "
# Run a perfex with CAP_PERFMON as an ordinary user.
CAPABLE = "cp /root/perfex /tmp/capable; setcap cap_perfmon{} /tmp/capable; " \
          + NOBODY + "/tmp/capable {} exit; s=$?; rm /tmp/capable; exit $s"
PARAMETER = "/sys/module/vpmc/parameters/restricted"
PARANOID = "/proc/sys/kernel/perf_event_paranoid"

ERRORS = (
    Case("unknown code", "perfex -e 0x10 exit", 201, "", complaint(UNKNOWN_CODE.format("0x10"))),
    Case("code beyond the last", "perfex -e 63 exit", 201, "",
         complaint(UNKNOWN_CODE.format("63 (0x3f)"))),
    Case("reserved bits in the code", "perfex -e 0x216 exit", 201, "",
         complaint(UNKNOWN_CODE.format("0x216"))),
    Case("unknown name", "perfex -e instruction exit", 201, "",
         complaint(UNKNOWN_NAME.format("instruction").replace(
             "(perfex", "(did you mean instructions? perfex"))),
    Case("second event unknown", "perfex -e 0x16 -e nothing exit", 201, "",
         complaint(UNKNOWN_NAME.format("nothing"))),
    Case("empty event", "perfex -e '' exit", 201, "",
         complaint('no event in "": give a name or a code')),
    Case("unknown mode", "perfex -e 0x16:x exit", 201, "",
         complaint('unknown modes in "0x16:x": :u (user), :k (kernel) or :uk may follow the '
                   'event')),
    Case("no counter number", "perfex -e 0x16@ exit", 201, "",
         complaint('no counter number after @ in "0x16@": write, for example, @0')),
    Case("system mode as nobody", NOBODY + "perfex --system --force exit", 209, "",
         complaint(NO_SYSTEM_MODE + NO_CAPABILITY)),
    Case("system mode as nobody with a capability that is not effective",
         CAPABLE.format("+p", "--system"), 209, "", complaint(NO_SYSTEM_MODE + NOT_EFFECTIVE)),
    Case("system mode while a thread counts", "perfex perfex --system exit", 208, "",
         complaint(BUSY + "threads that count are on a processor, so stop them or take the "
                   "counters away by force") + counted("[0-9]+")),
    Case("counters taken by force", "perfex perfex --system --force killed", 211, "",
         counted("[0-9]{3,}", modes="uk") + complaint(INVALID)),
    Case("a thread in system mode", "perfex --system perfex exit", 208, "",
         complaint(BUSY + "they are in system mode, where no thread can count for itself, so wait "
                   "until that has ended") + counted("[0-9]{4,}", modes="uk")),
    Case("system mode twice", "perfex --system perfex --system --force exit", 208, "",
         complaint(BUSY + "another process has them in system mode, so wait until it has ended")
         + counted("[0-9]{4,}", modes="uk")),
    Case("after system mode", "perfex exit", 0, "", counted(3)),
    Case("no such processor", "perfex --system --cpu 7 exit", 200, "",
         complaint("cannot read the counters: this machine has no processor 7")),
    Case("system mode with -a", "perfex --system -a exit", 200, "",
         complaint("--system cannot be combined with -a (perfex -h shows how)")),
    Case("unknown long option", "perfex --sys-tem exit", 200, "",
         complaint("unknown option --sys-tem (perfex -h shows how)")),
    Case("no such counter", "perfex -e 0x16@2 exit", 203, "",
         complaint("no counter 2 for event 0x16@2 (instructions_executed): this processor (PMU) "
                   "has counters 0 to 1")),
    Case("counter wanted twice", "perfex -e 0x16@1 -e 0x12@1 exit", 204, "",
         complaint(TAKEN.format("0x12@1", 1, "0x16@1"))),
    Case("three events", "perfex -e 0x16 -e 0x12 -e 0x00 exit", 205, "",
         complaint("too many events: 3 are asked for and this processor (PMU) has 2 counters, so "
                   "count them in several runs or let them share counters (perfex --runs, or --multiplex)")),
    Case("more events than can share a counter",
         "perfex --multiplex $(for i in $(seq 17); do echo -e 0x16@1; done) exit", 205, "",
         complaint("too many events: at most 16 can share a counter and event "
                   "0x16@1 would be one more on counter 1, so count them in several runs")),
    Case("counter wanted twice, in the user's words",
         "perfex -e 22@1 -e Branches@1:u exit", 204, "",
         complaint(TAKEN.format("Branches@1:u", 1, "22@1"))),
    Case("kernel mode as nobody, in the user's words",
         NOBODY + "perfex -e Branches@0:k exit", 209, "",
         complaint(NO_KERNEL_MODE.format("Branches@0:k (0x12)") + NO_CAPABILITY)),
    Case("a counter that is not there, for an event of perf",
         "perfex -e branch-instructions@7 exit", 203, "",
         complaint("event \"branch-instructions@7\" of perf is branches@7: no counter 7 for event "
                   "branches@7: this processor (PMU) has counters 0 to 1")),
    Case("command not found", "perfex no-such-command", 127, "",
         complaint(NOT_FOUND.format("no-such-command"))),
    Case("command in a directory not found", "perfex ./no/such", 127, "",
         complaint(NOT_FOUND.format("./no/such"))),
    Case("command not executable", "perfex /etc/passwd", 126, "",
         complaint(NOT_EXECUTABLE.format("/etc/passwd"))),
    Case("command is a directory", "perfex /etc", 126, "",
         complaint(NOT_EXECUTABLE.format("/etc"))),
    # The outer perfex counts the inner one, whose child cannot be counted again.
    Case("busy", "perfex perfex exit", 208, "",
         complaint("the counters are busy: this thread is being counted already, so stop that "
                   "first (perfex --force counts the command here)")
         + counted("[0-9]+")),
    Case("an event that cannot happen", "perfex --strict -e 0x27 exit", 214, "",
         complaint("event hardware_interrupts:u cannot happen (never in user mode): choose another "
                   "one, or leave out --strict")),
    Case("a report over a program", "cp exit /tmp/exit; perfex -o /tmp/exit exit; s=$?; "
         "cmp exit /tmp/exit; rm /tmp/exit; exit $s", 210, "",
         complaint("cannot write the report to /tmp/exit: it is a program, so give another FILE "
                   "after -o")),
    Case("kernel mode as nobody", NOBODY + "perfex -k exit", 209, "",
         complaint(NO_KERNEL_MODE.format("0x16") + NO_CAPABILITY)),
    Case("kernel mode as nobody with a capability that is not effective",
         CAPABLE.format("+p", "-k"), 209, "",
         complaint(NO_KERNEL_MODE.format("0x16") + NOT_EFFECTIVE)),
    Case("user mode as nobody where that is restricted",
         f"echo 1 >{PARAMETER}; {NOBODY} perfex exit; s=$?; echo 0 >{PARAMETER}; exit $s", 209, "",
         complaint(RESTRICTED + NO_CAPABILITY)),
    Case("user mode as nobody where perf_event_paranoid forbids it",
         f"echo 3 >{PARANOID}; {NOBODY} perfex exit; s=$?; echo 2 >{PARANOID}; exit $s", 209, "",
         complaint(RESTRICTED + NO_CAPABILITY)),
    Case("one event in kernel mode as nobody", NOBODY + "perfex -e 0x16 -e 0x12:k exit", 209, "",
         complaint(NO_KERNEL_MODE.format("0x12") + NO_CAPABILITY)),
    Case("user mode as nobody", NOBODY + "perfex exit", 0, "", counted(3)),
    Case("device closed to nobody",
         f"chmod 600 /dev/vpmc; {NOBODY} perfex exit; s=$?; chmod 666 /dev/vpmc; exit $s", 209, "",
         complaint("no permission to open /dev/vpmc: ask for read access to it")),
    Case("no device",
         "mv /dev/vpmc /dev/away; perfex exit; s=$?; mv /dev/away /dev/vpmc; exit $s", 206, "",
         complaint("there is no /dev/vpmc here, though the driver is loaded: pass the device to "
                   "this container (--device /dev/vpmc), or bind-mount it from the host's /dev")),
    Case("a device where devices are forbidden",
         "n=$(grep vpmc /proc/misc); mount -t tmpfs -o nodev none /dev; "
         "mknod /dev/vpmc c 10 ${n% vpmc}; perfex exit; s=$?; umount /dev; exit $s", 209, "",
         complaint('cannot open /dev/vpmc: its file system is mounted with "nodev", which forbids '
                   'all devices, so mount it with "dev", or bind-mount the device from the '
                   "host's /dev")),
    Case("no driver behind the device",
         "mv /dev/vpmc /dev/away; mknod /dev/vpmc c 10 254; perfex exit; s=$?; "
         "rm /dev/vpmc; mv /dev/away /dev/vpmc; exit $s", 206, "",
         complaint('there is no driver behind /dev/vpmc: load it with "modprobe vpmc" (if it '
                   'refuses, dmesg says why)')),
    Case("another driver behind the device",
         "mv /dev/vpmc /dev/away; mknod /dev/vpmc c 1 3; perfex exit; s=$?; "
         "rm /dev/vpmc; mv /dev/away /dev/vpmc; exit $s", 207, "",
         complaint("cannot ask /dev/vpmc for its counters: the loaded vpmc driver does not "
                   "understand this libvpmc (0.1), install driver and library of one version")),
    Case("report in no directory", "perfex -o /no/such/file exit", 210, "",
         complaint("cannot write the report to /no/such/file: No such file or directory")),
    Case("report on a full disk", "perfex -o /dev/full exit", 210, "",
         complaint("cannot write the report to /dev/full: No space left on device")),
    Case("reports of each kind on a full disk",
         each(("-m", "-mp", "-r2", "--csv", "--json", "--openmetrics", "--prometheus", "--times",
               "--runs", "--interval=1", "--append", "--regions"), "perfex {} -o /dev/full exit"),
         210, "",
         12 * complaint("cannot write the report to /dev/full: No space left on device")),
    Case("a comparison on a full disk", "perfex --compare -o /dev/full exit :: exit", 210, "",
         complaint("cannot write the report to /dev/full: No space left on device")),
    Case("a merge on a full disk",
         "cd /tmp; perfex --csv -o a exit; perfex --merge -o /dev/full a; s=$?; rm a; exit $s", 210,
         "", complaint("cannot write the report to /dev/full: No space left on device")),
    Case("lists on a full disk", each(("-l", "-i", "-h", "-V", "--groups"), "perfex {} >/dev/full"),
         210, "", 5 * complaint("cannot write to standard output: No space left on device")),
    Case("a status on a full disk", "perfex --status-file /dev/full exit", 210, "",
         counted("[0-9]+")
         + complaint("cannot write the status to /dev/full: No space left on device")),
    Case("lists into a closed pipe", CLOSED_PIPE
         + each(("-l", "-i", "-h", "-V", "--groups"), "perfex {} >&5"), 210, "",
         5 * complaint("cannot write to standard output: Broken pipe")),
    Case("reports into a closed pipe", CLOSED_PIPE
         + each(("-m", "-r2", "--csv", "--runs", "--interval=1", "--regions"),
                "perfex {} -o - exit >&5"), 210, "",
         6 * complaint("cannot write the report to standard output: Broken pipe")),
    Case("a full disk for what regions leave",
         FULL + each(("--regions", "--timeline=/tmp/t"), "TMPDIR=/tmp/full perfex {} exit")
         + "\nset -- $?; umount /tmp/full; rmdir /tmp/full; exit $1", 210, "",
         complaint('cannot create a file for the regions in "/tmp/full": No space left on device '
                   "(TMPDIR names another directory)")
         + complaint('cannot create a file for the timeline in "/tmp/full": No space left on '
                     "device (TMPDIR names another directory)")),
    Case("set-uid command as nobody",
         "cp exit /tmp/raised; chmod 4755 /tmp/raised; "
         + NOBODY + "perfex /tmp/raised; s=$?; rm /tmp/raised; exit $s", 211, "",
         complaint(INVALID)),
    Case("no descriptors left", "ulimit -n 3; perfex exit", 212, "",
         complaint("cannot open /dev/vpmc: No file descriptors available")),
    Case("no command", "perfex", 200, "",
         complaint("give a command to count, or a process with -p (perfex -h shows how)")),
    Case("no command after options", "perfex -e 0x16 --", 200, "",
         complaint("give a command to count, or a process with -p (perfex -h shows how)")),
    Case("unknown option", "perfex -z exit", 200, "",
         complaint("unknown option -z (perfex -h shows how)")),
    Case("another list than there is", "perfex -mk exit", 200, "",
         complaint("unknown option -mk: only -m and -mp exist, so give other options separately "
                   "(perfex -h shows how)")),
    Case("option without its argument", "perfex -e", 200, "",
         complaint("option -e needs an argument (perfex -h shows how)")),
    Case("description with a command", "perfex -i exit", 200, "",
         complaint("-i cannot be combined with a command (perfex -h shows how)")),
    Case("list of nothing", "perfex -l no-such", 201, "",
         complaint('no event has "no-such" in its name or description (perfex -l lists all)')),
)

MMX_ERRORS = (
    Case("ambiguous code", "perfex -e 0x2b exit", 202, "",
         complaint("ambiguous event 0x2b: give a counter (0x2b@0 is mmx_instructions_u_pipe, "
                   "0x2b@1 is mmx_instructions_v_pipe)")),
    Case("event not on that counter", "perfex -e emms_executed@1 exit", 203, "",
         complaint("event emms_executed@1 cannot be counted on counter 1: choose counter 0 or "
                   "leave the choice open")),
    Case("two events tied to one counter",
         "perfex -e emms_executed -e mmx_instructions_u_pipe exit", 204, "",
         complaint(TAKEN.format("mmx_instructions_u_pipe", 0, "emms_executed"))),
    Case("events with MMX", "perfex -e 0x2b@1 -e 0x2b@0 exit", 0, "",
         counted("-", "0x2b", "mmx_instructions_v_pipe", mark=NOT_EMULATED)
         + counted("-", "0x2b", "mmx_instructions_u_pipe", mark=NOT_EMULATED)),
)

P5_ERRORS = (
    Case("event of another processor", "perfex -e emms_executed exit", 201, "",
         complaint(OTHER_PROCESSOR.format('"emms_executed"'))),
    Case("code of another processor", "perfex -e 0x2b@0 exit", 201, "",
         complaint(OTHER_PROCESSOR.format("0x2b@0"))),
)

WITHOUT = "the command runs without counts, as --optional allows"
NO_COUNTS = "there are no counts: the counters could not be used, and --optional ran the command " \
            "without them"

OUTPUT = (
    Case("counters that are optional, and busy",
         "perfex -n perfex --optional --status-file /tmp/st sh -c 'echo ran; exit 7'; "
         "echo $?; cat /tmp/st", 0, "ran\n7\nexit 7\nperfex 208\n",
         r"perfex: [^\n]*\n" + complaint(WITHOUT) + f"# {NO_COUNTS}\n" + counted("[0-9]+")),
    Case("counters that are optional, without a device",
         "mv /dev/vpmc /tmp/vpmc; perfex --optional --json -o - exit; mv /tmp/vpmc /dev/vpmc", 0,
         r'{"events":\[\],"notes":\["' + NO_COUNTS + r'"\]}\n',
         r"perfex: there is no /dev/vpmc[^\n]*\n" + complaint(WITHOUT)),
    Case("counters that are optional, and there", "perfex --optional exit", 0, "", counted(3)),
    Case("report", "perfex -e 0x16 exit", 0, "", "                   3  0x16   "
         "instructions_executed:u\n"),
    Case("default event", "perfex exit", 0, "", counted(3)),
    Case("two events in their order", "perfex -e branches -e instructions_executed calls", 0, "",
         counted(893, "0x12", "branches") + counted(1188)),
    Case("names in upper case, decimal codes", "perfex -e BRANCHES -e 22 calls", 0, "",
         counted(893, "0x12", "branches") + counted(1188)),
    Case("counters asked for", "perfex -e 0x16@1 -e 0x12@0 calls", 0, "",
         counted(1188) + counted(893, "0x12", "branches")),
    Case("the same event twice", "perfex -e 0x16 -e 0x16 calls", 0, "",
         counted(1188) + counted(1188)),
    Case("clocks", "perfex -e clocks -e 0x16 rep-movs", 0, "",
         counted(236, "0x100", "clocks") + counted(49) + CLOCKS),
    Case("list of processes", "perfex -m calls", 0, "", PROCESSES + counted(1188)),
    Case("lists of processes and threads", "perfex -mp calls", 0, "",
         THREADS + PROCESSES + counted(1188)),
    Case("kernel mode", "perfex -k -e 0x16 -e 0x12:u calls", 0, "",
         counted("[0-9]{5,}", modes="uk") + counted(893, "0x12", "branches")),
    Case("kernel mode alone", "perfex -x -e 0x16:k -e 0x16:u calls", 0, "",
         counted("[0-9]{4,}", modes="k") + counted(1188)),
    Case("option parsing ends at the command", "perfex echo -e -k", 0, "-k\n|-e -k\n",
         counted("[0-9]+")),
    Case("exit status", "perfex sh -c 'exit 42'", 42, "", counted("[0-9]+")),
    Case("command fails", "perfex false", 1, "", counted("[0-9]+")),
    Case("killed by a signal", "perfex killed", 132, "", counted(201)),
    Case("kills itself", "perfex sh -c 'kill -9 $$'", 137, "", counted("[0-9]+")),
    Case("interrupt from the terminal", "perfex sh -c 'kill -INT $PPID; kill -INT $$'", 130, "",
         counted("[0-9]+")),
    Case("own output of the command", "perfex sh -c 'echo out; echo err >&2'", 0, "out\n",
         "err\n" + counted("[0-9]+")),
    Case("standard input of the command", "echo text | perfex cat", 0, "text\n",
         counted("[0-9]+")),
    Case("report to a file", "perfex -o /tmp/report -e 0x12 calls; cat /tmp/report", 0,
         counted(893, "0x12", "branches")),
    Case("the file is emptied first",
         "seq 1000 >/tmp/report; perfex -o /tmp/report exit; cat /tmp/report", 0, counted(3)),
    Case("report to a file after a signal", "perfex -o /tmp/report killed; s=$?; cat /tmp/report; "
         "exit $s", 132, counted(201)),
    Case("a script as the command", "printf '#!/bin/sh\\nexit 5\\n' >/tmp/script; "
         "chmod 755 /tmp/script; perfex /tmp/script", 5, "", counted("[0-9]+")),
    Case("a script that names no interpreter", "printf 'exit 6\\n' >/tmp/script; "
         "chmod 755 /tmp/script; PATH=/etc/passwd:/tmp:$PATH perfex script", 6, "",
         counted("[0-9]+")),
    Case("a signal to perfex", "perfex -o /tmp/report sh -c 'echo >/tmp/runs; exec sleep 100' & "
         "until [ -e /tmp/runs ]; do :; done; kill $!; wait $!; s=$?; cat /tmp/report; rm /tmp/runs; "
         "exit $s", 143, counted("[0-9]+")),
    # If both count the same events, the outer perfex has the counts of the inner perfex.
    # Otherwise it has a remark.
    Case("one perfex in another", "perfex perfex --force exit", 0, "",
         counted(3) + counted("[0-9]{4,}")),
    Case("one perfex in another, with other events", "perfex perfex --force -e 0x12 exit", 0, "",
         counted(1, "0x12", "branches") + counted("[0-9]{4,}")
         + "# 2 threads are missing in these counts: other events were counted there\n"),
    Case("a file for the status", "perfex --status-file /tmp/end killed; cat /tmp/end", 0,
         "signal 4\n", counted(201)),
    Case("repetitions", "perfex -r 3 -e 0x16,0x12 calls", 0, "",
         counted(1188, mark="  # the same in all 3 runs")
         + counted(893, "0x12", "branches", mark="  # the same in all 3 runs")),
    Case("two commands compared", "perfex --compare -r 2 -e 0x16 exit :: calls", 0, "",
         "# command 1: exit\n" + counted(3, mark="  # the same in all 2 runs")
         + "# command 2: calls\n" + counted(1188, mark="  # the same in all 2 runs")
         + "# ratios to command 1\n"
         + counted(r"396\.000000", mark="  # command 2, the same in all runs")),
    Case("runs that are drawn", "perfex -r 2 --plot /tmp/plot calls; "
         "grep -o 'run .: [0-9]*' /tmp/plot", 0, "run 1: 1188\nrun 2: 1188\n",
         counted(1188, mark="  # the same in all 2 runs")),
    # There are two counters and three events. The branches are the same in all runs.
    Case("more events than counters, each exactly",
         "perfex --runs -e 0x16,0x12,0x00@0,0x01@0 exactly-10000000", 0, "",
         counted(10000000) + counted("[0-9]+", "0x12", "branches")
         + counted("[0-9]+", "0x00", "data_read") + counted("[0-9]+", "0x01", "data_write")
         + "# the events were counted in 2 runs of the command, each all the time\n"),
    # The metric is 1188 / 893, which is 1.3303.
    Case("a group", r"printf 'Text.\n\nevent branches\nevent instructions_executed\n"
         r"metric d x = instructions_executed / branches\n' >/tmp/group; "
         "perfex -g /tmp/group calls; s=$?; rm /tmp/group; exit $s", 0, "",
         counted(893, "0x12", "branches") + counted(1188) + r" +1\.330  -      d  x\n"),
    Case("runs that could not read the same", "echo | perfex --runs -e 0,1,0x12 cat", 200, "",
         complaint("cannot run the command several times: its standard input can be read only "
                   "once, so give it a file (< FILE) or none (< /dev/null)")),
    Case("times", "perfex --times -e instructions,cycles calls", 0, "",
         counted(1188, name="instructions") + counted("[0-9]+", "0x100", "cycles")
         + r"( +[0-9]+(\.[0-9]+)?  -      [a-z_]+\n){8} +[01]\.[0-9]+  -      "
         r"instructions_per_cycle\n" + CLOCKS),
    Case("an exposition", "perfex --prometheus -o counts exactly-10000000 && "
         "grep '^vpmc_events_total' counts; rm counts", 0,
         r'vpmc_events_total\{event="instructions_executed",mode="u",'
         r'command="exactly-10000000",output="counts"\} 10000000\n'),
    Case("an exposition of each processor", "n=$(perfex --system --openmetrics -o - exit | "
         "grep -c '^vpmc_events_total.*,cpu=\"[0-9]\"} [1-9]'); [ $n = $(nproc) ]", 0),
    Case("a report for programs", "perfex --json -m calls", 0, "",
         r'\{"processes":\[\{"pid":[0-9]+,"command":"calls","events":\[(.*)\]\}\],"events":\[\1\],'
         r'"notes":\[\],"processor":"GenuineIntel family 5 model [0-9]+","machine":"emulated"\}\n'),
    Case("a saved report to compare with", SAVED.format("1"), 0, "",
         COMPARED.format("old.json", "1.000000")),
    Case("a ratio above its limit", SAVED.format("0.99"), 218, "",
         COMPARED.format("old.json", "1.000000") + complaint(
             "instructions_executed:u of command 2 is 1.000000 times that of command 1, which "
             "exceeds the limit of 0.99 (of one run)")),
    Case("system mode", "perfex --system sh -c 'echo out; exit 42'", 42, "out\n",
         counted("[0-9]{4,}", modes="uk")),
    Case("system mode of one processor", "perfex --system --cpu 0 -e 0x16:u -e 0x12:k calls", 0,
         "", counted("[0-9]{4,}") + counted("[0-9]{3,}", "0x12", "branches", "k")),
    Case("intervals until a signal", "perfex --system --interval 0.01 -o /tmp/blocks & "
         "until [ -s /tmp/blocks ]; do :; done; kill $!; wait $!; s=$?; cat /tmp/blocks; exit $s",
         0, r"(# [0-9]+\.[0-9]{3} seconds\n" + counted("[0-9]+", modes="uk") + "){2,}"),
    Case("page faults and switches of an interval",
         "perfex --interval 0.3 --faults -o /tmp/faults blocks /tmp/faults; s=$?; cat /tmp/faults; "
         "exit $s", 0, USED.format(37, 2) + USED.format(5, 1) + "(.|\n)*"),
    Case("system mode seen from outside", "perfex --system perfex -i | grep system", 0,
         "system +yes\nholder +system mode\n", counted("[0-9]{4,}", modes="uk")),
    Case("system mode as nobody with CAP_PERFMON", CAPABLE.format("+ep", "--system"), 0, "",
         counted("[0-9]{4,}", modes="uk")),
    Case("kernel mode as nobody with CAP_PERFMON", CAPABLE.format("+ep", "-k"), 0, "",
         counted("[0-9]{4,}", modes="uk")),
    Case("help", "perfex -h", 0, "usage: perfex (.*\n)+"),
    Case("version", "perfex -V", 0, r"perfex [0-9.]+\n"),
)

# The list has the generic names, some of which are refused, and then the table. Its "branches"
# is the same event as the generic one.
REFUSED = r"-      -    {name}  +(.+\n {{44}})*.*\)\n"
LIST = (r"(0x[0-9a-f]{{2,3}}  +[01](,1)? +[-a-z0-9_]+  .+\n( {{44}}.+\n)*){{{lines}}}")
LISTED = r"# the events are those of this processor \({}\)\n"

MMX_OUTPUT = (
    Case("list", "perfex -l", 0,
         LIST.format(lines=2) + REFUSED.format(name="ref-cycles") + LIST.format(lines=6 + 38 + 36)
         + LISTED.format("p5mmx")),
    Case("machine", "perfex -i", 0,
         r"processor +GenuineIntel family 5 model 4 stepping 3\npmu +p5mmx\ncounters +2\nfixed +0\n"
         r"bits +40\nrdpmc +yes\nabi +1\ngeneration +0\nsystem +no\nmachine +emulated\n"),
)

P5_OUTPUT = (
    Case("list", "perfex -l", 0,
         LIST.format(lines=2) + REFUSED.format(name="ref-cycles") + LIST.format(lines=1)
         + REFUSED.format(name="branch-misses") + LIST.format(lines=4 + 38)
         + LISTED.format("p5")),
    Case("machine", "perfex -i", 0,
         r"processor +GenuineIntel family 5 model 2 stepping [0-9]+\npmu +p5\ncounters +2\nfixed +0\n"
         r"bits +40\nrdpmc +no\nabi +1\ngeneration +0\nsystem +no\nmachine +emulated\n"),
)

# The emulated processor counts these events, and -l marks the other events.
EMULATED = (
    Case("emulated events", "perfex -l | grep ^0x | grep -v 'not emulated' | cut -d ' ' -f 1 | "
         "tr '\\n' ' '",
         0, "0x16 0x100 0x12 0x28 0x00 0x01 0x100 0x00 0x01 0x0b 0x0f 0x16 0x1c 0x1d 0x27 0x28 "),
    Case("an event that is not emulated", "perfex -e 0x13 calls", 0, "",
         counted("-", "0x13", "btb_hits", mark=NOT_EMULATED)),
    Case("lines that are too long", "perfex -l | grep -E '^.{101}'", 1),
)

# Process $target waits for a byte in a FIFO. Then it executes 1004 instructions, 501 of them
# branches. It must wait before perfex is started.
TARGET = """
mkfifo /tmp/gate
{user}gate <>/tmp/gate &
target=$!
until grep -q '(gate) S' /proc/$target/stat; do :; done
"""

# perfex counts when it waits in poll(2), which is system call 168.
COUNT = """
perfex {options}-p $target &
{perfex}=$!
until grep -q '^168 ' /proc/${perfex}/syscall; do :; done
"""

RELEASE = "echo >/tmp/gate; wait $target; rm /tmp/gate\n"
FINISH = "wait $perfex; exit $?"


def target(user=""):
    """Return a script that starts the target, as another user if one is named."""
    return TARGET.format(user=user)


def count(options="", perfex="perfex"):
    """Return a script that counts the target. The process number of perfex is in a variable of
    this name."""
    return COUNT.format(options=options, perfex=perfex)


# Release the target, and end the case with the status of the command before.
THEN_RELEASE = "\nstatus=$?\n" + RELEASE + "exit $status"

NO_ATTACH = "no permission to attach to process #: that needs the same user and a program that " \
            "may be traced, or CAP_SYS_PTRACE, so run it as that user or as root (kernel threads " \
            "cannot be counted)"
NO_PROCESS = "there is no process {}: check the number, or it has exited"
COUNTS_ALREADY = "process #: " + BUSY + "the process counts already, so wait until it has stopped, or replace " \
                 "its events by VPMC_FORCE (perfex --force)"

PROCESS = (
    Case("until the process exits", target() + count() + RELEASE + FINISH, 0, "", counted(1004)),
    Case("two events of a process", target() + count("-e 0x16 -e 0x12 ") + RELEASE + FINISH, 0, "",
         counted(1004) + counted(501, "0x12", "branches")),
    Case("kernel mode of a process", target() + count("-k -e 0x16 -e 0x12:u ") + RELEASE + FINISH,
         0, "", counted("[0-9]{4,}", modes="uk") + counted(501, "0x12", "branches")),
    Case("for some time", target() + "perfex --for 0.05 -p $target" + THEN_RELEASE, 0, "",
         counted(0)),
    Case("for less than some time", target() + count("--for 1000 ") + RELEASE + FINISH, 0, "",
         counted(1004)),
    Case("a process can be counted again",
         target() + "perfex --for 0.01 -p $target\n" + count() + RELEASE + FINISH, 0, "",
         counted(0) + counted(1004)),
    Case("a signal ends the count, not the process",
         target() + count() + "kill $perfex; wait $perfex; echo $?\n" + count() + RELEASE + FINISH,
         0, "0\n", counted(0) + counted(1004)),
    Case("a process and what it creates",
         "mkfifo /tmp/gate\n"
         "sh -c 'read x </tmp/gate; calls; calls & exec calls' & target=$!\n"
         "until grep -q '(sh) S' /proc/$target/stat; do :; done\n" + count("-am ")
         + "echo >/tmp/gate; wait $target; rm /tmp/gate\n" + FINISH, 0, "",
         "# process .*\n(process +[0-9]+ +[0-9]+  calls\n){2,3}" + counted("[0-9]{4,}")
         + "(# .*\n){0,2}"),
    # Its children have the earlier counts, and the kernel adds up all that they left.
    Case("what an earlier command has left running is not missing in the count of a process",
         "perfex -o /tmp/first sh -c 'sleep 60 >/dev/null 2>&1 &'; cat /tmp/first; rm /tmp/first\n"
         # perfex begins when the shell waits for it.
         "sh -c \"until grep -qE '^(7|114) ' /proc/$$/syscall; do :; done\n"
         "exec perfex -p $$ --for 0.05\"; killall sleep", 0,
         counted("[0-9]{4,}") + "# 1 process is missing .*\n", counted(0)),
    Case("a process that counts already", target() + count("-o /tmp/first ")
         + "perfex -p $target; echo $?\n" + RELEASE + "wait $perfex; cat /tmp/first", 0,
         "208\n" + counted(1004), complaint(COUNTS_ALREADY)),
    Case("a process whose events are replaced",
         target() + count(perfex="first") + count("--force -e 0x12 -o /tmp/second ") + RELEASE
         + "wait $first; echo $?; wait $perfex; echo $?; cat /tmp/second", 0,
         "211\n0\n" + counted(501, "0x12", "branches"), complaint("process #: " + INVALID)),
    Case("a process that gains privileges",
         "cp exit /tmp/raised; chmod 4755 /tmp/raised; mkfifo /tmp/gate\n"
         + NOBODY + "sh -c 'read x; exec /tmp/raised' <>/tmp/gate & target=$!\n"
         "until grep -qE '^(3|168) ' /proc/$target/syscall; do :; done\n" + NOBODY
         + count().lstrip() + RELEASE + "rm /tmp/raised\n" + FINISH, 211, "", complaint("process #: " + INVALID)),
    Case("a process that loses the counters",
         target() + count() + "perfex --system --force exit\n" + RELEASE + FINISH, 211, "",
         counted("[0-9]{3,}", modes="uk") + complaint("process #: " + INVALID)),
    # When the process continues, it executes the interrupted system call again.
    Case("a stopped process",
         target() + "kill -STOP $target\n" + count() + RELEASE.replace("echo", "kill -CONT "
         "$target; echo") + FINISH, 0, "", counted(1005)),
    Case("force where nothing counts", target() + count("--force ") + RELEASE + FINISH, 0, "",
         counted(1004)),
    Case("no such process", "perfex -p 32123", 213, "", complaint(NO_PROCESS.format(32123))),
    Case("a process that has exited", "exit & wait $!; perfex -p $!", 213, "",
         complaint(NO_PROCESS.format("#"))),
    Case("another user's process", target() + NOBODY + "perfex -p $target" + THEN_RELEASE, 209, "",
         complaint(NO_ATTACH)),
    Case("one's own process as nobody",
         target(NOBODY) + NOBODY + "perfex --for 0.01 -p $target" + THEN_RELEASE, 0, "",
         counted(0)),
    Case("root counts anybody", target(NOBODY) + count() + RELEASE + FINISH, 0, "", counted(1004)),
    Case("a kernel thread", "perfex -p 2", 209, "", complaint(NO_ATTACH)),
    Case("kernel mode of one's own process as nobody",
         target(NOBODY) + NOBODY + "perfex -k -p $target" + THEN_RELEASE, 209, "",
         complaint("process #: no permission to count there: that needs the same user and a program that "
                   "may be traced, or CAP_SYS_PTRACE; for kernel mode, or if the vpmc module is "
                   '"restricted", CAP_PERFMON too')),
    Case("a process and a command", "perfex -p 1 exit", 200, "",
         complaint("-p cannot be combined with a command: --for SECONDS counts for a time "
                   "(perfex -h shows how)")),
    Case("a word for a process", "perfex -p gate", 200, "",
         complaint('"gate" is not a process: give its number after -p')),
    Case("a time without a process", "perfex --for 1", 200, "",
         complaint("give a command to count, or a process with -p (perfex -h shows how)")),
)

MULTIPLEX = (
    Case("events that fit", "perfex --multiplex -e 0x12 -e 0x16 calls", 0, "",
         counted(893, "0x12", "branches") + counted(1188)),
    Case("events that take turns",
         "perfex --multiplex -e 0x16 -e 0x12 -e 0x00 -e 0x01@1 -e 0x28@1 exactly-10000000", 0, "",
         counted("([0-9]{6,8}|-)", mark=PROJECTED)
         + counted("([0-9]{6,8}|-)", "0x12", "branches", mark=PROJECTED)
         + counted("([1-9][0-9]*|-)", "0x00", "data_read", mark=PROJECTED)
         + counted("([1-9][0-9]*|-)", "0x01", "data_write", mark=PROJECTED)
         + counted("([1-9][0-9]*|-)", "0x28", "data_read_or_write", mark=PROJECTED)
         + PROJECTED_NOTES),
    Case("an event with a counter of its own",
         "perfex --multiplex -e 0x16@0 -e 0x12@1 -e 0x00@0 exactly-10000000", 0, "",
         counted("([0-9]{7,8}|-)", mark=PROJECTED) + counted(4999998 + 1, "0x12", "branches")
         + counted("([1-9][0-9]*|-)", "0x00", "data_read", mark=PROJECTED) + PROJECTED_NOTES),
    # Any of the events may have the first turn. On a busy machine the program has several
    # turns.
    Case("events without a turn",
         "perfex --multiplex $(for i in $(seq 16); do echo -e 0x12@0; done) exit", 0, "",
         "(?=(.*\n)*" + counted("-", "0x12", "branches", mark=NOT_COUNTED) + ")"
         + "( +([0-9]+|-)  0x12 +branches:u( .*)?\n){16}" + f"({PROJECTED_NOTES})?"),
    Case("lists of events that take turns",
         "perfex -m --multiplex -e 0x16@0 -e 0x12@0 -e 0x13@1 exactly-10000000", 0, "",
         "# process .*\n"
         "process +[0-9]+ +([0-9]{7,8}\\*|-) +([0-9]{6,8}\\*|-) +-  exactly-1000000\n"
         r"# counts with \* are projected: events share counters\n"
         + counted("([0-9]{7,8}|-)", mark=PROJECTED)
         + counted("([0-9]{6,8}|-)", "0x12", "branches", mark=PROJECTED)
         + counted("-", "0x13", "btb_hits", mark=NOT_EMULATED) + PROJECTED_NOTES),
)

# Run the files case0, case1, and so on. For each, print a line with its number, its status and
# the sizes of its two outputs, and then both outputs.
SCRIPT = """
n=0
while [ -e case$n ]; do
	sh ./case$n >/tmp/out 2>/tmp/err </dev/null
	echo "$n $? $(wc -c </tmp/out) $(wc -c </tmp/err)"
	cat /tmp/out /tmp/err
	n=$((n + 1))
done
"""

PROGRAMS = ("exit", "calls", "killed", "rep-movs", "gate", "phases", "team", "exactly-10000000")


# ELSEWHERE has the codes and names that replace the Pentium's events on other processors. POLL
# has the number of poll(2) in a 64-bit perfex.
ELSEWHERE = {
    "icelake": {"0x16": "0xc0", "instructions_executed": "instructions_retired",
                "0x12": "0xc4", "branches": "branch_instructions_retired"},
    "zen4": {"0x16": "0xc0", "instructions_executed": "retired_instructions",
             "0x12": "0xc2", "branches": "retired_branch_instructions"},
}
POLL = {"'^168 ' /proc/$perfex": "'^7 ' /proc/$perfex", "'^168 ' /proc/$first": "'^7 ' /proc/$first"}


def translated(text, cpu):
    """Translate a command, or its output, for another processor and a 64-bit perfex."""
    for word, other in (ELSEWHERE[cpu] | POLL).items():
        text = text.replace(word, other)
    return text


def elsewhere(cases, cpu):
    """Return the cases for another processor and a 64-bit perfex."""
    return tuple(Case(case.name, translated(case.command, cpu), case.status,
                      translated(case.stdout, cpu), translated(case.stderr, cpu))
                 for case in cases)


def run_cases(machine, cases, more=()):
    """Run all cases in one boot, with more files. Return the status, stdout and stderr of each
    case."""
    # Each case is in its own file.
    script = "mkdir /tmp/cases; for p in *; do ln -s /root/$p /tmp/cases; done\n" \
             "chmod 755 /root; export PATH=/root:$PATH\ncd /tmp/cases\n"
    for number, case in enumerate(cases):
        script += f"cat >case{number} <<'END-OF-CASE'\n{case.command}\nEND-OF-CASE\n"
    files = [guest.perfex(64 if machine.kernel.endswith("-amd64") else 32), guest.tool("setcap"),
             guest.tool("blocks"),
             *map(guest.program, PROGRAMS), *more]
    result = guest.run(machine, ["sh", "-s"], files, (script + SCRIPT).encode())
    if result.returncode or result.stderr:
        raise Failed(guest.shown(result))
    return list(take_apart(result.stdout))


def take_apart(output):
    """Yield the results in the output of the script."""
    while output:
        header, _, output = output.partition(b"\n")
        _, status, out, err = map(int, header.split())
        yield status, output[:out].decode(), output[out:out + err].decode()
        output = output[out + err:]


def check_cases(machine, cases, more=()):
    """Run the cases, with more files, and compare their results."""
    results = run_cases(machine, cases, more)
    failures = []
    for case, (status, stdout, stderr) in zip(cases, results):
        if (status != case.status or not re.fullmatch(case.stdout, stdout)
                or not re.fullmatch(case.stderr, stderr)):
            failures.append(f"{case.name}: {case.command}\n  status {status} want {case.status}\n"
                            f"  stdout {stdout!r}\n  want   {case.stdout!r}\n"
                            f"  stderr {stderr!r}\n  want   {case.stderr!r}")
    if len(results) != len(cases):
        failures.append(f"{len(results)} of {len(cases)} cases ran")
    if failures:
        raise Failed("\n".join(failures))


def tests():
    """Yield the tests of this file."""
    for cpu, errors, output in (("mmx", MMX_ERRORS, MMX_OUTPUT), ("p5", P5_ERRORS, P5_OUTPUT)):
        yield Test(f"perfex-errors-{cpu}", "every error has its sentence and its status",
                   functools.partial(check_cases, Machine(cpu=cpu), ERRORS + errors))
        yield Test(f"perfex-output-{cpu}",
                   "the report, the command's output and its status stay apart and complete",
                   functools.partial(check_cases, Machine(cpu=cpu), OUTPUT + output + EMULATED))
        yield Test(f"perfex-multiplex-{cpu}",
                   "counts of a part of the time are marked, and events that fit are exact",
                   functools.partial(check_cases, Machine(cpu=cpu, icount=True), MULTIPLEX))
        for smp in (1, 2):
            yield Test(f"perfex-process-{cpu}-{smp}",
                       "a running process is counted from then on, by who may, until it ends",
                       functools.partial(check_cases, Machine(cpu=cpu, smp=smp), PROCESS))
    for cpu in ELSEWHERE:
        yield Test(f"perfex-process-{cpu}-amd64", "the same with 64 bits, of programs of 32",
                   functools.partial(check_cases, Machine(cpu=cpu, smp=2, kernel="vpmc-amd64"),
                                     elsewhere(PROCESS, cpu)))
