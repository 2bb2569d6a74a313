// SPDX-License-Identifier: LGPL-2.1-or-later
/* Open, read and check the source of a thread's counts for regions. */
#include <errno.h>
#include <linux/vpmc.h>
#include <string.h>
#include <sys/resource.h>

#include "regions/region_count.h"
#include "regions/region_handle.h"
#include "regions/region_timeline_entry.h"
#include "regions/region_tree.h"

/* Return whether the page shows the counts that the thread's regions have. */
static bool page_is_of(const struct region_thread *thread)
{
	return vpmc_self->generation == thread->set.generation &&
	       vpmc_self->start == thread->set.start;
}

static inline int read_by_call(struct vpmc_read *read)
{
	int saved = errno;

	if (!vpmcint_read(vpmcint_region_handle, VPMC_THREAD, read))
		return 0;
	if (!vpmcint_region_renew_handle() ||
	    vpmcint_read(vpmcint_region_handle, VPMC_THREAD, read)) {
		errno = saved;
		return -1;
	}
	errno = saved;
	return 0;
}

static inline bool read_is_of(const struct region_thread *thread,
			      const struct vpmc_read *read)
{
	return read->generation == thread->set.generation &&
	       read->start == thread->set.start;
}

unsigned int vpmcint_region_gaps(const struct region_thread *thread)
{
	struct vpmc_read read;

	return read_by_call(&read) || !read_is_of(thread, &read) ? 0
								 : read.stopped;
}

bool vpmcint_region_has_resources;

static uint64_t pair_of(long low, long high)
{
	return (uint32_t)low | (uint64_t)(uint32_t)high << 32;
}

static bool read_resources(uint64_t count[REGION_RESOURCES])
{
	struct rusage usage;

	if (getrusage(RUSAGE_THREAD, &usage))
		return false;
	count[0] = pair_of(usage.ru_minflt, usage.ru_majflt);
	count[1] = pair_of(usage.ru_nvcsw, usage.ru_nivcsw);
	return true;
}

/* Read the counts of the first @events events by a system call. */
static inline __attribute__((always_inline)) bool
events_by_call(const struct region_thread *thread, unsigned int events,
	       uint64_t count[VPMC_REGION_EVENTS])
{
	struct vpmc_read read;
	unsigned int i;

	if (read_by_call(&read) || read.state != VPMC_STATE_RUNNING ||
	    !read_is_of(thread, &read))
		return false;
	for (i = 0; i < events; i++) {
		/* An event that shares its counter was counted for part of the time. */
		if (read.time[i] < read.tsc)
			return false;
		count[i] = read.count[i];
	}
	return true;
}

static bool counts_by_call(const struct region_thread *thread,
			   uint64_t count[VPMC_REGION_EVENTS])
{
	return events_by_call(thread, thread->events, count);
}

static bool has_resources(const struct region_thread *thread)
{
	return thread->events > thread->set.nr;
}

