// SPDX-License-Identifier: GPL-2.0-only
/*
 * perfex: run a command and count its hardware events. See perfex(1).
 */
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "perfex.h"

#define DEFAULT_EVENT "instructions_executed"

static const char usage[] =
	"usage: perfex [-e EVENT]... [-k] [-x] [-o FILE] [--] COMMAND [ARG...]\n"
	"       perfex -l | -i | -h | -V\n"
	"\n"
	"Runs COMMAND and reports how often EVENTs happened in it.\n"
	"\n"
	"  -e EVENT  event to count: NAME or CODE, then @COUNTER, then :u, :k or\n"
	"            :uk for user mode, kernel mode or both (default event:\n"
	"            " DEFAULT_EVENT ", default mode: user)\n"
	"  -k        count kernel mode too in events without a mode\n"
	"  -x        the same: the processor cannot tell exceptions from the\n"
	"            rest of the kernel\n"
	"  -o FILE   report to FILE, not to standard error\n"
	"  -l        list the events of this processor\n"
	"  -i        describe the processor, its counters and the driver\n"
	"  -h        print this help\n"
	"  -V        print the version\n";

/**
 * struct options - the command line
 * @events: arguments of -e
 * @nr_events: how many
 * @modes: for events without a mode, enum vpmc_modes bits
 * @output: argument of -o, or NULL
 * @list: -l
 * @info: -i
 * @command: COMMAND with its arguments, ends with NULL
 */
struct options {
	const char *events[VPMC_COUNTS_MAX];
	size_t nr_events;
	unsigned int modes;
	const char *output;
	bool list;
	bool info;
	char **command;
};

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

static int check_options(const struct options *options)
{
	bool counts =
		options->nr_events || options->output || options->command[0];

	if (options->list || options->info)
		return counts ? usage_error("-l and -i go without a command"
					    " and without -e and -o")
			      : 0;
	if (!options->command[0])
		return usage_error("give a command to count");
	return 0;
}

static int parse_options(struct options *options, int argc, char **argv)
{
	int option, status;

	/* "+" leaves the command's options to the command. */
	while ((option = getopt(argc, argv, "+:e:kxo:lihV")) != -1) {
		status = parse_option(options, option);
		if (status)
			return status;
	}
	options->command = argv + optind;
	return check_options(options);
}

static int describe(struct vpmc *vpmc, const struct options *options)
{
	struct vpmc_machine machine;
	struct vpmc_error err;

	if (vpmc_info(vpmc, &machine, &err))
		return complain_vpmc(&err);
	if (options->info)
		print_machine(stdout, &machine);
	if (options->list)
		print_events(stdout, vpmc_pmu_of(vpmc), &machine);
	if (fflush(stdout) || ferror(stdout)) {
		complain("cannot write to standard output: %s",
			 strerror(errno));
		return PERFEX_OUTPUT;
	}
	return EXIT_SUCCESS;
}

static int choose_events(struct vpmc *vpmc, const struct options *options,
			 struct events *events)
{
	struct vpmc_error err;
	size_t i;

	events->pmu = vpmc_pmu_of(vpmc);
	events->nr = options->nr_events;
	for (i = 0; i < events->nr; i++) {
		if (vpmc_event_parse(events->pmu, options->events[i],
				     options->modes, &events->sel[i], &err))
			return complain_vpmc(&err);
	}
	if (vpmc_event_assign(events->pmu, events->sel, events->nr, &err))
		return complain_vpmc(&err);
	return 0;
}

static int complain_output(const struct options *options)
{
	complain("cannot write the report to %s: %s",
		 options->output ? options->output : "standard error",
		 strerror(errno));
	return PERFEX_OUTPUT;
}

static int report(struct vpmc *vpmc, const struct options *options,
		  const struct events *events, FILE *out)
{
	struct vpmc_counts counts;
	struct vpmc_error err;

	if (vpmc_read(vpmc, VPMC_SELF, &counts, &err))
		return complain_vpmc(&err);
	print_report(out, events, &counts);
	if (fflush(out) || ferror(out))
		return complain_output(options);
	return 0;
}

static int count(struct vpmc *vpmc, const struct options *options)
{
	struct events events;
	FILE *out = stderr;
	int status, failure;

	status = choose_events(vpmc, options, &events);
	if (status)
		return status;

	/* Before the command runs, so that a bad FILE costs no counts. */
	if (options->output)
		out = fopen(options->output, "we");
	if (!out)
		return complain_output(options);

	if (!run_command(vpmc, &events, options->command, &status)) {
		failure = report(vpmc, options, &events, out);
		if (failure)
			status = failure;
	}
	if (out != stderr)
		fclose(out);
	return status;
}

int main(int argc, char **argv)
{
	struct options options = { .modes = VPMC_USER };
	struct vpmc_error err;
	struct vpmc *vpmc;
	int status;

	status = parse_options(&options, argc, argv);
	if (status)
		return status;

	if (vpmc_open(&vpmc, &err))
		return complain_vpmc(&err);
	if (options.list || options.info) {
		status = describe(vpmc, &options);
	} else {
		if (!options.nr_events)
			add_event(&options, DEFAULT_EVENT);
		status = count(vpmc, &options);
	}
	vpmc_close(vpmc);
	return status;
}
