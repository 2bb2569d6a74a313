// SPDX-License-Identifier: GPL-2.0-only
/* A set of events to count. See events.h. */
#include <linux/err.h>
#include <linux/slab.h>

#include "cpu.h"
#include "events.h"

struct vpmc_events *vpmc_events_create(const struct vpmc_event *event, u32 nr,
				       enum vpmc_reason *reason, u32 *bad)
{
	struct vpmc_events *events;
	u64 control;
	u32 i;

	*bad = 0;
	*reason = VPMC_REASON_NO_EVENTS;
	if (!nr)
		return ERR_PTR(-EINVAL);
	*reason = VPMC_REASON_TOO_MANY;
	if (nr > vpmc_pmu->nr_counters)
		return ERR_PTR(-EINVAL);
	*reason = vpmc_pmu->encode(event, nr, &control, bad);
	if (*reason)
		return ERR_PTR(-EINVAL);

	events = kzalloc(sizeof(*events), GFP_KERNEL);
	if (!events)
		return ERR_PTR(-ENOMEM);
	refcount_set(&events->ref, 1);
	events->nr = nr;
	events->control = control;
	for (i = 0; i < nr; i++) {
		events->counter[i] = event[i].counter;
		events->used |= BIT(event[i].counter);
		events->kernel |= event[i].modes & VPMC_MODE_KERNEL;
	}
	return events;
}

void vpmc_events_put(struct vpmc_events *events)
{
	if (events && refcount_dec_and_test(&events->ref))
		kfree(events);
}

bool vpmc_events_equal(const struct vpmc_events *a,
		       const struct vpmc_events *b)
{
	if (a == b)
		return true;
	return a && b && a->nr == b->nr && a->control == b->control &&
	       !memcmp(a->counter, b->counter, sizeof(a->counter));
}
