// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Implement the slow paths of vpmc_region_begin() and vpmc_region_end(), and the start
 * and the exit of a thread.
 */
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "regions/region.h"
#include "regions/region_count.h"
#include "regions/region_file.h"
#include "regions/region_handle.h"
#include "regions/region_move.h"
#include "regions/region_process.h"
#include "regions/region_signals.h"
#include "regions/region_sums.h"
#include "regions/region_timeline.h"
#include "regions/region_timeline_file.h"
#include "regions/region_tree.h"

__thread struct region_thread *vpmcint_regions;

/*
 * These flags say that the thread's destructors have run once already, and that its
 * regions are collected.
 */
static __thread bool is_exiting, has_exited;

/**
 * struct process - data of the process
 * @prepared: true if the key and the handlers exist; protected by vpmcint_region_lock()
 * @key: its destructor runs when a thread exits
 * @mark: not 0 in the process that owns this data, and in a child of vfork(2), which shares its
 *	memory; 0 in a child of fork(2) or _Fork(3)
 * @unavailable: true if a thread could not be opened, so that vpmc_region_begin() does not try
 *	again
 */
static struct {
	bool prepared;
	pthread_key_t key;
	unsigned char *mark;
	_Atomic bool unavailable;
} process;

/* If only shared objects have regions, this copy of the probe measures their cost. */
__attribute__((weak)) void vpmc_region_probe(void)
{
	vpmc_region_probe_here();
}

static void zero(struct region_node *node)
{
	memset(vpmcint_region_sums(node)->sum, 0,
	       sizeof(vpmcint_region_sums(node)->sum));
	vpmcint_region_sums(node)->calls = 0;
}

static void keep_least(uint64_t *least, uint64_t cost)
{
	if (cost < *least)
		*least = cost;
}

/* Keep the least costs of a region and of a region around it. Each was begun once. */
static void keep_least_costs(struct region_thread *thread,
			     struct region_node *one, struct region_node *outer)
{
	unsigned int i;

	vpmcint_region_restore(one);
	vpmcint_region_restore(outer);
	for (i = 0; i < thread->events; i++) {
		keep_least(&thread->own[i], vpmcint_region_sums(one)->sum[i]);
		keep_least(&thread->pair[i],
			   vpmcint_region_sums(outer)->sum[i] -
				   vpmcint_region_sums(one)->sum[i]);
	}
}

/* The costs are measured this number of times, because an interrupt adds to some measurements. */
#define MEASUREMENTS 5

/*
 * Measure the cost of regions. The first measurement creates the nodes. Later measurements find the
 * cost of a region that is begun again.
 */
static void calibrate(struct region_thread *thread)
{
	/* Use the program's own code for regions, if it has such code. The thread is prepared. */
	void (*const probe)(void) = vpmc_region_probe;
	struct region_node *one, *outer;
	unsigned int i;

	vpmcint_region_clear(thread);
	thread->measuring = true;
	probe();
	one = thread->root.child;
	outer = one ? one->sibling : NULL;
	memset(thread->own, outer ? 0xff : 0, sizeof(thread->own));
	memset(thread->pair, outer ? 0xff : 0, sizeof(thread->pair));
	for (i = 0; outer && i < MEASUREMENTS; i++) {
		zero(one);
		zero(outer);
		probe();
		keep_least_costs(thread, one, outer);
	}
	thread->measuring = false;
	vpmcint_region_clear(thread);
}

static void calibrate_present(struct region_thread *thread)
{
	sigset_t before;

	vpmcint_region_hold_signals(&before);
	thread->stale = false;
	vpmcint_region_source(thread);
	vpmcint_region_timeline_start(thread);
	calibrate(thread);
	vpmcint_region_timeline_forget(thread);
	vpmcint_region_release_signals(&before);
}

/* Drop the tree. Its open regions can still be ended. */
static void begin_anew(struct region_thread *thread)
{
	struct region_node *node;

	for (node = vpmcint_region_here(); node != &thread->root;
	     node = vpmcint_region_node(node->fast.parent))
		thread->foreign++;
	if (thread->root.child && thread->set.generation)
		thread->restarts++;
	vpmcint_region_clear(thread);
}

