/* SPDX-License-Identifier: GPL-2.0-only */
/* This header declares how many counters perf_event has leased to the driver. */
#ifndef PERFEX_LEASE_H
#define PERFEX_LEASE_H

/*
 * leased_counters() - return the number of counters that events may have, or 0 if they may have
 * all; see PERF in vpmc(4)
 */
unsigned int leased_counters(void);

#endif /* PERFEX_LEASE_H */
