// SPDX-License-Identifier: GPL-2.0-only
/* List the options that exclude or need each other. perfex(1) has this table, too. */
#include "cli/option_rules.h"

#define ALL_BUT(set) (~0ULL >> (64 - NR_TRAITS) & ~(set))

/* These options print a description and do not count. */
#define DESCRIBE (HAS(LIST) | HAS(GROUPS) | HAS(INFO))

#define EXPOSITION (HAS(OPENMETRICS) | HAS(PROMETHEUS))
#define FORMATS	   (HAS(CSV) | HAS(JSON) | EXPOSITION)
#define LISTS	   (HAS(PROCESSES) | HAS(THREADS))
#define SERIES	   (HAS(RUNS) | HAS(REPEAT) | HAS(COMPARE))
#define TARGET	   (HAS(PID) | HAS(TID))

/* These options start or stop the count while the command runs. */
#define PARTS (HAS(DELAY) | HAS(CONTROL) | HAS(SIGNALS) | HAS(START_STOPPED))

const struct option_rule option_rules[] = {
	/* --merge reads reports instead of counting. */
	{ .when = HAS(MERGE),
	  .with = ALL_BUT(HAS(MERGE) | HAS(OUTPUT) | HAS(NAMED_FILE) |
			  HAS(APPEND) | HAS(CSV) | HAS(JSON) | HAS(PROFILE) |
			  HAS(LINES) | HAS(ANNOTATE) | HAS(STATUS_FILE) |
			  HAS(COMMAND)) },
	{ .when = HAS(MERGE),
	  .unless = HAS(COMMAND),
	  .sentence = "give the reports to merge after --merge" },
	{ .when = HAS(RELEASE), .with = ALL_BUT(HAS(RELEASE)) },
	/* The words after -l are patterns, not a command. */
	{ .when = DESCRIBE,
	  .with = ALL_BUT(DESCRIBE | HAS(KERNEL) | HAS(EXCEPTIONS) |
			  HAS(COMMAND)) },
	{ .when = HAS(GROUPS), .with = HAS(COMMAND) },
	{ .when = HAS(INFO), .with = HAS(COMMAND), .unless = HAS(LIST) },

	{ .when = TARGET,
	  .with = HAS(COMMAND),
	  .more = ": --for SECONDS counts for a time" },
	{ .when = HAS(TID),
	  .with = HAS(PID),
	  .more = ": count processes, or one thread" },
	{ .when = HAS(SYSTEM),
	  .with = TARGET | HAS(FOR) | HAS(ALL) | HAS(ALONE) | LISTS |
		  HAS(MULTIPLEX) | HAS(KEEP) },
	{ .when = HAS(CPU), .unless = HAS(SYSTEM) },
	/* A cgroup has many processes, which may belong to different commands. */
	{ .when = HAS(CGROUP),
	  .with = TARGET | HAS(SYSTEM) | HAS(ALL) | HAS(ALONE) | HAS(FORCE) |
		  HAS(KEEP) | HAS(REGIONS) | HAS(TIMELINE) | HAS(PRE) |
		  HAS(POST) | HAS(OPTIONAL) | HAS(FAULTS) | PARTS | SERIES |
		  EXPOSITION },
	{ .when = HAS(ALONE), .with = HAS(ALL) | LISTS },

	/* Regions and timelines belong to one command with exact counts. */
	{ .when = HAS(REGIONS) | HAS(TIMELINE),
	  .with = HAS(SYSTEM) | TARGET | HAS(MULTIPLEX) },
	{ .when = HAS(REGIONS), .with = FORMATS },
	{ .when = HAS(TIMELINE), .with = SERIES | HAS(REGION_FAULTS) },

	/* Profiles need exact counts of processes with all their descendants. */
	{ .when = HAS(PROFILE),
	  .with = HAS(TID) | HAS(CPU) | HAS(ALONE) | HAS(MULTIPLEX) |
		  HAS(TIMELINE) | LISTS | FORMATS | HAS(OPTIONAL) | SERIES },
	{ .when = HAS(PROFILE),
	  .with = PARTS,
	  .more = ": stopped processes do not report their mappings" },
	{ .when = HAS(PROFILE),
	  .with = HAS(LIVE),
	  .more = ": a profile is printed when the count ends" },

	{ .when = HAS(CALL_GRAPH) | HAS(SEED) | HAS(TICKS),
	  .unless = HAS(PROFILE) },
	{ .when = HAS(TICKS), .with = HAS(CALL_GRAPH) | HAS(SEED) },
	{ .when = HAS(LINES) | HAS(ANNOTATE), .unless = HAS(PROFILE) },
	{ .when = HAS(LINES),
	  .with = HAS(ANNOTATE),
	  .more = ": give one of them" },

	/* A series consists of whole runs, each of which counts some of the events. */
	{ .when = SERIES,
	  .with = HAS(SYSTEM) | TARGET | LISTS | HAS(REGIONS) | HAS(INTERVAL) },
	{ .when = HAS(RUNS), .with = HAS(MULTIPLEX) },
	{ .when = HAS(WARMUP), .unless = SERIES },
	{ .when = HAS(CONFIDENCE), .unless = HAS(REPEAT) },
	{ .when = HAS(LIMIT), .unless = HAS(COMPARE) },
	/* The error of the projection alone may exceed the limit. */
	{ .when = HAS(LIMIT),
	  .with = HAS(MULTIPLEX),
	  .more = ": --runs counts exactly" },
	{ .when = HAS(PRE) | HAS(POST), .with = HAS(SYSTEM) },
	/* A command that cannot be counted runs once. */
	{ .when = HAS(OPTIONAL), .with = SERIES | HAS(PRE) | HAS(POST) },

	/* The counts of lists, regions and series cannot be stopped. */
	{ .when = PARTS,
	  .with = HAS(SYSTEM) | LISTS | HAS(REGIONS) | HAS(TIMELINE) | SERIES },
	{ .when = HAS(START_STOPPED),
	  .with = HAS(DELAY),
	  .more = ": give one of them" },
	{ .when = HAS(START_STOPPED),
	  .unless = HAS(CONTROL) | HAS(SIGNALS),
	  .more = " to start the count" },

	{ .when = LISTS, .with = HAS(SEVERAL) },
	{ .when = HAS(INTERVAL), .with = LISTS | HAS(REGIONS) },
	{ .when = HAS(FAULTS),
	  .unless = HAS(INTERVAL),
	  .more = " (--times adds those of the whole)" },
	{ .when = HAS(FAULTS), .with = HAS(LIVE) | HAS(TIMES) | HAS(SYSTEM) },
	{ .when = HAS(LIVE),
	  .with = LISTS | SERIES | HAS(REGIONS) | HAS(PLOT) },
	{ .when = HAS(PLOT),
	  .unless = HAS(REPEAT) | HAS(COMPARE) | HAS(INTERVAL) },
	{ .when = HAS(APPEND), .unless = HAS(NAMED_FILE) },
	/* A projected count can become less, and a counter of OpenMetrics cannot. */
	{ .when = EXPOSITION,
	  .with = HAS(APPEND) | HAS(MULTIPLEX) | LISTS | HAS(TIMES) | SERIES |
		  HAS(SEVERAL) },
	{ .when = HAS(LABEL), .unless = EXPOSITION },

	{ .unless = HAS(COMMAND) | TARGET | HAS(SYSTEM) | HAS(CGROUP) |
		    DESCRIBE | HAS(RELEASE),
	  .sentence = "give a command to count, or a process with -p" },
	{ .when = HAS(PRE) | HAS(POST) | HAS(FIXED_LAYOUT) | HAS(OPTIONAL) |
		  HAS(FAULTS) | HAS(TIMES),
	  .unless = HAS(COMMAND) },
};

const size_t nr_option_rules = sizeof(option_rules) / sizeof(option_rules[0]);
