// SPDX-License-Identifier: GPL-2.0-only
/*
 * Parse the command line of perfex.irix. Each option is a word, and its argument is the
 * next word. getopt(3) cannot parse it, because -mp and -pp do not mean -m, -p and -p.
 */
#include "irix_options.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "irix_file.h"

static const char help[] =
	"usage: perfex.irix [-a | -e event [-e event]] [-mp | -s | -p period] [-pp [n]]\n"
	"                   [-x] [-k] [-y] [-t] [-T] [-o file] [-c file] command [argument ...]\n"
	"  -a         all events in turn, with projected totals; -e has no effect then\n"
	"  -e event   this event, by number or name; perfex -l lists them\n"
	"  -mp        each thread, too\n"
	"  -pp [n]    each thread, too, or the nth of each process alone\n"
	"  -s         count from a SIGUSR1 to perfex.irix to a SIGUSR2\n"
	"  -p period  the counts so far, too, every period milliseconds\n"
	"  -x, -k     kernel mode, too\n"
	"  -y         times that the events may have taken, and statistics\n"
	"  -t         the table of costs, and no command\n"
	"  -T         accepted\n"
	"  -o file    the report to file\n"
	"  -c file    costs from file, for -y and -t\n"
	"T5_EVENT0 and T5_EVENT1 in the environment are events where there is no -e.\n"
	"See perfex.irix(1).\n";

static int refuse(const char *sentence)
{
	complain("%s (perfex.irix -h lists the options)", sentence);
	return PERFEX_USAGE;
}

/* Return the value of @word, or 0 if it is not a whole number from 1. */
static unsigned int number_of(const char *word)
{
	char *end;
	unsigned long number = strtoul(word, &end, 10);

	if (word[0] < '0' || word[0] > '9' || *end || number > INT_MAX)
		return 0;
	return (unsigned int)number;
}

static int take_event(struct irix_options *options, const char *word)
{
	if (options->nr_events == PERFEXINT_PAIR)
		return refuse("-e can be given twice, because there are two"
			      " counts: with -a there are more");
	options->event[options->nr_events++] = word;
	return 0;
}

/*
 * Set the period of -p. With -p and -s, the report also includes processes that have not been
 * waited for.
 */
static int take_period(struct irix_options *options, const char *word)
{
	options->count.all = true;
	options->period_ms = number_of(word);
	if (options->period_ms)
		return 0;
	complain("\"%s\" of -p is not a period: give whole milliseconds from 1"
		 " (perfex.irix -h lists the options)",
		 word);
	return PERFEX_USAGE;
}

static int take_output(struct irix_options *options, const char *word)
{
	options->output = word;
	return 0;
}

static int take_costs(struct irix_options *options, const char *word)
{
	options->costs = word;
	return 0;
}

static const struct {
	const char *word;
	int (*take)(struct irix_options *options, const char *word);
} with_argument[] = {
	{ "-e", take_event },
	{ "-p", take_period },
	{ "-o", take_output },
	{ "-c", take_costs },
};

static void set_all(struct irix_options *options)
{
	options->all = true;
	options->count.multiplex = true;
}

static void set_threads(struct irix_options *options)
{
	options->threads = true;
	options->count.processes = true;
}

static void set_signals(struct irix_options *options)
{
	options->count.signals = true;
	options->count.start_stopped = true;
	options->count.all = true;
}

static void set_kernel(struct irix_options *options)
{
	options->count.modes |= VPMC_KERNEL;
}

static void set_times(struct irix_options *options)
{
	options->times = true;
}

static void set_table(struct irix_options *options)
{
	options->table = true;
}

/* Ignore -T, because all processors of a machine are of the same kind. */
static void set_nothing(struct irix_options *options)
{
	(void)options;
}

static const struct {
	const char *word;
	void (*set)(struct irix_options *options);
} flags[] = {
	{ "-a", set_all },     { "-mp", set_threads }, { "-pp", set_threads },
	{ "-s", set_signals }, { "-x", set_kernel },   { "-k", set_kernel },
	{ "-y", set_times },   { "-t", set_table },    { "-T", set_nothing },
};

static bool take_flag(struct irix_options *options, const char *word)
{
	size_t i;

	for (i = 0; i < sizeof(flags) / sizeof(flags[0]); i++) {
		if (!strcmp(flags[i].word, word)) {
			flags[i].set(options);
			return true;
		}
	}
	return false;
}

/* Take an option, and move @argv to its last word. */
static int take_word(struct irix_options *options, char ***argv)
{
	const char *word = **argv;
	size_t i;

	if (!strcmp(word, "-h")) {
		fputs(help, stdout);
		exit(irix_close_file(stdout, "standard output"));
	}
	for (i = 0; i < sizeof(with_argument) / sizeof(with_argument[0]); i++) {
		if (strcmp(with_argument[i].word, word) != 0)
			continue;
		if (!(*argv)[1]) {
			complain("%s needs an argument (perfex.irix -h lists"
				 " the options)",
				 word);
			return PERFEX_USAGE;
		}
		return with_argument[i].take(options, *++*argv);
	}
	if (!take_flag(options, word)) {
		complain("unknown option \"%s\" (perfex.irix -h lists the"
			 " options)",
			 word);
		return PERFEX_USAGE;
	}
	if (!strcmp(word, "-pp") && (*argv)[1] && number_of((*argv)[1]))
		options->thread = number_of(*++*argv);
	return 0;
}

static int check(const struct irix_options *options)
{
	if (options->threads && options->count.signals)
		return refuse("-s cannot be combined with -mp and -pp, because"
			      " signals only start and stop the sum");
	if (options->threads && options->period_ms)
		return refuse(
			"-p cannot be combined with -mp and -pp, because it"
			" reports only the sum");
	if (options->count.signals && options->period_ms)
		return refuse("-p cannot be combined with -s");
	if (options->costs && !options->times && !options->table)
		return refuse("-c needs -y or -t, which use the costs");
	if (!options->table && !options->command[0])
		return refuse("give a command to count");
	return 0;
}

int irix_parse_options(struct irix_options *options, char **argv)
{
	int status = 0;

	*options = (struct irix_options){ .count = { .modes = VPMC_USER } };
	for (argv++; !status && *argv && **argv == '-'; argv++) {
		if (!strcmp(*argv, "--")) {
			argv++;
			break;
		}
		status = take_word(options, &argv);
	}
	options->command = argv;
	options->count.command = argv;
	return status ? status : check(options);
}
