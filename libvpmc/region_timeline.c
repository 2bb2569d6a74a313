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
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <vpmc_timeline.h>

#include "region_count.h"
#include "region_descriptor.h"
#include "region_move.h"
#include "region_signals.h"
#include "region_timeline.h"
#include "region_tree.h"

_Static_assert(VPMC_TIMELINE_EVENTS == VPMC_REGION_EVENTS, "");

/* Entries that a begin leaves to the ends of the regions around, and to handlers. */
#define SPARE 256U

/**
 * struct region_timeline - a thread's
 * @window: where it writes, NULL without any
 * @thread: its number in the file, 0 before it has any
 * @regions: how many regions it has given numbers
 * @busy: how many begins and ends are under way, all but one of them interrupted by
 *	signal handlers: the window stays. Each one restores what it has found, because
 *	a handler may have left others by longjmp(3).
 * @turn: that of the present window, or else of the next one
 * @size: bytes of an entry
 * @room: how many a window has
 * @is_full: there is no room for another window
 * @inside: what make_ready() has counted last between its reads
 * @around: what it counts outside of them, whatever it does
 *
 * The kernel makes all of it 0 in a forked process: a child has nothing in its
 * parent's window.
 */
struct region_timeline {
	struct vpmc_timeline_window *window;
	uint32_t thread;
	uint32_t regions;
	unsigned int busy;
	uint32_t turn;
	uint32_t size;
	uint32_t room;
	bool is_full;
	uint64_t inside[VPMC_REGION_EVENTS];
	uint64_t around[VPMC_REGION_EVENTS];
};

static struct region_descriptor descriptor;
static struct vpmc_timeline_file *file;

static bool is_timeline(int fd)
{
	struct stat status;

	return !fstat(fd, &status) &&
	       status.st_size >= (off_t)sizeof(struct vpmc_timeline_file);
}

void vpmcint_region_timeline_open(void)
{
	void *mapped = MAP_FAILED;
	int fd;

	vpmcint_region_open_first(&descriptor, VPMC_TIMELINE_VARIABLE, O_RDWR);
	if (!descriptor.path)
		return;
	fd = vpmcint_region_open_again(&descriptor);
	if (fd >= 0 && is_timeline(fd))
		mapped = mmap(NULL, sizeof(*file), PROT_READ | PROT_WRITE,
			      MAP_SHARED, fd, 0);
	if (fd >= 0)
		vpmcint_region_close_again(&descriptor, fd);
	if (mapped == MAP_FAILED)
		return;
	file = mapped;
	if (file->magic == VPMC_TIMELINE_MAGIC)
		return;
	munmap(mapped, sizeof(*file));
	file = NULL;
}

/* NOLINTNEXTLINE(readability-non-const-parameter): it is written to */
static uint32_t take_number(uint32_t *number)
{
	return __atomic_fetch_add(number, 1, __ATOMIC_RELAXED);
}

static void lose(const struct region_thread *thread)
{
	if (!thread->measuring)
		take_number(&file->lost);
}

/* Not every file system can reserve. */
static int reserve(int fd, off_t at)
{
	if (!fallocate(fd, 0, at, VPMC_TIMELINE_WINDOW))
		return 0;
	if (errno != EOPNOTSUPP && errno != ENOSYS)
		return -1;
	return pwrite(fd, "", 1, at + VPMC_TIMELINE_WINDOW - 1) == 1 ? 0 : -1;
}

static struct vpmc_timeline_window *map_window(int fd, off_t at)
{
	void *mapped = MAP_FAILED;

	/* Now, so that no region has page faults of it. */
	if (!reserve(fd, at))
		mapped =
			mmap(NULL, VPMC_TIMELINE_WINDOW, PROT_READ | PROT_WRITE,
			     MAP_SHARED | MAP_POPULATE, fd, at);
	return mapped == MAP_FAILED ? NULL : mapped;
}

/* Returns where in the file the next free window is, or -1 where it cannot be. */
static off_t next_place(void)
{
	const uint64_t at =
		(uint64_t)take_number(&file->windows) * VPMC_TIMELINE_WINDOW;

	return sizeof(off_t) < sizeof(at) && at > INT32_MAX ? -1 : (off_t)at;
}

static struct vpmc_timeline_window *take_window(void)
{
	const int fd = vpmcint_region_open_again(&descriptor);
	struct vpmc_timeline_window *window;
	off_t at;

	if (fd < 0)
		return NULL;
	at = next_place();
	window = at < 0 ? NULL : map_window(fd, at);
	vpmcint_region_close_again(&descriptor, fd);
	return window;
}

static bool write_part(int fd, const struct vpmc_timeline_window *window,
		       size_t from, size_t to, off_t at)
{
	const ssize_t size = (ssize_t)(to - from);

	return pwrite(fd, (const char *)window + from, (size_t)size,
		      at + (off_t)from) == size;
}

/* The thread's number comes last: what is there before it is not read. */
static bool write_window(int fd, const struct vpmc_timeline_window *window,
			 off_t at)
{
	const size_t head = offsetof(struct vpmc_timeline_window, pid);

	return write_part(fd, window, head, VPMC_TIMELINE_WINDOW, at) &&
	       write_part(fd, window, 0, head, at);
}

