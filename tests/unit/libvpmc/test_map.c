// SPDX-License-Identifier: GPL-2.0-only
/*
 * This file tests vpmc_reset() and vpmc_map(): the thread that owns a page, and the lifetime of
 * the page.
 */
#include "unit.h"

#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check_error.h"
#include "fake_driver.h"
#include "fake_rdpmc.h"

static const struct vpmc_event_sel two_events[] = {
	{ 0x16, VPMC_ANY_COUNTER, VPMC_USER },
	{ 0x12, VPMC_ANY_COUNTER, VPMC_USER },
};

static const struct refusal errors[] = {
	{ EOPNOTSUPP, VPMC_E_UNSUPPORTED,
	  "RDPMC ... vpmc_read() ... vpmc_get()" },
	{ EXDEV, VPMC_E_BOUND, "open another" },
	{ ENOMEM, VPMC_E_MEMORY,
	  "out of memory ... RLIMIT_MEMLOCK ... ulimit -l" },
	{ ENOTTY, VPMC_E_ABI, "one version" },
	{ EIO, VPMC_E_UNSUPPORTED, "do not work ... dmesg" },
	{ ENXIO, VPMC_E_SYSTEM, "map the counters ... No such device" },
};

static void every_refusal_is_explained(void **state)
{
	const struct vpmc_own_page *before = vpmc_self;
	struct vpmc *vpmc = fake_open();
	struct vpmc_error err;
	size_t i;

	fake_page(2);
	for (i = 0; i < ARRAY_SIZE(errors); i++) {
		fake->map_errno = errors[i].number;
		check_error(vpmc_map(vpmc, &err), &err, errors[i].code,
			    errors[i].words);
	}
	assert_int_equal(fake->maps, ARRAY_SIZE(errors));
	assert_int_equal(vpmc_attach(vpmc, 1, 0, NULL), 0);
	check_error(vpmc_map(vpmc, &err), &err, VPMC_E_BOUND,
		    "attached ... open another");
	assert_int_equal(fake->maps, ARRAY_SIZE(errors));
	assert_ptr_equal(vpmc_self, before);
	vpmc_close(vpmc);
}

static void a_thread_can_map_before_it_starts(void **state)
{
	struct vpmc_own_page *page = fake_page(0);
	struct vpmc *vpmc = fake_open();

	assert_int_equal(vpmc_start(vpmc, two_events, 2, 0, NULL), 0);
	fake->map.generation = 0;
	assert_int_equal(vpmc_map(vpmc, NULL), 0);
	assert_ptr_equal(vpmc_self, page);
	assert_int_equal(fake->maps, 1);
	vpmc_close(vpmc);
}

/* The page would show counts of other events as counts of the started events. */
static void counts_of_another_generation_are_not_shown(void **state)
{
	struct vpmc_own_page *page = fake_page(2);
	struct vpmc *vpmc = fake_open();
	struct vpmc_error err;

	fake_rdpmc_begin();
	assert_int_equal(vpmc_start(vpmc, two_events, 2, 0, NULL), 0);
	assert_int_equal(vpmc_map(vpmc, NULL), 0);
	fake->map.generation = 8;
	check_error(vpmc_map(vpmc, &err), &err, VPMC_E_GENERATION,
		    "generation 7 ... generation 8");
	assert_ptr_not_equal(vpmc_self, page);
	assert_true(vpmc_count(0) < 0);

	vpmc_expect(vpmc, 8);
	assert_int_equal(vpmc_map(vpmc, NULL), 0);
	assert_ptr_equal(vpmc_self, page);
	vpmc_close(vpmc);
}

static int is_mapped(void *page)
{
	unsigned char resident;

	return !mincore(page, 1, &resident);
}

/* A thread stores its page, and the count that it has read without a page, in these variables. */
struct thread {
	struct vpmc *vpmc;
	struct vpmc_own_page *page;
	pthread_key_t key;
	int64_t last;
};

/* This destructor runs after the library's destructor, or again until the page is unmapped. */
static void read_last(void *argument)
{
	struct thread *thread = argument;

	if (is_mapped(thread->page) && vpmc_self == thread->page)
		pthread_setspecific(thread->key, thread);
	else
		thread->last = vpmc_count(0);
}

static void *map_and_exit(void *argument)
{
	struct thread *thread = argument;

	assert_true(vpmc_count(0) < 0);
	thread->page = fake_page(1);
	assert_int_equal(vpmc_map(thread->vpmc, NULL), 0);
	assert_ptr_equal(vpmc_self, thread->page);
	assert_true(vpmc_count(0) == 0);
	pthread_setspecific(thread->key, thread);
	return NULL;
}

static void run_thread(struct thread *thread)
{
	pthread_t id;

	thread->vpmc = fake_open();
	assert_int_equal(pthread_key_create(&thread->key, read_last), 0);
	assert_int_equal(pthread_create(&id, NULL, map_and_exit, thread), 0);
	assert_int_equal(pthread_join(id, NULL), 0);
	pthread_key_delete(thread->key);
	vpmc_close(thread->vpmc);
}

/* Run the test in its own process, because it changes the state of a process. */
static void in_a_child(void (*test)(void))
{
	pid_t pid = fork();

	assert_true(pid >= 0);
	if (!pid) {
		test();
		_exit(0);
	}
	check_status(pid, 0);
}

static void must(int ok)
{
	if (!ok)
		_exit(1);
}

