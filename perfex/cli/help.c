// SPDX-License-Identifier: GPL-2.0-only
/* See help.h. It fits on a screen. */
#include "cli/help.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "util/perfex.h"
#include "util/stream.h"

static const char help[] =
	"usage: perfex [OPTION]... [--] COMMAND [ARG]...\n"
	"       perfex -p PID[,PID]... | -t TID [OPTION]...\n"
	"       perfex --system [OPTION]... [--] [COMMAND [ARG]...]\n"
	"       perfex --merge [OPTION]... REPORT...\n"
	"       perfex -l [PATTERN]... | -i | --release | -h | -V\n"
	"\n"
	"Counts hardware events of a command, of processes that run, or of the system. See perfex(1).\n"
	"\n"
	"What is counted:\n"
	"  -e, --event EVENT[,EVENT]...  NAME or CODE, then @COUNTER, then :u, :k or :uk for\n"
	"                        user mode, kernel mode or both; without it instructions:u; @FILE: a list\n"
	"  -g, --group GROUP,...  events, and numbers derived from them; \"help\" lists them\n"
	"  -k, --kernel, -x, --exceptions  kernel mode, too, of events without a mode\n"
	"      --multiplex       let events share counters, and mark what is projected\n"
	"      --runs            run the command as often as the counters need: all counts are exact\n"
	"      --strict          refuse events that cannot happen as they are to be counted\n"
	"Whose events, and when:\n"
	"  -a, --all             of all processes that come from it, waited for or not\n"
	"  -n, --alone           of the process alone\n"
	"  -p, --pid PID,...     of these processes, from now on\n"
	"  -t, --tid TID         of this thread, from now on\n"
	"      --system          of all processors; needs CAP_PERFMON or CAP_SYS_ADMIN\n"
	"      --cpu N           of this processor\n"
	"      --force, --keep   take them from whoever counts already; let processes that are left count on\n"
	"      --delay, --for SECONDS  not before that; no longer than that\n"
	"      --fixed-layout, --optional  at the same addresses in each run; also run it uncounted\n"
	"      --control FIFO[,FIFO]  started and stopped by lines: enable, disable\n"
	"      --signals         started and stopped by SIGUSR1 and SIGUSR2 to perfex\n"
	"      --start-stopped   not before one of these orders\n"
	"The report:\n"
	"      --interval SECONDS  one for each such time\n"
	"      --faults, --live  with page faults and switches of each; rates on the terminal meanwhile\n"
	"  -m, --processes, -mp, --threads  list the counts of each process, and of each thread\n"
	"      --regions[=raw|faults]  list the regions of a program; with their costs; with page faults\n"
	"      --timeline FILE   write there when each region begins and ends, for trace viewers\n"
	"      --times           add times, resources, and instructions per cycle\n"
	"      --csv, --json, --openmetrics, --prometheus  for programs; all so far, for monitoring\n"
	"  -r, --repeat N        run the command N times: mean, confidence interval, least and most\n"
	"      --compare[=WORD]  run several commands in turn, \"::\" or WORD between them: ratios\n"
	"      --warmup N, --confidence PERCENT, --limit RATIO  N runs before; 95 or 99; fail above RATIO\n"
	"      --pre, --post LINE  let a shell run LINE before, after each run, uncounted\n"
	"  -o, --output FILE     write to FILE (in a name: %h host, %p process, %r MPI rank) or \"-\", stdout\n"
	"      --append          behind what FILE has\n"
	"      --plot FILE       draw what each run or interval has counted, as SVG\n"
	"      --status-file FILE, --label TEXT  write there whose the exit status is; mark expositions\n"
	"Without counting:\n"
	"  -l, --list, --groups  list the events of this processor, or those with a PATTERN; the groups\n"
	"      --merge           make one report of many, which have --csv or --json\n"
	"  -i, --info, --release  describe the counters and who has them; take them away\n"
	"  -h, --help, -V, --version  print this help, or the version\n";

static int print(const char *text)
{
	fputs(text, stdout);
	if (flush_stream(stdout))
		return EXIT_SUCCESS;
	complain("cannot write to standard output: %s", strerror(errno));
	return PERFEX_OUTPUT;
}

int print_help(void)
{
	return print(help);
}

int print_version(void)
{
	return print("perfex " VPMC_VERSION "\n");
}
