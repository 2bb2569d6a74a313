// SPDX-License-Identifier: GPL-2.0-only
/* Parse the command line, which perfex(1) describes. */
#include "cli/options.h"

#include <ctype.h>
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <limits.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "cli/event_file.h"
#include "cli/help.h"
#include "cli/option_table.h"
#include "cli/options_check.h"
#include "saved/saved_baseline.h"
#include "stats/ratio_limit.h"
#include "stats/statistics.h"
#include "util/clock.h"
#include "util/file_name.h"
#include "util/perf_hint.h"

#define DEFAULT_EVENT	  "instructions"
#define DEFAULT_PERIOD	  1000000
#define DEFAULT_SEPARATOR "::"
#define SELF_TEST_FILE	  "vpmc-self-test.txt"

/* Numbers of long options for getopt_long(3) are above all letters. */
#define FIRST_LONG (UCHAR_MAX + 1)

/* An option has at most two letters, each of which may be followed by two colons. */
#define LETTERS_MAX (3 * NR_OPTIONS + 3)

/**
 * struct grammar - the arguments of getopt_long(3)
 * @letters: short options
 * @words: long options
 */
struct grammar {
	char letters[LETTERS_MAX];
	struct option words[NR_OPTIONS + 1];
};

/*
 * Tell whether another option extends a letter, as -mp extends -m. Such a letter may be
 * followed by a word.
 */
static bool is_extended(char letter)
{
	const char *letters;
	size_t i;

	for (i = 0; i < NR_OPTIONS; i++) {
		letters = option_table[i].letters;
		if (letters && letters[0] == letter && letters[1])
			return true;
	}
	return false;
}

static char *add_letter(char *end, const struct option_entry *entry)
{
	if (!entry->letters || entry->letters[1])
		return end;
	*end++ = entry->letters[0];
	/* An argument that can be left out follows only the long name. */
	if (has_optional_argument(entry))
		return end;
	if (entry->argument || is_extended(entry->letters[0]))
		*end++ = ':';
	if (!entry->argument && is_extended(entry->letters[0]))
		*end++ = ':';
	return end;
}

/*
 * Make the arguments of getopt_long(3). "+" stops at the command; ":" reports a missing
 * argument.
 */
static void make_grammar(struct grammar *grammar)
{
	char *end = stpcpy(grammar->letters, "+:");
	const struct option_entry *entry;
	size_t i;

	for (i = 0; i < NR_OPTIONS; i++) {
		entry = &option_table[i];
		end = add_letter(end, entry);
		grammar->words[i] = (struct option){
			.name = entry->name,
			.has_arg = has_optional_argument(entry)
					   ? optional_argument
				   : entry->argument ? required_argument
						     : no_argument,
			.val = FIRST_LONG + (int)i,
		};
	}
	*end = '\0';
	grammar->words[NR_OPTIONS] = (struct option){ .name = NULL };
}

/* Returns the option for a return value of getopt_long(3). */
static enum option_id id_of(int value)
{
	size_t i = 0;

	if (value >= FIRST_LONG)
		return (enum option_id)(value - FIRST_LONG);
	while (!option_table[i].letters ||
	       option_table[i].letters[0] != value ||
	       option_table[i].letters[1])
		i++;
	return (enum option_id)i;
}

static int complain_twice(enum option_id before, enum option_id id)
{
	if (before == id)
		complain("--%s is given twice: give it once, because only the"
			 " last one would have an effect",
			 option_table[id].name);
	else
		complain("--%s and --%s cannot be combined: give one of them",
			 option_table[before].name, option_table[id].name);
	return PERFEX_USAGE;
}

/* Refuse a second value or format, because the last one would win unnoticed. */
static int check_single(const struct option_set *given, enum option_id id)
{
	const enum option_kind kind = option_table[id].kind;
	size_t i;

	if (kind == OPTION_VALUE && given->has[id])
		return complain_twice(id, id);
	for (i = 0; kind == OPTION_FORMAT && i < NR_OPTIONS; i++) {
		if (given->has[i] && option_table[i].kind == kind)
			return complain_twice((enum option_id)i, id);
	}
	return 0;
}

