// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Record the times at which regions begin and end. vpmc_timeline.h describes the file.
 *
 * With one event, vpmc_region_begin() and vpmc_region_end() write their entries
 * themselves, as long as there is room.
 */
#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <vpmc_timeline.h>

#include "regions/region_count.h"
#include "regions/region_move.h"
#include "regions/region_signals.h"
#include "regions/region_timeline.h"
#include "regions/region_timeline_entry.h"
#include "regions/region_timeline_file.h"
#include "regions/region_timeline_window.h"
#include "regions/region_tree.h"

_Static_assert(VPMC_TIMELINE_EVENTS == VPMC_REGION_EVENTS, "");

static void lose(const struct region_thread *thread)
{
	if (!thread->measuring)
		vpmcint_timeline_lose();
}

static bool put_named(const struct region_thread *thread,
		      const struct region_node *node,
		      enum vpmc_timeline_kind kind, const uint64_t *count)
{
	if (vpmcint_timeline_has_name(thread->timeline, node) &&
	    vpmcint_timeline_put(thread, node, kind, count))
		return true;
	lose(thread);
	return false;
}

/* Write the name of a region, if there is room. No signal handler runs. */
static void put_name(struct region_timeline *timeline, struct region_node *node)
{
	const uint32_t size = timeline->size;
	const struct region_node *parent =
		vpmcint_region_node(node->fast.parent);
	const size_t length = strnlen(node->name, VPMC_TIMELINE_NAME_MAX);
	const uint32_t more = (uint32_t)(length / size) + 1U;
	char *entry = vpmcint_timeline_at(timeline->fast.next);
	uint32_t what, around;

	if (timeline->regions == VPMC_TIMELINE_REGIONS)
		return;
	node->timeline.thread = timeline->thread;
	node->timeline.region = ++timeline->regions;
	node->timeline.is_missing = false;
	what = vpmc_timeline_what(VPMC_TIMELINE_NAME, node->timeline.region);
	around = vpmcint_timeline_has_name(timeline, parent)
			 ? parent->timeline.region
			 : 0;
	/*
	 * Write this first, because if the process dies here, perfex must not read the text as
	 * entries.
	 */
	memcpy(entry + sizeof(around), &more, sizeof(more));
	VPMC_REGION_BARRIER();
	memcpy(entry + size - sizeof(what), &what, sizeof(what));
	VPMC_REGION_BARRIER();
	memcpy(entry, &around, sizeof(around));
	/* The rest of the entries is already 0. */
	memcpy(entry + size, node->name, length);
	timeline->fast.next += (uintptr_t)(1 + more) * size;
	vpmcint_timeline_finish(timeline, 1 + more);
}

/* Exclude the counts of this function from all open regions. */
static void take_out(const struct region_thread *thread, const uint64_t *before,
		     const uint64_t *after)
{
	struct region_timeline *timeline = thread->timeline;
	uint64_t apart[VPMC_REGION_EVENTS];
	struct region_node *node;
	unsigned int i;

	for (i = 0; i < thread->events; i++) {
		timeline->inside[i] = after[i] - before[i];
		apart[i] = timeline->inside[i] + timeline->around[i];
	}
	for (node = vpmcint_region_here(); node != &thread->root;
	     node = vpmcint_region_node(node->fast.parent)) {
		for (i = 0; i < thread->events && !node->uncounted; i++)
			vpmc_region_subtract(&vpmcint_region_sums(node)->sum[i],
					     apart[i]);
	}
	/* If there is no room for this entry, the entries of ends are also lost. */
	vpmcint_timeline_put(thread, vpmcint_region_here(), VPMC_TIMELINE_APART,
			     apart);
}

/* Make room for @entries, and write the name of a region. */
static void make_ready(const struct region_thread *thread,
		       struct region_node *node, uint32_t entries)
{
	uint64_t before[VPMC_REGION_EVENTS], after[VPMC_REGION_EVENTS];
	struct region_timeline *timeline = thread->timeline;
	const int saved = errno;
	sigset_t outside;
	bool counted;

	/* Do not change the window while a call that a handler has interrupted uses it. */
	if (timeline->is_full || (vpmcint_timeline_busy(timeline) &&
				  vpmcint_timeline_has_name(timeline, node)))
		return;
	vpmcint_region_hold_signals(&outside);
	counted = vpmcint_region_counts(thread, before);
	if (!vpmcint_timeline_busy(timeline) &&
	    !vpmcint_timeline_has_room(timeline, entries))
		vpmcint_timeline_change_window(thread, false);
	if (!vpmcint_timeline_has_name(timeline, node) &&
	    vpmcint_timeline_has_room(timeline, 1 + VPMC_TIMELINE_MORE))
		put_name(timeline, node);
	if (counted && vpmcint_region_counts(thread, after))
		take_out(thread, before, after);
	vpmcint_region_release_signals(&outside);
	errno = saved;
}

static bool begin_noted(const struct region_thread *thread,
			struct region_node *node)
{
	const struct region_timeline *timeline = thread->timeline;
	uint64_t count[VPMC_REGION_EVENTS] = { 0 };

	if (!vpmcint_timeline_has_room(timeline, TIMELINE_SPARE) ||
	    !vpmcint_timeline_has_name(timeline, node))
		make_ready(thread, node, TIMELINE_SPARE);
	if (!vpmcint_region_begin_seen(thread, node, count))
		return false;
	node->timeline.is_missing =
		!put_named(thread, node, VPMC_TIMELINE_BEGIN, count);
	return true;
}

static bool end_noted(const struct region_thread *thread,
		      struct region_node *node)
{
	uint64_t count[VPMC_REGION_EVENTS] = { 0 };

