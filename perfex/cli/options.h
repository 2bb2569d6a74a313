/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The command line of perfex.
 */
#ifndef PERFEX_OPTIONS_H
#define PERFEX_OPTIONS_H

#include <limits.h>

#include "cli/event_file.h"
#include "events/group.h"
#include "report/report.h"

/* The most commands of --compare. */
#define COMMANDS_MAX 16

/* The most limits of --limit. */
#define LIMITS_MAX 64

/* The files that perfex writes: -o, --plot, --status-file and --timeline. */
#define FILES 4

/* The most processes that one perfex counts. */
#define PIDS_MAX 64

struct filed_report;

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
 * struct options - the command line
 * @events: arguments of -e, or the default where something is to be counted
 * @origins: where they stand
 * @nr_events: how many
 * @groups: arguments of -g
 * @nr_groups: how many
 * @by_default: they are the default
 * @modes: for events without a mode, enum vpmc_modes bits
 * @all: -a
 * @alone: -n
 * @processes: -m and -mp
 * @threads: -mp
 * @output: argument of -o, or NULL
 * @append: --append
 * @format: --csv, --json, --openmetrics, --prometheus
 * @label: argument of --label, or NULL
 * @status_file: argument of --status-file, or NULL
 * @resources: --times
 * @strict: --strict
 * @list: -l
 * @list_groups: --groups, -g help
 * @info: -i
 * @exactly: --runs
 * @runs: argument of -r, or 0
 * @warmups: argument of --warmup, or 0
 * @confidence: argument of --confidence, or CONFIDENCE
 * @before: argument of --pre, or NULL
 * @after: argument of --post, or NULL
 * @separator: word between the commands of --compare, or NULL
 * @commands: each of them, as @command
 * @nr_commands: how many
 * @saved: of each command the report that is in its place, or NULL
 * @limits: arguments of --limit
 * @nr_limits: how many
 * @plot: argument of --plot, or NULL
 * @timeline: argument of --timeline, or NULL
 * @pids: arguments of -p, or that of -t
 * @nr_pids: how many
 * @thread: -t
 * @system: --system
 * @control: argument of --control, or NULL
 * @signals: --signals
 * @start_stopped: --start-stopped
 * @multiplex: --multiplex
 * @regions: --regions
 * @raw: --regions=raw
 * @faults: --regions=faults
 * @force: --force
 * @keep: --keep
 * @release: --release
 * @fixed_layout: --fixed-layout
 * @optional: --optional
 * @delay_ms: argument of --delay in milliseconds, or 0
 * @for_ms: argument of --for in milliseconds, or 0
 * @cpu: argument of --cpu, or VPMC_EVERY_CPU
 * @interval_ms: argument of --interval in milliseconds, or 0
 * @usage: --faults: page faults and switches of each interval
 * @live: --live; @interval_ms is not 0 then
 * @merge: --merge
 * @names: room for names of files with %h, %p or %r
 * @command: COMMAND with its arguments, with --compare the first one, or with -l
 *	PATTERNs; with --merge FILEs. Ends with NULL
 */
struct options {
	const char *events[EVENTS_MAX];
	struct event_origin origins[EVENTS_MAX];
	size_t nr_events;
	const char *groups[GROUPS_MAX];
	size_t nr_groups;
	bool by_default;
	unsigned int modes;
	bool all;
	bool alone;
	bool processes;
	bool threads;
	const char *output;
	bool append;
	enum format format;
	const char *label;
	const char *status_file;
	bool resources;
	bool strict;
	bool list;
	bool list_groups;
	bool info;
	bool keep;
	bool release;
	bool exactly;
	unsigned int runs;
	unsigned int warmups;
	unsigned int confidence;
	const char *before;
	const char *after;
	const char *separator;
	char **commands[COMMANDS_MAX];
	size_t nr_commands;
	struct filed_report *saved[COMMANDS_MAX];
	struct limit limits[LIMITS_MAX];
	size_t nr_limits;
	const char *plot;
	const char *timeline;
	int pids[PIDS_MAX];
	size_t nr_pids;
	bool thread;
	bool system;
	const char *control;
	bool signals;
	bool start_stopped;
	bool multiplex;
	bool regions;
	bool raw;
	bool faults;
	bool force;
	bool fixed_layout;
	bool optional;
	unsigned int delay_ms;
	unsigned int for_ms;
	int cpu;
	unsigned int interval_ms;
	bool usage;
	bool live;
	bool merge;
	char names[FILES][PATH_MAX];
	char **command;
};

/**
 * parse_options() - understand the command line
 * @options: receives it; what is not on it stays as it is
 * @argc: of main()
 * @argv: of main()
 *
 * Help and version are printed at once, and the program ends.
 *
 * Return: 0, or an enum perfex_status after a complaint.
 */
int parse_options(struct options *options, int argc, char **argv);

#endif /* PERFEX_OPTIONS_H */
