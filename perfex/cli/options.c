// SPDX-License-Identifier: GPL-2.0-only
/*
 * The command line. See perfex(1).
 */
#include "cli/options.h"

#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "cli/help.h"
#include "cli/options_check.h"
#include "saved/saved_baseline.h"
#include "stats/ratio_limit.h"
#include "stats/statistics.h"
#include "util/command_line.h"
#include "util/file_name.h"
#include "util/perf_hint.h"

#define DEFAULT_EVENT	  "instructions"
#define DEFAULT_SEPARATOR "::"

enum long_option {
	OPTION_SYSTEM = UCHAR_MAX + 1, /* no letter */
	OPTION_FORCE,
	OPTION_KEEP,
	OPTION_RELEASE,
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
	OPTION_CONFIDENCE,
	OPTION_RUNS,
	OPTION_GROUPS,
	OPTION_PRE,
	OPTION_POST,
	OPTION_COMPARE,
	OPTION_PLOT,
	OPTION_MERGE,
	OPTION_TIMELINE,
	OPTION_CONTROL,
	OPTION_SIGNALS,
	OPTION_START_STOPPED,
	OPTION_DELAY,
	OPTION_OPENMETRICS,
	OPTION_PROMETHEUS,
	OPTION_LIVE,
	OPTION_LABEL,
	OPTION_FIXED_LAYOUT,
	OPTION_LIMIT,
	OPTION_OPTIONAL,
	OPTION_FAULTS,
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
	{ "tid", required_argument, NULL, 't' },
	{ "control", required_argument, NULL, OPTION_CONTROL },
	{ "signals", no_argument, NULL, OPTION_SIGNALS },
	{ "start-stopped", no_argument, NULL, OPTION_START_STOPPED },
	{ "delay", required_argument, NULL, OPTION_DELAY },
	{ "list", no_argument, NULL, 'l' },
	{ "info", no_argument, NULL, 'i' },
	{ "help", no_argument, NULL, 'h' },
	{ "version", no_argument, NULL, 'V' },
	{ "system", no_argument, NULL, OPTION_SYSTEM },
	{ "force", no_argument, NULL, OPTION_FORCE },
	{ "fixed-layout", no_argument, NULL, OPTION_FIXED_LAYOUT },
	{ "optional", no_argument, NULL, OPTION_OPTIONAL },
	{ "keep", no_argument, NULL, OPTION_KEEP },
	{ "release", no_argument, NULL, OPTION_RELEASE },
	{ "cpu", required_argument, NULL, OPTION_CPU },
	{ "interval", required_argument, NULL, OPTION_INTERVAL },
	{ "faults", no_argument, NULL, OPTION_FAULTS },
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
	{ "confidence", required_argument, NULL, OPTION_CONFIDENCE },
	{ "pre", required_argument, NULL, OPTION_PRE },
	{ "post", required_argument, NULL, OPTION_POST },
	{ "compare", optional_argument, NULL, OPTION_COMPARE },
	{ "limit", required_argument, NULL, OPTION_LIMIT },
	{ "plot", required_argument, NULL, OPTION_PLOT },
	{ "merge", no_argument, NULL, OPTION_MERGE },
	{ "timeline", required_argument, NULL, OPTION_TIMELINE },
	{ "openmetrics", no_argument, NULL, OPTION_OPENMETRICS },
	{ "prometheus", no_argument, NULL, OPTION_PROMETHEUS },
	{ "live", no_argument, NULL, OPTION_LIVE },
	{ "label", required_argument, NULL, OPTION_LABEL },
	{ NULL, 0, NULL, 0 },
};

