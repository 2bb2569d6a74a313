/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* This header declares how the library and perfex.irix choose events by number. */
#ifndef LIBPERFEX_EVENTS_H
#define LIBPERFEX_EVENTS_H

#include <vpmc.h>

/* A count has two events, because both the R10000 and the Pentium have two counters. */
#define PERFEXINT_PAIR 2

/* This event is counted by default. */
#define PERFEXINT_CYCLES "cycles"

/**
 * perfexint_environment() - get the event that the environment sets for a counter
 * @i: 0 or 1
 *
 * Return: the value of T5_EVENT0 or T5_EVENT1, or NULL if the variable is not set or empty.
 */
const char *perfexint_environment(unsigned int i);

/**
 * perfexint_select() - choose a counter for each of two events
 * @pmu: the processor's counters
 * @text: the events, as for vpmc_event_parse(). If a text means a different event on each
 *	counter, the first text is for counter 0, and the second for counter 1.
 * @modes: enum vpmc_modes bits
 * @sel: receives the events with their counters
 * @err: receives the error
 *
 * Return: 0, or the errors of vpmc_event_parse() and vpmc_event_assign().
 */
int perfexint_select(const struct vpmc_pmu *pmu,
		     const char *const text[PERFEXINT_PAIR], unsigned int modes,
		     struct vpmc_event_sel sel[PERFEXINT_PAIR],
		     struct vpmc_error *err);

/**
 * perfexint_name() - get the name of an event, as in costs and reports
 * @pmu: the processor's counters
 * @sel: the event
 *
 * Return: a constant string.
 */
const char *perfexint_name(const struct vpmc_pmu *pmu,
			   const struct vpmc_event_sel *sel);

#endif /* LIBPERFEX_EVENTS_H */
