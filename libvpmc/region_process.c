// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Regions: what the threads of a process have in common, and their ends.
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define VPMC_REGION_NO_PROBE
#include "region.h"

/**
 * struct process - one per process
 * @lock: of all that follows
 * @vpmc: for all threads: nothing is started on it
 * @prepared: key and handlers are there
 * @key: its destructor runs when a thread exits
 * @path: of the file that perfex made, or NULL
 * @living: threads that have regions
 * @exited: what the others have counted
 */
static struct {
	pthread_mutex_t lock;
	struct vpmc *vpmc;
	bool prepared;
	pthread_key_t key;
	const char *path;
	unsigned int living;
	struct region_list exited;
} process = { .lock = PTHREAD_MUTEX_INITIALIZER };

static void thread_exits(void *thread)
{
	/* It may have been closed before, when its page was unmapped. */
	if (thread == vpmcint_regions)
		vpmcint_region_close_thread();
}

static void process_exits(void)
{
	vpmcint_region_close_thread();
	pthread_mutex_lock(&process.lock);
	process.exited.about.running = process.living;
	if (process.path && process.exited.about.threads)
		vpmcint_region_write(process.path, &process.exited);
	pthread_mutex_unlock(&process.lock);
}

static void before_fork(void)
{
	pthread_mutex_lock(&process.lock);
}

static void after_fork(void)
{
	pthread_mutex_unlock(&process.lock);
}

static void in_child(void)
{
	free(process.exited.entry);
	memset(&process.exited, 0, sizeof(process.exited));
	process.living = vpmcint_regions ? 1 : 0;
	pthread_mutex_unlock(&process.lock);
	vpmcint_region_forked();
}

/* Once; under the lock. */
static int prepare(struct vpmc_error *err)
{
	if (pthread_key_create(&process.key, thread_exits) ||
	    pthread_atfork(before_fork, after_fork, in_child) ||
	    atexit(process_exits))
		return vpmcint_fail(err, VPMC_E_MEMORY,
				    "cannot count regions: out of memory");
	process.path = secure_getenv("VPMC_REGIONS_FILE");
	if (process.path)
		process.path = strdup(process.path);
	vpmcint_region_hooks.changed = vpmcint_region_changed;
	vpmcint_region_hooks.exits = vpmcint_region_close_thread;
	process.prepared = true;
	return 0;
}

int vpmcint_region_open_process(struct vpmc_error *err)
{
	int ret = 0;

	pthread_mutex_lock(&process.lock);
	if (!process.vpmc)
		ret = vpmc_open(&process.vpmc, err);
	if (!ret && !process.prepared)
		ret = prepare(err);
	pthread_mutex_unlock(&process.lock);
	return ret;
}

struct vpmc *vpmcint_region_handle(void)
{
	return process.vpmc;
}

int vpmcint_region_map(void)
{
	int ret;

	pthread_mutex_lock(&process.lock);
	ret = vpmcint_map(process.vpmc, NULL);
	pthread_mutex_unlock(&process.lock);
	return ret;
}

void vpmcint_region_joined(struct region_thread *thread)
{
	pthread_setspecific(process.key, thread);
	pthread_mutex_lock(&process.lock);
	process.living++;
	pthread_mutex_unlock(&process.lock);
}

void vpmcint_region_left(struct region_thread *thread)
{
	pthread_setspecific(process.key, NULL);
	pthread_mutex_lock(&process.lock);
	process.living--;
	if (vpmcint_region_fold(thread, &process.exited))
		process.exited.about.lost++;
	pthread_mutex_unlock(&process.lock);
}

int vpmcint_region_collected(struct region_list *list)
{
	size_t size;
	int ret = 0;

	pthread_mutex_lock(&process.lock);
	*list = process.exited;
	list->about.running = process.living - (vpmcint_regions ? 1 : 0);
	size = list->nr * sizeof(*list->entry);
	list->entry = malloc(size ? size : 1);
	if (list->entry && size)
		memcpy(list->entry, process.exited.entry, size);
	else if (!list->entry)
		ret = VPMC_E_MEMORY;
	pthread_mutex_unlock(&process.lock);
	return ret;
}
