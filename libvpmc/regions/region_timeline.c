// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * See region_timeline.h; vpmc_timeline.h describes the file.
 *
 * A signal handler can have regions, too, and interrupt the code here at any
 * instruction. Each entry is taken by one instruction, so that nobody else has it. What
 * a handler has noted since the time stamp was read lies before the entry, although it
 * happened after that: then the entry stays void, and the stamp is read again. So the
 * entries are in the order of their stamps.
 */
#include <errno.h>
#include <limits.h>
#include <string.h>
#include <sys/mman.h>
#include <vpmc_timeline.h>

#include "regions/region_count.h"
#include "regions/region_move.h"
#include "regions/region_signals.h"
#include "regions/region_timeline.h"
#include "regions/region_timeline_file.h"
#include "regions/region_timeline_window.h"
#include "regions/region_tree.h"

_Static_assert(VPMC_TIMELINE_EVENTS == VPMC_REGION_EVENTS, "");

/* Entries that a begin leaves to the ends of the regions around, and to handlers. */
#define SPARE 256U

static void lose(const struct region_thread *thread)
{
	if (!thread->measuring)
		vpmcint_timeline_lose();
}

/* The name of a region, when no signal handler runs, where there is room. */
static void put_name(struct region_timeline *timeline, struct region_node *node)
{
	struct vpmc_timeline_window *window = timeline->window;
	const uint32_t size = timeline->size;
	struct vpmc_timeline_entry *entry =
		vpmc_timeline_entry(window, window->used, size);
	const size_t before = offsetof(struct vpmc_timeline_entry, text);
	const struct region_node *parent =
		vpmcint_region_node(node->fast.parent);
	const size_t length = strnlen(node->name, VPMC_TIMELINE_NAME_MAX);

	node->timeline.thread = timeline->thread;
	node->timeline.region = ++timeline->regions;
	node->timeline.is_open = false;
	entry->more = (uint16_t)((before + length) / size);
	entry->region = node->timeline.region;
	entry->value = vpmcint_timeline_has_name(timeline, parent)
			       ? parent->timeline.region
			       : 0;
	/* The rest is 0. */
	memcpy((char *)entry + before, node->name, length);
	entry->kind = VPMC_TIMELINE_NAME;
	window->used += entry->more + 1U;
}

/* Take out of all open regions what is counted here. */
static void take_out(const struct region_thread *thread, const uint64_t *before,
		     const uint64_t *after)
{
	struct region_timeline *timeline = thread->timeline;
	struct region_node *node;
	unsigned int i;

	for (i = 0; i < thread->events; i++)
		timeline->inside[i] = after[i] - before[i];
	for (node = vpmcint_region_here(); node != &thread->root;
	     node = vpmcint_region_node(node->fast.parent)) {
		for (i = 0; i < thread->events && !node->uncounted; i++)
			vpmc_region_subtract(&node->fast.sum[i],
					     timeline->inside[i] +
						     timeline->around[i]);
	}
}

/* Make room for @entries, and give the region its name. */
static void make_ready(const struct region_thread *thread,
		       struct region_node *node, uint32_t entries)
{
	uint64_t before[VPMC_REGION_EVENTS], after[VPMC_REGION_EVENTS];
	struct region_timeline *timeline = thread->timeline;
	const int saved = errno;
	sigset_t outside;
	bool counted;

	/* What a handler has interrupted here needs the window. */
	if (timeline->is_full ||
	    (timeline->busy && vpmcint_timeline_has_name(timeline, node)))
		return;
	vpmcint_region_hold_signals(&outside);
	counted = vpmcint_region_counts(thread, before);
	if (!timeline->busy && !vpmcint_timeline_has_room(timeline, entries))
		vpmcint_timeline_change_window(thread, false);
	if (!vpmcint_timeline_has_name(timeline, node) &&
	    vpmcint_timeline_has_room(timeline, 1 + VPMC_TIMELINE_MORE))
		put_name(timeline, node);
	if (counted && vpmcint_region_counts(thread, after))
		take_out(thread, before, after);
	vpmcint_region_release_signals(&outside);
	errno = saved;
}

/**
 * struct moment - when an entry is made
 * @used: entries of the window then
 * @stamp: the time
 */
struct moment {
	uint32_t used;
	uint64_t stamp;
};

static inline struct moment
present_of(const struct vpmc_timeline_window *window)
{
	struct moment moment;

	moment.used = __atomic_load_n(&window->used, __ATOMIC_RELAXED);
	/* In this order, whatever a handler does in between. */
	VPMC_REGION_BARRIER();
	moment.stamp = vpmc_timeline_stamp();
	return moment;
}

static struct moment present(const struct region_timeline *timeline)
{
	const struct moment none = { .used = UINT32_MAX };

	return timeline->window ? present_of(timeline->window) : none;
}

