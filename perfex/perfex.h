/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the files of perfex share.
 */
#ifndef PERFEX_PERFEX_H
#define PERFEX_PERFEX_H

#include <stdio.h>
#include <vpmc.h>

#include "status.h"

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
int run_command(struct vpmc *vpmc, const struct events *events, char **argv,
		int *status);

/**
 * print_report() - print the counts, one line per event
 * @out: where to
 * @events: what was counted
 * @counts: how many there were of each
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
