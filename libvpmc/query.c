// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Which events are counted.
 */
#include <linux/vpmc.h>
#include <string.h>
#include <sys/ioctl.h>

#include "internal.h"

static int query_scope(const struct vpmc *vpmc, enum vpmc_whose whose,
		       struct vpmc_query *query)
{
	query->size = sizeof(*query);
	query->scope = whose;
	query->flags = 0;
	return ioctl(vpmc->fd, VPMC_QUERY, query);
}

int vpmc_events_sized(struct vpmc *vpmc, enum vpmc_whose whose,
		      struct vpmc_event_set *events, size_t size,
		      struct vpmc_error *err)
{
	struct vpmc_event_set found = { .nr = 0 };
	struct vpmc_query query;
	unsigned int i;

	if (query_scope(vpmc, whose, &query))
		return vpmcint_fail_read(vpmc, whose, "ask for the events",
					 err);
	found.generation = query.generation;
	found.start = query.start;
	found.nr = query.nr_events;
	for (i = 0; i < query.nr_events; i++) {
		found.sel[i].code = query.event[i].code;
		found.sel[i].counter = query.event[i].counter;
		found.sel[i].modes = query.event[i].modes;
	}
	vpmcint_hand_over(events, size, &found, sizeof(found));
	return 0;
}

/*
 * Other threads were counting when @start was made, so its generation began with
 * another start. Find out whether that counts the same events, in the same order
 * and on the same counters: only these are added up.
 */
static void expect_others(const struct vpmc *vpmc, enum vpmc_whose whose,
			  const struct vpmc_start *start,
			  struct expectation *expected)
{
	struct vpmc_query query;

	expected->other_events = true;
	if (query_scope(vpmc, whose, &query))
		return;
	expected->start = query.start;
	expected->other_events =
		query.nr_events != start->nr_events ||
		memcmp(query.event, start->event,
		       start->nr_events * sizeof(*start->event)) != 0;
}

void vpmcint_expect_start(struct vpmc *vpmc, const struct vpmc_start *start)
{
	const bool collects = start->flags & VPMC_START_COLLECT;
	const bool first = start->start == start->self_start;

	vpmc->thread.generation = start->generation;
	vpmc->thread.start = start->start;
	vpmc->self = vpmc->thread;
	if (collects)
		vpmc->all = vpmc->thread;
	if (!first && vpmc->target != TARGET_THREAD)
		expect_others(vpmc, VPMC_SELF, start, &vpmc->self);
	if (!first && collects)
		expect_others(vpmc, VPMC_ALL, start, &vpmc->all);
}
