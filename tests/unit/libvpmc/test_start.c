// SPDX-License-Identifier: GPL-2.0-only
/*
 * This file tests that a handle does not accept counts of another start. The generation does not
 * distinguish starts while other threads of the process count, because it stays the same.
 */
#include "unit.h"

#include <errno.h>
#include <signal.h>
#include <string.h>

#include "../../lib/event.h"
#include "check_error.h"
#include "fake_driver.h"
#include "fake_rdpmc.h"

static const struct vpmc_event_sel instructions[] = {
	{ 0x16, VPMC_ANY_COUNTER, VPMC_USER },
};
static const struct vpmc_event_sel data_reads[] = {
	{ 0x00, VPMC_ANY_COUNTER, VPMC_USER },
};

static const char other_start[] = "invalid ... another start ... start again";
static const char other_events[] =
	"other events ... VPMC_THREAD ... stop the others";

/* Let the driver answer with counts of this start, and with this start for the process. */
static void begin(uint64_t start, uint64_t self_start)
{
	fake->start.start = start;
	fake->start.self_start = self_start;
	fake->read.start = start;
	fake->self_start = self_start;
	fake->children.start = self_start;
	fake->stop.start = start;
	fake->asked.start = start;
	fake->map.start = start;
}

static struct vpmc *started(const struct vpmc_event_sel *sel,
			    unsigned int flags)
{
	struct vpmc *vpmc = fake_open();

	assert_int_equal(vpmc_start(vpmc, sel, 1, flags, NULL), 0);
	return vpmc;
}

static int get(struct vpmc *vpmc, enum vpmc_whose whose, struct vpmc_error *err)
{
	struct vpmc_counts counts;

	return vpmc_read(vpmc, whose, &counts, err);
}

/* Another handle has stopped and started the thread, and then the thread uses its first handle. */
static void a_start_on_another_handle_is_noticed(void **state)
{
	struct vpmc *first = started(instructions, 0), *second;
	struct vpmc_counts counts = { .count = { 42 } };
	struct vpmc_error err;
	uint64_t count = 42;

	assert_int_equal(vpmc_start_id(first), 21);
	assert_int_equal(get(first, VPMC_THREAD, NULL), 0);
	second = fake_open();
	assert_int_equal(vpmc_stop(second, NULL), 0);
	begin(22, 21);
	assert_int_equal(vpmc_start(second, data_reads, 1, 0, NULL), 0);
	assert_int_equal(vpmc_start_id(second), 22);
	assert_int_equal(vpmc_generation(second), vpmc_generation(first));

	check_error(vpmc_read(first, VPMC_THREAD, &counts, &err), &err,
		    VPMC_E_GENERATION, other_start);
	assert_int_equal(counts.count[0], 42);
	check_error(vpmc_get(first, 0, &count, &err), &err, VPMC_E_GENERATION,
		    other_start);
	assert_int_equal(count, 42);
	check_error(vpmc_stop(first, &err), &err, VPMC_E_GENERATION,
		    other_start);
	check_error(vpmc_signal(first, 0, 1000, SIGUSR1, &err), &err,
		    VPMC_E_GENERATION, other_start);
	assert_int_equal(fake->asking.signo, 0);
	check_error(vpmc_map(first, &err), &err, VPMC_E_GENERATION,
		    other_start);

	assert_int_equal(get(second, VPMC_THREAD, NULL), 0);
	assert_int_equal(vpmc_stop(second, NULL), 0);
	assert_int_equal(vpmc_signal(second, 0, 1000, SIGUSR1, NULL), 0);
	vpmc_close(first);
	vpmc_close(second);
}

/* A read of the page would return these counts without a system call. */
static void a_page_of_another_start_is_not_read(void **state)
{
	struct vpmc *vpmc = started(instructions, 0);
	struct vpmc_own_page *page = fake_page(1);
	struct vpmc_error err;
	uint64_t count;

	fake_rdpmc_begin();
	assert_int_equal(vpmc_map(vpmc, NULL), 0);
	assert_int_equal(vpmc_get(vpmc, 0, &count, NULL), 0);
	assert_int_equal(fake_rdpmc.reads, 1);
	begin(22, 21);
	page->start = 22;
	check_error(vpmc_get(vpmc, 0, &count, &err), &err, VPMC_E_GENERATION,
		    other_start);
	assert_int_equal(fake_rdpmc.reads, 1);

	/* A handle that does not expect a start accepts any counts. */
	vpmc_expect(vpmc, 7);
	assert_int_equal(vpmc_get(vpmc, 0, &count, NULL), 0);
	assert_int_equal(fake_rdpmc.reads, 2);
	vpmc_close(vpmc);
}

