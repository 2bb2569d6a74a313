/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the files of perfex share.
 */
#ifndef PERFEX_PERFEX_H
#define PERFEX_PERFEX_H

#include <stdbool.h>
#include <stdio.h>
#include <vpmc.h>

#include "status.h"

/* Digits of the largest count, 2^64 - 1. */
#define COUNT_WIDTH 20

/**
 * struct events - what is counted
 * @pmu: the processor's counters
 * @sel: events, in the order of the command line
 * @nr: how many
 */
struct events {
	const struct vpmc_pmu *pmu;
	struct vpmc_event_sel sel[VPMC_COUNTS_MAX];
	size_t nr;
};

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
 * run_command() - run a command and have its events counted
 * @vpmc: a handle that nothing was started on. Afterwards it stands for the
 *	command's process.
 * @events: with counters assigned
 * @flags: enum vpmc_start_flags bits besides VPMC_AT_EXEC
 * @argv: the command with its arguments, ends with NULL
 * @status: receives the exit status for perfex: the command's own, 128 + n
 *	after signal n, or an enum perfex_status after a complaint
 *
 * Counting begins with the command's first instruction: the child starts "at
 * exec". Waits until the command has ended; SIGINT and SIGQUIT from the
 * terminal are left to the command meanwhile.
 *
 * Return: 0 if the command ran, so that there is something to read, else -1.
 */
int run_command(struct vpmc *vpmc, const struct events *events,
		unsigned int flags, char **argv, int *status);

/**
 * event_name() - how the report names an event: its name and modes
 * @events: what is counted
 * @nr: which of them
 * @name: receives the text
 * @size: of @name
 */
void event_name(const struct events *events, size_t nr, char *name,
		size_t size);

/**
 * print_note() - print a line on what the counts do not show, if there is any
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
 * @vpmc: a handle started with VPMC_RECORDS, whose records are taken
 * @events: what was counted
 * @threads: whether there is to be a table of threads above that of processes
 * @running: processes that are not listed, or not with all their threads
 *
 * The format is documented in perfex(1) and stable.
 *
 * Return: 0, or an enum perfex_status after a complaint.
 */
int print_tables(FILE *out, struct vpmc *vpmc, const struct events *events,
		 bool threads, unsigned int running);

/**
 * print_report() - print the counts, one line per event
 * @out: where to
 * @events: what was counted
 * @counts: how many there were of each
 *
 * Below them a line that begins with "#" for each reason why the counts are not
 * the whole.
 *
 * The format is documented in perfex(1) and stable.
 */
void print_report(FILE *out, const struct events *events,
		  const struct vpmc_counts *counts);

/**
 * print_events() - print the events of a processor, one per line
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