/*
 * Read a number of events. Returns the rest of the text, or NULL if it does not begin with a
 * number.
 */
static const char *read_events(const char *text, uint32_t *number)
{
	unsigned long long found;
	char *end;

	errno = 0;
	found = strtoull(text, &end, 10);
	if (!isdigit((unsigned char)*text) || errno || !found ||
	    found > VPMC_PERIOD_MAX)
		return NULL;
	*number = (uint32_t)found;
	return end;
}

/*
 * Remove the period from the text of an event. A slash does not begin a period in events of perf
 * with two slashes, such as "cpu/cycles/", and in breakpoints, such as "mem:0x1000/4".
 */
static int take_period(const char *event, uint32_t *period, uint32_t *jitter)
{
	char *slash = strchr(event, '/');
	const char *end;

	if (!slash || strchr(slash + 1, '/') || strncmp(event, "mem:", 4) == 0)
		return 0;
	end = read_events(slash + 1, period);
	if (end && *end == '~')
		end = read_events(end + 1, jitter);
	if (!end || *end) {
		complain("\"%s\" is not a period: give a number of events from"
			 " %d to %d after the \"/\" of an event, and its"
			 " variation after a \"~\"",
			 slash + 1, VPMC_PERIOD_MIN, VPMC_PERIOD_MAX);
		return PERFEX_USAGE;
	}
	*slash = '\0';
	return 0;
}

static int take_event(const char *event, const struct event_origin *origin,
		      void *arg)
{
	struct options *options = arg;
	const size_t nr = options->request.count.nr_events;

	if (options->request.count.nr_events == EVENTS_MAX) {
		complain("too many events: give %d at most", EVENTS_MAX);
		return PERFEX_TOO_MANY;
	}
	options->request.count.origins[nr] = *origin;
	options->request.count.events[nr] = event;
	options->request.count.nr_events++;
	return take_period(event, &options->request.count.periods[nr],
			   &options->request.count.jitters[nr]);
}

/* Add an event, or the events of @FILE. No event begins with "@". */
static int add_event(struct options *options, const char *event)
{
	const struct event_origin here = { .file = NULL };

	return *event == '@' ? read_event_file(event + 1, take_event, options)
			     : take_event(event, &here, options);
}

/* Call @add for each part of a list with commas. */
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
	if (options->request.count.nr_groups == GROUPS_MAX) {
		complain("too many groups: count %d at most at once",
			 GROUPS_MAX);
		return PERFEX_USAGE;
	}
	options->request.count.groups[options->request.count.nr_groups++] =
		group;
	return 0;
}

/* Set the lists of -m and -mp, where "p" is the only valid argument of -m. */
static int choose_lists(struct options *options, const char *more)
{
	if (more && strcmp(more, "p") != 0) {
		complain("unknown option -m%s: only -m and -mp exist, so give"
			 " other options separately (perfex -h shows how)",
			 more);
		return PERFEX_USAGE;
	}
	options->request.count.processes = true;
	if (more)
		options->request.count.threads = true;
	return 0;
}

/* Parse a decimal number that is @least or more. */
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
	options->request.count.regions = true;
	options->request.report.raw = how && !strcmp(how, "raw");
	options->request.count.faults = how && !strcmp(how, "faults");
	if (!how || options->request.report.raw ||
	    options->request.count.faults)
		return 0;
	complain("unknown option --regions=%s: only --regions,"
		 " --regions=raw and --regions=faults exist",
		 how);
	return PERFEX_USAGE;
}

static int choose_profile(struct options *options, const char *file)
{
	options->request.count.profile = true;
	options->request.report.profile = file;
	return 0;
}

static int choose_callers(struct options *options, const char *text)
{
	int number = VPMC_CALLERS_MAX;

	if (!text ||
	    (parse_int(text, 1, &number) && number <= VPMC_CALLERS_MAX)) {
		options->request.count.callers = (unsigned int)number;
		return 0;
	}
	complain("\"%s\" is not a number of callers: give one from 1 to %d"
		 " after --call-graph=",
		 text, VPMC_CALLERS_MAX);
	return PERFEX_USAGE;
}

