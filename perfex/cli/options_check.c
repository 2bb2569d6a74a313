// SPDX-License-Identifier: GPL-2.0-only
/* See options_check.h. */
#include "cli/options_check.h"

#include <string.h>

#include "live/screen.h"
#include "stats/statistics.h"

/* How long an interval of --live is if nothing is said. */
#define LIVE_MS 1000

/* What a command line can have, as bits: options, and what several have in common. */
enum trait {
	ALL,
	ALONE,
	APPEND,
	AROUND, /* --pre, --post */
	COMMAND,
	COMPARE,
	CONFIDENCE_CHOSEN,
	CPU,
	DELAY,
	DESCRIBES, /* -l, -i, -g help: nothing is counted */
	EVENTS,	   /* -e, -g */
	EXACTLY,   /* --runs */
	EXPOSITION,
	FAULTS,
	FILE_NAMED, /* -o with another name than "-" */
	FIXED_LAYOUT,
	FOR,
	FORCE,
	FORMAT, /* not a text for people */
	INTERVAL,
	KEEP,
	KERNEL,
	LABEL,
	LIMIT,
	LISTS,
	LISTS_GROUPS,
	LIVE,
	MERGE,
	MULTIPLEX,
	OPTIONAL,
	OUTPUT,
	PARTS, /* the count is started or stopped while it lasts */
	PLOT,
	PROCESSES,
	REGIONS,
	RELEASE,
	RESOURCES,
	RUNS,
	STARTED, /* --control, --signals: by others */
	START_STOPPED,
	STATUS_FILE,
	STRICT,
	SYSTEM,
	TARGET,	 /* -p, -t */
	TARGETS, /* several */
	THREAD,
	TIMELINE,
	USAGE, /* --faults */
	WARMUP,
};

#define HAS(trait) (1ULL << (trait))

/* Those that --system does not have. */
#define OF_PROCESS                                                         \
	(HAS(TARGET) | HAS(FOR) | HAS(ALL) | HAS(ALONE) | HAS(PROCESSES) | \
	 HAS(MULTIPLEX) | HAS(KEEP))

/* How a count is reported. */
#define OF_REPORT                                                   \
	(HAS(OUTPUT) | HAS(APPEND) | HAS(RESOURCES) | HAS(STRICT) | \
	 HAS(STATUS_FILE) | HAS(INTERVAL) | HAS(LIVE) | HAS(FORMAT))

/* All that counts. */
#define OF_COUNT                                                               \
	(HAS(DESCRIBES) | HAS(EVENTS) | OF_PROCESS | HAS(SYSTEM) | HAS(CPU) |  \
	 HAS(FORCE) | HAS(KERNEL) | HAS(RESOURCES) | HAS(STRICT) |             \
	 HAS(INTERVAL) | HAS(EXACTLY) | HAS(RUNS) | HAS(WARMUP) |              \
	 HAS(REGIONS) | HAS(CONFIDENCE_CHOSEN) | HAS(TIMELINE) | HAS(AROUND) | \
	 HAS(COMPARE) | HAS(PLOT) | HAS(LIVE) | HAS(EXPOSITION) | HAS(PARTS) | \
	 HAS(FIXED_LAYOUT) | HAS(LIMIT) | HAS(OPTIONAL) | HAS(USAGE))

/**
 * struct rule - a command line that is refused
 * @when: it has one of these, or this is 0
 * @with: and one of these, or this is 0
 * @without: and none of these
 * @sentence: why
 */
struct rule {
	uint64_t when;
	uint64_t with;
	uint64_t without;
	const char *sentence;
};

