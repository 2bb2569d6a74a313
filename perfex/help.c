// SPDX-License-Identifier: GPL-2.0-only
/* See help.h. It fits on a screen. */
#include "help.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "perfex.h"

static const char help[] =
	"usage: perfex [OPTION]... [--] COMMAND [ARG]...\n"
	"       perfex -p PID [OPTION]...\n"
	"       perfex --system [OPTION]... [--] [COMMAND [ARG]...]\n"
	"       perfex -l [PATTERN]... | -i | -h | -V\n"
	"\n"
	"Counts the hardware events of a command, with the processes that it created and\n"
	"waited for, of a process that runs, or of the whole system. See perfex(1).\n"
	"\n"
	"What is counted:\n"
	"  -e, --event EVENT[,EVENT]...  NAME or CODE, then @COUNTER, then :u, :k or :uk for\n"
	"                        user mode, kernel mode or both; without it instructions:u\n"
	"  -g, --group GROUP,...  events, and numbers derived from them; \"help\" lists them\n"
	"  -k, --kernel          kernel mode, too, of events without a mode\n"
	"  -x, --exceptions      the same: exceptions and the rest of the kernel are one\n"
	"      --multiplex       let events share counters, and mark what is projected\n"
	"      --runs            run the command as often as the counters need: all counts are exact\n"
	"      --strict          refuse events that cannot happen as they are to be counted\n"
	"Whose events:\n"
	"  -a, --all             of all processes that come from it, waited for or not\n"
	"  -n, --alone           of the process alone\n"
	"  -p, --pid PID         of this process, from now on\n"
	"      --for SECONDS     no longer than that\n"
	"      --system          of all processors; needs CAP_PERFMON or CAP_SYS_ADMIN\n"
	"      --cpu N           of this processor\n"
	"      --force           take them from whoever counts them already\n"
	"The report:\n"
	"      --interval SECONDS  one for each such time\n"
	"      --live            rates on the terminal meanwhile\n"
	"  -m, --processes       list the counts of each process\n"
	"  -mp, --threads        and of each thread\n"
	"      --regions[=raw]   list the regions of a program, without or with their costs\n"
	"      --times           add times, resources, and instructions per cycle\n"
	"      --csv, --json     for programs\n"
	"      --openmetrics     for monitoring, all counters so far; replaces FILE\n"
	"      --prometheus      the same, for node_exporter\n"
	"  -r, --repeat N        run the command N times: mean, 95 % interval, least and most\n"
	"      --warmup N        run it N times before\n"
	"      --pre, --post LINE  let a shell run LINE before, after each run, uncounted\n"
	"  -o, --output FILE     write to FILE, \"-\" for standard output, not standard error\n"
	"      --append          behind what FILE has\n"
	"      --status-file FILE  write there whose the exit status is, and which\n"
	"Without counting:\n"
	"  -l, --list            list the events of this processor, or those with a PATTERN\n"
	"  -i, --info            describe the processor, its counters and the driver\n"
	"  -h, --help            print this help\n"
	"  -V, --version         print the version\n";

static int print(const char *text)
{
	fputs(text, stdout);
	if (!fflush(stdout))
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