/* If no other thread counts, the library need not query the events of the process. */
static void the_first_start_of_a_generation_is_that_of_the_process(void **state)
{
	struct vpmc *vpmc = started(instructions, VPMC_RECORDS);

	assert_int_equal(fake->queries, 0);
	assert_int_equal(get(vpmc, VPMC_SELF, NULL), 0);
	assert_int_equal(get(vpmc, VPMC_CHILDREN, NULL), 0);
	assert_int_equal(get(vpmc, VPMC_ALL, NULL), 0);
	vpmc_close(vpmc);
}

static void threads_that_count_the_same_are_added_up(void **state)
{
	struct vpmc *vpmc;

	begin(22, 21);
	vpmc = started(instructions, 0);
	assert_int_equal(fake->queries, 2);
	assert_int_equal(get(vpmc, VPMC_THREAD, NULL), 0);
	assert_int_equal(get(vpmc, VPMC_SELF, NULL), 0);
	assert_int_equal(get(vpmc, VPMC_CHILDREN, NULL), 0);
	assert_int_equal(fake->queries, 2);
	vpmc_close(vpmc);
}

/*
 * The events are not compared with the requested ones, because the driver may have chosen
 * another counter.
 */
static void what_a_thread_counts_is_compared(void **state)
{
	static const struct vpmc_event chosen = EVENT(0x16, 1, VPMC_USER);
	struct vpmc *vpmc;

	begin(22, 21);
	fake->query.nr_events = 1;
	fake->query.event[0] = chosen;
	vpmc = started(instructions, 0);
	assert_int_equal(get(vpmc, VPMC_SELF, NULL), 0);
	vpmc_close(vpmc);
}

/*
 * The thread was started again and then counts for another process, so equal counts of other
 * threads do not belong to this start.
 */
static void a_thread_that_was_started_again_is_not_compared(void **state)
{
	struct vpmc *vpmc;
	struct vpmc_error err;

	begin(22, 21);
	fake->read.start = 23;
	vpmc = started(instructions, 0);
	check_error(get(vpmc, VPMC_SELF, &err), &err, VPMC_E_GENERATION,
		    other_events);
	vpmc_close(vpmc);
}

/* Each row has the events of the process, or the error of the call that asks for them. */
static const struct {
	int error;
	unsigned int nr;
	struct vpmc_event event[2];
} others[] = {
	{ 0, 1, { EVENT(0x00, 1, VPMC_USER) } },
	{ 0, 1, { EVENT(0x16, 1, VPMC_USER) } },
	{ 0, 1, { EVENT(0x16, 0, VPMC_KERNEL) } },
	{ 0, 2, { EVENT(0x16, 0, VPMC_USER), EVENT(0x00, 1, VPMC_USER) } },
	{ ENOTTY, 1, { EVENT(0x16, 0, VPMC_USER) } },
};

static void counts_of_other_events_of_the_process_are_withheld(void **state)
{
	struct vpmc_error err;
	struct vpmc *vpmc;
	size_t i;

	begin(22, 21);
	for (i = 0; i < ARRAY_SIZE(others); i++) {
		fake->query_errno = others[i].error;
		fake->others.nr_events = others[i].nr;
		memcpy(fake->others.event, others[i].event,
		       sizeof(others[i].event));
		vpmc = started(instructions, VPMC_RECORDS);
		assert_int_equal(get(vpmc, VPMC_THREAD, NULL), 0);
		check_error(get(vpmc, VPMC_SELF, &err), &err, VPMC_E_GENERATION,
			    other_events);
		check_error(get(vpmc, VPMC_CHILDREN, &err), &err,
			    VPMC_E_GENERATION, other_events);
		check_error(get(vpmc, VPMC_ALL, &err), &err, VPMC_E_GENERATION,
			    other_events);
		assert_int_equal(vpmc_stop(vpmc, NULL), 0);
		vpmc_close(vpmc);
	}
}

/* Later starts without VPMC_COLLECT do not change the collected counts. */
static void a_later_start_leaves_what_is_collected(void **state)
{
	struct vpmc *vpmc = started(instructions, VPMC_RECORDS);
	struct vpmc_thread_record record;
	struct vpmc_error err;

	fake->nr_records = 3;
	begin(22, 22);
	fake->start.generation = 8;
	fake->read.generation = 8;
	assert_int_equal(vpmc_reset(vpmc, NULL), 0);
	assert_int_equal(get(vpmc, VPMC_SELF, NULL), 0);
	assert_int_equal(get(vpmc, VPMC_ALL, NULL), 0);
	assert_int_equal(vpmc_next_record(vpmc, &record, NULL), 0);

	/* Another process has started on this handle. */
	fake->all.start = 23;
	check_error(get(vpmc, VPMC_ALL, &err), &err, VPMC_E_GENERATION,
		    other_start);
	check_error(vpmc_next_record(vpmc, &record, &err), &err,
		    VPMC_E_GENERATION, other_start);
	assert_int_equal(fake->records_taken, 2);

	begin(23, 23);
	assert_int_equal(vpmc_start(vpmc, instructions, 1, VPMC_COLLECT, NULL),
			 0);
	fake->all.generation = 8;
	assert_int_equal(get(vpmc, VPMC_ALL, NULL), 0);
	assert_int_equal(vpmc_next_record(vpmc, &record, NULL), 0);
	vpmc_close(vpmc);
}

