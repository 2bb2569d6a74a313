/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-or-later */
/*
 * This file chooses counters for events on processors on which several counters share a control
 * register. Events on different counters can be counted together if they need different registers,
 * or the same value in a shared register. The driver and libvpmc use this search, so that they
 * choose the same counters.
 *
 * Events that cannot compete for a counter are searched separately. For events that can compete,
 * the search tries all combinations: at most 1957 for the six counters of the largest group of the
 * Pentium 4. So an event that has a choice must be able to use all counters of a register or none
 * of them. Otherwise two events could compete for the register only, and this search would not
 * notice.
 */
#ifndef VPMC_SHARE_H
#define VPMC_SHARE_H

#include "../uapi/linux/vpmc.h"

/*
 * The search gives up after this number of tries. It needs more tries only if events can use the
 * counters of several groups.
 */
#define VPMC_SHARE_TRIES	20000

/*
 * This is the type of a function that returns the register that @event needs on its counter, and
 * stores the value for this register in @value.
 */
typedef __u32 vpmc_shared_register(const struct vpmc_event *event, __u64 *value);

/*
 * This is the type of a function that returns the counters that @counter can start when it
 * overflows, one bit each.
 */
typedef __u32 vpmc_started_counters(unsigned int counter);

/**
 * struct vpmc_sharing - how the counters of a family depend on each other
 * @shared: the register that an event needs
 * @started: the counters that a counter can start
 */
struct vpmc_sharing {
	vpmc_shared_register *shared;
	vpmc_started_counters *started;
};

/* Return whether two events cannot be counted on their counters at the same time. */
static inline int vpmc_share_clash(const struct vpmc_event *a, const struct vpmc_event *b,
				   vpmc_shared_register *shared)
{
	__u64 one, other;

	return a->counter != b->counter && shared(a, &one) == shared(b, &other) && one != other;
}

/**
 * struct vpmc_share_search - a search for the counters of events
 * @event: the events, with their present counters
 * @wanted: the counters that each event may have, one bit each
 * @sharing: how the counters depend on each other
 * @placed: the events that have their counters, one bit each
 * @taken: the counters that have an event
 * @tries: number of counters that may still be tried
 */
struct vpmc_share_search {
	struct vpmc_event *event;
	const __u32 *wanted;
	const struct vpmc_sharing *sharing;
	__u32 placed;
	__u32 taken;
	__u32 tries;
};

/* Return whether event @i and the event before it have counters of which one starts the other. */
static inline int vpmc_share_is_started(const struct vpmc_event *event, __u32 i,
					const struct vpmc_sharing *sharing)
{
	return i && sharing->started(event[i - 1].counter) >> event[i].counter & 1;
}

/* Return whether event @i and the event before it are placed and need a cascade that is missing. */
static inline int vpmc_share_lacks_cascade(const struct vpmc_share_search *s, __u32 i)
{
	const __u32 both = i ? 3U << (i - 1) : 0;

	return both && (s->placed & both) == both && s->event[i].modes & VPMC_MODE_CASCADE &&
	       !vpmc_share_is_started(s->event, i, s->sharing);
}

/* Return whether event @i clashes with an event that is placed. */
static inline int vpmc_share_clashes(const struct vpmc_share_search *s, __u32 i)
{
	__u32 j;

	for (j = 0; s->placed >> j; j++) {
		if (s->placed >> j & 1 &&
		    vpmc_share_clash(&s->event[j], &s->event[i], s->sharing->shared))
			return 1;
	}
	return 0;
}

/*
 * Place event @i on the lowest counter of @left that is free and does not clash. Removes the tried
 * counters from @left. Returns whether such a counter exists.
 */
