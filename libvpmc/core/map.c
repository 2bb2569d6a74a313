// SPDX-License-Identifier: LGPL-2.1-or-later
/* Map the page in which a thread finds its counts, from vpmc_map() until the thread exits. */
#include <errno.h>
#include <fcntl.h>
#include <linux/vpmc.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/internal.h"
#include "core/expect.h"

/* Check that vpmc_inline.h describes the driver's page in the library's types. */
#define SAME_PLACE(field)                                         \
	_Static_assert(offsetof(struct vpmc_own_page, field) ==   \
			       offsetof(struct vpmc_page, field), \
		       "the page's " #field)
SAME_PLACE(size);
SAME_PLACE(sequence);
SAME_PLACE(state);
SAME_PLACE(nr_counts);
SAME_PLACE(generation);
SAME_PLACE(tsc);
SAME_PLACE(count[0].counter);
SAME_PLACE(count[0].high[0]);
SAME_PLACE(count[0].high[1]);
SAME_PLACE(count[1]);
SAME_PLACE(start);
_Static_assert(sizeof(struct vpmc_own_page) == sizeof(struct vpmc_page), "");
_Static_assert(VPMC_INLINE_MAX == VPMC_COUNTS_MAX,
	       "vpmc_mark() has all counts");
_Static_assert(VPMC_PAGE_BITS == 32, "vpmc_count() looks at EAX's bit 31");

/*
 * This page stands for the page of a thread that has not mapped its page. It has no counts, and
 * size 0.
 */
#define NO_COUNT                                                 \
	{                                                        \
		.high = { VPMC_PAGE_INVALID, VPMC_PAGE_INVALID } \
	}
#define NO_COUNTS_4  NO_COUNT, NO_COUNT, NO_COUNT, NO_COUNT
#define NO_COUNTS_16 NO_COUNTS_4, NO_COUNTS_4, NO_COUNTS_4, NO_COUNTS_4
_Static_assert(VPMC_COUNTS_MAX == 32, "");

static const struct vpmc_own_page no_page = {
	.count = { NO_COUNTS_16, NO_COUNTS_16 },
};

/* The cast makes the compiler assume that RDPMC changes the page, but nothing writes to it. */
#define NO_PAGE ((struct vpmc_own_page *)&no_page)

__thread struct vpmc_own_page *vpmc_self = NO_PAGE;

/*
 * This is the first page that the process maps. It stays mapped as long as the process lives. So
 * all threads may execute RDPMC, even threads that read no_page because their page is unmapped.
 */
static _Atomic(void *) first_page;

/* The threads' pages are the values of this key. */
static pthread_key_t thread_page;
static pthread_once_t thread_page_once = PTHREAD_ONCE_INIT;
static int thread_page_error;

/* This is true when the destructors of the thread have run once already. */
static __thread bool is_exiting;

/*
 * Unmap the page of a thread that exits. Destructors of the first round, and earlier
 * signal handlers, can read the page. Later destructors and handlers do not find a count.
 */
static void unmap(void *page)
{
	void (*exits)(void) = vpmcint_region_hooks.exits;

	if (!is_exiting) {
		is_exiting = true;
		pthread_setspecific(thread_page, page);
		return;
	}
	if (exits)
		exits();
	vpmc_self = NO_PAGE;
	if (page != NO_PAGE && page != atomic_load(&first_page))
		munmap(page, sizeof(struct vpmc_own_page));
}

static struct vpmc_own_page *pointer_to(uint64_t address)
{
	uintptr_t value = (uintptr_t)address;
	struct vpmc_own_page *page;

	memcpy(&page, &value, sizeof(value));
	return page;
}

/*
 * Map a page that is never read, so that the process may execute RDPMC. Returns NULL if
 * this fails. Async-signal-safe.
 */
static void *map_permitting_page(void)
{
	struct vpmc_map map = { .size = sizeof(map) };
	int saved = errno, fd = open(VPMC_DEVICE, O_RDWR | O_CLOEXEC);
	void *page = NULL;

	if (fd >= 0) {
		if (!ioctl(fd, VPMC_MAP, &map))
			page = pointer_to(map.address);
		close(fd);
	}
	errno = saved;
	return page;
}

/*
 * Prepare the child of a fork. The child has only the thread that forked and the page of this
 * thread. If this thread has no page, but another thread of the parent had one, map a page for the
 * child. Then reads in the child find no count, and do not fault.
 */
static void child_of_fork(void)
{
	void *page = pthread_getspecific(thread_page);

	if (page && page != NO_PAGE)
		atomic_store(&first_page, page);
	else if (atomic_load(&first_page))
		atomic_store(&first_page, map_permitting_page());
}

static void create_key(void)
{
	thread_page_error = pthread_key_create(&thread_page, unmap);
	if (!thread_page_error)
		thread_page_error = pthread_atfork(NULL, NULL, child_of_fork);
}

/* Before a page exists, make sure that unmap() will be called and that remember() cannot fail. */
static int prepare_thread(void)
{
	pthread_once(&thread_page_once, create_key);
	if (thread_page_error)
		return thread_page_error;
	if (pthread_getspecific(thread_page))
		return 0;
	return pthread_setspecific(thread_page, NO_PAGE);
}

static void remember(void *page)
{
	void *none = NULL;

	pthread_setspecific(thread_page, page);
	atomic_compare_exchange_strong(&first_page, &none, page);
}

static int fail_map(const struct vpmc *vpmc, struct vpmc_error *err)
{
	if (errno == EOPNOTSUPP)
		return vpmcint_fail(err, VPMC_E_UNSUPPORTED,
				    "programs cannot read the counters of"
				    " this processor (it has no RDPMC"
				    " instruction, or an erratum in it, or"
				    " perf forbids it), so read with"
				    " vpmc_read() or vpmc_get()");
	if (errno == ENOMEM)
		return vpmcint_fail(err, VPMC_E_MEMORY,
				    "cannot map the counters: out of memory,"
				    " or threads of this user have exited and"
				    " left more pages mapped than"
				    " RLIMIT_MEMLOCK permits (see ulimit -l)");
	return vpmcint_fail_call(vpmc, "map the counters", err);
}

int vpmcint_map(struct vpmc *vpmc, struct vpmc_error *err)
{
	struct vpmc_map map = { .size = sizeof(map) };
	struct vpmc_own_page *page;
	int ret;

	if (vpmc->target != TARGET_CALLER)
		return vpmcint_fail(err, VPMC_E_BOUND,
				    "cannot map the counters: the handle is"
				    " attached, so open another one");
	errno = prepare_thread();
	if (errno || ioctl(vpmc->fd, VPMC_MAP, &map))
		return fail_map(vpmc, err);

	page = pointer_to(map.address);
	remember(page);
	/* A thread that never counted does not have wrong counts. */
	ret = map.generation
		      ? vpmcint_check_counts(vpmc, VPMC_THREAD, map.generation,
					     map.start, err)
		      : 0;
	vpmc_self = ret ? NO_PAGE : page;
	if (!ret)
		vpmc->mapped = map.generation;
	return ret;
}

int vpmc_map(struct vpmc *vpmc, struct vpmc_error *err)
{
	int ret = vpmcint_map(vpmc, err);

	if (!ret && vpmcint_region_hooks.changed)
		vpmcint_region_hooks.changed();
	return ret;
}
