/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * perfex -l and perfex -i.
 */
#ifndef PERFEX_LIST_H
#define PERFEX_LIST_H

#include "perfex.h"

/**
 * print_events() - print the names of events on a processor, one per line: the
 * generic ones, those of the table, and those of libpfm4
 * @out: where to
 * @pmu: its counters
 * @machine: to mark the events that cannot happen there
 * @modes: in which they are to be counted
 */
void print_events(FILE *out, const struct vpmc_pmu *pmu,
		  const struct vpmc_machine *machine, unsigned int modes);

/**
 * print_machine() - print processor and driver, one property per line
 * @out: where to
 * @machine: what to print
 */
void print_machine(FILE *out, const struct vpmc_machine *machine);

#endif /* PERFEX_LIST_H */
