// SPDX-License-Identifier: GPL-2.0-only
/*
 * Regions: what the library makes of counts at begins and ends, and what of
 * those that are missing.
 */
#include "unit.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vpmc_region.h>

#include "check_error.h"
#include "fake_driver.h"
#include "fake_rdpmc.h"

static const struct vpmc_event_sel two_events[] = {
	{ 0x16, VPMC_ANY_COUNTER, VPMC_USER },
	{ 0x12, VPMC_ANY_COUNTER, VPMC_USER },
};

static struct vpmc_own_page *page;
static struct vpmc *vpmc;

/* Start to count so many events, of a generation that there has not been. */
static void start(unsigned int nr)
{
	static uint64_t generation = 100;
	void (*then)(void) = fake_rdpmc.then;

	fake_rdpmc_begin();
	fake_rdpmc.then = then;
	generation++;
	fake->start.generation = generation;
	fake->stop.generation = generation;
	fake->read.generation = generation;
	fake->read.state = VPMC_STATE_RUNNING;
	fake->read.nr_counts = nr;
	fake->read.count[0] = 0;
	fake->read.count[1] = 0;
	page = fake_page(nr);
	page->generation = generation;
	page->start = fake->read.start;
	/* Without regions nothing else maps it. */
	assert_int_equal(vpmc_start(vpmc, two_events, nr, VPMC_FORCE, NULL), 0);
}

static int setup(void **state)
{
	if (fake_setup(state))
		return -1;
	vpmc = fake_open();
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	/* Nothing is to execute RDPMC outside of the tests, as at exit. */
	fake->map_errno = EOPNOTSUPP;
	start(1);
	vpmc_close(vpmc);
	return 0;
}

/* The counters go on. */
static void work(unsigned int events)
{
	fake_rdpmc.counter[0] += events;
	fake_rdpmc.counter[1] += 10ULL * events;
	fake->read.count[0] = fake_rdpmc.counter[0];
	fake->read.count[1] = fake_rdpmc.counter[1];
}

static struct vpmc_regions *read_all(unsigned int flags)
{
	struct vpmc_regions *regions;

	assert_int_equal(vpmc_regions_read(&regions, VPMC_THREAD, flags, NULL),
			 0);
	return regions;
}

static void check_region(const struct vpmc_regions *regions, size_t i,
			 const char *name, uint64_t calls, uint64_t inclusive,
			 uint64_t exclusive)
{
	const struct vpmc_region_counts *region = &regions->region[i];
	unsigned int event;

	assert_true(i < regions->nr);
	assert_string_equal(region->name, name);
	assert_int_equal(region->flags, 0);
	assert_int_equal(region->calls, calls);
	for (event = 0; event < regions->events; event++) {
		assert_int_equal(region->inclusive[event], inclusive);
		assert_int_equal(region->exclusive[event], exclusive);
		inclusive *= 10;
		exclusive *= 10;
	}
}

static void check_flags(const char *name, unsigned int flags)
{
	struct vpmc_regions *regions = read_all(0);
	size_t i = 0;

	while (strcmp(regions->region[i].name, name) != 0)
		assert_true(++i < regions->nr);
	assert_int_equal(regions->region[i].flags, flags);
	vpmc_regions_free(regions);
}

#define NOT_COUNTED (VPMC_REGION_NO_INCLUSIVE | VPMC_REGION_NO_EXCLUSIVE)

static void nested(void)
{
	struct vpmc_regions *regions;

	vpmc_region_begin("outer");
	work(1);
	vpmc_region_begin("inner");
	work(20);
	vpmc_region_end("inner");
	work(300);
	vpmc_region_begin("inner");
	work(4000);
	vpmc_region_end("inner");
	vpmc_region_end("outer");
	regions = read_all(0);
	assert_int_equal(regions->nr, 2);
	check_region(regions, 0, "outer", 1, 4321, 301);
	check_region(regions, 1, "inner", 2, 4020, 4020);
	vpmc_regions_free(regions);
}

static void regions_nest(void **state)
{
	(void)state;
	start(1);
	nested();
	start(2);
	nested();
}

/* The processor has no RDPMC: each read is a system call. */
static void regions_do_without_rdpmc(void **state)
{
	(void)state;
	fake->map_errno = EOPNOTSUPP;
	start(1);
	nested();
	start(2);
	nested();
	assert_int_equal(fake_rdpmc.reads, 0);
}