/* Returns the entry for this moment, or for a later one, or NULL without room. */
static struct vpmc_timeline_entry *
take_entry(const struct region_timeline *timeline, struct moment *moment)
{
	struct vpmc_timeline_window *window = timeline->window;
	uint32_t place;

	/* Or the number could wrap where a handler has left by longjmp(3). */
	if (!window || moment->used >= timeline->room)
		return NULL;
	for (;;) {
		place = vpmcint_timeline_take(&window->used);
		if (place >= timeline->room)
			return NULL;
		if (place == moment->used)
			return vpmc_timeline_entry(window, place,
						   timeline->size);
		*moment = present(timeline);
	}
}

/* Returns whether there is room for it. */
static bool put(const struct region_thread *thread,
		const struct region_node *node, enum vpmc_timeline_kind kind,
		struct moment moment, const uint64_t *count)
{
	struct vpmc_timeline_entry *entry =
		vpmcint_timeline_has_name(thread->timeline, node)
			? take_entry(thread->timeline, &moment)
			: NULL;
	unsigned int i;

	if (!entry) {
		lose(thread);
		return false;
	}
	entry->region = node->timeline.region;
	entry->value = moment.stamp;
	for (i = 0; i < thread->events; i++)
		entry->count[i] = count[i];
	__atomic_store_n(&entry->kind, (uint16_t)kind, __ATOMIC_RELEASE);
	return true;
}

static bool put_begin(const struct region_thread *thread,
		      const struct region_node *node)
{
	static const uint64_t no_count[VPMC_REGION_EVENTS];

	return put(thread, node, VPMC_TIMELINE_BEGIN, present(thread->timeline),
		   no_count);
}

static bool begin_noted(const struct region_thread *thread,
			struct region_node *node)
{
	struct region_timeline *timeline = thread->timeline;
	unsigned int busy;
	bool begun;

	if (!vpmcint_timeline_has_room(timeline, SPARE) ||
	    !vpmcint_timeline_has_name(timeline, node))
		make_ready(thread, node, SPARE);
	busy = timeline->busy++;
	begun = vpmcint_region_begin(thread, node);
	if (begun)
		node->timeline.is_open = put_begin(thread, node);
	timeline->busy = busy;
	return begun;
}

/* What the region has counted since its begin. A handler may have marked the sum. */
static inline void take_counts(unsigned int events, struct region_node *node,
			       uint64_t count[VPMC_REGION_EVENTS])
{
	uint64_t sum;
	unsigned int i;

	for (i = 0; i < events; i++) {
		sum = node->fast.sum[i];
		if (!i)
			sum &= ~REGION_INTERRUPTED;
		count[i] = sum - node->timeline.sum[i];
		node->timeline.sum[i] = sum;
	}
}

static void finish(const struct region_thread *thread, struct region_node *node,
		   struct moment moment)
{
	uint64_t count[VPMC_REGION_EVENTS];

	take_counts(thread->events, node, count);
	if (node->timeline.is_open)
		put(thread, node,
		    node->broken ? VPMC_TIMELINE_UNCOUNTED : VPMC_TIMELINE_END,
		    moment, count);
	else
		lose(thread);
	node->timeline.is_open = false;
}

static bool end_noted(const struct region_thread *thread,
		      struct region_node *node)
{
	struct region_timeline *timeline = thread->timeline;
	struct moment moment;
	unsigned int busy;
	bool ended;

	if (!vpmcint_timeline_has_room(timeline, 1))
		make_ready(thread, node, 1);
	busy = timeline->busy++;
	moment = present(timeline);
	ended = vpmcint_region_end(thread, node);
	if (ended)
		finish(thread, node, moment);
	timeline->busy = busy;
	return ended;
}

/*
 * Take the entry, of one event, for this moment. Returns NULL if it is for a later moment,
 * or without room.
 */
static inline struct vpmc_timeline_entry *
take_present(struct vpmc_timeline_window *window, const struct moment *moment)
{
	const uint32_t size = vpmc_timeline_size(1);

	if (moment->used >= vpmc_timeline_room(size) ||
	    vpmcint_timeline_take(&window->used) != moment->used)
		return NULL;
	return vpmc_timeline_entry(window, moment->used, size);
}

static inline void fill(struct vpmc_timeline_entry *entry,
			const struct region_node *node, uint64_t stamp,
			enum vpmc_timeline_kind kind)
{
	entry->region = node->timeline.region;
	entry->value = stamp;
	__atomic_store_n(&entry->kind, (uint16_t)kind, __ATOMIC_RELEASE);
}

/*
 * There is no room, or a handler has noted something since the time of this begin, or of
 * this end.
 */
static bool begin_late(const struct region_thread *thread,
		       struct region_node *node, unsigned int busy)
{
	node->timeline.is_open = put_begin(thread, node);
	thread->timeline->busy = busy;
	return true;
}

static bool end_late(const struct region_thread *thread,
		     struct region_node *node, unsigned int busy)
{
	finish(thread, node, present(thread->timeline));
	thread->timeline->busy = busy;
	return true;
}

