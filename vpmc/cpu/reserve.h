/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Who has the hardware counters: the driver, as long as somebody counts or may
 * count, else perf_event. The hooks are live as long, too.
 */
#ifndef VPMC_RESERVE_H
#define VPMC_RESERVE_H

#include <linux/atomic.h>

/**
 * vpmc_reserve() - have the counters for one more user, and the hooks live
 *
 * Context: may sleep.
 * Return: 0; -EADDRINUSE if perf_event, or the NMI watchdog through it, has them, or
 * is given them (vpmc_reserve_close()); or -EIO if those of a processor do not count, see prove.h.
 */
int vpmc_reserve(void);

/*
 * Between these two vpmc_reserve() fails, so that users become fewer only. Calls of it may
 * be under way when the first one returns. Any context.
 */
void vpmc_reserve_close(void);
void vpmc_reserve_open(void);

/* How many there are. Only for the functions below. */
extern atomic_t vpmc_reserve_users;

/*
 * One more user, if there is one. Returns whether there is. Any context.
 */
static inline bool vpmc_reserve_again(void)
{
	return atomic_inc_not_zero(&vpmc_reserve_users);
}

/* One more user, while there is one. Any context. */
static inline void vpmc_reserve_more(void)
{
	atomic_inc(&vpmc_reserve_users);
}

/* Only for vpmc_unreserve(). */
void vpmc_reserve_leave(void);

/* One user less. Takes effect a little later. Any context. */
static inline void vpmc_unreserve(void)
{
	if (atomic_dec_and_test(&vpmc_reserve_users))
		vpmc_reserve_leave();
}

/* If there are no users, give the counters back at once. Says whether. May sleep. */
bool vpmc_reserve_return(void);

/*
 * The driver has the counters for good if nobody else ever uses them. They are proved
 * to count, unless somebody else has them: then they are when they are first taken.
 * May sleep. Returns 0 or -ENODEV, after a message.
 */
int vpmc_reserve_init(void);

/* There are no users any more: give them back now. May sleep. */
void vpmc_reserve_exit(void);

#endif /* VPMC_RESERVE_H */
