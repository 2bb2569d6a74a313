// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Regions: where a thread's counts come from.
 */
#include <linux/vpmc.h>
#include <string.h>

#define VPMC_REGION_NO_PROBE
#include "region_count.h"
#include "region_handle.h"
#include "region_tree.h"

/* Whether the page shows the counts that the thread's regions have. */
static bool page_is_of(const struct region_thread *thread)
{
	return vpmc_self->generation == thread->set.generation &&
	       vpmc_self->start == thread->set.start;
}

static bool counts_by_call(const struct region_thread *thread,
			   uint64_t count[VPMC_REGION_EVENTS])
{
	struct vpmc_read read;
	unsigned int i;

	if (vpmcint_read(vpmcint_region_handle(), VPMC_THREAD, &read) ||
	    read.state != VPMC_STATE_RUNNING ||
	    read.generation != thread->set.generation ||
	    read.start != thread->set.start)
		return false;
	for (i = 0; i < thread->events; i++) {
		/* An event that shares its counter was counted for less. */
		if (read.time[i] < read.tsc)
			return false;
		count[i] = read.count[i];
	}
	return true;
}

#if defined(__i386__) || defined(__x86_64__)

static bool counts_by_rdpmc(const struct region_thread *thread,
			    uint64_t count[VPMC_REGION_EVENTS])
{
	int64_t one, all = 0;
	unsigned int i;

	for (i = 0; i < thread->events; i++) {
		one = vpmc_count(i);
		count[i] = (uint64_t)one;
		all |= one;
	}
	return all >= 0 && page_is_of(thread);
}

bool vpmcint_region_begin_two(const char *name)
{
	struct region_node *at = vpmcint_region_node(vpmc_region_thread.region);
	struct region_node *node = at->last;
	int64_t one, two;

	if (!node || node->name != name)
		return false;
	one = vpmc_count(0);
	two = vpmc_count(1);
	if ((one | two) < 0)
		return false;
	vpmc_region_thread.region = &node->fast;
	node->fast.calls++;
	node->fast.sum[0] -= (uint64_t)one;
	node->fast.sum[1] -= (uint64_t)two;
	return true;
}

bool vpmcint_region_end_two(const char *name)
{
	struct region_node *node =
		vpmcint_region_node(vpmc_region_thread.region);
	int64_t one, two;

	/* The place outside of all regions has no name. */
	if (node->name != name)
		return false;
	one = vpmc_count(0);
	two = vpmc_count(1);
	if ((one | two) < 0)
		return false;
	node->fast.sum[0] += (uint64_t)one;
	node->fast.sum[1] += (uint64_t)two;
	vpmc_region_thread.region = node->fast.parent;
	return true;
}

#else

bool vpmcint_region_begin_two(const char *name)
{
	(void)name;
	return false;
}

bool vpmcint_region_end_two(const char *name)
{
	(void)name;
	return false;
}

static bool counts_by_rdpmc(const struct region_thread *thread,
			    uint64_t count[VPMC_REGION_EVENTS])
{
	return counts_by_call(thread, count);
}

#endif

bool vpmcint_region_counts(const struct region_thread *thread,
			   uint64_t count[VPMC_REGION_EVENTS])
{
	return thread->mode == REGION_CALL ? counts_by_call(thread, count)
					   : counts_by_rdpmc(thread, count);
}

void vpmcint_region_begin(const struct region_thread *thread,
			  struct region_node *node)
{
	uint64_t count[VPMC_REGION_EVENTS];
	unsigned int i;

	vpmc_region_thread.region = &node->fast;
	node->fast.calls++;
	if (!vpmcint_region_counts(thread, count)) {
		node->broken = true;
		return;
	}
	for (i = 0; i < thread->events; i++)
		node->fast.sum[i] -= count[i];
}

void vpmcint_region_end(const struct region_thread *thread,
			struct region_node *node)
{
	uint64_t count[VPMC_REGION_EVENTS];
	unsigned int i;

	if (vpmcint_region_counts(thread, count)) {
		for (i = 0; i < thread->events; i++)
			node->fast.sum[i] += count[i];
	} else {
		node->broken = true;
	}
	vpmc_region_thread.region = node->fast.parent;
}

bool vpmcint_region_same_start(const struct vpmc_event_set *a,
			       const struct vpmc_event_set *b)
{
	return a->generation == b->generation && a->start == b->start;
}

void vpmcint_region_events(struct vpmc_event_set *set)
{
	if (vpmc_events(vpmcint_region_handle(), VPMC_THREAD, set, NULL))
		memset(set, 0, sizeof(*set));
}

void vpmcint_region_source(struct region_thread *thread)
{
	unsigned int mapped;

	vpmcint_region_events(&thread->set);
	thread->events = thread->set.nr < VPMC_REGION_EVENTS
				 ? thread->set.nr
				 : VPMC_REGION_EVENTS;
	thread->mode = REGION_CALL;
	mapped = vpmcint_region_map() ? 0 : vpmc_self->nr_counts;
	vpmc_region_thread.page = vpmc_self;
	if (!mapped || !page_is_of(thread))
		return;
	thread->mode = mapped == 1   ? REGION_INLINE
		       : mapped == 2 ? REGION_TWO
				     : REGION_RDPMC;
}
