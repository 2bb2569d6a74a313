// SPDX-License-Identifier: GPL-2.0-only
/*
 * This file tests regions: how the library computes their counts at begins and ends, and how it
 * handles missing counts.
 */
#include "unit.h"

#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vpmc_region.h>

#include "check_error.h"
#include "fake_driver.h"
#include "fake_rdpmc.h"
#include "fake_regions.h"
#include "single_step.h"

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
	regions_work(1);
	vpmc_region_begin("inner");
	regions_work(20);
	vpmc_region_end("inner");
	regions_work(300);
	vpmc_region_begin("inner");
	regions_work(4000);
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
	regions_start(1);
	nested();
	regions_start(2);
	nested();
}

/* The processor has no RDPMC, so each read is a system call. */
static void regions_do_without_rdpmc(void **state)
{
	fake->map_errno = EOPNOTSUPP;
	regions_start(1);
	nested();
	regions_start(2);
	nested();
	assert_int_equal(fake_rdpmc.reads, 0);
}

static void counts_of_a_recursive_region_are_not_counted_twice(void **state)
{
	struct vpmc_regions *regions;

	regions_start(1);
	vpmc_region_begin("f");
	regions_work(1);
	vpmc_region_begin("g");
	regions_work(20);
	vpmc_region_begin("f");
	regions_work(300);
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

	regions_start(1);
	vpmc_region_begin(first);
	regions_work(1);
	vpmc_region_end(second);
	vpmc_region_begin(second);
	regions_work(20);
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

	regions_start(1);
	vpmc_region_begin(first);
	regions_work(1);
	vpmc_region_begin(second);
	regions_work(20);
	vpmc_region_end(second);
	vpmc_region_end(first);
	regions = read_all(0);
	assert_int_equal(regions->nr, 1);
	check_region(regions, 0, "same", 2, 21, 21);
	vpmc_regions_free(regions);
}

/* Set the cost of each read. */
static void cost(void)
{
	regions_work(7);
}

static void the_cost_of_regions_is_subtracted_on_request(void **state)
{
	struct vpmc_regions *regions;

	fake_rdpmc.then = cost;
	regions_start(1);
	vpmc_region_begin("outer");
	vpmc_region_begin("empty");
	vpmc_region_end("empty");
	regions_work(1000);
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

	regions_start(1);
	vpmc_region_begin("open");
	regions_work(42);
	regions = read_all(0);
	assert_int_equal(regions->nr, 1);
	assert_int_equal(regions->region[0].flags, VPMC_REGION_OPEN);
	assert_int_equal(regions->region[0].inclusive[0], 42);
	vpmc_regions_free(regions);
	regions_work(1);
	vpmc_region_end("open");
	regions = read_all(0);
	check_region(regions, 0, "open", 1, 43, 43);
	vpmc_regions_free(regions);
}

static void a_count_that_is_missing_at_an_end_is_told(void **state)
{
	regions_start(1);
	vpmc_region_begin("outer");
	vpmc_region_begin("inner");
	regions_page->count[0].high[1] = VPMC_PAGE_INVALID;
	vpmc_region_end("inner");
	regions_page->count[0].high[1] = 0;
	vpmc_region_end("outer");
	check_flags("inner", NOT_COUNTED);
	check_flags("outer", VPMC_REGION_NO_EXCLUSIVE);
}

static void a_count_that_is_missing_at_a_begin_is_told(void **state)
{
	regions_start(1);
	regions_page->count[0].high[1] = VPMC_PAGE_INVALID;
	vpmc_region_begin("resumed");
	regions_page->count[0].high[1] = 0;
	assert_int_equal(vpmc_start(regions_vpmc, regions_events, 1,
				    VPMC_RESUME, NULL),
			 0);
	regions_work(1);
	vpmc_region_end("resumed");
	vpmc_region_begin("later");
	vpmc_region_end("later");
	check_flags("resumed", NOT_COUNTED);
	check_flags("later", 0);
}