/* The first that applies is told. */
static const struct rule rules[] = {
	/* It counts nothing, and has reports in place of a command. */
	{ HAS(MERGE), OF_COUNT, 0,
	  "--merge goes with -o, --append, --csv, --json and --status-file"
	  " alone" },
	{ HAS(MERGE), 0, HAS(COMMAND),
	  "give the reports to merge after --merge" },

	/* It counts nothing, and takes the counters from all who do. */
	{ HAS(RELEASE),
	  OF_COUNT | HAS(OUTPUT) | HAS(APPEND) | HAS(STATUS_FILE) |
		  HAS(FORMAT) | HAS(MERGE) | HAS(COMMAND),
	  0, "--release cannot be combined with a command or other options" },

	/* Regions are of a command, and need exact counts. */
	{ HAS(REGIONS),
	  HAS(DESCRIBES) | HAS(SYSTEM) | HAS(TARGET) | HAS(MULTIPLEX) |
		  HAS(FORMAT),
	  0,
	  "--regions cannot be combined with -l, -i, -p, -t, --system,"
	  " --multiplex, --csv, --json, --openmetrics or --prometheus" },
	/* It is of the regions of one run. */
	{ HAS(TIMELINE),
	  HAS(DESCRIBES) | HAS(SYSTEM) | HAS(TARGET) | HAS(MULTIPLEX) |
		  HAS(RUNS) | HAS(EXACTLY) | HAS(COMPARE),
	  0,
	  "--timeline cannot be combined with -l, -i, -p, -t, -r, --compare,"
	  " --multiplex, --runs or --system" },
	{ HAS(TIMELINE), HAS(FAULTS), 0,
	  "--timeline cannot be combined with --regions=faults" },

	{ HAS(WARMUP), 0, HAS(RUNS) | HAS(EXACTLY) | HAS(COMPARE),
	  "--warmup needs -r, --runs or --compare" },
	{ HAS(CONFIDENCE_CHOSEN), 0, HAS(RUNS), "--confidence needs -r" },
	/* There is one list, and one region, of each run. */
	{ HAS(RUNS),
	  HAS(SYSTEM) | HAS(TARGET) | HAS(PROCESSES) | HAS(REGIONS) |
		  HAS(DESCRIBES),
	  0,
	  "-r cannot be combined with -i, -l, -m, -p, -t, --regions or"
	  " --system" },
	/* Each run is a whole one, of a command, and has some of the events. */
	{ HAS(EXACTLY),
	  HAS(SYSTEM) | HAS(TARGET) | HAS(PROCESSES) | HAS(REGIONS) |
		  HAS(MULTIPLEX) | HAS(INTERVAL) | HAS(DESCRIBES),
	  0,
	  "--runs cannot be combined with -i, -l, -m, -p, -t, --interval,"
	  " --multiplex, --regions or --system" },
	/* They belong to the runs of a command that is counted. */
	{ HAS(AROUND), HAS(SYSTEM) | HAS(DESCRIBES), 0,
	  "--pre and --post need a command that is counted, without"
	  " --system" },
	{ HAS(AROUND), 0, HAS(COMMAND),
	  "--pre and --post need a command that is counted, without"
	  " --system" },
	/* The runs of a command are compared from begin to end. */
	{ HAS(COMPARE),
	  HAS(SYSTEM) | HAS(TARGET) | HAS(PROCESSES) | HAS(REGIONS) |
		  HAS(INTERVAL) | HAS(DESCRIBES),
	  0,
	  "--compare cannot be combined with -i, -l, -m, -p, -t, --interval,"
	  " --regions or --system" },
	{ HAS(LIMIT), 0, HAS(COMPARE), "--limit needs --compare" },
	/* What is projected may exceed it by the projection alone. */
	{ HAS(LIMIT), HAS(MULTIPLEX), 0,
	  "--limit cannot be combined with --multiplex: --runs counts"
	  " exactly" },
	/* It shows several numbers of an event. */
	{ HAS(PLOT), HAS(DESCRIBES), 0,
	  "--plot needs -r, --compare or --interval" },
	{ HAS(PLOT), 0, HAS(RUNS) | HAS(COMPARE) | HAS(INTERVAL),
	  "--plot needs -r, --compare or --interval" },

	/* What lists, regions and each of several runs have is of all the time. */
	{ HAS(PARTS),
	  HAS(DESCRIBES) | HAS(SYSTEM) | HAS(PROCESSES) | HAS(REGIONS) |
		  HAS(TIMELINE) | HAS(RUNS) | HAS(EXACTLY) | HAS(COMPARE),
	  0,
	  "--control, --delay, --signals and --start-stopped cannot be"
	  " combined with -i, -l, -m, -r, --compare, --regions, --runs,"
	  " --system or --timeline" },
	{ HAS(START_STOPPED), HAS(DELAY), 0,
	  "--start-stopped and --delay cannot be combined: give one of them" },
	{ HAS(START_STOPPED), 0, HAS(STARTED),
	  "--start-stopped needs --control or --signals, to start the"
	  " count" },

	{ HAS(DESCRIBES), HAS(EVENTS) | OF_REPORT, 0,
	  "-l, -i and -g help cannot be combined with -e, -o, other groups,"
	  " --append, --csv, --interval, --json, --live, --openmetrics,"
	  " --prometheus, --status-file, --strict or --times" },
	{ HAS(LISTS_GROUPS), HAS(COMMAND), 0,
	  "-g help cannot be combined with a command" },
	{ HAS(DESCRIBES), HAS(COMMAND), HAS(LISTS),
	  "-i cannot be combined with a command" },
	{ HAS(DESCRIBES), OF_PROCESS, 0,
	  "-l and -i cannot be combined with -a, -m, -n, -p, -t, --for, --keep"
	  " or --multiplex" },
	{ HAS(DESCRIBES), HAS(SYSTEM) | HAS(FORCE) | HAS(CPU), 0,
	  "-l and -i cannot be combined with --system or its options" },

	{ HAS(SYSTEM), OF_PROCESS, 0,
	  "--system cannot be combined with -a, -m, -n, -p, -t, --for, --keep or"
	  " --multiplex" },
	{ HAS(CPU), 0, HAS(SYSTEM), "--cpu needs --system" },
	/* The words after -l are patterns. A process that runs has its layout. */
	{ HAS(FIXED_LAYOUT), HAS(DESCRIBES) | HAS(TARGET), 0,
	  "--fixed-layout needs a command" },
	{ HAS(FIXED_LAYOUT), 0, HAS(COMMAND),
	  "--fixed-layout needs a command" },
	/* The command runs once without counts if it cannot be counted. */
	{ HAS(OPTIONAL),
	  HAS(DESCRIBES) | HAS(TARGET) | HAS(RUNS) | HAS(EXACTLY) |
		  HAS(COMPARE) | HAS(AROUND),
	  0,
	  "--optional cannot be combined with -i, -l, -p, -r, -t, --compare,"
	  " --post, --pre or --runs" },
	{ HAS(OPTIONAL), 0, HAS(COMMAND), "--optional needs a command" },
	{ HAS(ALONE), HAS(ALL) | HAS(PROCESSES), 0,
	  "-n cannot be combined with -a or -m" },
	{ HAS(THREAD), HAS(TARGETS), 0,
	  "-t cannot be combined with -p: count processes, or one thread" },
	{ HAS(TARGET), HAS(COMMAND), 0,
	  "-p and -t cannot be combined with a command: --for SECONDS counts"
	  " for a time" },
	{ 0, 0,
	  HAS(COMMAND) | HAS(TARGET) | HAS(SYSTEM) | HAS(DESCRIBES) |
		  HAS(RELEASE),
	  "give a command to count, or a process with -p" },
	{ HAS(TARGETS), HAS(PROCESSES), 0,
	  "-m cannot be combined with several processes" },

	{ HAS(INTERVAL), HAS(RUNS) | HAS(PROCESSES) | HAS(REGIONS), 0,
	  "--interval cannot be combined with -m, -r or --regions" },
	/* A process that runs already had some before, and belongs to others. */
	{ HAS(USAGE), 0, HAS(INTERVAL),
	  "--faults needs --interval (--times adds those of the whole)" },
	{ HAS(USAGE), 0, HAS(COMMAND), "--faults needs a command" },
	{ HAS(USAGE), HAS(LIVE) | HAS(RESOURCES) | HAS(SYSTEM), 0,
	  "--faults cannot be combined with --live, --system or --times" },
	{ HAS(APPEND), 0, HAS(FILE_NAMED), "--append needs -o with a FILE" },
	{ HAS(RESOURCES), 0, HAS(COMMAND), "--times needs a command" },
	/* What is projected can become less, and a counter cannot. */
	{ HAS(EXPOSITION),
	  HAS(APPEND) | HAS(MULTIPLEX) | HAS(PROCESSES) | HAS(RESOURCES) |
		  HAS(RUNS) | HAS(EXACTLY) | HAS(COMPARE) | HAS(TARGETS),
	  0,
	  "--openmetrics and --prometheus cannot be combined with -m, -r,"
	  " --append, --compare, --multiplex, --runs, --times or several"
	  " processes" },
	{ HAS(LABEL), 0, HAS(EXPOSITION),
	  "--label needs --openmetrics or --prometheus" },
	{ HAS(LIVE),
	  HAS(PROCESSES) | HAS(RUNS) | HAS(EXACTLY) | HAS(REGIONS) |
		  HAS(COMPARE) | HAS(PLOT),
	  0,
	  "--live cannot be combined with -m, -r, --compare, --plot,"
	  " --regions or --runs" },
};

