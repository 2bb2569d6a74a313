// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Regions: the slow paths of begin and end, and start and exit of a thread.
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "region.h"
#include "region_count.h"
#include "region_handle.h"
#include "region_process.h"
#include "region_tree.h"

__thread struct region_thread *vpmcint_regions;

/**
 * struct process - one per process
 * @prepared: key and handlers are there; under vpmcint_region_lock()
 * @key: its destructor runs when a thread exits
 * @path: of the file that perfex made, or NULL
 */
static struct {
	bool prepared;
	pthread_key_t key;
	const char *path;
} process;

static struct region_node *current(void)
{
	return vpmcint_region_node(vpmc_region_thread.region);
}

static void zero(struct region_node *node)
{
	memset(node->fast.sum, 0, sizeof(node->fast.sum));
	node->fast.calls = 0;
}

/*
 * Measured twice: the first time the nodes are created, the second time the cost
 * is that of a region that is begun again.
 */
static void calibrate(struct region_thread *thread)
{
	/* The program's own code, if it has some. The thread is prepared. */
	void (*const probe)(void) = vpmc_region_probe;
	struct region_node *one, *outer;
	unsigned int i;

	vpmcint_region_clear(thread);
	probe();
	one = thread->root.child;
	outer = one ? one->sibling : NULL;
	if (outer && outer->child) {
		zero(one);
		zero(outer);
		probe();
		for (i = 0; i < thread->events; i++) {
			thread->own[i] = one->fast.sum[i];
			thread->pair[i] = outer->fast.sum[i] - thread->own[i];
		}
	}
	vpmcint_region_clear(thread);
}

/* Drop the tree. Open regions in it can still be ended. */
static void begin_anew(struct region_thread *thread)
{
	struct region_node *node;

	for (node = current(); node != &thread->root;
	     node = vpmcint_region_node(node->fast.parent))
		thread->foreign++;
	if (thread->root.child && thread->set.generation)
		thread->restarts++;
	vpmcint_region_clear(thread);
}

/*
 * The thread has started to count, or its page shows the present counts from now
 * on. If these are the same as before, open regions may have begun without
 * counts.
 */
static void begin_changed(void)
{
	struct region_thread *thread = vpmcint_regions;
	struct region_thread now = { .events = 0 };
	struct region_node *node;

	if (!thread)
		return;
	vpmcint_region_source(&now);
	if (vpmcint_region_same_start(&now.set, &thread->set)) {
		for (node = current(); node != &thread->root;
		     node = vpmcint_region_node(node->fast.parent))
			node->broken = true;
		return;
	}
	begin_anew(thread);
	thread->mode = now.mode;
	thread->events = now.events;
	thread->set = now.set;
	calibrate(thread);
}

static void close_thread(void)
{
	struct region_thread *thread = vpmcint_regions;

	if (!thread)
		return;
	pthread_setspecific(process.key, NULL);
	vpmcint_region_left(thread);
	vpmcint_region_clear(thread);
	vpmc_region_thread.region = &vpmc_region_none;
	vpmcint_regions = NULL;
	free(thread);
}

static void begin_forked(void)
{
	struct region_thread *thread = vpmcint_regions;

	if (!thread)
		return;
	begin_anew(thread);
	thread->restarts = 0;
	thread->mismatches = 0;
	thread->lost = 0;
	vpmcint_region_source(thread);
	calibrate(thread);
}

static void thread_exits(void *thread)
{
	/* The thread may have left before, when its page was unmapped. */
	if (thread == vpmcint_regions)
		close_thread();
}

static void process_exits(void)
{
	close_thread();
	if (process.path)
		vpmcint_region_leave_file(process.path);
}

static void in_child(void)
{
	vpmcint_region_alone(vpmcint_regions);
	vpmcint_region_unlock();
	begin_forked();
}

/* Called once, under the lock. */
static int prepare(struct vpmc_error *err)
{
	if (pthread_key_create(&process.key, thread_exits) ||
	    pthread_atfork(vpmcint_region_lock, vpmcint_region_unlock,
			   in_child) ||
	    atexit(process_exits))
		return vpmcint_fail(err, VPMC_E_MEMORY,
				    "cannot count regions: out of memory");
	process.path = secure_getenv("VPMC_REGIONS_FILE");
	if (process.path)
		process.path = strdup(process.path);
	vpmcint_region_hooks.changed = begin_changed;
	vpmcint_region_hooks.exits = close_thread;
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

/* Create the regions of the calling thread, which has none. */
static int open_thread(struct vpmc_error *err)
{
	struct region_thread *thread;
	int ret = prepare_process(err);

	if (ret)
		return ret;
	thread = calloc(1, sizeof(*thread));
	if (!thread)
		return vpmcint_fail(err, VPMC_E_MEMORY,
				    "cannot count regions: out of memory");
	pthread_setspecific(process.key, thread);
	vpmcint_region_joined();
	vpmcint_regions = thread;
	vpmcint_region_source(thread);
	calibrate(thread);
	return 0;
}

int vpmc_regions_open(struct vpmc_error *err)
{
	return vpmcint_regions ? 0 : open_thread(err);
}

int vpmc_region_enter(const char *name)
{
	struct region_thread *thread = vpmcint_regions;
	struct region_node *node;

	if (thread && thread->mode == REGION_TWO &&
	    vpmcint_region_begin_two(name))
		return 0;
	if (vpmc_regions_open(NULL))
		return 0;
	thread = vpmcint_regions;
	node = vpmcint_region_child(thread, current(), name);
	if (!node) {
		thread->lost++;
		thread->foreign++;
		return 0;
	}
	if (thread->mode == REGION_INLINE) {
		vpmc_region_thread.region->recent = &node->fast;
		return 1;
	}
	/* Always the same path, so that the cost is always the same. */
	if (thread->mode == REGION_TWO && current()->last != node) {
		current()->last = node;
		return 1;
	}
	vpmcint_region_begin(thread, node);
	return 0;
}

/* The open region that @name ends, or NULL if none of that name is open. */
static struct region_node *find_open(const struct region_thread *thread,
				     const char *name)
{
	struct region_node *node = current();

	/* Compare pointers first: comparing texts would add to the cost. */
	while (node != &thread->root && node->name != name &&
	       strcmp(node->name, name) != 0)
		node = vpmcint_region_node(node->fast.parent);
	return node == &thread->root ? NULL : node;
}

void vpmc_region_leave(const char *name)
{
	struct region_thread *thread = vpmcint_regions;
	struct region_node *node, *last;

	if (!thread)
		return;
	if (thread->mode == REGION_TWO && vpmcint_region_end_two(name))
		return;
	node = find_open(thread, name);
	if (!node && thread->foreign) {
		thread->foreign--;
		return;
	}
	if (node != current())
		thread->mismatches++;
	if (!node)
		return;
	do {
		last = current();
		vpmcint_region_end(thread, last);
	} while (last != node);
}