static void counts_of_a_recursive_region_are_not_counted_twice(void **state)
{
	struct vpmc_regions *regions;

	(void)state;
	start(1);
	vpmc_region_begin("f");
	work(1);
	vpmc_region_begin("g");
	work(20);
	vpmc_region_begin("f");
	work(300);
	vpmc_region_end("f");
	vpmc_region_end("g");
	vpmc_region_end("f");
	regions = read_all(0);
	assert_int_equal(regions->nr, 2);
	check_region(regions, 0, "f", 2, 321, 301);
	check_region(regions, 1, "g", 1, 320, 20);
	vpmc_regions_free(regions);
}

static void one_text_is_one_region(void **state)
{
	static const char first[] = "same", second[] = "same";
	struct vpmc_regions *regions;

	(void)state;
	start(1);
	vpmc_region_begin(first);
	work(1);
	vpmc_region_end(second);
	vpmc_region_begin(second);
	work(20);
	vpmc_region_end(first);
	regions = read_all(0);
	assert_int_equal(regions->nr, 1);
	assert_int_equal(regions->mismatches, 0);
	check_region(regions, 0, "same", 2, 21, 21);
	vpmc_regions_free(regions);
}

static void one_text_within_itself_is_not_counted_twice(void **state)
{
	static const char first[] = "same", second[] = "same";
	struct vpmc_regions *regions;

	(void)state;
	start(1);
	vpmc_region_begin(first);
	work(1);
	vpmc_region_begin(second);
	work(20);
	vpmc_region_end(second);
	vpmc_region_end(first);
	regions = read_all(0);
	assert_int_equal(regions->nr, 1);
	check_region(regions, 0, "same", 2, 21, 21);
	vpmc_regions_free(regions);
}

/* What each read costs. */
static void cost(void)
{
	work(7);
}

static void the_cost_of_regions_is_subtracted_on_request(void **state)
{
	struct vpmc_regions *regions;

	(void)state;
	fake_rdpmc.then = cost;
	start(1);
	vpmc_region_begin("outer");
	vpmc_region_begin("empty");
	vpmc_region_end("empty");
	work(1000);
	vpmc_region_end("outer");
	fake_rdpmc.then = NULL;
	regions = read_all(0);
	check_region(regions, 0, "outer", 1, 1000 + 3 * 7, 1000 + 2 * 7);
	check_region(regions, 1, "empty", 1, 7, 7);
	vpmc_regions_free(regions);
	regions = read_all(VPMC_REGIONS_NET);
	check_region(regions, 0, "outer", 1, 1000, 1000);
	check_region(regions, 1, "empty", 1, 0, 0);
	vpmc_regions_free(regions);
}

static void an_open_region_has_its_counts_so_far(void **state)
{
	struct vpmc_regions *regions;

	(void)state;
	start(1);
	vpmc_region_begin("open");
	work(42);
	regions = read_all(0);
	assert_int_equal(regions->nr, 1);
	assert_int_equal(regions->region[0].flags, VPMC_REGION_OPEN);
	assert_int_equal(regions->region[0].inclusive[0], 42);
	vpmc_regions_free(regions);
	work(1);
	vpmc_region_end("open");
	regions = read_all(0);
	check_region(regions, 0, "open", 1, 43, 43);
	vpmc_regions_free(regions);
}

static void a_count_that_is_missing_at_an_end_is_told(void **state)
{
	(void)state;
	start(1);
	vpmc_region_begin("outer");
	vpmc_region_begin("inner");
	page->count[0].high[1] = VPMC_PAGE_INVALID;
	vpmc_region_end("inner");
	page->count[0].high[1] = 0;
	vpmc_region_end("outer");
	check_flags("inner", NOT_COUNTED);
	check_flags("outer", VPMC_REGION_NO_EXCLUSIVE);
}

static void a_count_that_is_missing_at_a_begin_is_told(void **state)
{
	(void)state;
	start(1);
	page->count[0].high[1] = VPMC_PAGE_INVALID;
	vpmc_region_begin("resumed");
	page->count[0].high[1] = 0;
	assert_int_equal(vpmc_start(vpmc, two_events, 1, VPMC_RESUME, NULL), 0);
	work(1);
	vpmc_region_end("resumed");
	vpmc_region_begin("later");
	vpmc_region_end("later");
	check_flags("resumed", NOT_COUNTED);
	check_flags("later", 0);
}

/* It is looked at while the thread does not count. */
static void an_open_region_without_a_count_is_told(void **state)
{
	(void)state;
	start(1);
	vpmc_region_begin("open");
	page->count[0].high[1] = VPMC_PAGE_INVALID;
	check_flags("open", NOT_COUNTED | VPMC_REGION_OPEN);
	vpmc_region_end("open");

	start(1);
	vpmc_region_begin("of another start");
	page->start++;
	check_flags("of another start", NOT_COUNTED | VPMC_REGION_OPEN);
	vpmc_region_end("of another start");
}