/*
 * begin_noted() and end_noted() of one event that is read by RDPMC, in fewer instructions.
 * Between the reads of the count all that is not rare takes the same path, whose cost is
 * measured.
 */
static bool begin_one_noted(const struct region_thread *thread,
			    struct region_node *node)
{
	struct region_timeline *timeline = thread->timeline;
	struct vpmc_timeline_entry *entry = NULL;
	struct moment moment;
	unsigned int busy;

	if (!vpmcint_timeline_has_room(timeline, SPARE) ||
	    !vpmcint_timeline_has_name(timeline, node))
		make_ready(thread, node, SPARE);
	busy = timeline->busy++;
	if (!vpmcint_region_begin_one(node)) {
		timeline->busy = busy;
		return begin_noted(thread, node);
	}
	moment = present(timeline);
	if (vpmcint_timeline_has_name(timeline, node))
		entry = take_present(timeline->window, &moment);
	if (!entry)
		return begin_late(thread, node, busy);
	fill(entry, node, moment.stamp, VPMC_TIMELINE_BEGIN);
	node->timeline.is_open = true;
	timeline->busy = busy;
	return true;
}

static bool end_one_noted(const struct region_thread *thread,
			  struct region_node *node)
{
	struct region_timeline *timeline = thread->timeline;
	struct vpmc_timeline_entry *entry = NULL;
	struct moment moment;
	unsigned int busy;

	if (node->uncounted)
		return end_noted(thread, node);
	if (!vpmcint_timeline_has_room(timeline, 1))
		make_ready(thread, node, 1);
	busy = timeline->busy++;
	moment = present(timeline);
	if (!vpmcint_region_end_one(node)) {
		timeline->busy = busy;
		return end_noted(thread, node);
	}
	if (node->timeline.is_open && !node->broken)
		entry = take_present(timeline->window, &moment);
	if (!entry)
		return end_late(thread, node, busy);
	take_counts(1, node, entry->count);
	fill(entry, node, moment.stamp, VPMC_TIMELINE_END);
	node->timeline.is_open = false;
	timeline->busy = busy;
	return true;
}

static struct region_timeline *make_timeline(void)
{
	void *made = mmap(NULL, sizeof(struct region_timeline),
			  PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
			  -1, 0);

	if (made == MAP_FAILED)
		return NULL;
	madvise(made, sizeof(struct region_timeline), MADV_WIPEONFORK);
	return made;
}

void vpmcint_region_timeline_start(struct region_thread *thread)
{
	bool is_one;

	if (!vpmcint_timeline_is_there())
		return;
	if (!thread->timeline)
		thread->timeline = make_timeline();
	if (!thread->timeline) {
		vpmcint_timeline_lose();
		return;
	}
	is_one = thread->mode == REGION_INLINE;
	thread->begin = is_one ? begin_one_noted : begin_noted;
	thread->end = is_one ? end_one_noted : end_noted;
	/* No region begins or ends without a call. */
	if (thread->mode < REGION_RDPMC)
		thread->mode = REGION_RDPMC;
	vpmcint_timeline_change_window(thread, true);
}

/* How often that is measured: an interrupt adds to some. */
#define MEASUREMENTS 5

/* What a call of make_ready() counts, less what it counts inside and what a read does. */
static void keep_least_around(const struct region_thread *thread,
			      const uint64_t count[3][VPMC_REGION_EVENTS])
{
	struct region_timeline *timeline = thread->timeline;
	uint64_t around;
	unsigned int i;

	for (i = 0; i < thread->events; i++) {
		around = count[1][i] - count[0][i] - timeline->inside[i] -
			 (count[2][i] - count[1][i]);
		/* It may be that an interrupt has only added to what is subtracted. */
		if ((int64_t)around >= 0 && around < timeline->around[i])
			timeline->around[i] = around;
	}
}

/* No region is open, and the root needs no name. */
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
	const struct region_timeline *timeline = thread->timeline;

	if (!timeline || !timeline->window)
		return;
	vpmcint_timeline_forget_entries(timeline);
	vpmcint_timeline_describe_events(thread);
	measure_around(thread);
}

void vpmcint_region_timeline_here(const struct region_thread *thread,
				  struct region_node *node)
{
	if (thread->timeline)
		node->timeline.busy = thread->timeline->busy;
}

void vpmcint_region_timeline_unwind(const struct region_thread *thread,
				    const struct region_node *here)
{
	struct region_timeline *timeline = thread->timeline;

	if (timeline && timeline->busy > here->timeline.busy)
		timeline->busy = here->timeline.busy;
}

void vpmcint_region_timeline_close(struct region_thread *thread)
{
	struct region_timeline *timeline = thread->timeline;

	if (!timeline)
		return;
	if (timeline->window)
		munmap(timeline->window, VPMC_TIMELINE_WINDOW);
	munmap(timeline, sizeof(*timeline));
}