static bool counts_with_resources(const struct region_thread *thread,
				  uint64_t count[VPMC_REGION_EVENTS])
{
	return events_by_call(thread, thread->set.nr, count) &&
	       read_resources(count + thread->set.nr);
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

bool vpmcint_region_begin_two(struct vpmc_region *region)
{
	uint64_t one, two;

	two = (uint64_t)vpmc_count(1);
	if (!vpmc_region_subtract(&vpmc_region_sums_of(region)->sum[1], two)) {
		one = (uint64_t)vpmc_count(0);
		if (!vpmc_region_subtract(&vpmc_region_sums_of(region)->sum[0],
					  one)) {
			vpmc_region_thread.region = region;
			vpmc_region_sums_of(region)->calls++;
			return true;
		}
		vpmc_region_add(&vpmc_region_sums_of(region)->sum[0], one);
	}
	vpmc_region_add(&vpmc_region_sums_of(region)->sum[1], two);
	return false;
}

bool vpmcint_region_end_two(struct vpmc_region *region)
{
	uint64_t one, two;

	vpmc_region_thread.region = region->parent;
	VPMC_REGION_BARRIER();
	two = (uint64_t)vpmc_count(1);
	if (!vpmc_region_add(&vpmc_region_sums_of(region)->sum[1], two)) {
		one = (uint64_t)vpmc_count(0);
		if (!vpmc_region_add(&vpmc_region_sums_of(region)->sum[0], one))
			return true;
		vpmc_region_subtract(&vpmc_region_sums_of(region)->sum[0], one);
	}
	vpmc_region_subtract(&vpmc_region_sums_of(region)->sum[1], two);
	vpmc_region_thread.region = region;
	return false;
}

#else

bool vpmcint_region_begin_two(struct vpmc_region *region)
{
	(void)region;
	return false;
}

bool vpmcint_region_end_two(struct vpmc_region *region)
{
	(void)region;
	return false;
}

static bool counts_by_rdpmc(const struct region_thread *thread,
			    uint64_t count[VPMC_REGION_EVENTS])
{
	return counts_by_call(thread, count);
}

#endif

static inline bool counts_of_events(const struct region_thread *thread,
				    uint64_t count[VPMC_REGION_EVENTS])
{
	return thread->mode == REGION_CALL ? counts_by_call(thread, count)
					   : counts_by_rdpmc(thread, count);
}

bool vpmcint_region_counts(const struct region_thread *thread,
			   uint64_t count[VPMC_REGION_EVENTS])
{
	return has_resources(thread) ? counts_with_resources(thread, count)
				     : counts_of_events(thread, count);
}

/*
 * Subtract counts from a region's sums. There is at least one event. The first sum decides whether
 * the region runs, so it changes last. Returns whether the first sum is then greater than 0.
 */
static bool subtract(const struct region_thread *thread,
		     struct region_node *node, const uint64_t *count)
{
	unsigned int i = thread->events;

	if (!i)
		__builtin_unreachable();
	while (--i)
		vpmc_region_subtract(&vpmcint_region_sums(node)->sum[i],
				     count[i]);
	return vpmc_region_subtract(&vpmcint_region_sums(node)->sum[0],
				    count[0]);
}

/* Add counts to a region's sums. Returns whether the first sum is then less than 0. */
static bool add(const struct region_thread *thread, struct region_node *node,
		const uint64_t *count)
{
	unsigned int i = thread->events;

	if (!i)
		__builtin_unreachable();
	while (--i)
		vpmc_region_add(&vpmcint_region_sums(node)->sum[i], count[i]);
	return vpmc_region_add(&vpmcint_region_sums(node)->sum[0], count[0]);
}

/*
 * The code that begins and ends a region is compiled once for each function that reads
 * counts, so that regions without resources do not pay for resources.
 */
typedef bool counts_function(const struct region_thread *thread,
			     uint64_t count[VPMC_REGION_EVENTS]);

static inline __attribute__((always_inline)) bool
begin_with(const struct region_thread *thread, struct region_node *node,
	   counts_function *counts, uint64_t count[VPMC_REGION_EVENTS])
{
	if (!counts(thread, count)) {
		vpmcint_region_break(node);
		node->uncounted = true;
	} else if (subtract(thread, node, count)) {
		add(thread, node, count);
		return false;
	}
	vpmc_region_thread.region = &node->fast;
	vpmcint_region_sums(node)->calls++;
	return true;
}

static inline __attribute__((always_inline)) bool
end_with(const struct region_thread *thread, struct region_node *node,
	 counts_function *counts, uint64_t count[VPMC_REGION_EVENTS])
{
	vpmc_region_thread.region = node->fast.parent;
	VPMC_REGION_BARRIER();
	if (node->uncounted) {
		node->uncounted = false;
	} else if (!counts(thread, count)) {
		vpmcint_region_lose(node);
	} else if (add(thread, node, count)) {
		subtract(thread, node, count);
		vpmc_region_thread.region = &node->fast;
		return false;
	}
	return true;
}

bool vpmcint_region_begin(const struct region_thread *thread,
			  struct region_node *node)
{
	uint64_t count[VPMC_REGION_EVENTS];

	return begin_with(thread, node, counts_of_events, count);
}

bool vpmcint_region_end(const struct region_thread *thread,
			struct region_node *node)
{
	uint64_t count[VPMC_REGION_EVENTS];

	return end_with(thread, node, counts_of_events, count);
}

static bool begin_with_resources(const struct region_thread *thread,
				 struct region_node *node)
{
	uint64_t count[VPMC_REGION_EVENTS];

	return begin_with(thread, node, counts_with_resources, count);
}

static bool end_with_resources(const struct region_thread *thread,
			       struct region_node *node)
{
	uint64_t count[VPMC_REGION_EVENTS];

	return end_with(thread, node, counts_with_resources, count);
}

bool vpmcint_region_begin_seen(const struct region_thread *thread,
			       struct region_node *node,
			       uint64_t count[VPMC_REGION_EVENTS])
{
	return begin_with(thread, node, counts_of_events, count);
}

bool vpmcint_region_end_seen(const struct region_thread *thread,
			     struct region_node *node,
			     uint64_t count[VPMC_REGION_EVENTS])
{
	return end_with(thread, node, counts_of_events, count);
}

void vpmcint_region_lose(struct region_node *node)
{
	vpmcint_region_break(node);
	memset(vpmcint_region_sums(node)->sum, 0,
	       sizeof(vpmcint_region_sums(node)->sum));
}

void vpmcint_region_suspend(const struct region_thread *thread,
			    struct region_node *node, struct region_node *by)
{
	uint64_t count[VPMC_REGION_EVENTS];

	/* A handler may have interrupted another handler. */
	if (node->suspended)
		return;
	if (!vpmcint_region_counts(thread, count)) {
		vpmcint_region_break(node);
		return;
	}
	node->suspended = true;
	by->suspends = node;
	add(thread, node, count);
	vpmcint_timeline_suspend(thread, node, count);
}

void vpmcint_region_continue(const struct region_thread *thread,
			     struct region_node *by)
{
	struct region_node *node = by->suspends;
	uint64_t count[VPMC_REGION_EVENTS];

	if (!node)
		return;
	by->suspends = NULL;
	node->suspended = false;
	if (!vpmcint_region_counts(thread, count)) {
		vpmcint_region_break(node);
		return;
	}
	subtract(thread, node, count);
	vpmcint_timeline_continue(thread, node, count);
}

bool vpmcint_region_same_start(const struct vpmc_event_set *a,
			       const struct vpmc_event_set *b)
{
	return a->generation == b->generation && a->start == b->start;
}

void vpmcint_region_events(struct vpmc_event_set *set)
{
	if (!vpmc_events(vpmcint_region_handle, VPMC_THREAD, set, NULL))
		return;
	if (!vpmcint_region_renew_handle() ||
	    vpmc_events(vpmcint_region_handle, VPMC_THREAD, set, NULL))
		memset(set, 0, sizeof(*set));
}

bool vpmcint_region_is_current(const struct region_thread *thread)
{
	struct vpmc_event_set now;

	if (!thread->set.generation)
		return false;
	vpmcint_region_events(&now);
	/* The program may have closed the device, and may have no right to open it again. */
	if (!now.generation && thread->mode != REGION_CALL)
		return page_is_of(thread);
	return vpmcint_region_same_start(&now, &thread->set);
}

/*
 * Return whether the page shows the counts. The page of a thread that leaves samples does not show
 * counts while the thread counts.
 */
static bool page_shows_counts(const struct region_thread *thread)
{
	uint64_t count[VPMC_REGION_EVENTS];

	return counts_by_rdpmc(thread, count) || !counts_by_call(thread, count);
}

void vpmcint_region_source(struct region_thread *thread)
{
	unsigned int mapped;

	vpmcint_region_events(&thread->set);
	thread->events = thread->set.nr < VPMC_REGION_EVENTS
				 ? thread->set.nr
				 : VPMC_REGION_EVENTS;
	if (vpmcint_region_has_resources && thread->set.nr &&
	    thread->set.nr <= VPMC_REGION_EVENTS - REGION_RESOURCES)
		thread->events = thread->set.nr + REGION_RESOURCES;
	thread->gaps = thread->set.nr ? vpmcint_region_gaps(thread) : 0;
	thread->mode = REGION_CALL;
	thread->begin = vpmcint_region_begin;
	thread->end = vpmcint_region_end;
	thread->prepare = NULL;
	mapped = vpmcint_region_map() ? 0 : vpmc_self->nr_counts;
	vpmc_region_thread.page = vpmc_self;
	if (has_resources(thread)) {
		thread->begin = begin_with_resources;
		thread->end = end_with_resources;
		return;
	}
	if (!mapped || !page_is_of(thread) || !page_shows_counts(thread))
		return;
	thread->mode = mapped == 1   ? REGION_INLINE
		       : mapped == 2 ? REGION_TWO
				     : REGION_RDPMC;
}
