/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This file declares who has the hardware counters: the driver while it has users, and
 * perf_event otherwise. The hooks are live while the driver has them.
 */
#ifndef VPMC_RESERVE_H
#define VPMC_RESERVE_H

#include <linux/atomic.h>

/**
 * vpmc_reserve() - reserve the counters and activate the hooks for one more user
 *
 * Context: may sleep. Return: 0; -EADDRINUSE if perf_event, or the NMI watchdog through
 * it, has the counters or is about to get them (vpmc_reserve_close()); or -EIO if those
 * of a processor do not count, see prove.h.
 */
int vpmc_reserve(void);

/*
 * Make vpmc_reserve() and vpmc_reserve_again() fail between these two calls, so that the
 * number of users only falls. Calls of them may still be running when
 * vpmc_reserve_close() returns. Any context.
 */
void vpmc_reserve_close(void);
void vpmc_reserve_open(void);

/* The number of users. Only the functions below use this. */
extern atomic_t vpmc_reserve_users;

/*
 * Add a user if there is at least one. Returns false, like vpmc_reserve() with an error,
 * if there is none or after vpmc_reserve_close(). Any context.
 */
bool vpmc_reserve_again(void);

/* Add a user while there is at least one. Any context. */
static inline void vpmc_reserve_more(void)
{
	atomic_inc(&vpmc_reserve_users);
}

/* Only vpmc_unreserve() uses this. */
void vpmc_reserve_leave(void);

/* Remove a user. The counters are given back a little later. Any context. */
static inline void vpmc_unreserve(void)
{
	if (atomic_dec_and_test(&vpmc_reserve_users))
		vpmc_reserve_leave();
}

/*
 * Give the counters back at once if there are no users. Returns whether there are none.
 * May sleep.
 */
bool vpmc_reserve_return(void);

/*
 * Prove the counters when the module is loaded, and keep them for good if no other user
 * exists on this family. If another user has them now, they are proved when the driver
 * first takes them. May sleep. Returns 0, or -ENODEV after a message.
 */
int vpmc_reserve_init(void);

/*
 * Give the counters back now, if there is a delayed call to do so. There are no users
 * any more. May sleep.
 */
void vpmc_reserve_exit(void);

#endif /* VPMC_RESERVE_H */
