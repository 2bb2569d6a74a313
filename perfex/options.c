// SPDX-License-Identifier: GPL-2.0-only
/*
 * The command line. See perfex(1).
 */
#include "options.h"

#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "help.h"
#include "options_check.h"

#define DEFAULT_EVENT "instructions"

enum long_option {
	OPTION_SYSTEM = UCHAR_MAX + 1, /* no letter */
	OPTION_FORCE,
	OPTION_CPU,
	OPTION_INTERVAL,
	OPTION_FOR,
	OPTION_MULTIPLEX,
	OPTION_REGIONS,
	OPTION_THREADS,
	OPTION_STRICT,
	OPTION_TIMES,
	OPTION_CSV,
	OPTION_JSON,
	OPTION_APPEND,
	OPTION_STATUS_FILE,
	OPTION_WARMUP,
	OPTION_RUNS,
	OPTION_GROUPS,
	OPTION_PRE,
	OPTION_POST,
	OPTION_OPENMETRICS,
	OPTION_PROMETHEUS,
	OPTION_LIVE,
};

/* -m has none here that takes an argument: the p of -mp is no word of its own. */
static const struct option long_options[] = {
	{ "event", required_argument, NULL, 'e' },
	{ "group", required_argument, NULL, 'g' },
	{ "groups", no_argument, NULL, OPTION_GROUPS },
	{ "kernel", no_argument, NULL, 'k' },
	{ "exceptions", no_argument, NULL, 'x' },
	{ "all", no_argument, NULL, 'a' },
	{ "alone", no_argument, NULL, 'n' },
	{ "processes", no_argument, NULL, 'm' },
	{ "threads", no_argument, NULL, OPTION_THREADS },
	{ "output", required_argument, NULL, 'o' },
	{ "append", no_argument, NULL, OPTION_APPEND },
	{ "pid", required_argument, NULL, 'p' },
	{ "list", no_argument, NULL, 'l' },
	{ "info", no_argument, NULL, 'i' },
	{ "help", no_argument, NULL, 'h' },
	{ "version", no_argument, NULL, 'V' },
	{ "system", no_argument, NULL, OPTION_SYSTEM },
	{ "force", no_argument, NULL, OPTION_FORCE },
	{ "cpu", required_argument, NULL, OPTION_CPU },
	{ "interval", required_argument, NULL, OPTION_INTERVAL },
	{ "for", required_argument, NULL, OPTION_FOR },
	{ "multiplex", no_argument, NULL, OPTION_MULTIPLEX },
	{ "regions", optional_argument, NULL, OPTION_REGIONS },
	{ "strict", no_argument, NULL, OPTION_STRICT },
	{ "times", no_argument, NULL, OPTION_TIMES },
	{ "csv", no_argument, NULL, OPTION_CSV },
	{ "json", no_argument, NULL, OPTION_JSON },
	{ "status-file", required_argument, NULL, OPTION_STATUS_FILE },
	{ "runs", no_argument, NULL, OPTION_RUNS },
	{ "repeat", required_argument, NULL, 'r' },
	{ "warmup", required_argument, NULL, OPTION_WARMUP },
	{ "pre", required_argument, NULL, OPTION_PRE },
	{ "post", required_argument, NULL, OPTION_POST },
	{ "openmetrics", no_argument, NULL, OPTION_OPENMETRICS },
	{ "prometheus", no_argument, NULL, OPTION_PROMETHEUS },
	{ "live", no_argument, NULL, OPTION_LIVE },
	{ NULL, 0, NULL, 0 },
};

/* Those that have one value. Of two the last one would win, unseen. */
static const int single[] = {
	'o',
	'p',
	'r',
	OPTION_WARMUP,
	OPTION_CPU,
	OPTION_INTERVAL,
	OPTION_FOR,
	OPTION_CSV,
	OPTION_REGIONS,
	OPTION_STATUS_FILE,
	OPTION_PRE,
	OPTION_POST,
};

#define NR_SINGLE (sizeof(single) / sizeof(single[0]))

/* How the report looks. */
static const struct {
	int option;
	enum format format;
} formats[] = {
	{ OPTION_CSV, FORMAT_CSV },
	{ OPTION_JSON, FORMAT_JSON },
	{ OPTION_OPENMETRICS, FORMAT_OPENMETRICS },
	{ OPTION_PROMETHEUS, FORMAT_PROMETHEUS },
};

/* FORMAT_TEXT, for which there is no option, if it is another one. */
static enum format format_of(int option)
{
	size_t i;

	for (i = 0; i < sizeof(formats) / sizeof(formats[0]); i++) {
		if (formats[i].option == option)
			return formats[i].format;
	}
	return FORMAT_TEXT;
}

/* That is one value, too. */
static int kind_of(int option)
{
	return format_of(option) == FORMAT_TEXT ? option : OPTION_CSV;
}

static const char *long_name(int option)
{
	const struct option *entry = long_options;

	while (entry->name && entry->val != option)
		entry++;
	return entry->name;
}

/**
 * struct given - options that have been seen
 * @before: for each in single[] the option that was given, or 0
 */
struct given {
	int before[NR_SINGLE];
};

static int complain_twice(int before, int option)
{
	if (before == option)
		complain("--%s is given twice: give it once, for the last one"
			 " would win unseen",
			 long_name(option));
	else
		complain("--%s and --%s cannot be combined: give one of them",
			 long_name(before), long_name(option));
	return PERFEX_USAGE;
}