static void what_is_attached_has_a_start(void **state)
{
	static const struct {
		unsigned int flags;
		enum vpmc_whose whose;
	} rows[] = {
		{ 0, VPMC_SELF },
		{ VPMC_ATTACH_ONE_THREAD, VPMC_THREAD },
	};
	struct vpmc_error err;
	size_t i;
	int ret;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		struct vpmc *vpmc = fake_open();

		begin(21, 21);
		fake->attach.start = 21;
		ret = vpmc_attach(vpmc, 12, rows[i].flags, NULL);
		assert_int_equal(ret, 0);
		assert_int_equal(vpmc_start_id(vpmc), 21);
		assert_int_equal(get(vpmc, rows[i].whose, NULL), 0);
		begin(22, 22);
		check_error(get(vpmc, rows[i].whose, &err), &err,
			    VPMC_E_GENERATION, other_start);
		check_error(vpmc_stop(vpmc, &err), &err, VPMC_E_GENERATION,
			    other_start);
		vpmc_expect(vpmc, 7);
		assert_int_equal(vpmc_start_id(vpmc), 0);
		assert_int_equal(get(vpmc, rows[i].whose, NULL), 0);
		vpmc_close(vpmc);
	}
}

static void a_scope_says_which_events_it_counts(void **state)
{
	static const struct vpmc_event event[] = {
		EVENT(0x00, 1, VPMC_USER),
		EVENT(0x16, 0, VPMC_USER | VPMC_KERNEL),
	};
	struct vpmc *vpmc = started(instructions, 0);
	struct vpmc_event_set events;

	begin(22, 20);
	fake->query.nr_events = 2;
	memcpy(fake->query.event, event, sizeof(event));
	assert_int_equal(vpmc_events(vpmc, VPMC_THREAD, &events, NULL), 0);
	assert_int_equal(events.generation, 7);
	assert_int_equal(events.start, 22);
	assert_int_equal(events.nr, 2);
	assert_int_equal(events.sel[0].code, 0x00);
	assert_int_equal(events.sel[0].counter, 1);
	assert_int_equal(events.sel[0].modes, VPMC_USER);
	assert_int_equal(events.sel[1].code, 0x16);
	assert_int_equal(events.sel[1].counter, 0);
	assert_int_equal(events.sel[1].modes, VPMC_USER | VPMC_KERNEL);
	assert_int_equal(vpmc_events(vpmc, VPMC_SELF, &events, NULL), 0);
	assert_int_equal(events.start, 20);
	vpmc_close(vpmc);
}

static const struct {
	int number;
	enum vpmc_whose whose;
	enum vpmc_code code;
	const char *words;
} query_errors[] = {
	{ ENODATA, VPMC_SELF, VPMC_E_NOT_STARTED, "events ... never" },
	{ ENODATA, VPMC_ALL, VPMC_E_NOT_STARTED, "VPMC_COLLECT" },
	{ EXDEV, VPMC_THREAD, VPMC_E_BOUND, "events ... open another" },
	{ EPERM, VPMC_SELF, VPMC_E_PERMISSION, "events ... watch" },
	{ EINVAL, (enum vpmc_whose)9, VPMC_E_ARGUMENT, "9 names no scope" },
	{ ENOTTY, VPMC_SELF, VPMC_E_ABI, "events ... one version" },
};

static void every_failure_to_ask_is_explained(void **state)
{
	struct vpmc *vpmc = fake_open();
	struct vpmc_event_set events = { .nr = 77 };
	struct vpmc_error err;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(query_errors); i++) {
		fake->query_errno = query_errors[i].number;
		check_error(vpmc_events(vpmc, query_errors[i].whose, &events,
					&err),
			    &err, query_errors[i].code, query_errors[i].words);
		assert_int_equal(events.nr, 77);
	}
	vpmc_close(vpmc);
}

#define START_TEST(f) cmocka_unit_test_setup(f, fake_setup)

static const struct CMUnitTest tests[] = {
	START_TEST(a_start_on_another_handle_is_noticed),
	START_TEST(a_page_of_another_start_is_not_read),
	START_TEST(the_first_start_of_a_generation_is_that_of_the_process),
	START_TEST(threads_that_count_the_same_are_added_up),
	START_TEST(what_a_thread_counts_is_compared),
	START_TEST(a_thread_that_was_started_again_is_not_compared),
	START_TEST(counts_of_other_events_of_the_process_are_withheld),
	START_TEST(a_later_start_leaves_what_is_collected),
	START_TEST(what_is_attached_has_a_start),
	START_TEST(a_scope_says_which_events_it_counts),
	START_TEST(every_failure_to_ask_is_explained),
};

UNIT_MAIN(tests)
