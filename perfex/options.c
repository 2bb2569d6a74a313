// SPDX-License-Identifier: GPL-2.0-only
/*
 * The command line. See perfex(1).
 */
#include <getopt.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "options.h"

#define DEFAULT_EVENT "instructions_executed"

static const char usage[] =
	"usage: perfex [-aknx] [-m[p]] [-e EVENT]... [-o FILE] [--]\n"
	"              COMMAND [ARG...]\n"
	"       perfex --system [--force] [--cpu N] [--interval SECONDS] [-kx]\n"
	"              [-e EVENT]... [-o FILE] [--] [COMMAND [ARG...]]\n"
	"       perfex -l | -i | -h | -V\n"
	"\n"
	"Runs COMMAND and reports how often EVENTs happened in it and in the\n"
	"processes that it created and waited for. With --system reports how often\n"
	"they happened in the whole system while COMMAND ran, or until an interrupt.\n"
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
	"  --system  count whatever the processors do, in events without a mode\n"
	"            kernel mode too; needs CAP_PERFMON or CAP_SYS_ADMIN\n"
	"  --force   take the counters away from threads that count\n"
	"  --cpu N   count processor N alone\n"
	"  --interval SECONDS\n"
	"            report what was counted in each such time\n"
	"  -l        list the events of this processor\n"
	"  -i        describe the processor, its counters and the driver\n"
	"  -h        print this help\n"
	"  -V        print the version\n";

static int usage_error(const char *sentence)
{
	complain("%s (perfex -h shows how)", sentence);
	return PERFEX_USAGE;
}

enum long_option {
	OPTION_SYSTEM = UCHAR_MAX + 1, /* no letter */
	OPTION_FORCE,
	OPTION_CPU,
	OPTION_INTERVAL,
};

static const struct option long_options[] = {
	{ "system", no_argument, NULL, OPTION_SYSTEM },
	{ "force", no_argument, NULL, OPTION_FORCE },
	{ "cpu", required_argument, NULL, OPTION_CPU },
	{ "interval", required_argument, NULL, OPTION_INTERVAL },
	{ NULL, 0, NULL, 0 },
};

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

static int choose_cpu(struct options *options, const char *text)
{
	char *end;
	long cpu = strtol(text, &end, 10);

	if (end == text || *end || cpu < 0 || cpu > INT_MAX) {
		complain("\"%s\" is no processor: give a number from 0 after"
			 " --cpu",
			 text);
		return PERFEX_USAGE;
	}
	options->cpu = (int)cpu;
	return 0;
}

static int choose_interval(struct options *options, const char *text)
{
	char *end;
	double seconds = strtod(text, &end);

	/* Such that no NaN is taken either. */
	if (end == text || *end || !(seconds >= 0.001 && seconds <= 1e6)) {
		complain("\"%s\" is no interval: give seconds from 0.001 to"
			 " 1000000 after --interval",
			 text);
		return PERFEX_USAGE;
	}
	options->interval_ms = (unsigned int)(seconds * 1000 + 0.5);
	return 0;
}

/* getopt_long(3) has just passed it, and knows letters alone by their name. */
static int complain_option(char **argv, const char *before, const char *after)
{
	if (optopt > 0 && optopt <= UCHAR_MAX)
		complain("%s -%c%s (perfex -h shows how)", before, optopt,
			 after);
	else
		complain("%s %s%s (perfex -h shows how)", before,
			 argv[optind - 1], after);
	return PERFEX_USAGE;
}

/* Help and version are the whole answer: these two do not return. */
static _Noreturn void print_and_exit(const char *text)
{
	fputs(text, stdout);
	exit(fflush(stdout) ? PERFEX_OUTPUT : EXIT_SUCCESS);
}

static int parse_option(struct options *options, int option, char **argv)
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
	case OPTION_SYSTEM:
		options->system = true;
		return 0;
	case OPTION_FORCE:
		options->force = true;
		return 0;
	case OPTION_CPU:
		return choose_cpu(options, optarg);
	case OPTION_INTERVAL:
		return choose_interval(options, optarg);
	case ':':
		return complain_option(argv, "option", " needs an argument");
	default:
		return complain_option(argv, "there is no option", "");
	}
}

static bool is_of_system(const struct options *options)
{
	return options->force || options->cpu != VPMC_EVERY_CPU ||
	       options->interval_ms;
}

static bool is_of_command(const struct options *options)
{
	return options->all || options->alone || options->processes;
}

static int check_no_count(const struct options *options)
{
	if (options->nr_events || options->output || options->command[0])
		return usage_error("-l and -i go without a command and without"
				   " -e and -o");
	if (is_of_command(options))
		return usage_error("-l and -i go without -a, -m and -n");
	if (options->system || is_of_system(options))
		return usage_error("-l and -i go without --system and its"
				   " options");
	return 0;
}

static int check_system(struct options *options)
{
	if (is_of_command(options))
		return usage_error("--system goes without -a, -m and -n");
	options->modes |= VPMC_KERNEL;
	return 0;
}

static int check_command(const struct options *options)
{
	if (is_of_system(options))
		return usage_error("--force, --cpu and --interval go with"
				   " --system only");
	if (!options->command[0])
		return usage_error("give a command to count");
	if (options->alone && (options->all || options->processes))
		return usage_error("-n goes without -a and -m");
	return 0;
}

static int check_options(struct options *options)
{
	int status;

	if (options->list || options->info)
		return check_no_count(options);
	status = options->system ? check_system(options)
				 : check_command(options);
	if (status || options->nr_events)
		return status;
	return add_event(options, DEFAULT_EVENT);
}

int parse_options(struct options *options, int argc, char **argv)
{
	int option, status;

	/* "+" leaves the command's options to the command. */
	while ((option = getopt_long(argc, argv, "+:e:kxanm::o:lihV",
				     long_options, NULL)) != -1) {
		status = parse_option(options, option, argv);
		if (status)
			return status;
	}
	options->command = argv + optind;
	return check_options(options);
}