static void counts_that_were_taken_away_are_not_told(void **state)
{
	(void)state;
	start(1);
	vpmc_region_begin("before");
	vpmc_region_end("before");
	fake->read.generation++;
	fake_take_away(page);
	check_flags("before", NOT_COUNTED);
}

static void a_start_begins_anew(void **state)
{
	struct vpmc_regions *regions;
	unsigned int restarts;

	(void)state;
	start(1);
	vpmc_region_begin("old");
	regions = read_all(0);
	restarts = regions->restarts;
	vpmc_regions_free(regions);
	start(1);
	vpmc_region_begin("new");
	work(5);
	vpmc_region_end("new");
	vpmc_region_end("old");
	regions = read_all(0);
	assert_int_equal(regions->nr, 1);
	check_region(regions, 0, "new", 1, 5, 5);
	assert_int_equal(regions->restarts, restarts + 1);
	vpmc_regions_free(regions);
}

/* Other threads count in the same generation, so that it stays. */
static void restart(const struct vpmc_event_sel *sel)
{
	fake->start.start++;
	fake->read.start++;
	page->start++;
	fake_rdpmc.counter[0] = 0;
	fake->read.count[0] = 0;
	assert_int_equal(vpmc_start(vpmc, sel, 1, VPMC_FORCE, NULL), 0);
}

static void begin_anew_in_the_same_generation(void)
{
	struct vpmc_regions *regions;

	start(1);
	work(1000000);
	vpmc_region_begin("open");
	vpmc_region_begin("old");
	work(100);
	vpmc_region_end("old");
	restart(two_events + 1);
	vpmc_region_begin("old");
	work(5);
	vpmc_region_end("old");
	vpmc_region_end("open");
	regions = read_all(0);
	assert_int_equal(regions->nr, 1);
	check_region(regions, 0, "old", 1, 5, 5);
	vpmc_regions_free(regions);
}

static void a_start_in_the_same_generation_begins_anew(void **state)
{
	(void)state;
	begin_anew_in_the_same_generation();
	fake->map_errno = EOPNOTSUPP;
	begin_anew_in_the_same_generation();
}

/* And which nobody has told the regions of. */
static void counts_of_another_start_are_not_told(void **state)
{
	(void)state;
	start(1);
	vpmc_region_begin("before");
	vpmc_region_end("before");
	fake->read.start++;
	check_flags("before", NOT_COUNTED);

	fake->map_errno = EOPNOTSUPP;
	start(1);
	vpmc_region_begin("begun before");
	fake->read.start++;
	vpmc_region_end("begun before");
	check_flags("begun before", NOT_COUNTED);
}

/* In a thread that has started by itself, in the process's generation. */
static void *count_by_itself(void *sel)
{
	restart(sel);
	vpmc_region_begin("thread");
	work(3);
	vpmc_region_end("thread");
	return NULL;
}

static unsigned int threads_with(const struct vpmc_event_sel *sel)
{
	struct vpmc_event_sel copy = *sel;
	struct vpmc_regions *regions;
	unsigned int others;
	pthread_t id;

	assert_int_equal(pthread_create(&id, NULL, count_by_itself, &copy), 0);
	assert_int_equal(pthread_join(id, NULL), 0);
	assert_int_equal(vpmc_regions_read(&regions, VPMC_SELF, 0, NULL), 0);
	others = regions->other_events;
	vpmc_regions_free(regions);
	return others;
}

/* Alone in its process, which collects what the exited threads counted. */
static _Noreturn void add_threads(void)
{
	static const struct vpmc_event_sel both_modes = {
		0x16, VPMC_ANY_COUNTER, VPMC_USER | VPMC_KERNEL
	};
	static const struct vpmc_event_sel second_counter = { 0x16, 1,
							      VPMC_USER };

	start(1);
	if (threads_with(two_events) != 0)
		_exit(1);
	if (threads_with(two_events) != 0)
		_exit(1);
	if (threads_with(two_events + 1) != 1)
		_exit(1);
	if (threads_with(&both_modes) != 2)
		_exit(1);
	_exit(threads_with(&second_counter) != 3);
}

/* Returns the status with which a process ends that does this. */
static int status_of(void (*does)(void))
{
	int status;
	pid_t pid;

	fflush(NULL);
	pid = fork();
	if (!pid)
		does();
	assert_int_equal(waitpid(pid, &status, 0), pid);
	return status;
}

static void threads_of_other_events_are_not_added(void **state)
{
	(void)state;
	fake->map_errno = EOPNOTSUPP;
	assert_int_equal(status_of(add_threads), 0);
}

