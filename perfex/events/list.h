/* SPDX-License-Identifier: GPL-2.0-only */
/* This header declares what perfex -l and perfex -i print. */
#ifndef PERFEX_LIST_H
#define PERFEX_LIST_H

#include "util/perfex.h"

/**
 * print_events() - print the names of events on a processor, one per line: the
 * generic ones, those of the table, and those of libpfm4
 * @out: where to
 * @pmu: its counters
 * @machine: to mark the events that cannot happen there
 * @modes: in which they are to be counted
 * @patterns: parts of names or descriptions, of which an event is to have one,
 *	whatever their case; ends with NULL; all events if there are none
 *
 * A name that several of these have is printed once, with the event that it stands for.
 * A description that does not fit into the line goes on in the next one, below where
 * it began.
 *
 * Return: how many events were printed.
 */
unsigned int print_events(FILE *out, const struct vpmc_pmu *pmu,
			  const struct vpmc_machine *machine,
			  unsigned int modes, char *const *patterns);

/* print_processor() - which processor it is, but for the stepping, as a text */
void print_processor(char text[PROCESSOR_MAX],
		     const struct vpmc_machine *machine);

/**
 * print_machine() - print processor and driver, one property per line
 * @out: where to
 * @machine: what to print
 */
void print_machine(FILE *out, const struct vpmc_machine *machine);

#endif /* PERFEX_LIST_H */
