// SPDX-License-Identifier: GPL-2.0-only
/*
 * The command line. See perfex(1).
 */
#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "options.h"

#define DEFAULT_EVENT "instructions"

static const char usage[] =
	"usage: perfex [-aknx] [-m[p]] [-e EVENT]... [--multiplex] [--regions[=raw]]\n"
	"              [-o FILE] [--] COMMAND [ARG...]\n"
	"       perfex -p PID [--for SECONDS] [--force] [-aknx] [-m[p]]\n"
	"              [-e EVENT]... [--multiplex] [-o FILE]\n"
	"       perfex --system [--force] [--cpu N] [--interval SECONDS] [-kx]\n"
	"              [-e EVENT]... [-o FILE] [--] [COMMAND [ARG...]]\n"
	"       perfex -l | -i | -h | -V\n"
	"\n"
	"Runs COMMAND and reports how often EVENTs happened in it and in the\n"
	"processes that it created and waited for. With -p reports how often they\n"
	"happened in process PID from now on, until it exits, until the time is\n"
	"over, or until an interrupt. With --system reports how often they happened\n"
	"in the whole system while COMMAND ran, or until an interrupt.\n"
	"\n"
	"  -e EVENT  event to count: NAME or CODE, then @COUNTER, then :u, :k or\n"
	"            :uk for user mode, kernel mode or both (default event:\n"
	"            " DEFAULT_EVENT ", default mode: user); several with\n"
	"            commas between them\n"
	"  -k        count kernel mode too in events without a mode\n"
	"  -x        the same: the processor cannot tell exceptions from the\n"
	"            rest of the kernel\n"
	"  --multiplex\n"
	"            let events share counters; their counts are projected from\n"
	"            part of the time, and marked\n"
	"  -a        count all processes that come from it, waited for or not\n"
	"  -n        count the process alone, none that come from it\n"
	"  -m        list the counts of each process\n"
	"  -mp       list the counts of each process and of each thread\n"
	"  --regions[=raw]\n"
	"            list what the regions of the program counted; raw: with what the\n"
	"            regions themselves cost\n"
	"  -o FILE   report to FILE, not to standard error\n"
	"  -p PID    count a process that runs already\n"
	"  --for SECONDS\n"
	"            count it no longer than that\n"
	"  --system  count whatever the processors do, in events without a mode\n"
	"            kernel mode too; needs CAP_PERFMON or CAP_SYS_ADMIN\n"
	"  --force   take the counters away from threads that count; with -p\n"
	"            replace what the process counts\n"
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
	OPTION_FOR,
	OPTION_MULTIPLEX,
	OPTION_REGIONS,
};

static const struct option long_options[] = {
	{ "system", no_argument, NULL, OPTION_SYSTEM },
	{ "force", no_argument, NULL, OPTION_FORCE },
	{ "cpu", required_argument, NULL, OPTION_CPU },
	{ "interval", required_argument, NULL, OPTION_INTERVAL },
	{ "for", required_argument, NULL, OPTION_FOR },
	{ "multiplex", no_argument, NULL, OPTION_MULTIPLEX },
	{ "regions", optional_argument, NULL, OPTION_REGIONS },
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

static int add_events(struct options *options, char *list)
{
	char *comma;

	while ((comma = strchr(list, ','))) {
		*comma = '\0';
		if (add_event(options, list))
			return PERFEX_TOO_MANY;
		list = comma + 1;
	}
	return add_event(options, list);
}

/* The only argument that -m can have is the p of -mp. */
static int choose_lists(struct options *options, const char *more)
{
	if (more && strcmp(more, "p") != 0) {
		complain("unknown option -m%s: only -m and -mp exist, so give"
			 " other options separately (perfex -h shows how)",
			 more);
		return PERFEX_USAGE;
	}
	options->processes = true;
	if (more)
		options->threads = true;
	return 0;
}

/* Parses a decimal number that is @least or more. */
static bool parse_int(const char *text, int least, int *number)
{
	char *end;
	long value;

	errno = 0;
	value = strtol(text, &end, 10);
	if (end == text || *end || errno || value < least || value > INT_MAX)
		return false;
	*number = (int)value;
	return true;
}

static int choose_regions(struct options *options, const char *how)
{
	options->regions = true;
	options->raw = how != NULL;
	if (!how || !strcmp(how, "raw"))
		return 0;
	complain("unknown option --regions=%s: only --regions and"
		 " --regions=raw exist",
		 how);
	return PERFEX_USAGE;
}

static int choose_cpu(struct options *options, const char *text)
{
	if (parse_int(text, 0, &options->cpu))
		return 0;
	complain("\"%s\" is not a processor: give a number from 0 after --cpu",
		 text);
	return PERFEX_USAGE;
}

static int choose_process(struct options *options, const char *text)
{
	if (parse_int(text, 1, &options->pid))
		return 0;
	complain("\"%s\" is not a process: give its number after -p", text);
	return PERFEX_USAGE;
}

static int choose_time(unsigned int *ms, const char *text, const char *option)
{
	char *end;
	double seconds = strtod(text, &end);

	/* In this form the comparison rejects NaN, too. */
	if (end == text || *end || !(seconds >= 0.001 && seconds <= 1e6)) {
		complain("\"%s\" is not a time: give seconds from 0.001 to"
			 " 1000000 after %s",
			 text, option);
		return PERFEX_USAGE;
	}
	*ms = (unsigned int)(seconds * 1000 + 0.5);
	return 0;
}

/* The option that getopt_long(3) has just rejected: optopt is its letter. */
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
		return add_events(options, optarg);
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
	case 'p':
		return choose_process(options, optarg);
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
		return choose_time(&options->interval_ms, optarg, "--interval");
	case OPTION_FOR:
		return choose_time(&options->for_ms, optarg, "--for");
	case OPTION_MULTIPLEX:
		options->multiplex = true;
		return 0;
	case OPTION_REGIONS:
		return choose_regions(options, optarg);
	case ':':
		return complain_option(argv, "option", " needs an argument");
	default:
		return complain_option(argv, "unknown option", "");
	}
}