/* The thread counts at the begin and at the end, but not all the time between them. */
static void a_region_with_a_pause_has_no_counts(void **state)
{
	regions_start(1);
	vpmc_region_begin("paused");
	vpmc_region_begin("before");
	vpmc_region_end("before");
	assert_int_equal(vpmc_stop(regions_vpmc, NULL), 0);
	assert_int_equal(vpmc_start(regions_vpmc, regions_events, 1,
				    VPMC_RESUME, NULL),
			 0);
	vpmc_region_begin("after");
	vpmc_region_end("after");
	vpmc_region_end("paused");
	check_flags("paused", NOT_COUNTED);
	check_flags("before", 0);
	check_flags("after", 0);
}

/* The regions are read while the thread does not count. */
static void an_open_region_without_a_count_is_told(void **state)
{
	regions_start(1);
	vpmc_region_begin("open");
	regions_page->count[0].high[1] = VPMC_PAGE_INVALID;
	check_flags("open", NOT_COUNTED | VPMC_REGION_OPEN);
	vpmc_region_end("open");

	regions_start(1);
	vpmc_region_begin("of another start");
	regions_page->start++;
	check_flags("of another start", NOT_COUNTED | VPMC_REGION_OPEN);
	vpmc_region_end("of another start");
}

static void counts_that_were_taken_away_are_not_told(void **state)
{
	regions_start(1);
	vpmc_region_begin("before");
	vpmc_region_end("before");
	fake->read.generation++;
	fake_take_away(regions_page);
	check_flags("before", NOT_COUNTED);
}

static void a_start_begins_anew(void **state)
{
	struct vpmc_regions *regions;
	unsigned int restarts;

	regions_start(1);
	vpmc_region_begin("old");
	regions = read_all(0);
	restarts = regions->restarts;
	vpmc_regions_free(regions);
	regions_start(1);
	vpmc_region_begin("new");
	regions_work(5);
	vpmc_region_end("new");
	vpmc_region_end("old");
	regions = read_all(0);
	assert_int_equal(regions->nr, 1);
	check_region(regions, 0, "new", 1, 5, 5);
	assert_int_equal(regions->restarts, restarts + 1);
	vpmc_regions_free(regions);
}

static unsigned int gaps(void)
{
	struct vpmc_regions *regions = read_all(0);
	const unsigned int stopped = regions->stopped;

	vpmc_regions_free(regions);
	return stopped;
}

/* The driver reports the number of gaps, but not the regions in which they occurred. */
static void gaps_since_the_first_region_are_told(void **state)
{
	unsigned int before;

	fake->read.stopped = 2;
	regions_start(1);
	vpmc_region_begin("region");
	before = gaps();
	fake->read.stopped = 5;
	assert_int_equal(gaps(), before + 3);
	vpmc_region_end("region");
	assert_int_equal(gaps(), before + 3);
	/* The counts now belong to another start. */
	fake->read.start++;
	assert_int_equal(gaps(), before);
	fake->read.start--;
	fake->read_errno = EPERM;
	assert_int_equal(gaps(), before);
	fake->read_errno = 0;
}

/* Start again. Other threads keep counting, so the generation stays the same. */
static void restart(const struct vpmc_event_sel *sel)
{
	fake->start.start++;
	fake->read.start++;
	regions_page->start++;
	fake_rdpmc.counter[0] = 0;
	fake->read.count[0] = 0;
	assert_int_equal(vpmc_start(regions_vpmc, sel, 1, VPMC_FORCE, NULL), 0);
}

static void begin_anew_in_the_same_generation(void)
{
	struct vpmc_regions *regions;

	regions_start(1);
	regions_work(1000000);
	vpmc_region_begin("open");
	vpmc_region_begin("old");
	regions_work(100);
	vpmc_region_end("old");
	restart(regions_events + 1);
	vpmc_region_begin("old");
	regions_work(5);
	vpmc_region_end("old");
	vpmc_region_end("open");
	regions = read_all(0);
	assert_int_equal(regions->nr, 1);
	check_region(regions, 0, "old", 1, 5, 5);
	vpmc_regions_free(regions);
}

static void a_start_in_the_same_generation_begins_anew(void **state)
{
	begin_anew_in_the_same_generation();
	fake->map_errno = EOPNOTSUPP;
	begin_anew_in_the_same_generation();
}