bool describes_only(const struct options *options)
{
	return options->list || options->list_groups || options->info;
}

static uint64_t traits_of(const struct options *o)
{
	const bool given[] = {
		[ALL] = o->all,
		[ALONE] = o->alone,
		[APPEND] = o->append,
		[AROUND] = o->before || o->after,
		[COMMAND] = o->command[0],
		[COMPARE] = o->separator,
		[CONFIDENCE_CHOSEN] = o->confidence,
		[CPU] = o->cpu != VPMC_EVERY_CPU,
		[DELAY] = o->delay_ms,
		[DESCRIBES] = describes_only(o),
		[EVENTS] = o->nr_events || o->nr_groups,
		[EXACTLY] = o->exactly,
		[EXPOSITION] = is_exposition(o->format),
		[FAULTS] = o->faults,
		[FILE_NAMED] = o->output && strcmp(o->output, "-") != 0,
		[FIXED_LAYOUT] = o->fixed_layout,
		[FOR] = o->for_ms,
		[FORCE] = o->force,
		[FORMAT] = o->format != FORMAT_TEXT,
		[INTERVAL] = o->interval_ms,
		[KEEP] = o->keep,
		[KERNEL] = o->modes != VPMC_USER,
		[LABEL] = o->label,
		[LIMIT] = o->nr_limits,
		[LISTS] = o->list,
		[LISTS_GROUPS] = o->list_groups,
		[LIVE] = o->live,
		[MERGE] = o->merge,
		[MULTIPLEX] = o->multiplex,
		[OPTIONAL] = o->optional,
		[OUTPUT] = o->output,
		[PARTS] = o->control || o->signals || o->start_stopped ||
			  o->delay_ms,
		[PLOT] = o->plot,
		[PROCESSES] = o->processes,
		[REGIONS] = o->regions,
		[RELEASE] = o->release,
		[RESOURCES] = o->resources,
		[RUNS] = o->runs,
		[STARTED] = o->control || o->signals,
		[START_STOPPED] = o->start_stopped,
		[STATUS_FILE] = o->status_file,
		[STRICT] = o->strict,
		[SYSTEM] = o->system,
		[TARGET] = o->nr_pids,
		[TARGETS] = o->nr_pids > 1,
		[THREAD] = o->thread,
		[TIMELINE] = o->timeline,
		[USAGE] = o->usage,
		[WARMUP] = o->warm_up,
	};
	uint64_t traits = 0;
	size_t i;

	for (i = 0; i < sizeof(given) / sizeof(given[0]); i++)
		traits |= given[i] ? HAS(i) : 0;
	return traits;
}

