/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This header declares the counts that perfex.irix reports. Counts of events that share a
 * counter are projected.
 */
#ifndef IRIX_COUNTS_H
#define IRIX_COUNTS_H

#include "events/counted.h"
#include "libperfex_report.h"
#include "run/thread_records.h"

/**
 * irix_counts_of() - compute the counts to report for a sum
 * @events: the events that were counted
 * @counted: the sum
 *
 * Return: the counts, which point to @events.
 */
struct perfexint_counts irix_counts_of(const struct events *events,
				       const struct counted *counted);

/* irix_counts_of_record() - like irix_counts_of(), for a thread that is counted */
struct perfexint_counts irix_counts_of_record(const struct events *events,
					      const struct record *record);

#endif /* IRIX_COUNTS_H */