/* The counted regions belong to the previous start. */
static void counts_of_another_start_are_not_told(void **state)
{
	regions_start(1);
	vpmc_region_begin("before");
	vpmc_region_end("before");
	fake->read.start++;
	check_flags("before", NOT_COUNTED);

	fake->map_errno = EOPNOTSUPP;
	regions_start(1);
	vpmc_region_begin("begun before");
	fake->read.start++;
	vpmc_region_end("begun before");
	check_flags("begun before", NOT_COUNTED);
}

/* Run in a thread that starts itself, in the generation of the process. */
static void *count_by_itself(void *sel)
{
	restart(sel);
	vpmc_region_begin("thread");
	regions_work(3);
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

/* One thread after another starts and exits. The process keeps the counts of exited threads. */
static _Noreturn void add_threads(void)
{
	static const struct vpmc_event_sel both_modes = {
		0x16, VPMC_ANY_COUNTER, VPMC_USER | VPMC_KERNEL
	};
	static const struct vpmc_event_sel second_counter = { 0x16, 1,
							      VPMC_USER };

	regions_start(1);
	if (threads_with(regions_events) != 0)
		_exit(1);
	if (threads_with(regions_events) != 0)
		_exit(1);
	if (threads_with(regions_events + 1) != 1)
		_exit(1);
	if (threads_with(&both_modes) != 2)
		_exit(1);
	_exit(threads_with(&second_counter) != 3);
}

/* Return the status of a process that calls @does. */
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
	fake->map_errno = EOPNOTSUPP;
	assert_int_equal(status_of(add_threads), 0);
}

/* Without regions, the sum of the process equals the count of its only thread. */
static void exit_without_regions(void)
{
	struct vpmc_regions *regions;

	if (vpmc_regions_read(&regions, VPMC_SELF, 0, NULL))
		_exit(1);
	if (regions->threads != 1 || regions->running || regions->nr)
		_exit(2);
	_exit(regions->mismatches || regions->restarts || regions->lost);
}

/* This name does not fit into the memory that the library keeps for regions. */
static char long_name[100000];

/* Begin a region while memory is short. Returns the number of lost regions. */
static unsigned int lose_region(void)
{
	struct vpmc_regions *regions;
	struct rlimit before, limit;
	unsigned int lost;

	memset(long_name, 'x', sizeof(long_name) - 1);
	assert_int_equal(getrlimit(RLIMIT_AS, &before), 0);
	limit = before;
	limit.rlim_cur = 4096;
	assert_int_equal(setrlimit(RLIMIT_AS, &limit), 0);
	vpmc_region_begin(long_name);
	assert_int_equal(setrlimit(RLIMIT_AS, &before), 0);
	vpmc_region_end(long_name);
	regions = read_all(0);
	lost = regions->lost;
	vpmc_regions_free(regions);
	return lost;
}

/* Fork a process that has mismatches, an exited thread, a lost region and a restart. */
static void fork_with_regions(void)
{
	regions_start(1);
	vpmc_region_begin("region");
	vpmc_region_end("none");
	vpmc_region_end("region");
	if (lose_region() != 1)
		_exit(1);
	if (threads_with(regions_events) != 0)
		_exit(1);
	regions_start(1);
	_exit(WEXITSTATUS(status_of(exit_without_regions)));
}

static void a_child_begins_without_regions(void **state)
{
	fake->map_errno = EOPNOTSUPP;
	assert_int_equal(status_of(fork_with_regions), 0);
}

/* Nothing was counted before, so this start does not count as a restart. */
static void start_after_regions(void)
{
	struct vpmc_regions *regions;

	regions_renew(1);
	fake->query_errno = ENODATA;
	vpmc_region_begin("uncounted");
	vpmc_region_end("uncounted");
	fake->query_errno = 0;
	regions_start(1);
	vpmc_region_begin("counted");
	regions_work(3);
	vpmc_region_end("counted");
	regions = read_all(0);
	if (regions->nr != 1 || regions->region[0].inclusive[0] != 3)
		_exit(1);
	_exit(regions->restarts ? 2 : 0);
}

static void a_first_start_is_no_restart(void **state)
{
	assert_int_equal(status_of(start_after_regions), 0);
}

static unsigned int mismatches(void)
{
	struct vpmc_regions *regions = read_all(0);
	const unsigned int nr = regions->mismatches;

	vpmc_regions_free(regions);
	return nr;
}