static bool applies(const struct rule *rule, uint64_t traits)
{
	return (!rule->when || rule->when & traits) &&
	       (!rule->with || rule->with & traits) &&
	       !(rule->without & traits);
}

/* What follows from the options that were given. */
static void complete(struct options *options, uint64_t traits)
{
	if (options->system && !describes_only(options))
		options->modes |= VPMC_KERNEL;
	/*
	 * What a process had counted comes to its parent as a whole, when that waits
	 * for it: it would be in the wrong part, and be there twice if both are counted
	 * by themselves.
	 */
	if (traits & (HAS(TARGETS) | HAS(PARTS)) &&
	    !(traits & (HAS(ALONE) | HAS(THREAD))))
		options->all = true;
	if (options->live && !options->interval_ms)
		options->interval_ms = LIVE_MS;
	if (!options->confidence)
		options->confidence = CONFIDENCE;
}

int check_options(struct options *options)
{
	const uint64_t traits = traits_of(options);
	size_t i;

	for (i = 0; i < sizeof(rules) / sizeof(rules[0]); i++) {
		if (applies(&rules[i], traits)) {
			complain("%s (perfex -h shows how)", rules[i].sentence);
			return PERFEX_USAGE;
		}
	}
	if (options->live && !has_curses()) {
		complain("--live needs ncurses, and this perfex was built"
			 " without: build it where libncurses-dev is"
			 " installed, or use --interval");
		return PERFEX_USAGE;
	}
	complete(options, traits);
	return 0;
}