	if (!vpmcint_timeline_has_room(thread->timeline, 1))
		make_ready(thread, node, 1);
	if (!vpmcint_region_end_seen(thread, node, count))
		return false;
	if (node->timeline.is_missing)
		lose(thread);
	else
		put_named(thread, node,
			  node->broken ? VPMC_TIMELINE_UNCOUNTED
				       : VPMC_TIMELINE_END,
			  count);
	node->timeline.is_missing = false;
	return true;
}

static bool notes_itself(const struct region_thread *thread,
			 const struct region_node *node)
{
	return vpmcint_region_match(node)->fast.timed &&
	       vpmcint_timeline_has_room(thread->timeline, TIMELINE_SPARE);
}

static bool prepare_begin(const struct region_thread *thread,
			  struct region_node *node)
{
	if (notes_itself(thread, node))
		return false;
	make_ready(thread, node, TIMELINE_SPARE);
	vpmcint_region_set_site(thread, node);
	return notes_itself(thread, node);
}

static struct region_timeline *make_timeline(void)
{
	void *made = mmap(NULL, TIMELINE_SIZE, PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (made == MAP_FAILED)
		return NULL;
	madvise(made, sizeof(struct region_timeline), MADV_WIPEONFORK);
	return made;
}

void vpmcint_region_timeline_start(struct region_thread *thread)
{
	if (!vpmcint_timeline_is_there())
		return;
	if (!thread->timeline)
		thread->timeline = make_timeline();
	if (!thread->timeline) {
		vpmcint_timeline_lose();
		return;
	}
	vpmc_region_thread.timeline = &thread->timeline->fast;
	thread->begin = begin_noted;
	thread->end = end_noted;
	thread->prepare = prepare_begin;
	/* A region with two events always calls the library. */
	if (thread->mode == REGION_TWO)
		thread->mode = REGION_RDPMC;
	vpmcint_timeline_change_window(thread, true);
}

/* The cost is measured this number of times, because an interrupt adds to some measurements. */
#define MEASUREMENTS 5

/*
 * Keep the least cost of a call of make_ready(), without the counts between its reads and without
 * the cost of a read.
 */
static void keep_least_around(const struct region_thread *thread,
			      const uint64_t count[3][VPMC_REGION_EVENTS])
{
	struct region_timeline *timeline = thread->timeline;
	uint64_t around;
	unsigned int i;

	for (i = 0; i < thread->events; i++) {
		around = count[1][i] - count[0][i] - timeline->inside[i] -
			 (count[2][i] - count[1][i]);
		/* An interrupt may have added only to the counts that are subtracted. */
		if ((int64_t)around >= 0 && around < timeline->around[i])
			timeline->around[i] = around;
	}
}

/* Measure the cost of make_ready(). No region is open, and the root does not need a name. */
static void measure_around(struct region_thread *thread)
{
	struct region_timeline *timeline = thread->timeline;
	uint64_t count[3][VPMC_REGION_EVENTS];
	unsigned int i;

	thread->root.timeline.thread = timeline->thread;
	memset(timeline->around, 0xff, sizeof(timeline->around));
	for (i = 0; i < MEASUREMENTS; i++) {
		if (!vpmcint_region_counts(thread, count[0]))
			break;
		make_ready(thread, &thread->root, 0);
		if (!vpmcint_region_counts(thread, count[1]) ||
		    !vpmcint_region_counts(thread, count[2]))
			break;
		keep_least_around(thread, count);
	}
	thread->root.timeline.thread = 0;
	for (i = 0; i < thread->events; i++) {
		if (timeline->around[i] == UINT64_MAX)
			timeline->around[i] = 0;
	}
}

void vpmcint_region_timeline_forget(struct region_thread *thread)
{
	struct region_timeline *timeline = thread->timeline;

	if (!timeline || !timeline->window)
		return;
	vpmcint_timeline_forget_entries(timeline);
	vpmcint_timeline_describe_events(thread);
	measure_around(thread);
	vpmcint_timeline_forget_entries(timeline);
}

unsigned int vpmcint_region_timeline_here(const struct region_thread *thread)
{
	const struct region_timeline *timeline = thread->timeline;
	const uintptr_t busy = timeline ? vpmcint_timeline_busy(timeline) : 0;
	const uintptr_t entries = busy ? busy / timeline->size : 0;

	return entries < TIMELINE_HERE_MOST ? (unsigned int)entries
					    : TIMELINE_HERE_MOST;
}

void vpmcint_region_timeline_unwind(const struct region_thread *thread,
				    unsigned int here)
{
	struct region_timeline *timeline = thread->timeline;

	/* If @here is not less, the number of calls that continue is not known. */
	if (here < vpmcint_region_timeline_here(thread))
		timeline->fast.done =
			timeline->fast.next - (uintptr_t)here * timeline->size;
}

void vpmcint_region_timeline_part(const struct region_thread *thread)
{
	struct vpmc_timeline_window *window =
		thread->timeline ? *vpmcint_timeline_mapped(thread->timeline)
				 : NULL;

	if (window)
		vpmcint_region_part(window, VPMC_TIMELINE_WINDOW);
}

void vpmcint_region_timeline_close(struct region_thread *thread)
{
	struct region_timeline *timeline = thread->timeline;

	if (!timeline)
		return;
	if (timeline->window) {
		timeline->window->left = vpmc_timeline_stamp();
		munmap(timeline->window, VPMC_TIMELINE_WINDOW);
	}
	vpmc_region_thread.timeline = NULL;
	munmap(timeline, TIMELINE_SIZE);
}