static int check_single(struct given *given, int option)
{
	size_t i;

	for (i = 0; i < NR_SINGLE; i++) {
		if (single[i] != kind_of(option))
			continue;
		if (given->before[i])
			return complain_twice(given->before[i], option);
		given->before[i] = option;
	}
	return 0;
}

static int add_event(struct options *options, const char *event)
{
	if (options->nr_events == EVENTS_MAX) {
		complain("too many events: give %d at most", EVENTS_MAX);
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

static int add_group(struct options *options, const char *group)
{
	if (!strcmp(group, "help")) {
		options->list_groups = true;
		return 0;
	}
	if (options->nr_groups == GROUPS_MAX) {
		complain("too many groups: count %d at most at once",
			 GROUPS_MAX);
		return PERFEX_USAGE;
	}
	options->groups[options->nr_groups++] = group;
	return 0;
}

static int add_groups(struct options *options, char *list)
{
	char *comma;
	int status;

	while ((comma = strchr(list, ','))) {
		*comma = '\0';
		status = add_group(options, list);
		if (status)
			return status;
		list = comma + 1;
	}
	return add_group(options, list);
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

static int choose_runs(unsigned int *runs, const char *text, int least,
		       const char *option)
{
	int number;

	if (parse_int(text, least, &number)) {
		*runs = (unsigned int)number;
		return 0;
	}
	complain("\"%s\" is not a number of runs: give one from %d after %s",
		 text, least, option);
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

/*
 * The option that getopt_long(3) has just rejected: optopt is its letter. One that is
 * not of ASCII has several bytes, so the whole @word is named, as of long ones.
 */
static int complain_option(const char *word, const char *before,
			   const char *after)
{
	if (optopt > 0 && optopt < 0x80)
		complain("%s -%c%s (perfex -h shows how)", before, optopt,
			 after);
	else
		complain("%s %s%s (perfex -h shows how)", before, word, after);
	return PERFEX_USAGE;
}

/* Options without a value. */
static void set_flag(struct options *options, int option)
{
	switch (option) {
	case 'k':
	case 'x':
		options->modes |= VPMC_KERNEL;
		break;
	case 'a':
		options->all = true;
		break;
	case 'n':
		options->alone = true;
		break;
	case 'l':
		options->list = true;
		break;
	case 'i':
		options->info = true;
		break;
	case OPTION_THREADS:
		options->processes = true;
		options->threads = true;
		break;
	case OPTION_SYSTEM:
		options->system = true;
		break;
	case OPTION_FORCE:
		options->force = true;
		break;
	case OPTION_MULTIPLEX:
		options->multiplex = true;
		break;
	case OPTION_RUNS:
		options->exactly = true;
		break;
	case OPTION_GROUPS:
		options->list_groups = true;
		break;
	case OPTION_STRICT:
		options->strict = true;
		break;
	case OPTION_TIMES:
		options->resources = true;
		break;
	case OPTION_CSV:
	case OPTION_JSON:
	case OPTION_OPENMETRICS:
	case OPTION_PROMETHEUS:
		options->format = format_of(option);
		break;
	case OPTION_LIVE:
		options->live = true;
		break;
	default:
		options->append = true;
	}
}

static int parse_option(struct options *options, int option, const char *word)
{
	switch (option) {
	case 'e':
		return add_events(options, optarg);
	case 'g':
		return add_groups(options, optarg);
	case 'm':
		return choose_lists(options, optarg);
	case 'p':
		return choose_process(options, optarg);
	case 'o':
		options->output = optarg;
		return 0;
	case OPTION_STATUS_FILE:
		options->status_file = optarg;
		return 0;
	case OPTION_PRE:
		options->before = optarg;
		return 0;
	case OPTION_POST:
		options->after = optarg;
		return 0;
	/* These two are the whole answer. */
	case 'h':
		exit(print_help());
	case 'V':
		exit(print_version());
	case OPTION_CPU:
		return choose_cpu(options, optarg);
	case OPTION_INTERVAL:
		return choose_time(&options->interval_ms, optarg, "--interval");
	case OPTION_FOR:
		return choose_time(&options->for_ms, optarg, "--for");
	case 'r':
		return choose_runs(&options->runs, optarg, 2, "-r");
	case OPTION_WARMUP:
		return choose_runs(&options->warmups, optarg, 0, "--warmup");
	case OPTION_REGIONS:
		return choose_regions(options, optarg);
	case ':':
		return complain_option(word, "option", " needs an argument");
	case '?':
		return complain_option(word, "unknown option", "");
	default:
		set_flag(options, option);
		return 0;
	}
}

/* What is counted if nothing is said. */
static int add_default(struct options *options)
{
	if (describes_only(options) || options->nr_events || options->nr_groups)
		return 0;
	options->by_default = true;
	return add_event(options, DEFAULT_EVENT);
}

int parse_options(struct options *options, int argc, char **argv)
{
	struct given given = { .before = { 0 } };
	int option, status;
	const char *word;

	/* "+" leaves the command's options to the command. */
	do {
		word = argv[optind];
		option = getopt_long(argc, argv, "+:e:g:kxanm::o:p:r:lihV",
				     long_options, NULL);
		status = option < 0 ? 0 : check_single(&given, option);
		if (!status && option >= 0)
			status = parse_option(options, option, word);
	} while (!status && option >= 0);
	options->command = argv + optind;
	if (!status)
		status = check_options(options);
	return status ? status : add_default(options);
}
