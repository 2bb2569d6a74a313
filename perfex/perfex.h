/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the files of perfex share.
 */
#ifndef PERFEX_PERFEX_H
#define PERFEX_PERFEX_H

#include <stdbool.h>
#include <stdio.h>
#include <sys/types.h>
#include <vpmc.h>

#include "status.h"

/* Digits of the largest count, 2^64 - 1. */
#define COUNT_WIDTH 20

/* Printed in place of a count if there is none. */
#define NO_COUNT "-"

/**
 * struct events - what is counted
 * @pmu: the processor's counters
 * @sel: events, in the order of the command line
 * @name: their names as the command line has them; empty for those of the table
 * @nr: how many
 * @shared: whether some share a counter, so that counts may be projected
 */
struct events {
	const struct vpmc_pmu *pmu;
	struct vpmc_event_sel sel[VPMC_COUNTS_MAX];
	char name[VPMC_COUNTS_MAX][VPMC_EVENT_NAME_MAX];
	size_t nr;
	bool shared;
};

/* Room for what event_name() makes. */
#define EVENT_NAME_MAX (VPMC_EVENT_NAME_MAX + 4)

struct records;

/**
 * complain() - say what is wrong, as "perfex: SENTENCE" on stderr
 * @format: of printf(3), without newline
 */
void complain(const char *format, ...) __attribute__((format(printf, 1, 2)));

/**
 * complain_vpmc() - say what libvpmc found wrong
 * @err: from libvpmc
 *
 * Return: the exit status that belongs to it.
 */
enum perfex_status complain_vpmc(const struct vpmc_error *err);

/**
 * complain_hint() - the same, with what perfex can add to the sentence
 * @err: from libvpmc
 * @hint: " (how perfex does that)", or ""
 *
 * Return: the exit status that belongs to it.
 */
enum perfex_status complain_hint(const struct vpmc_error *err,
				 const char *hint);

/**
 * complain_start() - complain_vpmc() of a start, with the capability that perfex
 * lacks if that is why
 * @err: from libvpmc
 *
 * Return: the exit status that belongs to it.
 */
enum perfex_status complain_start(const struct vpmc_error *err);

/**
 * complain_output() - say that the report cannot be written, and why (errno)
 * @file: where to, NULL for standard error
 *
 * Return: the exit status that belongs to it.
 */
enum perfex_status complain_output(const char *file);

/**
 * start_command() - run a command
 * @vpmc: a handle that nothing was started on. If @events are counted it stands
 *	for the command's process afterwards.
 * @events: what to count in the command, with counters assigned; NULL for
 *	nothing
 * @flags: enum vpmc_start_flags bits besides VPMC_AT_EXEC
 * @argv: the command with its arguments, ends with NULL
 * @status: receives the exit status for perfex after a complaint
 *
 * Counting begins with the command's first instruction: the child starts "at
 * exec". SIGINT and SIGQUIT from the terminal are left to the command from now
 * on; SIGCHLD is blocked, and kept.
 *
 * Return: the process in which the command runs, or -1 after a complaint.
 */
pid_t start_command(struct vpmc *vpmc, const struct events *events,
		    unsigned int flags, char **argv, int *status);

/**
 * command_has_ended() - whether there is something for finish_command()
 * @pid: from start_command()
 *
 * Return: whether the command has ended.
 */
bool command_has_ended(pid_t pid);

/**
 * wait_for_command() - wait until a command has ended, or some time has passed
 * @pid: from start_command()
 * @ms: how long at most, in milliseconds, less than 1000
 *
 * Return: whether it has ended.
 */
bool wait_for_command(pid_t pid, unsigned int ms);

/**
 * finish_command() - wait until a command has ended
 * @pid: from start_command()
 *
 * Return: the exit status for perfex: the command's own, 128 + n after signal
 * n, or an enum perfex_status after a complaint.
 */
int finish_command(pid_t pid);

/**
 * event_name() - how the report names an event: its name and modes
 * @events: what is counted
 * @nr: which of them
 * @name: receives the text
 */
void event_name(const struct events *events, size_t nr,
		char name[EVENT_NAME_MAX]);

/**
 * print_note() - print how many of something the counts lack, unless none
 * @out: where to
 * @nr: how many there are of it
 * @one: what it is, for one
 * @many: what it is, for several
 * @rest: the rest of the sentence
 */
void print_note(FILE *out, unsigned int nr, const char *one, const char *many,
		const char *rest);

/**
 * print_tables() - print what each process and thread counted
 * @out: where to
 * @records: all that the driver has recorded
 * @events: what was counted
 * @threads: whether there is to be a table of threads above that of processes
 * @running: processes that are not listed, or not with all their threads
 *
 * The format is documented in perfex(1) and stable.
 *
 * Return: 0, or an enum perfex_status after a complaint.
 */
int print_tables(FILE *out, struct records *records,
		 const struct events *events, bool threads,
		 unsigned int running);

/**
 * print_report() - print the counts, one line per event
 * @out: where to
 * @events: what was counted
 * @counts: the counts
 *
 * Counts of part of the time are projected, and marked. A line that begins with
 * "#" follows for each reason why the counts are not complete.
 *
 * The format is documented in perfex(1) and stable.
 */
void print_report(FILE *out, const struct events *events,
		  const struct vpmc_counts *counts);

/**
 * print_events() - print the names of events on a processor, one per line: the
 * generic ones, those of the table, and those of libpfm4
 * @out: where to
 * @pmu: its counters
 * @machine: to mark the events that are not emulated
 */
void print_events(FILE *out, const struct vpmc_pmu *pmu,
		  const struct vpmc_machine *machine);

/**
 * print_machine() - print processor and driver, one property per line
 * @out: where to
 * @machine: what to print
 */
void print_machine(FILE *out, const struct vpmc_machine *machine);

#endif /* PERFEX_PERFEX_H */