static int choose_seed(struct options *options, const char *text)
{
	char *end;
	unsigned long long number;

	errno = 0;
	number = strtoull(text, &end, 10);
	options->request.count.seed = (uint32_t)number;
	options->request.count.has_seed = true;
	if (isdigit((unsigned char)*text) && !*end && !errno &&
	    number <= UINT32_MAX)
		return 0;
	complain("\"%s\" is not a seed: give a number from 0 to %" PRIu32
		 " after --seed",
		 text, UINT32_MAX);
	return PERFEX_USAGE;
}

static int take_lines(struct options *options, const char *none)
{
	(void)none;
	options->request.report.profile_detail = PROFILE_LINES;
	return 0;
}

static int take_annotate(struct options *options, const char *none)
{
	(void)none;
	options->request.report.profile_detail = PROFILE_INSTRUCTIONS;
	return 0;
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
	return choose_runs(&options->request.count.runs, text, 2, "-r");
}

static int choose_warmups(struct options *options, const char *text)
{
	return choose_runs(&options->request.count.warmups, text, 0,
			   "--warmup");
}

static int choose_confidence(struct options *options, const char *text)
{
	int number;

	if (parse_int(text, 0, &number) &&
	    (number == CONFIDENCE || number == HIGH_CONFIDENCE)) {
		options->request.report.confidence = (unsigned int)number;
		return 0;
	}
	complain("\"%s\" is not a supported confidence level: give %d or %d"
		 " after --confidence",
		 text, CONFIDENCE, HIGH_CONFIDENCE);
	return PERFEX_USAGE;
}

static int choose_cpu(struct options *options, const char *text)
{
	if (parse_int(text, 0, &options->request.count.cpu))
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
	for (i = 0; i < options->request.count.nr_pids; i++) {
		if (options->request.count.pids[i] == id) {
			complain("%s %d is given twice: give it once", what,
				 id);
			return PERFEX_USAGE;
		}
	}
	if (options->request.count.nr_pids == PIDS_MAX) {
		complain("too many processes: count %d at most at once",
			 PIDS_MAX);
		return PERFEX_USAGE;
	}
	options->request.count.pids[options->request.count.nr_pids++] = id;
	return 0;
}

static int add_pid(struct options *options, const char *text)
{
	return add_target(options, text, "process", "-p");
}

static int choose_thread(struct options *options, const char *text)
{
	options->request.count.thread = true;
	return add_target(options, text, "thread", "-t");
}

static int choose_time(unsigned int *ms, const char *text, const char *option)
{
	char *end;
	double seconds = strtod(text, &end);

	/* This form of the comparison also rejects NaN. */
	if (end == text || *end || !(seconds >= 0.001 && seconds <= 1e6)) {
		complain("\"%s\" is not a time: give seconds from 0.001 to"
			 " 1000000 after --%s",
			 text, option);
		return PERFEX_USAGE;
	}
	*ms = (unsigned int)(seconds * 1000 + 0.5);
	return 0;
}

/*
 * Complain of the option that getopt_long(3) has just rejected. Its letter is in optopt. A letter
 * that is not ASCII has several bytes, so the complaint names the whole @word, as for long
 * options.
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

static int take_limit(struct options *options, const char *text)
{
	return add_limit(&options->request.report, text);
}

static int take_kernel(struct options *options, const char *none)
{
	(void)none;
	options->request.count.modes |= VPMC_KERNEL;
	return 0;
}

static int choose_self_test(struct options *options, const char *file)
{
	options->self_test = file ? file : SELF_TEST_FILE;
	return 0;
}

static int take_threads(struct options *options, const char *none)
{
	(void)none;
	options->request.count.processes = true;
	options->request.count.threads = true;
	return 0;
}

static int take_separator(struct options *options, const char *word)
{
	options->request.count.separator = word ? word : DEFAULT_SEPARATOR;
	return 0;
}

/*
 * The following two options print a text and end the program, unless --help has a wrong argument.
 */