/*
 * Leave a region of the parent. If a handler forks while it interrupts
 * vpmc_region_begin() or vpmc_region_end(), the child finishes this call in its parent's
 * tree when the handler returns. The second pages do not have the names of this tree any
 * more.
 */
static void leave_parents_region(struct region_thread *thread)
{
	struct region_node *node = vpmcint_region_here();

	if (node == &thread->root || vpmcint_region_match(node)->address)
		return;
	thread->foreign = 0;
	for (; node != &thread->root;
	     node = vpmcint_region_node(node->fast.parent))
		thread->foreign++;
	vpmc_region_thread.region = &thread->root.fast;
}

static void mark_open_broken(struct region_thread *thread)
{
	struct region_node *node;

	for (node = vpmcint_region_here(); node != &thread->root;
	     node = vpmcint_region_node(node->fast.parent))
		vpmcint_region_break(node);
}

/*
 * Prepare the calling thread as the only thread of a new process. The thread finds out its events
 * only when it begins a region, because most new processes execute another program.
 */
static void prepare_child(void)
{
	struct region_thread *thread = vpmcint_regions;
	sigset_t before;

	*process.mark = 1;
	has_exited = false;
	vpmcint_region_file_forget();
	vpmcint_sums_forget();
	vpmcint_region_alone(thread);
	if (!thread)
		return;
	vpmcint_region_hold_signals(&before);
	vpmcint_region_part_pages(&thread->pages);
	vpmcint_region_forget_pool(&thread->pool);
	vpmcint_region_timeline_part(thread);
	begin_anew(thread);
	thread->stale = true;
	thread->restarts = 0;
	thread->mismatches = 0;
	thread->lost = 0;
	vpmcint_region_release_signals(&before);
}

static void in_child(void)
{
	prepare_child();
	vpmcint_region_unlock();
}

/* Notice a fork by _Fork(3), which does not call handlers and does not change the lock. */
static void notice_fork(void)
{
	if (!process.prepared || *process.mark)
		return;
	vpmcint_region_renew_lock();
	prepare_child();
}

/*
 * Handle a new start of the thread, or a page that shows the present counts from now on. If the
 * start is the same as before, open regions may have begun without counts.
 */
static void take_change(struct region_thread *thread)
{
	struct region_thread now = { .events = 0 };

	vpmcint_region_source(&now);
	if (vpmcint_region_same_start(&now.set, &thread->set)) {
		mark_open_broken(thread);
		return;
	}
	begin_anew(thread);
	calibrate_present(thread);
}

static void begin_changed(void)
{
	struct region_thread *thread = vpmcint_regions;
	sigset_t before;

	notice_fork();
	if (!thread || thread->stale)
		return;
	vpmcint_region_hold_signals(&before);
	take_change(thread);
	vpmcint_region_release_signals(&before);
}

static void close_thread(void)
{
	struct region_thread *thread;
	sigset_t before;

	notice_fork();
	thread = vpmcint_regions;
	if (!thread)
		return;
	vpmcint_region_hold_signals(&before);
	pthread_setspecific(process.key, NULL);
	has_exited = true;
	vpmcint_region_left(thread);
	vpmcint_region_keep_pages(&thread->pages);
	vpmcint_region_clear(thread);
	vpmc_region_thread.region = &vpmc_region_none.region;
	vpmcint_regions = NULL;
	vpmcint_region_timeline_close(thread);
	vpmcint_region_release_signals(&before);
	free(thread);
}

/*
 * Close the thread in the second round of destructors. Destructors of the first round may
 * have regions, and so may signal handlers at any time. After the second round, signal
 * handlers must not allocate memory for regions.
 */
static void thread_exits(void *thread)
{
	/* The thread may have been closed when its page was unmapped. */
	if (thread != vpmcint_regions)
		return;
	if (is_exiting) {
		close_thread();
		return;
	}
	is_exiting = true;
	pthread_setspecific(process.key, thread);
}

/*
 * Open the files while they exist, and before the program's constructors, which may have regions.
 */
__attribute__((constructor(101))) static void process_starts(void)
{
	vpmcint_region_file_open();
	vpmcint_sums_open();
	vpmcint_region_timeline_open();
}