/* Is there an option that only --system has? */
static bool is_of_system(const struct options *options)
{
	return options->cpu != VPMC_EVERY_CPU || options->interval_ms;
}

/* Is there an option that --system does not have? */
static bool is_of_process(const struct options *options)
{
	return options->pid || options->for_ms || options->all ||
	       options->alone || options->processes || options->multiplex;
}

/* Regions are of a command, and need exact counts. */
static int check_regions(const struct options *options)
{
	if (options->list || options->info || options->system || options->pid ||
	    options->multiplex)
		return usage_error("--regions cannot be combined with -l, -i,"
				   " -p, --system or --multiplex");
	return 0;
}

static int check_no_count(const struct options *options)
{
	if (options->nr_events || options->output || options->command[0])
		return usage_error("-l and -i cannot be combined with a"
				   " command, -e or -o");
	if (is_of_process(options))
		return usage_error("-l and -i cannot be combined with -a, -m,"
				   " -n, -p, --for or --multiplex");
	if (options->system || options->force || is_of_system(options))
		return usage_error("-l and -i cannot be combined with"
				   " --system or its options");
	return 0;
}

static int check_system(struct options *options)
{
	if (is_of_process(options))
		return usage_error("--system cannot be combined with -a, -m,"
				   " -n, -p, --for or --multiplex");
	options->modes |= VPMC_KERNEL;
	return 0;
}

/* Counting a command, or with -p a process. */
static int check_process(const struct options *options)
{
	if (is_of_system(options))
		return usage_error("--cpu and --interval need --system");
	if (options->alone && (options->all || options->processes))
		return usage_error("-n cannot be combined with -a or -m");
	if (options->pid)
		return options->command[0]
			       ? usage_error("-p cannot be combined with a"
					     " command")
			       : 0;
	if (options->force)
		return usage_error("--force needs --system or -p");
	if (options->for_ms)
		return usage_error("--for needs -p");
	if (!options->command[0])
		return usage_error("give a command to count, or a process with"
				   " -p");
	return 0;
}

static int check_options(struct options *options)
{
	int status;

	if (options->regions && check_regions(options))
		return PERFEX_USAGE;
	if (options->list || options->info)
		return check_no_count(options);
	status = options->system ? check_system(options)
				 : check_process(options);
	if (status || options->nr_events)
		return status;
	options->by_default = true;
	return add_event(options, DEFAULT_EVENT);
}

int parse_options(struct options *options, int argc, char **argv)
{
	int option, status;

	/* "+" leaves the command's options to the command. */
	while ((option = getopt_long(argc, argv, "+:e:kxanm::o:p:lihV",
				     long_options, NULL)) != -1) {
		status = parse_option(options, option, argv);
		if (status)
			return status;
	}
	options->command = argv + optind;
	return check_options(options);
}