static inline int vpmc_share_place(struct vpmc_share_search *s, __u32 i, __u32 *left)
{
	while (*left && s->tries) {
		s->event[i].counter = (__u16)__builtin_ctz(*left);
		*left &= *left - 1;
		s->tries--;
		if (s->taken >> s->event[i].counter & 1 || vpmc_share_clashes(s, i))
			continue;
		s->placed |= 1U << i;
		if (vpmc_share_lacks_cascade(s, i) ||
		    (i + 1 < VPMC_MAX_EVENTS && vpmc_share_lacks_cascade(s, i + 1))) {
			s->placed &= ~(1U << i);
			continue;
		}
		s->taken |= 1U << s->event[i].counter;
		return 1;
	}
	return 0;
}

static inline void vpmc_share_undo(struct vpmc_share_search *s, __u32 i)
{
	s->taken &= ~(1U << s->event[i].counter);
	s->placed &= ~(1U << i);
}

/* Place the events in @which, one bit each. Returns whether all these events have a place. */
static inline int vpmc_share_place_all(struct vpmc_share_search *s, __u32 which)
{
	__u32 left[VPMC_MAX_EVENTS];
	__u8 order[VPMC_MAX_EVENTS] = { 0 };
	__u32 depth = 0, nr = 0;

	for (; which; which &= which - 1)
		order[nr++] = (__u8)__builtin_ctz(which);
	left[0] = s->wanted[order[0]];
	while (depth < nr) {
		if (vpmc_share_place(s, order[depth], &left[depth])) {
			if (++depth < nr)
				left[depth] = s->wanted[order[depth]];
		} else if (depth && s->tries) {
			vpmc_share_undo(s, order[--depth]);
		} else {
			return 0;
		}
	}
	return 1;
}

/* Return whether event @i and one of @rivals are the two events of a cascade. */
static inline int vpmc_share_is_partner(const struct vpmc_share_search *s, __u32 rivals, __u32 i)
{
	return (s->event[i].modes & VPMC_MODE_CASCADE && i && rivals >> (i - 1) & 1) ||
	       (i + 1 < VPMC_MAX_EVENTS && rivals >> (i + 1) & 1 &&
		s->event[i + 1].modes & VPMC_MODE_CASCADE);
}

/*
 * Return the events in @open that compete with the first event in @open, directly or through other
 * events, or that need a cascade with one of these events.
 */
static inline __u32 vpmc_share_rivals(const struct vpmc_share_search *s, __u32 open)
{
	__u32 rivals = open & -open, counters = s->wanted[__builtin_ctz(open)];
	__u32 before, i;

	do {
		before = rivals;
		for (i = 0; open >> i; i++) {
			if (!(open >> i & 1) || !(s->wanted[i] & counters ||
						  vpmc_share_is_partner(s, rivals, i)))
				continue;
			rivals |= 1U << i;
			counters |= s->wanted[i];
		}
	} while (rivals != before);
	return rivals;
}

/**
 * vpmc_share_assign() - choose counters for events
 * @event: the events; their counters are replaced
 * @wanted: the counters that each event may have, one bit each. If the caller has chosen the
 *	counter, only its bit is set. Events without counters are left out.
 * @nr: number of events, at most VPMC_MAX_EVENTS
 * @sharing: how the counters depend on each other
 *
 * Return: 1 if each event that may have counters has its own counter, without clashes. 0 if the
 * search has failed; the counters are then undefined.
 */
static inline int vpmc_share_assign(struct vpmc_event *event, const __u32 *wanted, __u32 nr,
				    const struct vpmc_sharing *sharing)
{
	struct vpmc_share_search search = {
		.event = event,
		.wanted = wanted,
		.sharing = sharing,
		.tries = VPMC_SHARE_TRIES,
	};
	__u32 open = 0, rivals, i;

	for (i = 0; i < nr; i++)
		open |= wanted[i] ? 1U << i : 0;
	for (; open; open &= ~rivals) {
		rivals = vpmc_share_rivals(&search, open);
		if (!vpmc_share_place_all(&search, rivals))
			return 0;
	}
	return 1;
}

#endif /* VPMC_SHARE_H */
