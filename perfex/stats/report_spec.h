/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How to report, as the command line says it.
 */
#ifndef PERFEX_REPORT_SPEC_H
#define PERFEX_REPORT_SPEC_H

#include "events/count_spec.h"

/* The most limits of --limit. */
#define LIMITS_MAX 64

/* How a report looks. perfex(1) describes each of them; they are stable. */
enum format {
	FORMAT_TEXT,
	FORMAT_CSV,
	FORMAT_JSON,
	FORMAT_OPENMETRICS,
	FORMAT_PROMETHEUS,
};

/**
 * struct limit - the largest ratio that --limit allows
 * @name: begins with the name of the event or the resource
 * @length: of the name, or 0 for all events
 * @ratio: the limit
 */
struct limit {
	const char *name;
	size_t length;
	double ratio;
};

/**
 * struct report_spec - how to report; constant after the command line was parsed
 * @output: argument of -o, or NULL
 * @append: --append
 * @format: --csv, --json, --openmetrics, --prometheus
 * @label: argument of --label, or NULL
 * @status_file: argument of --status-file, or NULL
 * @resources: --times
 * @plot: argument of --plot, or NULL
 * @timeline: argument of --timeline, or NULL
 * @interval_ms: argument of --interval in milliseconds, or 0
 * @usage: --faults: page faults and switches of each interval
 * @live: --live; @interval_ms is not 0 then
 * @raw: --regions=raw
 * @confidence: argument of --confidence, or CONFIDENCE
 * @limits: arguments of --limit
 * @nr_limits: how many
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
	unsigned int interval_ms;
	bool usage;
	bool live;
	bool raw;
	unsigned int confidence;
	struct limit limits[LIMITS_MAX];
	size_t nr_limits;
};

/**
 * struct request - all that perfex is to do, unless it describes, merges or releases
 * @count: what to count
 * @report: how to report it
 */
struct request {
	struct count_spec count;
	struct report_spec report;
};

#endif /* PERFEX_REPORT_SPEC_H */
