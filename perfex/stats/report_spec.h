/* SPDX-License-Identifier: GPL-2.0-only */
/* This header defines the options of reporting, and the whole request of a command line. */
#ifndef PERFEX_REPORT_SPEC_H
#define PERFEX_REPORT_SPEC_H

#include "events/count_spec.h"

/* --limit can be given at most this many limits. */
#define LIMITS_MAX 64

/* A report has one of these forms. perfex(1) describes each form; the forms are stable. */
enum format {
	FORMAT_TEXT,
	FORMAT_CSV,
	FORMAT_JSON,
	FORMAT_OPENMETRICS,
	FORMAT_PROMETHEUS,
};

/* enum profile_detail - what a row of the table of --profile stands for */
enum profile_detail {
	PROFILE_FUNCTIONS, /* a function that is called */
	PROFILE_LINES, /* a line of the source, in a function or an inlined function */
	PROFILE_INSTRUCTIONS, /* an instruction */
	NR_PROFILE_DETAILS,
};

/**
 * struct limit - the largest ratio that --limit allows
 * @name: the beginning of this string is the name of the event or the resource
 * @length: length of the name, or 0 for all events
 * @ratio: the limit
 */
struct limit {
	const char *name;
	size_t length;
	double ratio;
};

/**
 * struct report_spec - the options of reporting; constant after the command line was parsed
 * @output: argument of -o, or NULL
 * @append: --append
 * @format: --csv, --json, --openmetrics, --prometheus
 * @label: argument of --label, or NULL
 * @status_file: argument of --status-file, or NULL
 * @resources: --times
 * @plot: argument of --plot, or NULL
 * @timeline: argument of --timeline, or NULL
 * @profile: argument of --profile, or NULL
 * @profile_detail: --lines, --annotate
 * @interval_ms: argument of --interval in milliseconds, or 0
 * @usage: --faults, for page faults and switches of each interval
 * @live: --live; with it, @interval_ms is not 0
 * @raw: --regions=raw
 * @confidence: argument of --confidence, or CONFIDENCE
 * @limits: arguments of --limit
 * @nr_limits: number of limits
 */
struct report_spec {
	const char *output;
	bool append;
	enum format format;
	const char *label;
	const char *status_file;
	bool resources;
	const char *plot;
	const char *timeline;
	const char *profile;
	enum profile_detail profile_detail;
	unsigned int interval_ms;
	bool usage;
	bool live;
	bool raw;
	unsigned int confidence;
	struct limit limits[LIMITS_MAX];
	size_t nr_limits;
};

/**
 * struct request - the whole request of a command line that does not only describe, merge
 * or release
 * @count: the options of counting
 * @report: the options of reporting
 */
struct request {
	struct count_spec count;
	struct report_spec report;
};

#endif /* PERFEX_REPORT_SPEC_H */
