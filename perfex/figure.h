/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What is known of an event after a run. All reports say it, each in its own way.
 */
#ifndef PERFEX_FIGURE_H
#define PERFEX_FIGURE_H

#include "perfex.h"
#include "records.h"

/* The share of an event that was counted all the time. */
#define WHOLE 1000U

/**
 * struct figure - how often an event happened
 * @count: the number, if there is one; projected if @share is below WHOLE
 * @share: of the time in which it was counted, per mille. A part is never rounded
 *	to the whole.
 * @missing: NULL, or why there is no number
 */
struct figure {
	uint64_t count;
	unsigned int share;
	const char *missing;
};

/* figure_of_total() - of an event in the sum over all that was counted */
struct figure figure_of_total(const struct events *events,
			      const struct vpmc_counts *counts, size_t i);

/* figure_of_record() - of an event in a thread or a process */
struct figure figure_of_record(const struct events *events,
			       const struct record *record, size_t i);

#endif /* PERFEX_FIGURE_H */