static bool copy_window(const struct vpmc_timeline_window *window)
{
	const int fd = vpmcint_region_open_again(&descriptor);
	bool good;
	off_t at;

	if (fd < 0)
		return false;
	at = next_place();
	good = at >= 0 && write_window(fd, window, at);
	vpmcint_region_close_again(&descriptor, fd);
	return good;
}

static void forget_entries(const struct region_timeline *timeline)
{
	struct vpmc_timeline_window *window = timeline->window;
	const uint32_t used =
		window->used < timeline->room ? window->used : timeline->room;

	window->used = 0;
	memset(window + 1, 0, (size_t)used * timeline->size);
}

static void describe_events(const struct region_thread *thread)
{
	struct region_timeline *timeline = thread->timeline;
	struct vpmc_timeline_window *window = timeline->window;
	unsigned int i;

	timeline->size = vpmc_timeline_size(thread->events);
	timeline->room = vpmc_timeline_room(timeline->size);
	window->events = thread->events;
	for (i = 0; i < thread->events; i++) {
		window->event[i].code = thread->set.sel[i].code;
		window->event[i].counter = thread->set.sel[i].counter;
		window->event[i].modes = thread->set.sel[i].modes;
		window->own[i] = thread->own[i];
		window->pair[i] = thread->pair[i];
	}
}

static void describe_window(const struct region_thread *thread, bool anew,
			    uint64_t since)
{
	struct vpmc_timeline_window *window = thread->timeline->window;

	window->pid = getpid();
	window->tid = (int)syscall(SYS_gettid);
	window->anew = anew;
	describe_events(thread);
	prctl(PR_GET_NAME, window->command);
	window->since = since;
	window->ready = vpmc_timeline_stamp();
}

/* The number of the thread comes last, for perfex does not read a window without one. */
static void begin_window(const struct region_thread *thread, bool anew,
			 uint64_t since)
{
	struct region_timeline *timeline = thread->timeline;

	timeline->window = take_window();
	if (!timeline->window)
		return;
	describe_window(thread, anew, since);
	timeline->window->turn = timeline->turn;
	__atomic_store_n(&timeline->window->thread, timeline->thread,
			 __ATOMIC_RELEASE);
}

/* The turn comes last: until it is another one, perfex reads the copy. */
static void empty_window(const struct region_thread *thread, bool anew,
			 uint64_t since)
{
	struct region_timeline *timeline = thread->timeline;
	struct vpmc_timeline_window *window = timeline->window;

	timeline->turn++;
	if (!copy_window(window)) {
		munmap(window, VPMC_TIMELINE_WINDOW);
		timeline->window = NULL;
		return;
	}
	forget_entries(timeline);
	describe_window(thread, anew, since);
	__atomic_store_n(&window->turn, timeline->turn, __ATOMIC_RELEASE);
}

static void change_window(const struct region_thread *thread, bool anew)
{
	struct region_timeline *timeline = thread->timeline;
	const uint64_t since = vpmc_timeline_stamp();

	if (!timeline->thread)
		timeline->thread = take_number(&file->threads) + 1;
	if (timeline->window)
		empty_window(thread, anew, since);
	else
		begin_window(thread, anew, since);
	timeline->is_full = !timeline->window;
}

static bool has_room(const struct region_timeline *timeline, uint32_t entries)
{
	struct vpmc_timeline_window *window = timeline->window;

	return window &&
	       __atomic_load_n(&window->used, __ATOMIC_RELAXED) + entries <=
		       timeline->room;
}

static bool has_name(const struct region_timeline *timeline,
		     const struct region_node *node)
{
	return node->timeline.thread == timeline->thread;
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
	entry->value = has_name(timeline, parent) ? parent->timeline.region : 0;
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
	if (timeline->is_full || (timeline->busy && has_name(timeline, node)))
		return;
	vpmcint_region_hold_signals(&outside);
	counted = vpmcint_region_counts(thread, before);
	if (!timeline->busy && !has_room(timeline, entries))
		change_window(thread, false);
	if (!has_name(timeline, node) &&
	    has_room(timeline, 1 + VPMC_TIMELINE_MORE))
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
		place = take_number(&window->used);
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
		has_name(thread->timeline, node)
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

	if (!has_room(timeline, SPARE) || !has_name(timeline, node))
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

	if (!has_room(timeline, 1))
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
	    take_number(&window->used) != moment->used)
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

	if (!has_room(timeline, SPARE) || !has_name(timeline, node))
		make_ready(thread, node, SPARE);
	busy = timeline->busy++;
	if (!vpmcint_region_begin_one(node)) {
		timeline->busy = busy;
		return begin_noted(thread, node);
	}
	moment = present(timeline);
	if (has_name(timeline, node))
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
	if (!has_room(timeline, 1))
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

	if (!file)
		return;
	if (!thread->timeline)
		thread->timeline = make_timeline();
	if (!thread->timeline) {
		take_number(&file->lost);
		return;
	}
	is_one = thread->mode == REGION_INLINE;
	thread->begin = is_one ? begin_one_noted : begin_noted;
	thread->end = is_one ? end_one_noted : end_noted;
	/* No region begins or ends without a call. */
	if (thread->mode < REGION_RDPMC)
		thread->mode = REGION_RDPMC;
	change_window(thread, true);
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
	forget_entries(timeline);
	describe_events(thread);
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