static void ends_that_do_not_match_are_noticed(void **state)
{
	struct vpmc_regions *regions;
	unsigned int before;

	regions_start(1);
	vpmc_region_begin("a");
	before = mismatches();
	vpmc_region_begin("forgotten");
	regions_work(1);
	vpmc_region_end("never begun");
	regions_work(20);
	vpmc_region_end("a");
	vpmc_region_end("a");
	assert_int_equal(mismatches() - before, 3);
	regions = read_all(0);
	check_region(regions, 0, "a", 1, 21, 0);
	check_region(regions, 1, "forgotten", 1, 21, 21);
	vpmc_regions_free(regions);
}

static void refusals_are_explained(void **state)
{
	const char *const scope = "VPMC_THREAD ... VPMC_SELF";
	struct vpmc_regions *regions;
	struct vpmc_error err;

	regions_start(1);
	check_error(vpmc_regions_read(&regions, VPMC_ALL, 0, &err), &err,
		    VPMC_E_ARGUMENT, scope);
	check_error(vpmc_regions_read(&regions, VPMC_SELF, 2, &err), &err,
		    VPMC_E_ARGUMENT, scope);
}

/*
 * An interrupt comes at one of the reads. If kernel mode is counted, the interrupt's events are
 * also counted.
 */
static unsigned int reads_until_noise;

static void cost_with_noise(void)
{
	regions_work(--reads_until_noise ? 7 : 9729);
}

static void an_interrupt_does_not_change_the_measured_cost(void **state)
{
	struct vpmc_regions *regions;
	unsigned int n;

	vpmc_regions_open(NULL);
	for (n = 1; n <= 40; n++) {
		reads_until_noise = n;
		fake_rdpmc.then = cost_with_noise;
		regions_start(1);
		fake_rdpmc.then = cost;
		vpmc_region_begin("outer");
		vpmc_region_begin("region");
		regions_work(1000);
		vpmc_region_end("region");
		vpmc_region_end("outer");
		fake_rdpmc.then = NULL;
		regions = read_all(VPMC_REGIONS_NET);
		check_region(regions, 0, "outer", 1, 1000, 0);
		check_region(regions, 1, "region", 1, 1000, 1000);
		vpmc_regions_free(regions);
	}
}

/*
 * These are the values of errno after a region: twice with a driver that answers, and twice
 * without.
 */
static int errno_after[4];

static void *begin_first(void *unused)
{
	unsigned int i;

	errno = 77;
	for (i = 0; i < 4; i++) {
		fake->read_errno = i < 2 ? 0 : EINVAL;
		vpmc_region_begin("region");
		errno_after[i] = errno;
		vpmc_region_end("region");
		errno_after[++i] = errno;
	}
	return unused;
}

static void regions_leave_errno_alone(void **state)
{
	pthread_t id;
	size_t i;

	fake->map_errno = EOPNOTSUPP;
	regions_start(1);
	assert_int_equal(pthread_create(&id, NULL, begin_first, NULL), 0);
	assert_int_equal(pthread_join(id, NULL), 0);
	for (i = 0; i < ARRAY_SIZE(errno_after); i++)
		assert_int_equal(errno_after[i], 77);
}

static void names_are_copied(void **state)
{
	char *name = strdup("name");
	struct vpmc_regions *regions;

	regions_start(1);
	vpmc_region_begin(name);
	regions_work(1);
	vpmc_region_end(name);
	memset(name, 'x', 4);
	free(name);
	regions = read_all(0);
	check_region(regions, 0, "name", 1, 1, 1);
	vpmc_regions_free(regions);
}

static void a_table_keeps_its_names(void **state)
{
	struct vpmc_regions *regions;

	regions_start(1);
	nested();
	regions = read_all(0);
	regions_start(1);
	check_region(regions, 0, "outer", 1, 4321, 301);
	vpmc_regions_free(regions);
}

