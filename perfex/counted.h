/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Counts, and what projections of them are worth.
 */
#ifndef PERFEX_COUNTED_H
#define PERFEX_COUNTED_H

#include "perfex.h"

/**
 * struct counted - what was counted
 * @counts: the counts
 * @spread: how the turns of the events differ, if some share a counter; else its nr is 0
 */
struct counted {
	struct vpmc_counts counts;
	struct vpmc_spread spread;
};

/**
 * add_counted() - add up
 * @sum: of the same events
 * @more: what to add
 * @err: receives the error, or NULL
 *
 * Return: as vpmc_counts_add().
 */
int add_counted(struct counted *sum, const struct counted *more,
		struct vpmc_error *err);

/* subtract_counted() - take away what they were at an earlier read */
void subtract_counted(struct counted *counted, const struct counted *earlier);

/**
 * why_unknown() - why a count is not known
 * @known: from vpmc_estimate()
 *
 * Return: that, or NULL if it is.
 */
const char *why_unknown(int known);

#endif /* PERFEX_COUNTED_H */