/* Write the regions after the functions of atexit(3) and the program's own destructors. */
__attribute__((destructor(101))) static void process_exits(void)
{
	notice_fork();
	/* A handler that begins a region now would wait for the lock that is held below. */
	process.unavailable = true;
	close_thread();
	vpmcint_region_leave_file();
}

/* Returns NULL, with errno, if there is no memory. */
static unsigned char *make_mark(void)
{
	const size_t size = (size_t)sysconf(_SC_PAGESIZE);
	unsigned char *mark = mmap(NULL, size, PROT_READ | PROT_WRITE,
				   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (mark == MAP_FAILED)
		return NULL;
	if (madvise(mark, size, MADV_WIPEONFORK)) {
		munmap(mark, size);
		return NULL;
	}
	return mark;
}

/* Prepare the process. Called under the lock until it succeeds. */
static int prepare(struct vpmc_error *err)
{
	if (!process.mark)
		process.mark = make_mark();
	if (!process.mark || pthread_key_create(&process.key, thread_exits) ||
	    pthread_atfork(vpmcint_region_lock, vpmcint_region_unlock,
			   in_child))
		return vpmcint_fail(err, VPMC_E_MEMORY,
				    "cannot count regions: out of memory");
	vpmcint_region_hooks.changed = begin_changed;
	vpmcint_region_hooks.exits = close_thread;
	*process.mark = 1;
	process.prepared = true;
	return 0;
}

static int prepare_process(struct vpmc_error *err)
{
	int ret = vpmcint_region_open_handle(err);

	if (ret)
		return ret;
	vpmcint_region_lock();
	if (!process.prepared)
		ret = prepare(err);
	vpmcint_region_unlock();
	return ret;
}

/* Create the regions of the calling thread, which has no regions yet. */
static int open_thread(struct vpmc_error *err)
{
	struct region_thread *thread;
	int ret = prepare_process(err);

	if (ret)
		return ret;
	thread = calloc(1, REGION_THREAD_SIZE);
	if (!thread)
		return vpmcint_fail(err, VPMC_E_MEMORY,
				    "cannot count regions: out of memory");
	pthread_setspecific(process.key, thread);
	vpmcint_region_joined();
	vpmcint_regions = thread;
	calibrate_present(thread);
	return 0;
}

void vpmcint_region_settle(void)
{
	notice_fork();
	if (!vpmcint_regions)
		return;
	leave_parents_region(vpmcint_regions);
	if (vpmcint_regions->stale)
		calibrate_present(vpmcint_regions);
}

int vpmc_regions_open(struct vpmc_error *err)
{
	int saved = errno, ret = 0;

	vpmcint_region_settle();
	if (!vpmcint_regions)
		ret = open_thread(err);
	process.unavailable = ret != 0;
	errno = saved;
	return ret;
}

static void miss_region(void)
{
	sigset_t before;

	vpmcint_region_hold_signals(&before);
	vpmcint_region_missed();
	vpmcint_region_release_signals(&before);
}

/* Create a region in a new place. Returns NULL if this is not possible. */
static struct region_node *new_region(const char *name)
{
	struct region_thread *thread = vpmcint_regions;
	struct region_node *node;

	if (process.unavailable)
		return NULL;
	if (!thread && has_exited) {
		miss_region();
		return NULL;
	}
	if ((!thread || !thread->measuring) && vpmc_regions_open(NULL))
		return NULL;
	thread = vpmcint_regions;
	node = vpmcint_region_add(thread, vpmcint_region_here(), name);
	if (!node) {
		thread->lost++;
		thread->foreign++;
	} else if (!thread->measuring) {
		vpmcint_region_file_announce();
	}
	return node;
}

static int enter_region(const char *name)
{
	struct vpmc_region *region = vpmc_region_thread.region->recent;
	struct region_thread *thread;
	struct region_node *node, *last;

	thread = vpmcint_regions;
	if (thread) {
		node = last = vpmcint_region_node(region);
		if (vpmcint_region_match(last)->address != name)
			node = vpmcint_region_find(thread,
						   vpmcint_region_here(), name);
		else if (vpmc_region_match_of(region)->two == name &&
			 vpmcint_region_begin_two(region))
			return 0;
		if (node)
			return vpmcint_region_go_in(thread, node, last);
	}
	node = new_region(name);
	if (!node)
		return 0;
	last = vpmcint_region_last(vpmcint_region_here());
	return vpmcint_region_go_in(vpmcint_regions, node, last);
}

/* Returns the open region that @name ends, or NULL if no region with this name is open. */
static struct region_node *find_open(const struct region_thread *thread,
				     const char *name)
{
	struct region_node *node = vpmcint_region_here();

	/* Compare pointers first, because a comparison of texts would add to the cost. */
	while (node != &thread->root &&
	       vpmcint_region_match(node)->address != name &&
	       strcmp(node->name, name) != 0)
		node = vpmcint_region_node(node->fast.parent);
	return node == &thread->root ? NULL : node;
}

static int leave_present(const struct region_thread *thread,
			 struct region_node *node)
{
	if (thread->mode > REGION_TWO) {
		if (!node->suspends && thread->end(thread, node))
			return 0;
	} else if ((vpmcint_region_match(node)->fast.site ||
		    vpmcint_region_match(node)->fast.two ||
		    vpmcint_region_match(node)->fast.timed) &&
		   vpmcint_region_restore(node)) {
		return 1;
	}
	vpmcint_region_go_out(thread, node);
	return 0;
}

static int leave_region(const char *name)
{
	struct vpmc_region *region = vpmc_region_thread.region;
	struct region_thread *thread;
	struct region_node *node;

	if (vpmc_region_match_of(region)->two == name &&
	    vpmcint_region_end_two(region))
		return 0;
	thread = vpmcint_regions;
	if (!thread)
		return 0;
	node = vpmcint_region_node(region);
	/* The root has no name. */
	if (vpmcint_region_match(node)->address == name)
		return leave_present(thread, node);
	/* If no name matches, the process may have been forked unnoticed. */
	notice_fork();
	leave_parents_region(thread);
	node = find_open(thread, name);
	if (!node && thread->foreign) {
		thread->foreign--;
		return 0;
	}
	if (node != vpmcint_region_here())
		thread->mismatches++;
	if (node)
		vpmcint_region_go_out(thread, node);
	return 0;
}

/* The header declares these functions cold, but they are compiled for speed. */
int vpmc_region_enter(const char *name) __attribute__((alias("enter_region")));
int vpmc_region_leave(const char *name) __attribute__((alias("leave_region")));

/*
 * A place to which a jump may return consists of a region and of the number of interrupted calls
 * that continue after the jump. Represent it as an address in the region, whose offset is this
 * number. A signal handler and the code that it has interrupted can be in the same region, but have
 * different numbers.
 */
_Static_assert(sizeof(struct vpmc_region) > TIMELINE_HERE_MOST, "");

const struct vpmc_region *vpmc_region_here(void)
{
	const struct region_thread *thread;
	const char *here;

	notice_fork();
	thread = vpmcint_regions;
	if (!thread)
		return vpmc_region_thread.region;
	leave_parents_region(vpmcint_regions);
	here = (const char *)vpmc_region_thread.region +
	       vpmcint_region_timeline_here(thread);
	return (const struct vpmc_region *)(const void *)here;
}

/* Return whether vpmc_region_here() has returned @here in a region. */
static bool is_in(const struct vpmc_region *here,
		  const struct region_node *node)
{
	return (uintptr_t)here - (uintptr_t)&node->fast <= TIMELINE_HERE_MOST;
}

void vpmc_region_unwind(const struct vpmc_region *here)
{
	struct region_thread *thread = vpmcint_regions;
	struct region_node *outer, *last = NULL;

	notice_fork();
	if (!thread)
		return;
	leave_parents_region(thread);
	if (here == &vpmc_region_none.region)
		here = &thread->root.fast;
	for (outer = vpmcint_region_here();
	     !is_in(here, outer) && outer != &thread->root;
	     outer = vpmcint_region_node(outer->fast.parent))
		last = outer;
	if (!is_in(here, outer))
		return;
	vpmcint_region_timeline_unwind(
		thread,
		(unsigned int)((uintptr_t)here - (uintptr_t)&outer->fast));
	if (last)
		vpmcint_region_go_out(thread, last);
}
