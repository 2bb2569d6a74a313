# SPDX-License-Identifier: GPL-2.0-only
"""Test the examples of perfex(1): each line is executed literally."""

import functools
import os
import re
import tempfile

import guest
from cases import Failed, Test
from guest import Machine

# The lines need these files. The two programs named httpd are scripts that do not end.
SETTING = """\
PATH=/root:$PATH
mkdir -p /etc /var/lib/node_exporter
echo 'one line of services' >/etc/services
mkdir -p /share/vpmc/groups/p5
cp dcache /share/vpmc/groups/p5
for name in prog old new; do cp exactly-1000 $name; done
printf '#!/bin/sh\\nexactly-1000; exactly-1000\\n' >script
printf '#!/bin/sh\\nwhile :; do sleep 0.2; done\\n' >httpd
chmod +x script httpd
echo input >data
mkfifo orders acks
# That of BusyBox has no -s.
pidof() {
	[ "$1" = -s ] && command pidof "$2" | cut -d ' ' -f 1 || command pidof "$1"
}
httpd & httpd &
"""

# These lines run until they get a signal.
UNTIL = ("--cpu 1 --interval 1", "--prometheus", "--control")

# The key is a part that only one line contains. The value is the output of that line, or of the
# file that it names.
PRINTED = {
    "wc /etc": r"^ *[0-9]+  0x16   instructions_executed:u\n",
    "loads,stores": r"^ *[0-9]+  0x00   loads:u\n *[0-9]+  0x01   stores:u\n",
    "0x16:k": r"^ *1000  0x16   instructions_executed:u\n"
              r" *[0-9]+  0x16   instructions_executed:k\n",
    "-am": r"(?s)process .* exactly-1000\n.*process .* script\n.* 0x16 ",
    "-g dcache": r"(?s)data_read:u\n.*# the events were counted in [0-9]+ runs",
    "--control": r"^ *0  0x16 .*\n# nothing was counted",
    "--delay": r"^ *0  0x16 .*\n# nothing was counted",
    "tr ' '": r"process +[0-9]+ .* httpd\nprocess +[0-9]+ .* httpd\n *[0-9]+  0x16 ",
    "--multiplex": r"(?s)0x16 .*0x12 .*0x0b .*0x1c   locked_bus_cycles:u",
    "-a --for 10": r"^ *[1-9][0-9]*  0x16 ",
    "-a --interval 1": r"^# [0-9.]+ seconds\n *1000  0x16 ",
    "--system ./prog": r"^ *[0-9]{4,}  0x16   instructions_executed:uk\n",
    "--cpu 1": r"^# [0-9.]+ seconds\n *[0-9]+  0x16   instructions_executed:uk\n",
    "--prometheus": r'^vpmc_events_total{event="instructions_executed",mode="uk",cpu="1",'
                    r'output="/var/lib/node_exporter/vpmc.prom"} [0-9]+$',
    "--regions": r"region .* 998 .*  is_prime\n",
    "n=$(": r"^ *1000  0x16 ",
    "--status-file": r"^exit 0\n",
    "--warmup": r"(?s)1000  0x16   instructions:u  # the same in all 10 runs\n.*elapsed_seconds",
    "--plot": r"(?s)1\.000000  0x16 .*command 2, the same in all runs\n.*<svg",
    "--json": r'"name":"instructions"',
    "--limit": r"1\.000000 .*0x16 .*instructions",
    "--self-test": r"(?s)^processor .*\npassed +migration .*passed, 0 failed, ",
    "--csv": r"(?s)^kind,.*\n(event,.*,22,1000,.*\n){3}$",
}

FILES = {"base.json", "counts", "end", "runs.svg", "table", "/var/lib/node_exporter/vpmc.prom"}


def lines():
    """Return the lines of the section, except the ones that need a terminal or a cgroup.

    docs/history/pentium-tools.md has the line on a terminal, too, and cases_live.py tests it. The
    kernel of these tests lacks cgroups, so cases_cgroup.py tests the line with a cgroup.
    """
    with open(os.path.join(guest.TOP, "docs/man/perfex.1"), encoding="utf-8") as file:
        section = re.search(r"^\.Sh EXAMPLES\n(.*?)^\.Sh", file.read(), re.M | re.S)[1]
    return [line for line in re.findall(r"^\.Dl [$#] (.*)$", section, re.M)
            if not any(option in line for option in ("--live", "--cgroup"))]


def script(commands):
    """Return a script that executes each line, marks its output, and shows the files that it
    has written."""
    text = SETTING
    for number, command in enumerate(commands):
        # If a line names several files, perfex writes its output to the last file.
        written = [word.strip(";") for word in command.split() if word.strip(";") in FILES][-1:]
        run = f"{{ {command}\n}} 2>&1"
        if any(part in command for part in UNTIL):
            run += " & sleep 3; killall perfex; wait $!"
        text += f"echo '=== {number}'\n{run}\necho \"=== status $?\"\n"
        text += "".join(f"cat {name}\n" for name in written)
    return text + "killall httpd\n"


def patterns_of(commands):
    """Return the pattern of PRINTED for each line."""
    keys = [[key for key in PRINTED if key in command] for command in commands]
    for command, found in zip(commands, keys):
        if len(found) != 1:
            raise Failed(f"{command}\n{len(found)} keys of PRINTED in tests/guest_cases/"
                         "cases_manual.py are in this line: let one be, with what the line prints")
    for key in PRINTED:
        if [key] not in keys:
            raise Failed(f"no example has \"{key}\": remove it from PRINTED")
    return [PRINTED[key] for [key] in keys]


def check(machine):
    """Test that each line ends with status 0 and the right output."""
    commands = lines()
    patterns = patterns_of(commands)
    with tempfile.TemporaryDirectory() as directory:
        path = os.path.join(directory, "lines")
        with open(path, "w", encoding="utf-8") as file:
            file.write(script(commands))
        result = guest.run(machine, ["sh", "lines"],
                           [path, guest.PERFEX, guest.tool("parts"), guest.program("exactly-1000"),
                            os.path.join(guest.TOP, "perfex/groups/p5/dcache")])
    parts = re.split(r"=== \d+\n", result.stdout.decode())[1:]
    if len(parts) != len(commands):
        raise Failed(f"{len(commands)} lines, {len(parts)} executed\n{guest.shown(result)}")
    for command, pattern, part in zip(commands, patterns, parts):
        status = re.search(r"=== status (\d+)\n", part)[1]
        printed = re.sub(r"=== status \d+\n", "", part)
        if status != "0" or not re.search(pattern, printed, re.M):
            raise Failed(f"{command}\nstatus {status}\n{printed:.2000}")


def tests():
    """Yield the test of this file."""
    yield Test("manual-examples", "each example of perfex(1) does what it says as it stands",
               functools.partial(check, Machine(smp=2, skips_waits=True)))