static void exit_of_threads(void)
{
	struct thread first = { .last = 0 }, second = { .last = 0 };

	fake_rdpmc_begin();
	run_thread(&first);
	run_thread(&second);
	must(first.last < 0 && is_mapped(first.page));
	must(second.last < 0 && !is_mapped(second.page));
}

static void a_threads_page_goes_when_it_exits(void **state)
{
	in_a_child(exit_of_threads);
}

/*
 * This is the thread that forks. It is the main thread of the new process, but was not the main
 * thread of the old process.
 */
static pthread_t creator;

static void *outlive(void *argument)
{
	void *page = argument;

	must(!pthread_join(creator, NULL));
	/* RDPMC would fault here if the page were not mapped any more. */
	must(is_mapped(page));
	_exit(0);
}

static void *fork_and_exit(void *argument)
{
	struct vpmc_own_page *page = fake_page(1);
	struct vpmc *vpmc = argument;
	pthread_t id;
	int status;
	pid_t pid;

	must(!vpmc_map(vpmc, NULL));
	pid = fork();
	if (!pid) {
		creator = pthread_self();
		must(vpmc_self == page);
		must(!pthread_create(&id, NULL, outlive, page));
		pthread_exit(NULL);
	}
	must(waitpid(pid, &status, 0) == pid && !status);
	return NULL;
}

static void fork_by_a_thread(void)
{
	struct vpmc *vpmc = fake_open();
	pthread_t id;

	fake_page(1);
	must(!vpmc_map(vpmc, NULL));
	must(!pthread_create(&id, NULL, fork_and_exit, vpmc));
	must(!pthread_join(id, NULL));
}

static void the_first_page_of_a_forked_process_is_its_creators(void **state)
{
	in_a_child(fork_by_a_thread);
}

static sem_t mapped;

static void *map_and_wait(void *argument)
{
	must(!vpmc_map(argument, NULL));
	must(!sem_post(&mapped));
	pause();
	return NULL;
}

static void fork_beside_a_thread(void)
{
	unsigned int maps;
	pthread_t id;
	int status;
	pid_t pid;

	fake_page(1);
	must(!sem_init(&mapped, 0, 0));
	must(!pthread_create(&id, NULL, map_and_wait, fake_open()));
	must(!sem_wait(&mapped));
	maps = fake->maps;
	pid = fork();
	if (!pid)
		_exit(fake->maps != maps + 1);
	must(waitpid(pid, &status, 0) == pid && !status);
}

/*
 * The forking thread has no page. It may share code that executes RDPMC with threads that have a
 * page.
 */
static void a_forked_process_maps_if_only_others_had(void **state)
{
	in_a_child(fork_beside_a_thread);
}

static void a_reset_is_the_same_start_by_force(void **state)
{
	struct vpmc *vpmc = fake_open();
	struct vpmc_start before;

	assert_int_equal(vpmc_start(vpmc, two_events, 2,
				    VPMC_FOLD | VPMC_MULTIPLEX | VPMC_RECORDS,
				    NULL),
			 0);
	before = fake->started;
	fake->start.generation = 8;
	memset(&fake->started, 0, sizeof(fake->started));
	assert_int_equal(vpmc_reset(vpmc, NULL), 0);
	assert_int_equal(fake->started.flags, VPMC_START_FOLD |
						      VPMC_START_MULTIPLEX |
						      VPMC_START_FORCE);
	before.flags = fake->started.flags;
	assert_memory_equal(&fake->started, &before, sizeof(before));
	assert_int_equal(vpmc_generation(vpmc), 8);

	assert_int_equal(vpmc_start(vpmc, two_events, 1, VPMC_RESUME, NULL), 0);
	assert_int_equal(vpmc_reset(vpmc, NULL), 0);
	assert_int_equal(fake->started.flags, VPMC_START_FORCE);
	assert_int_equal(fake->started.nr_events, 1);
	vpmc_close(vpmc);
}

static void a_reset_without_a_start_is_refused(void **state)
{
	struct vpmc *vpmc = fake_open();
	struct vpmc_error err;

	check_error(vpmc_reset(vpmc, &err), &err, VPMC_E_NOT_STARTED,
		    "cannot reset ... start on it");
	assert_int_equal(fake->started.size, 0);

	assert_int_equal(vpmc_start(vpmc, two_events, 2, 0, NULL), 0);
	fake->start_errno = EBUSY;
	fake->info.system = 1;
	check_error(vpmc_reset(vpmc, &err), &err, VPMC_E_BUSY, "system mode");
	assert_int_equal(vpmc_generation(vpmc), 7);
	vpmc_close(vpmc);
}

#define MAP_TEST(f) cmocka_unit_test_setup(f, fake_setup)

static const struct CMUnitTest tests[] = {
	MAP_TEST(every_refusal_is_explained),
	/* This test must come first, because it needs a process that has never mapped a page. */
	MAP_TEST(a_threads_page_goes_when_it_exits),
	MAP_TEST(the_first_page_of_a_forked_process_is_its_creators),
	MAP_TEST(a_forked_process_maps_if_only_others_had),
	MAP_TEST(a_thread_can_map_before_it_starts),
	MAP_TEST(counts_of_another_generation_are_not_shown),
	MAP_TEST(a_reset_is_the_same_start_by_force),
	MAP_TEST(a_reset_without_a_start_is_refused),
};

UNIT_MAIN(tests)