/* What all regions of the process come to is that of one thread without any. */
static void exit_without_regions(void)
{
	struct vpmc_regions *regions;

	if (vpmc_regions_read(&regions, VPMC_SELF, 0, NULL))
		_exit(1);
	if (regions->threads != 1 || regions->running || regions->nr)
		_exit(2);
	_exit(regions->mismatches || regions->restarts || regions->lost);
}

/* It has mismatches, a thread that has exited, and a restart. */
static void fork_with_regions(void)
{
	start(1);
	vpmc_region_begin("region");
	vpmc_region_end("none");
	vpmc_region_end("region");
	if (threads_with(two_events) != 0)
		_exit(1);
	start(1);
	_exit(WEXITSTATUS(status_of(exit_without_regions)));
}

static void a_child_begins_without_regions(void **state)
{
	(void)state;
	fake->map_errno = EOPNOTSUPP;
	assert_int_equal(status_of(fork_with_regions), 0);
}

static void ends_that_do_not_match_are_noticed(void **state)
{
	struct vpmc_regions *regions;
	unsigned int before;

	(void)state;
	start(1);
	vpmc_region_begin("a");
	regions = read_all(0);
	before = regions->mismatches;
	vpmc_regions_free(regions);
	vpmc_region_begin("forgotten");
	work(1);
	vpmc_region_end("never begun");
	work(20);
	vpmc_region_end("a");
	vpmc_region_end("a");
	regions = read_all(0);
	check_region(regions, 0, "a", 1, 21, 0);
	check_region(regions, 1, "forgotten", 1, 21, 21);
	assert_int_equal(regions->mismatches - before, 3);
	vpmc_regions_free(regions);
}

static void refusals_are_explained(void **state)
{
	static const char *const scope[WORDS] = { "VPMC_THREAD", "VPMC_SELF" };
	struct vpmc_regions *regions;
	struct vpmc_error err;

	(void)state;
	start(1);
	check_error(vpmc_regions_read(&regions, VPMC_ALL, 0, &err), &err,
		    VPMC_E_ARGUMENT, scope);
	check_error(vpmc_regions_read(&regions, VPMC_SELF, 2, &err), &err,
		    VPMC_E_ARGUMENT, scope);
}

static _Noreturn void be_process(const char *path)
{
	setenv("VPMC_REGIONS_FILE", path, 1);
	start(1);
	vpmc_region_begin("outer");
	work(1);
	vpmc_region_begin("in\nner");
	work(20);
	vpmc_region_end("in\nner");
	vpmc_region_end("outer");
	exit(0);
}

/* Must come first: the variable is read once in a process. */
static void a_process_leaves_its_regions_at_exit(void **state)
{
	char path[] = "/tmp/test-region-XXXXXX";
	int fd = mkstemp(path), status;
	char text[1000], want[1000];
	ssize_t got;
	pid_t pid;

	(void)state;
	assert_true(fd >= 0);
	fflush(NULL);
	pid = fork();
	if (!pid)
		be_process(path);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	got = read(fd, text, sizeof(text) - 1);
	close(fd);
	unlink(path);
	assert_true(got > 0);
	text[got] = '\0';
	snprintf(want, sizeof(want),
		 "process %d 1 0 0 0 0 0 test_region\n"
		 "event 22 0 1\n"
		 "region - 1 21 1 21 1 outer\n"
		 "region - 1 20 20 20 20 in?ner\n",
		 (int)pid);
	assert_string_equal(text, want);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

static const struct CMUnitTest tests[] = {
	TEST(a_process_leaves_its_regions_at_exit),
	TEST(regions_nest),
	TEST(regions_do_without_rdpmc),
	TEST(counts_of_a_recursive_region_are_not_counted_twice),
	TEST(one_text_is_one_region),
	TEST(one_text_within_itself_is_not_counted_twice),
	TEST(the_cost_of_regions_is_subtracted_on_request),
	TEST(an_open_region_has_its_counts_so_far),
	TEST(a_count_that_is_missing_at_an_end_is_told),
	TEST(a_count_that_is_missing_at_a_begin_is_told),
	TEST(an_open_region_without_a_count_is_told),
	TEST(counts_that_were_taken_away_are_not_told),
	TEST(a_start_begins_anew),
	TEST(a_start_in_the_same_generation_begins_anew),
	TEST(counts_of_another_start_are_not_told),
	TEST(threads_of_other_events_are_not_added),
	TEST(a_child_begins_without_regions),
	TEST(ends_that_do_not_match_are_noticed),
	TEST(refusals_are_explained),
};

UNIT_MAIN(tests)
