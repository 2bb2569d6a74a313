// SPDX-License-Identifier: LGPL-2.1-or-later
/* Query which events a thread or a process counts. */
#include <linux/vpmc.h>
#include <string.h>
#include <sys/ioctl.h>

#include "base/internal.h"

static int query_scope(const struct vpmc *vpmc, enum vpmc_whose whose,
		       struct vpmc_query *query)
{
	query->size = sizeof(*query);
	query->scope = whose;
	query->flags = 0;
	return ioctl(vpmc->fd, VPMC_QUERY, query);
}

/* Return the library's modes of an event of the driver. */
static unsigned int modes_of(const struct vpmc_event *event)
{
	return event->modes & VPMC_MODE_CASCADE
		       ? (event->modes & ~(unsigned int)VPMC_MODE_CASCADE) |
				 VPMC_AFTER(event->period)
		       : event->modes;
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
		found.sel[i].modes = modes_of(&query.event[i]);
		if (query.event[i].extra && vpmc->pmu->registers)
			vpmc->pmu->registers->add_extra(&found.sel[i].code,
							query.event[i].extra);
	}
	vpmcint_hand_over(events, size, &found, sizeof(found));
	return 0;
}

/*
 * Find out which counts to expect of a scope whose generation began with another start, because
 * other threads were counting when this thread started. The driver adds up counts only if that
 * start has the same events, in the same order and on the same counters. The thread is also
 * queried, because the driver may have chosen its counters. But another process may have started
 * the thread again in the meantime.
 */
static void expect_others(const struct vpmc *vpmc, enum vpmc_whose whose,
			  struct expectation *expected)
{
	struct vpmc_query own, others;

	expected->other_events = true;
	if (query_scope(vpmc, VPMC_THREAD, &own) ||
	    own.start != vpmc->thread.start ||
	    query_scope(vpmc, whose, &others))
		return;
	expected->start = others.start;
	expected->other_events =
		others.nr_events != own.nr_events ||
		memcmp(others.event, own.event,
		       own.nr_events * sizeof(*own.event)) != 0;
}

void vpmcint_expect_start(struct vpmc *vpmc, const struct vpmc_start *start)
{
	const bool collects = start->flags & VPMC_START_COLLECT;

	vpmc->thread.generation = start->generation;
	vpmc->thread.start = start->start;
	vpmc->self = vpmc->thread;
	if (collects)
		vpmc->all = vpmc->thread;
	if (start->start == start->self_start)
		return;
	if (vpmc->target != TARGET_THREAD)
		expect_others(vpmc, VPMC_SELF, &vpmc->self);
	if (collects)
		expect_others(vpmc, VPMC_ALL, &vpmc->all);
}
