/* SPDX-License-Identifier: GPL-2.0-only */
/* This header declares the lists that perfex -l and perfex -i print. */
#ifndef PERFEX_LIST_H
#define PERFEX_LIST_H

#include "util/perfex.h"

/**
 * print_events() - print the names of events on a processor, one per line: the
 * generic ones, those of the table, and those of libpfm4
 * @out: stream to write to
 * @pmu: the family of events
 * @machine: the machine, which determines the events that cannot happen
 * @modes: the modes in which events are to be counted
 * @patterns: parts of names or descriptions, ended by NULL; case does not matter. An event must
 *	match one of them, unless there are none.
 *
 * If several of these sources have a name, it is printed once, with the event that it stands for.
 * A description that does not fit into the line continues in the next line, below its beginning.
 *
 * Return: the number of events that were printed.
 */
unsigned int print_events(FILE *out, const struct vpmc_pmu *pmu,
			  const struct vpmc_machine *machine,
			  unsigned int modes, char *const *patterns);

/* print_processor() - describe the processor, without its stepping */
void print_processor(char text[PROCESSOR_MAX],
		     const struct vpmc_machine *machine);

/**
 * print_machine() - print processor and driver, one property per line
 * @out: stream to write to
 * @machine: the machine to print
 */
void print_machine(FILE *out, const struct vpmc_machine *machine);

#endif /* PERFEX_LIST_H */