/* One region is left without its end, as if by longjmp(3). */
static void regions_can_be_left_without_ends(void **state)
{
	const struct vpmc_region *here, *gone, *outside;
	struct vpmc_regions *regions;
	unsigned int i, before;

	regions_start(1);
	before = mismatches();
	outside = vpmc_region_here();
	vpmc_region_begin("outer");
	here = vpmc_region_here();
	for (i = 0; i < 3; i++) {
		vpmc_region_begin("left");
		regions_work(1);
		vpmc_region_begin("deep");
		gone = vpmc_region_here();
		regions_work(20);
		vpmc_region_unwind(here);
		vpmc_region_unwind(here);
		vpmc_region_unwind(gone);
		regions_work(300);
	}
	vpmc_region_begin("left");
	vpmc_region_unwind(outside);
	assert_ptr_equal(vpmc_region_here(), outside);
	assert_int_equal(mismatches(), before);
	regions = read_all(0);
	assert_int_equal(regions->nr, 3);
	check_region(regions, 0, "outer", 1, 963, 900);
	check_region(regions, 1, "left", 4, 63, 3);
	check_region(regions, 2, "deep", 3, 60, 60);
	vpmc_regions_free(regions);
}

#define NAMES 92U

static char names[NAMES][2];
static unsigned int nr_names;

static void prepare_names(unsigned int nr)
{
	regions_start(1);
	nr_names = nr;
	while (nr-- > 0)
		names[nr][0] = (char)('!' + nr);
}

static void begin_each(void)
{
	unsigned int i;

	for (i = 0; i < nr_names; i++) {
		vpmc_region_begin(names[i]);
		vpmc_region_end(names[i]);
	}
}

static void read_table(void)
{
	vpmc_regions_free(read_all(0));
}

/*
 * Four times as many regions must take about four times as many instructions, not 16 times as
 * many.
 */
static void assert_linear(unsigned int few, unsigned int many)
{
	assert_true(few > NAMES / 4);
	assert_true(many < 6 * few);
}

static void many_names_take_no_longer_each(void **state)
{
	unsigned int begin, table;

	prepare_names(NAMES / 4);
	begin_each();
	begin = single_step(begin_each, UINT_MAX, NULL);
	table = single_step(read_table, UINT_MAX, NULL);
	prepare_names(NAMES);
	begin_each();
	assert_linear(begin, single_step(begin_each, UINT_MAX, NULL));
	assert_linear(table, single_step(read_table, UINT_MAX, NULL));
}

static unsigned int steps_to_read_nested(unsigned int nr)
{
	unsigned int i, steps;

	prepare_names(nr);
	for (i = 0; i < nr; i++)
		vpmc_region_begin(names[i]);
	steps = single_step(read_table, UINT_MAX, NULL);
	while (i-- > 0)
		vpmc_region_end(names[i]);
	return steps;
}

static void deep_regions_take_no_longer_each(void **state)
{
	assert_linear(steps_to_read_nested(NAMES / 4),
		      steps_to_read_nested(NAMES));
}

#define TEST(f) \
	cmocka_unit_test_setup_teardown(f, regions_setup, regions_teardown)

static const struct CMUnitTest tests[] = {
	TEST(regions_nest),
	TEST(regions_do_without_rdpmc),
	TEST(counts_of_a_recursive_region_are_not_counted_twice),
	TEST(one_text_is_one_region),
	TEST(one_text_within_itself_is_not_counted_twice),
	TEST(the_cost_of_regions_is_subtracted_on_request),
	TEST(an_open_region_has_its_counts_so_far),
	TEST(a_count_that_is_missing_at_an_end_is_told),
	TEST(a_count_that_is_missing_at_a_begin_is_told),
	TEST(a_region_with_a_pause_has_no_counts),
	TEST(an_open_region_without_a_count_is_told),
	TEST(counts_that_were_taken_away_are_not_told),
	TEST(a_start_begins_anew),
	TEST(gaps_since_the_first_region_are_told),
	TEST(a_start_in_the_same_generation_begins_anew),
	TEST(counts_of_another_start_are_not_told),
	TEST(threads_of_other_events_are_not_added),
	TEST(a_child_begins_without_regions),
	TEST(a_first_start_is_no_restart),
	TEST(ends_that_do_not_match_are_noticed),
	TEST(refusals_are_explained),
	TEST(an_interrupt_does_not_change_the_measured_cost),
	TEST(regions_leave_errno_alone),
	TEST(names_are_copied),
	TEST(a_table_keeps_its_names),
	TEST(regions_can_be_left_without_ends),
	TEST(many_names_take_no_longer_each),
	TEST(deep_regions_take_no_longer_each),
};

UNIT_MAIN(tests)
