/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This file declares the reservation of the hardware counters. The driver has the
 * counters while it has users; otherwise perf_event has them. The hooks are live while
 * the driver has the counters.
 */
#ifndef VPMC_RESERVE_H
#define VPMC_RESERVE_H

#include <linux/atomic.h>

/*
 * A reservation is the number of the round in which it was made, or 0 if there is none. The round
 * ends when the counters are taken from all users (vpmc_reserve_take_back()). Users that cannot be
 * found at that moment, because they are in the middle of a call, keep reservations that are not
 * valid any more. Invalid reservations only keep the hooks live. Several rounds can have such
 * users, and the number of a round is reused when its users have gone.
 */
#define VPMC_RESERVE_ROUNDS	32

/*
 * These are the present round and the number of users of each round. Only the functions below use
 * them.
 */
extern u8 vpmc_reserve_round;
extern atomic_t vpmc_reserve_users[VPMC_RESERVE_ROUNDS + 1];

/*
 * This is the number of calls of vpmc_reserve_close() without their vpmc_reserve_open(). Only the
 * functions below use this.
 */
extern atomic_t vpmc_reserve_closed;

/*
 * Add a user of the present round if the round has users already. Returns the reservation, or 0 if
 * the round has no users or vpmc_reserve_close() was called. If a release begins during the call,
 * the round may just have ended. So the caller checks vpmc_reserve_is_valid() later, or holds a
 * lock that a release takes before it ends a round. Any context.
 */
static __always_inline u8 vpmc_reserve_again(void)
{
	u8 round;

	if (unlikely(atomic_read(&vpmc_reserve_closed)))
		return 0;
	/*
	 * After a release, this does not see the round that the release has ended. Pairs
	 * with vpmc_reserve_open().
	 */
	smp_rmb();
	round = READ_ONCE(vpmc_reserve_round);
	return atomic_inc_not_zero(&vpmc_reserve_users[round]) ? round : 0;
}

/* Only vpmc_reserve() uses this. */
int vpmc_reserve_wait(u8 *reservation);

/**
 * vpmc_reserve() - reserve the counters and activate the hooks for one more user
 * @reservation: receives the reservation
 *
 * Context: may sleep. Return: 0; -EADDRINUSE if perf_event, or the NMI watchdog through
 * it, has the counters or is about to get them (vpmc_reserve_close()); or -EIO if the
 * counters of a processor do not count, see prove.h.
 */
static inline int vpmc_reserve(u8 *reservation)
{
	*reservation = vpmc_reserve_again();
	return likely(*reservation) ? 0 : vpmc_reserve_wait(reservation);
}

/*
 * Make vpmc_reserve() and vpmc_reserve_again() fail between these two calls, so that the
 * number of users only falls. Earlier calls of the two functions may still be running
 * when vpmc_reserve_close() returns. Any context.
 */
void vpmc_reserve_close(void);
void vpmc_reserve_open(void);

/*
 * Return whether @reservation is valid: the counters have not been taken back since it was made. If
 * they are taken back later, the epoch changes first.
 */
static inline bool vpmc_reserve_is_valid(u8 reservation)
{
	return reservation == READ_ONCE(vpmc_reserve_round);
}

/* Add a user of the round of @reservation, and return the new user's reservation. Any context. */
static inline u8 vpmc_reserve_more(u8 reservation)
{
	atomic_inc(&vpmc_reserve_users[reservation]);
	return reservation;
}

/* Only vpmc_unreserve() uses this. */
void vpmc_reserve_leave(void);

/* Remove a user. The counters are given back a little later. Any context. */
static inline void vpmc_unreserve(u8 reservation)
{
	if (atomic_dec_and_test(&vpmc_reserve_users[reservation]))
		vpmc_reserve_leave();
}

/*
 * Give the counters back at once, and end the round if it has users. The epoch is held
 * (vpmc_system_hold()), so no user counts, and vpmc_reserve_close() has been called. No page has
 * the counters. Returns 0, or -EBUSY if too many rounds have users. May sleep.
 */
int vpmc_reserve_take_back(void);

/*
 * Prove the counters when the module is loaded, and keep them until the module is
 * unloaded if this family has no other user. If another user has the counters now, they
 * are proved when the driver first takes them. May sleep. Returns 0, or -ENODEV after a
 * message.
 */
int vpmc_reserve_init(void);

/*
 * Give the counters back now, if this is scheduled for later. The counters have no users
 * any more. May sleep.
 */
void vpmc_reserve_exit(void);

#endif /* VPMC_RESERVE_H */
