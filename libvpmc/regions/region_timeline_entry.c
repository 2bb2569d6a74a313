// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Write entries of a thread's timeline. The functions of <vpmc_region.h> write entries like
 * vpmcint_timeline_put().
 *
 * A signal handler can have regions, too, and interrupt these functions at any instruction. Each
 * entry is taken by one instruction, so that no other code takes the same entry. The window does
 * not change until the entry is written.
 */
#include "regions/region_timeline_entry.h"

#include <stddef.h>
#include <string.h>

/* The functions of <vpmc_region.h> rely on these offsets. */
_Static_assert(offsetof(struct region_timeline, fast) == 0, "");
_Static_assert(VPMC_TIMELINE_FIELD == 7, "");
_Static_assert(2UL * VPMC_TIMELINE_FIELD + sizeof(uint32_t) ==
		       VPMC_REGION_ENTRY,
	       "");

/* Take an entry. Returns NULL if there is no room. */
static char *take_entry(struct region_timeline *timeline)
{
	const uintptr_t place = __atomic_fetch_add(
		&timeline->fast.next, timeline->size, __ATOMIC_RELAXED);

	if (place < timeline->fast.ends)
		return vpmcint_timeline_at(place);
	__atomic_fetch_sub(&timeline->fast.next, timeline->size,
			   __ATOMIC_RELAXED);
	return NULL;
}

bool vpmcint_timeline_put(const struct region_thread *thread,
			  const struct region_node *node,
			  enum vpmc_timeline_kind kind, const uint64_t *count)
{
	struct region_timeline *timeline = thread->timeline;
	char *entry = take_entry(timeline);

	if (!entry)
		return false;
	vpmc_timeline_write(entry,
			    vpmc_timeline_what(kind, node->timeline.region),
			    vpmc_timeline_stamp(), count, thread->events);
	vpmcint_timeline_finish(timeline, 1);
	return true;
}

bool vpmcint_timeline_prepare_node(const struct region_thread *thread,
				   struct region_node *node)
{
	const struct region_timeline *timeline = thread->timeline;
	const uint32_t region = node->timeline.region;

	if (!timeline || !timeline->thread || node->broken ||
	    !vpmcint_timeline_has_name(timeline, node))
		return false;
	node->fast.begins = vpmc_timeline_what(VPMC_TIMELINE_BEGIN, region);
	node->fast.ends = vpmc_timeline_what(VPMC_TIMELINE_END, region);
	return true;
}

void vpmcint_timeline_suspend(const struct region_thread *thread,
			      struct region_node *node, const uint64_t *count)
{
	if (thread->timeline)
		memcpy(node->timeline.before, count,
		       thread->events * sizeof(*count));
}

void vpmcint_timeline_continue(const struct region_thread *thread,
			       struct region_node *node, const uint64_t *count)
{
	uint64_t apart[VPMC_REGION_EVENTS];
	unsigned int i;

	if (!thread->timeline ||
	    !vpmcint_timeline_has_name(thread->timeline, node))
		return;
	for (i = 0; i < thread->events; i++)
		apart[i] = count[i] - node->timeline.before[i];
	/*
	 * If there is no room for this entry, there was no room for the entries of the handler's
	 * region, either.
	 */
	vpmcint_timeline_put(thread, node, VPMC_TIMELINE_APART_ONE, apart);
}
