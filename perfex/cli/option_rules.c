// SPDX-License-Identifier: GPL-2.0-only
/* List the options that exclude or need each other. perfex(1) has this table, too. */
#include "cli/option_rules.h"

/* These options print a description and do not count. */
#define DESCRIBE HAS(LIST), HAS(GROUPS), HAS(INFO)

#define EXPOSITION HAS(OPENMETRICS), HAS(PROMETHEUS)
#define FORMATS	   HAS(CSV), HAS(JSON), EXPOSITION
#define LISTS	   HAS(PROCESSES), HAS(THREADS)
#define SERIES	   HAS(RUNS), HAS(REPEAT), HAS(COMPARE)
#define TARGET	   HAS(PID), HAS(TID)

/* These options start or stop the count while the command runs. */
#define PARTS HAS(DELAY), HAS(CONTROL), HAS(SIGNALS), HAS(START_STOPPED)

const struct option_rule option_rules[] = {
	/* --merge reads reports instead of counting. */
	{ .when = SET(HAS(MERGE)),
	  .all_but = SET(HAS(MERGE), HAS(OUTPUT), HAS(NAMED_FILE), HAS(APPEND),
			 HAS(CSV), HAS(JSON), HAS(PROFILE), HAS(LINES),
			 HAS(ANNOTATE), HAS(STATUS_FILE), HAS(COMMAND)) },
	{ .when = SET(HAS(MERGE)),
	  .unless = SET(HAS(COMMAND)),
	  .sentence = "give the reports to merge after --merge" },
	{ .when = SET(HAS(RELEASE)), .all_but = SET(HAS(RELEASE)) },
	{ .when = SET(HAS(SELF_TEST)), .all_but = SET(HAS(SELF_TEST)) },
	/* The words after -l are patterns, not a command. */
	{ .when = SET(DESCRIBE),
	  .all_but =
		  SET(DESCRIBE, HAS(KERNEL), HAS(EXCEPTIONS), HAS(COMMAND)) },
	{ .when = SET(HAS(GROUPS)), .with = SET(HAS(COMMAND)) },
	{ .when = SET(HAS(INFO)),
	  .with = SET(HAS(COMMAND)),
	  .unless = SET(HAS(LIST)) },

	{ .when = SET(TARGET),
	  .with = SET(HAS(COMMAND)),
	  .more = ": --for SECONDS counts for a time" },
	{ .when = SET(HAS(TID)),
	  .with = SET(HAS(PID)),
	  .more = ": count processes, or one thread" },
	{ .when = SET(HAS(SYSTEM)),
	  .with = SET(TARGET, HAS(FOR), HAS(ALL), HAS(ALONE), LISTS,
		      HAS(MULTIPLEX), HAS(KEEP)) },
	{ .when = SET(HAS(CPU)), .unless = SET(HAS(SYSTEM)) },
	/* A cgroup has many processes, which may belong to different commands. */
	{ .when = SET(HAS(CGROUP)),
	  .with = SET(TARGET, HAS(SYSTEM), HAS(ALL), HAS(ALONE), HAS(FORCE),
		      HAS(KEEP), HAS(REGIONS), HAS(TIMELINE), HAS(PRE),
		      HAS(POST), HAS(OPTIONAL), HAS(FAULTS), PARTS, SERIES,
		      EXPOSITION) },
	{ .when = SET(HAS(ALONE)), .with = SET(HAS(ALL), LISTS) },

	/* Regions and timelines belong to one command with exact counts. */
	{ .when = SET(HAS(REGIONS), HAS(TIMELINE)),
	  .with = SET(HAS(SYSTEM), TARGET, HAS(MULTIPLEX)) },
	{ .when = SET(HAS(REGIONS)), .with = SET(FORMATS) },
	{ .when = SET(HAS(TIMELINE)), .with = SET(SERIES, HAS(REGION_FAULTS)) },

	/* Profiles need exact counts of processes with all their descendants. */
	{ .when = SET(HAS(PROFILE)),
	  .with = SET(HAS(TID), HAS(CPU), HAS(ALONE), HAS(MULTIPLEX),
		      HAS(TIMELINE), LISTS, FORMATS, HAS(OPTIONAL), SERIES) },
	{ .when = SET(HAS(PROFILE)),
	  .with = SET(PARTS),
	  .more = ": stopped processes do not report their mappings" },
	{ .when = SET(HAS(PROFILE)),
	  .with = SET(HAS(LIVE)),
	  .more = ": a profile is printed when the count ends" },

	{ .when = SET(HAS(CALL_GRAPH), HAS(SEED), HAS(TICKS)),
	  .unless = SET(HAS(PROFILE)) },
	{ .when = SET(HAS(TICKS)), .with = SET(HAS(CALL_GRAPH), HAS(SEED)) },
	{ .when = SET(HAS(LINES), HAS(ANNOTATE)), .unless = SET(HAS(PROFILE)) },
	{ .when = SET(HAS(LINES)),
	  .with = SET(HAS(ANNOTATE)),
	  .more = ": give one of them" },

	/* A series consists of whole runs, each of which counts some of the events. */
	{ .when = SET(SERIES),
	  .with = SET(HAS(SYSTEM), TARGET, LISTS, HAS(REGIONS),
		      HAS(INTERVAL)) },
	{ .when = SET(HAS(RUNS)), .with = SET(HAS(MULTIPLEX)) },
	{ .when = SET(HAS(WARMUP)), .unless = SET(SERIES) },
	{ .when = SET(HAS(CONFIDENCE)), .unless = SET(HAS(REPEAT)) },
	{ .when = SET(HAS(LIMIT)), .unless = SET(HAS(COMPARE)) },
	/* The error of the projection alone may exceed the limit. */
	{ .when = SET(HAS(LIMIT)),
	  .with = SET(HAS(MULTIPLEX)),
	  .more = ": --runs counts exactly" },
	{ .when = SET(HAS(PRE), HAS(POST)), .with = SET(HAS(SYSTEM)) },
	/* A command that cannot be counted runs once. */
	{ .when = SET(HAS(OPTIONAL)),
	  .with = SET(SERIES, HAS(PRE), HAS(POST)) },

	/* The counts of lists, regions and series cannot be stopped. */
	{ .when = SET(PARTS),
	  .with = SET(HAS(SYSTEM), LISTS, HAS(REGIONS), HAS(TIMELINE),
		      SERIES) },
	{ .when = SET(HAS(START_STOPPED)),
	  .with = SET(HAS(DELAY)),
	  .more = ": give one of them" },
	{ .when = SET(HAS(START_STOPPED)),
	  .unless = SET(HAS(CONTROL), HAS(SIGNALS)),
	  .more = " to start the count" },

	{ .when = SET(LISTS), .with = SET(HAS(SEVERAL)) },
	{ .when = SET(HAS(INTERVAL)), .with = SET(LISTS, HAS(REGIONS)) },
	{ .when = SET(HAS(FAULTS)),
	  .unless = SET(HAS(INTERVAL)),
	  .more = " (--times adds those of the whole)" },
	{ .when = SET(HAS(FAULTS)),
	  .with = SET(HAS(LIVE), HAS(TIMES), HAS(SYSTEM)) },
	{ .when = SET(HAS(LIVE)),
	  .with = SET(LISTS, SERIES, HAS(REGIONS), HAS(PLOT)) },
	{ .when = SET(HAS(PLOT)),
	  .unless = SET(HAS(REPEAT), HAS(COMPARE), HAS(INTERVAL)) },
	{ .when = SET(HAS(APPEND)), .unless = SET(HAS(NAMED_FILE)) },
	/* A projected count can become less, and a counter of OpenMetrics cannot. */
	{ .when = SET(EXPOSITION),
	  .with = SET(HAS(APPEND), HAS(MULTIPLEX), LISTS, HAS(TIMES), SERIES,
		      HAS(SEVERAL)) },
	{ .when = SET(HAS(LABEL)), .unless = SET(EXPOSITION) },

	{ .unless = SET(HAS(COMMAND), TARGET, HAS(SYSTEM), HAS(CGROUP),
			DESCRIBE, HAS(RELEASE), HAS(SELF_TEST)),
	  .sentence = "give a command to count, or a process with -p" },
	{ .when = SET(HAS(PRE), HAS(POST), HAS(FIXED_LAYOUT), HAS(OPTIONAL),
		      HAS(FAULTS), HAS(TIMES)),
	  .unless = SET(HAS(COMMAND)) },
};

const size_t nr_option_rules = sizeof(option_rules) / sizeof(option_rules[0]);
