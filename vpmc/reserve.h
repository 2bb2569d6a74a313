/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Who has the hardware counters: the driver, as long as somebody counts or may
 * count, else perf_event.
 */
#ifndef VPMC_RESERVE_H
#define VPMC_RESERVE_H

/**
 * vpmc_reserve() - have the counters for one more user
 *
 * Context: may sleep.
 * Return: 0, or -EADDRINUSE if perf_event, or the NMI watchdog through it, has them.
 */
int vpmc_reserve(void);

/* One more user, while there is one. Any context. */
void vpmc_reserve_more(void);

/* One user less. Takes effect a little later. Any context. */
void vpmc_unreserve(void);

/* The driver has the counters for good if nobody else ever uses them. */
void vpmc_reserve_init(void);

/* There are no users any more: give them back now. May sleep. */
void vpmc_reserve_exit(void);

#endif /* VPMC_RESERVE_H */