/* Those that have one value. Of two the last one would win, unseen. */
static const int single[] = {
	'o',
	't',
	'r',
	OPTION_WARMUP,
	OPTION_CONFIDENCE,
	OPTION_CPU,
	OPTION_INTERVAL,
	OPTION_FOR,
	OPTION_CSV,
	OPTION_REGIONS,
	OPTION_STATUS_FILE,
	OPTION_PRE,
	OPTION_POST,
	OPTION_COMPARE,
	OPTION_PLOT,
	OPTION_TIMELINE,
	OPTION_CONTROL,
	OPTION_DELAY,
	OPTION_LABEL,
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

static int take_event(const char *event, const struct event_origin *origin,
		      void *arg)
{
	struct options *options = arg;

	if (options->nr_events == EVENTS_MAX) {
		complain("too many events: give %d at most", EVENTS_MAX);
		return PERFEX_TOO_MANY;
	}
	options->origins[options->nr_events] = *origin;
	options->events[options->nr_events++] = event;
	return 0;
}

/* No event begins with "@". */
static int add_event(struct options *options, const char *event)
{
	const struct event_origin here = { .file = NULL };

	return *event == '@' ? read_event_file(event + 1, take_event, options)
			     : take_event(event, &here, options);
}

/* Give @add each part of a list with commas. */
static int add_list(struct options *options, char *list,
		    int (*add)(struct options *options, const char *part))
{
	char *comma;
	int status;

	while ((comma = strchr(list, ','))) {
		*comma = '\0';
		status = add(options, list);
		if (status)
			return status;
		list = comma + 1;
	}
	return add(options, list);
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
	options->raw = how && !strcmp(how, "raw");
	options->faults = how && !strcmp(how, "faults");
	if (!how || options->raw || options->faults)
		return 0;
	complain("unknown option --regions=%s: only --regions,"
		 " --regions=raw and --regions=faults exist",
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

static int choose_repetitions(struct options *options, const char *text)
{
	return choose_runs(&options->runs, text, 2, "-r");
}

static int choose_warmups(struct options *options, const char *text)
{
	options->warm_up = true;
	return choose_runs(&options->warmups, text, 0, "--warmup");
}

static int choose_confidence(struct options *options, const char *text)
{
	int number;

	if (parse_int(text, 0, &number) &&
	    (number == CONFIDENCE || number == HIGH_CONFIDENCE)) {
		options->confidence = (unsigned int)number;
		return 0;
	}
	complain("\"%s\" is no confidence that there is: give %d or %d after"
		 " --confidence",
		 text, CONFIDENCE, HIGH_CONFIDENCE);
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

static int add_target(struct options *options, const char *text,
		      const char *what, const char *option)
{
	size_t i;
	int id;

	if (!parse_int(text, 1, &id)) {
		complain("\"%s\" is not a %s: give its number after %s", text,
			 what, option);
		return PERFEX_USAGE;
	}
	for (i = 0; i < options->nr_pids; i++) {
		if (options->pids[i] == id) {
			complain("%s %d is given twice: give it once", what,
				 id);
			return PERFEX_USAGE;
		}
	}
	if (options->nr_pids == PIDS_MAX) {
		complain("too many processes: count %d at most at once",
			 PIDS_MAX);
		return PERFEX_USAGE;
	}
	options->pids[options->nr_pids++] = id;
	return 0;
}

static int add_process(struct options *options, const char *text)
{
	return add_target(options, text, "process", "-p");
}

static int choose_thread(struct options *options, const char *text)
{
	options->thread = true;
	return add_target(options, text, "thread", "-t");
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
	const bool is_letter = optopt > 0 && optopt < 0x80;
	const char *meant = option_hint(word, is_letter ? optopt : 0);
	char letter[] = { '-', (char)optopt, '\0' };

	complain("%s %s%s (%s%s%sperfex -h shows how)", before,
		 is_letter ? letter : word, after, meant ? "did you mean " : "",
		 meant ? meant : "", meant ? "? " : "");
	return PERFEX_USAGE;
}

/* Options without a value that set one member. */
static const struct {
	int option;
	size_t flag;
} flags[] = {
	{ 'a', offsetof(struct options, all) },
	{ 'i', offsetof(struct options, info) },
	{ 'l', offsetof(struct options, list) },
	{ 'n', offsetof(struct options, alone) },
	{ OPTION_APPEND, offsetof(struct options, append) },
	{ OPTION_FIXED_LAYOUT, offsetof(struct options, fixed_layout) },
	{ OPTION_FORCE, offsetof(struct options, force) },
	{ OPTION_OPTIONAL, offsetof(struct options, optional) },
	{ OPTION_KEEP, offsetof(struct options, keep) },
	{ OPTION_RELEASE, offsetof(struct options, release) },
	{ OPTION_GROUPS, offsetof(struct options, list_groups) },
	{ OPTION_LIVE, offsetof(struct options, live) },
	{ OPTION_MERGE, offsetof(struct options, merge) },
	{ OPTION_MULTIPLEX, offsetof(struct options, multiplex) },
	{ OPTION_RUNS, offsetof(struct options, exactly) },
	{ OPTION_SIGNALS, offsetof(struct options, signals) },
	{ OPTION_START_STOPPED, offsetof(struct options, start_stopped) },
	{ OPTION_STRICT, offsetof(struct options, strict) },
	{ OPTION_SYSTEM, offsetof(struct options, system) },
	{ OPTION_TIMES, offsetof(struct options, resources) },
	{ OPTION_FAULTS, offsetof(struct options, usage) },
};

/* Options whose value is kept as it is. */
static const struct {
	int option;
	size_t text;
} texts[] = {
	{ 'o', offsetof(struct options, output) },
	{ OPTION_CONTROL, offsetof(struct options, control) },
	{ OPTION_LABEL, offsetof(struct options, label) },
	{ OPTION_PLOT, offsetof(struct options, plot) },
	{ OPTION_POST, offsetof(struct options, after) },
	{ OPTION_PRE, offsetof(struct options, before) },
	{ OPTION_STATUS_FILE, offsetof(struct options, status_file) },
	{ OPTION_TIMELINE, offsetof(struct options, timeline) },
};

/* Returns whether that is all which the option means. */
static bool set_member(struct options *options, int option)
{
	char *const begin = (char *)options;
	size_t i;

	for (i = 0; i < sizeof(flags) / sizeof(flags[0]); i++) {
		if (flags[i].option == option) {
			*(bool *)(begin + flags[i].flag) = true;
			return true;
		}
	}
	for (i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		if (texts[i].option == option) {
			*(const char **)(begin + texts[i].text) = optarg;
			return true;
		}
	}
	return false;
}

/* Options with a time in seconds. */
static const struct {
	int option;
	size_t ms;
	const char *name;
} times[] = {
	{ OPTION_DELAY, offsetof(struct options, delay_ms), "--delay" },
	{ OPTION_FOR, offsetof(struct options, for_ms), "--for" },
	{ OPTION_INTERVAL, offsetof(struct options, interval_ms),
	  "--interval" },
};

/* Options with a list, and what each part of it is given to. */
static const struct {
	int option;
	int (*add)(struct options *options, const char *part);
} lists[] = {
	{ 'e', add_event },
	{ 'g', add_group },
	{ 'p', add_process },
	{ OPTION_LIMIT, add_limit },
};

static int take_kernel(struct options *options, const char *none)
{
	(void)none;
	options->modes |= VPMC_KERNEL;
	return 0;
}

static int take_threads(struct options *options, const char *none)
{
	(void)none;
	options->processes = true;
	options->threads = true;
	return 0;
}

static int take_separator(struct options *options, const char *word)
{
	options->separator = word ? word : DEFAULT_SEPARATOR;
	return 0;
}

/* These two are the whole answer. */
static _Noreturn int take_help(struct options *options, const char *none)
{
	(void)options;
	(void)none;
	exit(print_help());
}

static _Noreturn int take_version(struct options *options, const char *none)
{
	(void)options;
	(void)none;
	exit(print_version());
}

/* All others, with their values; NULL where there is none. */
static const struct {
	int option;
	int (*take)(struct options *options, const char *value);
} takers[] = {
	{ 'h', take_help },
	{ 'k', take_kernel },
	{ 'm', choose_lists },
	{ 'r', choose_repetitions },
	{ 't', choose_thread },
	{ 'V', take_version },
	{ 'x', take_kernel },
	{ OPTION_COMPARE, take_separator },
	{ OPTION_CONFIDENCE, choose_confidence },
	{ OPTION_CPU, choose_cpu },
	{ OPTION_REGIONS, choose_regions },
	{ OPTION_THREADS, take_threads },
	{ OPTION_WARMUP, choose_warmups },
};

/* An option with a time. Returns whether it is one; @status: receives the result. */
static bool take_time(struct options *options, int option, int *status)
{
	char *const begin = (char *)options;
	size_t i;

	for (i = 0; i < sizeof(times) / sizeof(times[0]); i++) {
		if (times[i].option != option)
			continue;
		*status = choose_time(
			(unsigned int *)(void *)(begin + times[i].ms), optarg,
			times[i].name);
		return true;
	}
	return false;
}

static int parse_option(struct options *options, int option, const char *word)
{
	int status = 0;
	size_t i;

	if (option == ':')
		return complain_option(word, "option", " needs an argument");
	if (option == '?')
		return complain_option(word, "unknown option", "");
	if (set_member(options, option) || take_time(options, option, &status))
		return status;
	for (i = 0; i < sizeof(lists) / sizeof(lists[0]); i++) {
		if (lists[i].option == option)
			return add_list(options, optarg, lists[i].add);
	}
	for (i = 0; i < sizeof(takers) / sizeof(takers[0]); i++) {
		if (takers[i].option == option)
			return takers[i].take(options, optarg);
	}
	options->format = format_of(option);
	return 0;
}

/* Of the files that perfex writes. */
static int expand_names(struct options *options)
{
	const struct {
		const char **file;
		const char *option;
	} files[FILES] = {
		{ &options->output, "-o" },
		{ &options->plot, "--plot" },
		{ &options->status_file, "--status-file" },
		{ &options->timeline, "--timeline" },
	};
	int status = 0;
	size_t i;

	for (i = 0; !status && i < FILES; i++) {
		if (*files[i].file)
			status = expand_file_name(files[i].file,
						  options->names[i],
						  files[i].option);
	}
	return status;
}

/* Those of the first saved report. */
static int add_saved_events(struct options *options)
{
	struct filed_report *report;
	const char *event;
	int status = 0;
	size_t i = 0, j;

	while (i < options->nr_commands && !options->saved[i])
		i++;
	report = i < options->nr_commands ? options->saved[i] : NULL;
	for (j = 0; !status && report && j < report->nr_events; j++) {
		event = name_saved_event(report, j);
		if (!event) {
			complain("no memory for the events of %s: give them"
				 " with -e",
				 report->file);
			return PERFEX_SYSTEM;
		}
		status = add_event(options, event);
	}
	return status;
}

/* What is counted if nothing is said. */
static int add_default(struct options *options)
{
	int status;

	if (describes_only(options) || options->merge || options->release ||
	    options->nr_events || options->nr_groups)
		return 0;
	status = add_saved_events(options);
	if (status || options->nr_events)
		return status;
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
		option = getopt_long(argc, argv, "+:e:g:kxanm::o:p:t:r:lihV",
				     long_options, NULL);
		status = option < 0 ? 0 : check_single(&given, option);
		if (!status && option >= 0)
			status = parse_option(options, option, word);
	} while (!status && option >= 0);
	options->command = argv + optind;
	if (!status)
		status = check_options(options);
	if (!status && options->separator)
		status = separate_commands(options);
	if (!status)
		status = load_saved(options);
	if (!status)
		status = expand_names(options);
	return status ? status : add_default(options);
}