static int take_help(struct options *options, const char *which)
{
	(void)options;
	if (!which || !strcmp(which, "all"))
		exit(which ? print_all_help() : print_help());
	complain("unknown option --help=%s: only --help and --help=all exist",
		 which);
	return PERFEX_USAGE;
}

static _Noreturn int take_version(struct options *options, const char *none)
{
	(void)options;
	(void)none;
	exit(print_version());
}

/**
 * struct action - the effect of an option
 * @flag: offset of the member of struct options that it sets, or 0
 * @text: offset of the member that receives its argument, or 0
 * @ms: offset of the member that receives its time in milliseconds, or 0
 * @format: form of the report that it chooses, or 0
 * @add: function that is called with each part of its list, or NULL
 * @take: function that is called with its argument, which may be NULL; or NULL
 */
struct action {
	size_t flag;
	size_t text;
	size_t ms;
	enum format format;
	int (*add)(struct options *options, const char *part);
	int (*take)(struct options *options, const char *argument);
};

#define MEMBER(name) offsetof(struct options, name)

/* Offset 0 means "no member". It is free because no option sets the first member. */
static const struct action actions[NR_OPTIONS] = {
	[OPTION_EVENT] = { .add = add_event },
	[OPTION_GROUP] = { .add = add_group },
	[OPTION_KERNEL] = { .take = take_kernel },
	[OPTION_EXCEPTIONS] = { .take = take_kernel },
	[OPTION_MULTIPLEX] = { .flag = MEMBER(request.count.multiplex) },
	[OPTION_RUNS] = { .flag = MEMBER(request.count.exactly) },
	[OPTION_STRICT] = { .flag = MEMBER(request.count.strict) },
	[OPTION_ALL] = { .flag = MEMBER(request.count.all) },
	[OPTION_ALONE] = { .flag = MEMBER(request.count.alone) },
	[OPTION_PID] = { .add = add_pid },
	[OPTION_TID] = { .take = choose_thread },
	[OPTION_SYSTEM] = { .flag = MEMBER(request.count.system) },
	[OPTION_CPU] = { .take = choose_cpu },
	[OPTION_CGROUP] = { .text = MEMBER(request.count.cgroup) },
	[OPTION_FORCE] = { .flag = MEMBER(request.count.force) },
	[OPTION_KEEP] = { .flag = MEMBER(request.count.keep) },
	[OPTION_DELAY] = { .ms = MEMBER(request.count.delay_ms) },
	[OPTION_FOR] = { .ms = MEMBER(request.count.for_ms) },
	[OPTION_CONTROL] = { .text = MEMBER(request.count.control) },
	[OPTION_SIGNALS] = { .flag = MEMBER(request.count.signals) },
	[OPTION_START_STOPPED] = { .flag = MEMBER(
					   request.count.start_stopped) },
	[OPTION_REPEAT] = { .take = choose_repetitions },
	[OPTION_COMPARE] = { .take = take_separator },
	[OPTION_WARMUP] = { .take = choose_warmups },
	[OPTION_CONFIDENCE] = { .take = choose_confidence },
	[OPTION_LIMIT] = { .add = take_limit },
	[OPTION_PRE] = { .text = MEMBER(request.count.before) },
	[OPTION_POST] = { .text = MEMBER(request.count.after) },
	[OPTION_FIXED_LAYOUT] = { .flag = MEMBER(request.count.fixed_layout) },
	[OPTION_OPTIONAL] = { .flag = MEMBER(request.count.optional) },
	[OPTION_INTERVAL] = { .ms = MEMBER(request.report.interval_ms) },
	[OPTION_FAULTS] = { .flag = MEMBER(request.report.usage) },
	[OPTION_LIVE] = { .flag = MEMBER(request.report.live) },
	[OPTION_PROCESSES] = { .take = choose_lists },
	[OPTION_THREADS] = { .take = take_threads },
	[OPTION_REGIONS] = { .take = choose_regions },
	[OPTION_TIMELINE] = { .text = MEMBER(request.report.timeline) },
	[OPTION_PROFILE] = { .take = choose_profile },
	[OPTION_CALL_GRAPH] = { .take = choose_callers },
	[OPTION_TICKS] = { .flag = MEMBER(request.count.at_ticks) },
	[OPTION_SEED] = { .take = choose_seed },
	[OPTION_LINES] = { .take = take_lines },
	[OPTION_ANNOTATE] = { .take = take_annotate },
	[OPTION_TIMES] = { .flag = MEMBER(request.report.resources) },
	[OPTION_CSV] = { .format = FORMAT_CSV },
	[OPTION_JSON] = { .format = FORMAT_JSON },
	[OPTION_OPENMETRICS] = { .format = FORMAT_OPENMETRICS },
	[OPTION_PROMETHEUS] = { .format = FORMAT_PROMETHEUS },
	[OPTION_LABEL] = { .text = MEMBER(request.report.label) },
	[OPTION_OUTPUT] = { .text = MEMBER(request.report.output) },
	[OPTION_APPEND] = { .flag = MEMBER(request.report.append) },
	[OPTION_PLOT] = { .text = MEMBER(request.report.plot) },
	[OPTION_STATUS_FILE] = { .text = MEMBER(request.report.status_file) },
	[OPTION_LIST] = { .flag = MEMBER(list) },
	[OPTION_GROUPS] = { .flag = MEMBER(list_groups) },
	[OPTION_MERGE] = { .flag = MEMBER(merge) },
	[OPTION_INFO] = { .flag = MEMBER(info) },
	[OPTION_RELEASE] = { .flag = MEMBER(release) },
	[OPTION_SELF_TEST] = { .take = choose_self_test },
	[OPTION_HELP] = { .take = take_help },
	[OPTION_VERSION] = { .take = take_version },
};

