// SPDX-License-Identifier: GPL-2.0-only
/*
 * The command line. See perfex(1).
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "options.h"

#define DEFAULT_EVENT "instructions_executed"

static const char usage[] =
	"usage: perfex [-aknx] [-m[p]] [-e EVENT]... [-o FILE] [--]\n"
	"              COMMAND [ARG...]\n"
	"       perfex -l | -i | -h | -V\n"
	"\n"
	"Runs COMMAND and reports how often EVENTs happened in it and in the\n"
	"processes that it created and waited for.\n"
	"\n"
	"  -e EVENT  event to count: NAME or CODE, then @COUNTER, then :u, :k or\n"
	"            :uk for user mode, kernel mode or both (default event:\n"
	"            " DEFAULT_EVENT ", default mode: user)\n"
	"  -k        count kernel mode too in events without a mode\n"
	"  -x        the same: the processor cannot tell exceptions from the\n"
	"            rest of the kernel\n"
	"  -a        count all processes that COMMAND created, waited for or not\n"
	"  -n        count none of them\n"
	"  -m        list the counts of each process\n"
	"  -mp       list the counts of each process and of each thread\n"
	"  -o FILE   report to FILE, not to standard error\n"
	"  -l        list the events of this processor\n"
	"  -i        describe the processor, its counters and the driver\n"
	"  -h        print this help\n"
	"  -V        print the version\n";

static int usage_error(const char *sentence)
{
	complain("%s (perfex -h shows how)", sentence);
	return PERFEX_USAGE;
}

static int add_event(struct options *options, const char *event)
{
	if (options->nr_events == VPMC_COUNTS_MAX) {
		complain("too many events: no processor counts more than %d at"
			 " once",
			 VPMC_COUNTS_MAX);
		return PERFEX_TOO_MANY;
	}
	options->events[options->nr_events++] = event;
	return 0;
}

/* -m has an argument, but no other than the p of -mp. */
static int choose_lists(struct options *options, const char *more)
{
	if (more && strcmp(more, "p") != 0) {
		complain("there is -m and there is -mp, but no -m%s: give other"
			 " options apart from them (perfex -h shows how)",
			 more);
		return PERFEX_USAGE;
	}
	options->processes = true;
	if (more)
		options->threads = true;
	return 0;
}

/* Help and version are the whole answer: these two do not return. */
static _Noreturn void print_and_exit(const char *text)
{
	fputs(text, stdout);
	exit(fflush(stdout) ? PERFEX_OUTPUT : EXIT_SUCCESS);
}

static int parse_option(struct options *options, int option)
{
	switch (option) {
	case 'e':
		return add_event(options, optarg);
	case 'k':
	case 'x':
		options->modes |= VPMC_KERNEL;
		return 0;
	case 'a':
		options->all = true;
		return 0;
	case 'n':
		options->alone = true;
		return 0;
	case 'm':
		return choose_lists(options, optarg);
	case 'o':
		options->output = optarg;
		return 0;
	case 'l':
		options->list = true;
		return 0;
	case 'i':
		options->info = true;
		return 0;
	case 'h':
		print_and_exit(usage);
	case 'V':
		print_and_exit("perfex " VPMC_VERSION "\n");
	case ':':
		complain("option -%c needs an argument (perfex -h shows how)",
			 optopt);
		return PERFEX_USAGE;
	default:
		complain("there is no option -%c (perfex -h shows how)",
			 optopt);
		return PERFEX_USAGE;
	}
}

static int check_no_count(const struct options *options)
{
	if (options->nr_events || options->output || options->command[0])
		return usage_error("-l and -i go without a command and without"
				   " -e and -o");
	if (options->all || options->alone || options->processes)
		return usage_error("-l and -i go without -a, -m and -n");
	return 0;
}

static int check_options(struct options *options)
{
	if (options->list || options->info)
		return check_no_count(options);
	if (!options->command[0])
		return usage_error("give a command to count");
	if (options->alone && (options->all || options->processes))
		return usage_error("-n goes without -a and -m");
	return options->nr_events ? 0 : add_event(options, DEFAULT_EVENT);
}

int parse_options(struct options *options, int argc, char **argv)
{
	int option, status;

	/* "+" leaves the command's options to the command. */
	while ((option = getopt(argc, argv, "+:e:kxanm::o:lihV")) != -1) {
		status = parse_option(options, option);
		if (status)
			return status;
	}
	options->command = argv + optind;
	return check_options(options);
}
