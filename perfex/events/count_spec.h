/* SPDX-License-Identifier: GPL-2.0-only */
/* This header defines the options of counting. */
#ifndef PERFEX_COUNT_SPEC_H
#define PERFEX_COUNT_SPEC_H

#include "events/group.h"

/* --compare has at most this many commands. */
#define COMMANDS_MAX 16

/* One perfex counts at most this many processes. */
#define PIDS_MAX 64

struct saved_report;

/**
 * struct event_origin - the position of an event
 * @file: the file, NULL for the command line
 * @line: its line, from 1
 * @column: the column of its first character, from 1
 */
struct event_origin {
	const char *file;
	unsigned int line;
	unsigned int column;
};

/**
 * struct count_spec - the options of counting; constant after the command line was parsed
 * @events: arguments of -e, or the default event
 * @origins: positions of the events
 * @periods: number after "/" of each event, or 0
 * @jitters: number after "~" of each event, or 0
 * @nr_events: number of events
 * @groups: arguments of -g
 * @nr_groups: number of groups
 * @by_default: true if the events are the default
 * @modes: modes of events that do not have their own, enum vpmc_modes bits
 * @profile: --profile
 * @callers: maximum number of callers in a sample: argument of --call-graph, or 0
 * @at_ticks: --ticks
 * @seed: argument of --seed, or a number from the time
 * @has_seed: --seed
 * @all: -a
 * @alone: -n
 * @processes: -m and -mp
 * @threads: -mp
 * @strict: --strict
 * @exactly: --runs
 * @runs: argument of -r, or 0
 * @warmups: argument of --warmup, or 0
 * @before: argument of --pre, or NULL
 * @after: argument of --post, or NULL
 * @separator: word between the commands of --compare, or NULL
 * @commands: the commands of --compare, each in the form of @command
 * @nr_commands: number of commands
 * @saved: saved report that replaces each command, or NULL
 * @pids: arguments of -p, or the argument of -t
 * @nr_pids: number of @pids
 * @thread: -t
 * @system: --system. With @profile, the processes of the root cgroup are counted
 * @cgroup: argument of --cgroup, or NULL
 * @control: argument of --control, or NULL
 * @signals: --signals
 * @start_stopped: --start-stopped
 * @multiplex: --multiplex
 * @regions: --regions
 * @faults: --regions=faults
 * @force: --force
 * @keep: --keep
 * @fixed_layout: --fixed-layout
 * @optional: --optional
 * @delay_ms: argument of --delay in milliseconds, or 0
 * @for_ms: argument of --for in milliseconds, or 0
 * @cpu: argument of --cpu, or VPMC_EVERY_CPU
 * @command: COMMAND with its arguments; with --compare the first command, with -l PATTERNs,
 *	with --merge FILEs. Ended by NULL
 */
struct count_spec {
	const char *events[EVENTS_MAX];
	struct event_origin origins[EVENTS_MAX];
	uint32_t periods[EVENTS_MAX];
	uint32_t jitters[EVENTS_MAX];
	size_t nr_events;
	const char *groups[GROUPS_MAX];
	size_t nr_groups;
	bool by_default;
	unsigned int modes;
	bool profile;
	unsigned int callers;
	bool at_ticks;
	uint32_t seed;
	bool has_seed;
	bool all;
	bool alone;
	bool processes;
	bool threads;
	bool strict;
	bool exactly;
	unsigned int runs;
	unsigned int warmups;
	const char *before;
	const char *after;
	const char *separator;
	char **commands[COMMANDS_MAX];
	size_t nr_commands;
	struct saved_report *saved[COMMANDS_MAX];
	int pids[PIDS_MAX];
	size_t nr_pids;
	bool thread;
	bool system;
	const char *cgroup;
	const char *control;
	bool signals;
	bool start_stopped;
	bool multiplex;
	bool regions;
	bool faults;
	bool force;
	bool keep;
	bool fixed_layout;
	bool optional;
	unsigned int delay_ms;
	unsigned int for_ms;
	int cpu;
	char **command;
};

#endif /* PERFEX_COUNT_SPEC_H */