static int parse_option(struct options *options, enum option_id id)
{
	const struct action *action = &actions[id];
	char *const begin = (char *)options;

	if (action->add)
		return add_list(options, optarg, action->add);
	if (action->take)
		return action->take(options, optarg);
	if (action->ms)
		return choose_time((unsigned int *)(void *)(begin + action->ms),
				   optarg, option_table[id].name);
	if (action->text)
		*(const char **)(void *)(begin + action->text) = optarg;
	else if (action->flag)
		*(bool *)(begin + action->flag) = true;
	else
		options->request.report.format = action->format;
	return 0;
}

/* Expand the names of the files that perfex writes. */
static int expand_names(struct options *options)
{
	const struct {
		const char **file;
		const char *option;
	} files[FILES] = {
		{ &options->request.report.output, "-o" },
		{ &options->request.report.plot, "--plot" },
		{ &options->request.report.profile, "--profile" },
		{ &options->self_test, "--self-test" },
		{ &options->request.report.status_file, "--status-file" },
		{ &options->request.report.timeline, "--timeline" },
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

/* Add the events of the first saved report. */
static int add_saved_events(struct options *options)
{
	struct saved_report *report;
	const char *event;
	int status = 0;
	size_t i = 0, j;

	while (i < options->request.count.nr_commands &&
	       !options->request.count.saved[i])
		i++;
	report = i < options->request.count.nr_commands
			 ? options->request.count.saved[i]
			 : NULL;
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

/* Set the default events. */
static int add_default(struct options *options)
{
	int status;

	if (describes_only(options) || options->merge || options->release ||
	    options->self_test || options->request.count.nr_events ||
	    options->request.count.nr_groups)
		return 0;
	status = add_saved_events(options);
	if (status || options->request.count.nr_events)
		return status;
	options->request.count.by_default = true;
	if (options->request.count.profile)
		options->request.count.periods[0] = DEFAULT_PERIOD;
	return add_event(options, DEFAULT_EVENT);
}

/*
 * Refuse a seed without an effect. Without a seed, the time determines the distances of samples,
 * so that runs differ.
 */
static int check_seed(struct count_spec *spec)
{
	size_t i = 0;

	while (i < spec->nr_events && !spec->jitters[i])
		i++;
	if (!spec->has_seed)
		spec->seed = (uint32_t)now();
	if (!spec->has_seed || i < spec->nr_events)
		return 0;
	complain("--seed needs an event whose samples have different distances:"
		 " give a variation, as in -e " DEFAULT_EVENT "/1000000~1000");
	return PERFEX_USAGE;
}

/* Refuse periods without --profile, and --profile without a period. */
static int check_periods(const struct count_spec *spec)
{
	size_t i = 0;

	while (i < spec->nr_events && !spec->periods[i])
		i++;
	if (spec->profile == (i < spec->nr_events))
		return 0;
	if (spec->profile)
		complain("--profile needs an event with a period: give the"
			 " number of events from one sample to the next, as in"
			 " -e " DEFAULT_EVENT "/1000000");
	else
		complain("the event \"%s\" has a period, which only --profile"
			 " uses: give that too, or leave \"/%" PRIu32 "\" out",
			 spec->events[i], spec->periods[i]);
	return PERFEX_USAGE;
}

/* Add the traits that the options imply. */
static void add_traits(const struct options *options, struct option_set *given)
{
	const char *output = options->request.report.output;

	/* "-g help" is --groups. */
	if (!options->request.count.nr_groups)
		given->has[OPTION_GROUP] = false;
	if (options->list_groups)
		given->has[OPTION_GROUPS] = true;
	given->has[OPTION_COMMAND] = options->request.count.command[0];
	given->has[OPTION_SEVERAL] = options->request.count.nr_pids > 1;
	given->has[OPTION_NAMED_FILE] = output && strcmp(output, "-") != 0;
	given->has[OPTION_REGION_FAULTS] = options->request.count.faults;
}

/*
 * Accept "--help all" for "--help=all", because users know this form from curl(1). No command is
 * run.
 */
static bool is_all(const char *word, const char *next)
{
	return !strchr(word, '=') && next && !strcmp(next, "all");
}

static int parse_words(struct options *options, int argc, char **argv,
		       struct option_set *given)
{
	struct grammar grammar;
	int status = 0, value;
	enum option_id id;
	const char *word;

	make_grammar(&grammar);
	while (!status) {
		word = argv[optind];
		value = getopt_long(argc, argv, grammar.letters, grammar.words,
				    NULL);
		if (value < 0)
			break;
		if (value == ':')
			return complain_option(word, "option",
					       " needs an argument");
		if (value == '?')
			return complain_option(word, "unknown option", "");
		id = id_of(value);
		if (id == OPTION_HELP && is_all(word, argv[optind]))
			exit(print_all_help());
		status = check_single(given, id);
		if (!status)
			status = parse_option(options, id);
		given->has[id] = true;
	}
	options->request.count.command = argv + optind;
	add_traits(options, given);
	return status;
}

static int complain_commands(const struct count_spec *spec)
{
	complain("--compare needs from 2 to %d commands, with \"%s\" between"
		 " them (perfex -h shows how)",
		 COMMANDS_MAX, spec->separator);
	return PERFEX_USAGE;
}

/* Find the commands of --compare. The words that separate them become NULL. */
static int separate_commands(struct count_spec *spec)
{
	char **word = spec->command, **begin;
	bool is_last = false;

	while (!is_last) {
		begin = word;
		while (*word && strcmp(*word, spec->separator) != 0)
			word++;
		if (word == begin || spec->nr_commands == COMMANDS_MAX)
			return complain_commands(spec);
		spec->commands[spec->nr_commands++] = begin;
		is_last = !*word;
		*word++ = NULL;
	}
	return spec->nr_commands > 1 ? 0 : complain_commands(spec);
}

int parse_options(struct options *options, int argc, char **argv)
{
	struct option_set given = { .has = { false } };
	int status = parse_words(options, argc, argv, &given);

	if (!status)
		status = check_options(options, &given);
	if (!status && options->request.count.separator)
		status = separate_commands(&options->request.count);
	if (!status)
		status = load_saved(&options->request.count);
	if (!status)
		status = expand_names(options);
	if (!status)
		status = add_default(options);
	if (!status && !options->merge)
		status = check_periods(&options->request.count);
	return status ? status : check_seed(&options->request.count);
}
