// SPDX-License-Identifier: GPL-2.0-only
/*
 * This file tests PCL's calls: their calls of the driver, the results that they compute, and
 * each of their errors.
 */
#include "unit.h"

#include <errno.h>
#include <linux/capability.h>
#include <math.h>
#include <pthread.h>
#include <stdbool.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "fake_driver.h"
#include "pcl.h"

#define MHZ 100

/* This is true if the thread has CAP_PERFMON. */
static bool privileged;

long __real_syscall(long number, ...);
long __wrap_syscall(long number, ...);
int __wrap_pclint_mhz(void);

long __wrap_syscall(long number, ...)
{
	struct __user_cap_data_struct *data;
	va_list args;
	long word[5];
	size_t i;

	va_start(args, number);
	for (i = 0; i < ARRAY_SIZE(word); i++)
		word[i] = va_arg(args, long);
	va_end(args);
	if (number != SYS_capget)
		return __real_syscall(number, word[0], word[1], word[2],
				      word[3], word[4]);
	/* NOLINTNEXTLINE(performance-no-int-to-ptr): it came as a pointer */
	data = (struct __user_cap_data_struct *)word[1];
	data[CAP_TO_INDEX(CAP_PERFMON)].effective =
		privileged ? CAP_TO_MASK(CAP_PERFMON) : 0;
	return 0;
}

int __wrap_pclint_mhz(void)
{
	return MHZ;
}

static int setup(void **state)
{
	privileged = true;
	return fake_setup(state);
}

static PCL_DESCR_TYPE init(void)
{
	PCL_DESCR_TYPE descr;

	assert_int_equal(PCLinit(&descr), PCL_SUCCESS);
	return descr;
}

static void set_counts(uint64_t first, uint64_t second)
{
	fake->read.count[0] = first;
	fake->read.count[1] = second;
}

static void the_driver_is_asked_for_the_events(void **state)
{
	int events[] = { PCL_CYCLES, PCL_INSTR };
	PCL_CNT_TYPE counts[2];
	PCL_DESCR_TYPE descr = init();

	assert_int_equal(PCLquery(descr, events, 2, PCL_MODE_USER),
			 PCL_SUCCESS);
	assert_int_equal(fake->started.nr_events, 0);
	assert_int_equal(PCLstart(descr, events, 2, PCL_MODE_USER),
			 PCL_SUCCESS);
	assert_int_equal(fake->started.nr_events, 2);
	assert_int_equal(fake->started.event[0].code, 0x100);
	assert_int_equal(fake->started.event[1].code, 0x16);
	assert_int_equal(fake->started.event[0].modes, VPMC_USER);
	assert_int_equal(fake->started.event[1].modes, VPMC_USER);
	assert_int_equal(fake->started.flags, 0);
	set_counts(12, 34);
	assert_int_equal(PCLread(descr, counts, NULL, 2), PCL_SUCCESS);
	assert_int_equal(counts[0], 12);
	assert_int_equal(counts[1], 34);
	assert_int_equal(fake->stops, 0);
	assert_int_equal(fake->reading.scope, VPMC_SCOPE_THREAD);
	set_counts(56, UINT64_C(1) << 40);
	assert_int_equal(PCLstop(descr, counts, NULL, 2), PCL_SUCCESS);
	assert_int_equal(fake->stops, 1);
	assert_int_equal(counts[0], 56);
	assert_int_equal(counts[1], INT64_C(1) << 40);
	assert_int_equal(PCLexit(descr), PCL_SUCCESS);
	assert_int_equal(fake->stops, 1);
}

static void a_mode_is_the_processors_mode(void **state)
{
	static const struct {
		unsigned int mode;
		unsigned int modes;
	} rows[] = {
		{ PCL_MODE_USER, VPMC_USER },
		{ PCL_MODE_SYSTEM, VPMC_KERNEL },
		{ PCL_MODE_USER_SYSTEM, VPMC_USER | VPMC_KERNEL },
	};
	int event = PCL_INSTR;
	PCL_CNT_TYPE count;
	PCL_DESCR_TYPE descr = init();
	size_t i;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		assert_int_equal(PCLstart(descr, &event, 1, rows[i].mode),
				 PCL_SUCCESS);
		assert_int_equal(fake->started.event[0].modes, rows[i].modes);
		assert_int_equal(PCLstop(descr, &count, NULL, 1), PCL_SUCCESS);
	}
	PCLexit(descr);
}

/* If several results need the same event of the processor, it is counted once. */
static void results_are_worked_out_from_counts(void **state)
{
	int events[] = { PCL_JUMP_SUCCESS, PCL_JUMP, PCL_JUMP_UNSUCCESS };
	PCL_CNT_TYPE counts[3];
	PCL_DESCR_TYPE descr = init();

	assert_int_equal(PCLstart(descr, events, 3, PCL_MODE_USER),
			 PCL_SUCCESS);
	assert_int_equal(fake->started.nr_events, 2);
	assert_int_equal(fake->started.event[0].code, 0x12);
	assert_int_equal(fake->started.event[1].code, 0x35);
	assert_int_equal(fake->started.event[1].counter, 0);
	set_counts(1000, 30);
	assert_int_equal(PCLstop(descr, counts, NULL, 3), PCL_SUCCESS);
	assert_int_equal(counts[0], 970);
	assert_int_equal(counts[1], 1000);
	assert_int_equal(counts[2], 30);
	PCLexit(descr);
}

/*
 * Return a result that is computed from two counts, from the list of results to which it
 * belongs.
 */
static double ratio(int event, uint64_t first, uint64_t second)
{
	PCL_DESCR_TYPE descr = init();
	PCL_FP_CNT_TYPE result = -1;

	assert_int_equal(PCLstart(descr, &event, 1, PCL_MODE_USER),
			 PCL_SUCCESS);
	set_counts(first, second);
	assert_int_equal(PCLstop(descr, NULL, &result, 1), PCL_SUCCESS);
	PCLexit(descr);
	return result;
}

static void ratios_are_floating_point(void **state)
{
	assert_true(ratio(PCL_IPC, 3, 4) == 0.75);
	assert_true(ratio(PCL_L1DCACHE_MISSRATE, 1, 8) == 0.125);
	assert_true(ratio(PCL_MEM_FP_RATIO, 5, 2) == 2.5);
	/* This is 10 operations in 40 clocks of 10 ns. */
	assert_true(ratio(PCL_MFLOPS, 10, 40) == 25);
	assert_true(isnan(ratio(PCL_IPC, 0, 0)));
	assert_true(isinf(ratio(PCL_IPC, 1, 0)));
}

static void each_result_is_in_its_list(void **state)
{
	int events[] = { PCL_IPC, PCL_INSTR };
	PCL_CNT_TYPE counts[2] = { -5, -5 };
	PCL_FP_CNT_TYPE ratios[2] = { -5, -5 };
	PCL_DESCR_TYPE descr = init();

	assert_int_equal(PCLstart(descr, events, 2, PCL_MODE_USER),
			 PCL_SUCCESS);
	set_counts(30, 60);
	assert_int_equal(PCLread(descr, counts, ratios, 2), PCL_SUCCESS);
	assert_int_equal(counts[0], -5);
	assert_int_equal(counts[1], 30);
	assert_true(ratios[0] == 0.5);
	assert_true(ratios[1] == -5);
	assert_int_equal(PCLread(descr, counts, NULL, 2), PCL_FAILURE);
	assert_int_equal(PCLread(descr, NULL, ratios, 2), PCL_FAILURE);
	PCLexit(descr);
}

static void elapsed_cycles_take_no_counter(void **state)
{
	int event = PCL_ELAPSED_CYCLES;
	PCL_CNT_TYPE first, second;
	PCL_DESCR_TYPE descr = init();

	assert_int_equal(PCLstart(descr, &event, 1, PCL_MODE_USER),
			 PCL_SUCCESS);
	assert_int_equal(fake->started.nr_events, 0);
	assert_int_equal(PCLread(descr, &first, NULL, 1), PCL_SUCCESS);
	assert_int_equal(PCLstop(descr, &second, NULL, 1), PCL_SUCCESS);
	assert_true(first > 0 && second > first);
	/* If another program, such as perfex, has started the counting, it continues. */
	assert_int_equal(PCLstart(descr, &event, 1, PCL_MODE_USER),
			 PCL_SUCCESS);
	assert_int_equal(PCLexit(descr), PCL_SUCCESS);
	assert_int_equal(fake->stops, 0);
}

static void starts_within_each_other_have_counts_of_their_own(void **state)
{
	int outer[] = { PCL_CYCLES, PCL_INSTR };
	int inner[] = { PCL_INSTR, PCL_CYCLES };
	PCL_CNT_TYPE counts[2];
	PCL_DESCR_TYPE descr = init();

	assert_int_equal(PCLstart(descr, outer, 2, PCL_MODE_USER), PCL_SUCCESS);
	set_counts(100, 10);
	/* The nested start requests the results in another order. */
	assert_int_equal(PCLstart(descr, inner, 2, PCL_MODE_USER), PCL_SUCCESS);
	set_counts(107, 11);
	assert_int_equal(PCLread(descr, counts, NULL, 2), PCL_SUCCESS);
	assert_int_equal(counts[0], 1);
	assert_int_equal(counts[1], 7);
	assert_int_equal(PCLstop(descr, counts, NULL, 2), PCL_SUCCESS);
	assert_int_equal(counts[0], 1);
	assert_int_equal(counts[1], 7);
	assert_int_equal(fake->stops, 0);
	assert_int_equal(PCLread(descr, counts, NULL, 2), PCL_SUCCESS);
	assert_int_equal(counts[0], 107);
	assert_int_equal(counts[1], 11);
	assert_int_equal(PCLstop(descr, counts, NULL, 2), PCL_SUCCESS);
	assert_int_equal(fake->stops, 1);
	assert_int_equal(PCLstop(descr, counts, NULL, 2), PCL_FAILURE);
	PCLexit(descr);
}

static void nesting_has_a_limit(void **state)
{
	int event = PCL_INSTR, i;
	PCL_CNT_TYPE count;
	PCL_DESCR_TYPE descr = init();

	for (i = 0; i < PCL_MAX_NESTING_LEVEL; i++)
		assert_int_equal(PCLstart(descr, &event, 1, PCL_MODE_USER),
				 PCL_SUCCESS);
	assert_int_equal(PCLstart(descr, &event, 1, PCL_MODE_USER),
			 PCL_TOO_MANY_NESTINGS);
	for (i = 0; i < PCL_MAX_NESTING_LEVEL; i++)
		assert_int_equal(PCLstop(descr, &count, NULL, 1), PCL_SUCCESS);
	assert_int_equal(PCLstop(descr, &count, NULL, 1), PCL_FAILURE);
	PCLexit(descr);
}

static void nested_starts_have_the_same_events(void **state)
{
	int outer[] = { PCL_CYCLES, PCL_INSTR };
	int other[] = { PCL_CYCLES, PCL_JUMP };
	int twice[] = { PCL_CYCLES, PCL_CYCLES };
	PCL_CNT_TYPE counts[2];
	PCL_DESCR_TYPE descr = init();

	assert_int_equal(PCLstart(descr, outer, 2, PCL_MODE_USER), PCL_SUCCESS);
	assert_int_equal(PCLstart(descr, outer, 1, PCL_MODE_USER),
			 PCL_TOO_ILL_NESTING);
	assert_int_equal(PCLstart(descr, other, 2, PCL_MODE_USER),
			 PCL_ILL_NESTING);
	assert_int_equal(PCLstart(descr, twice, 2, PCL_MODE_USER),
			 PCL_ILL_NESTING);
	assert_int_equal(PCLstart(descr, outer, 2, PCL_MODE_USER_SYSTEM),
			 PCL_ILL_NESTING);
	assert_int_equal(PCLstart(descr, NULL, 2, PCL_MODE_USER),
			 PCL_ILL_NESTING);
	/* The nested count that has been started still works. */
	assert_int_equal(PCLstop(descr, counts, NULL, 2), PCL_SUCCESS);
	PCLexit(descr);
}

static void events_are_refused_with_the_reason(void **state)
{
	static int many[PCL_MAX_EVENT_PER_CALL + 1];
	static const struct {
		int event[3];
		int nr;
		unsigned int mode;
		int status;
	} rows[] = {
		{ { PCL_INTEGER_INSTR }, 1, PCL_MODE_USER, PCL_NOT_SUPPORTED },
		{ { PCL_L2CACHE_MISS }, 1, PCL_MODE_USER, PCL_NOT_SUPPORTED },
		{ { PCL_L2DCACHE_MISSRATE },
		  1,
		  PCL_MODE_USER,
		  PCL_NOT_SUPPORTED },
		{ { PCL_CYCLES, PCL_INSTR, PCL_JUMP },
		  3,
		  PCL_MODE_USER,
		  PCL_TOO_MANY_EVENTS },
		/* Each of these two events needs counter 0. */
		{ { PCL_STALL_FP, PCL_JUMP_UNSUCCESS },
		  2,
		  PCL_MODE_USER,
		  PCL_TOO_MANY_EVENTS },
		{ { -1 }, 1, PCL_MODE_USER, PCL_ILL_EVENT },
		{ { PCL_MAX_EVENT }, 1, PCL_MODE_USER, PCL_ILL_EVENT },
		{ { PCL_INSTR }, 1, 0, PCL_MODE_NOT_SUPPORTED },
		{ { PCL_INSTR }, 1, 4, PCL_MODE_NOT_SUPPORTED },
		{ { PCL_INSTR }, 0, PCL_MODE_USER, PCL_FAILURE },
		{ { PCL_INSTR }, -1, PCL_MODE_USER, PCL_FAILURE },
	};
	PCL_DESCR_TYPE descr = init();
	size_t i;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		int event[3];

		memcpy(event, rows[i].event, sizeof(event));
		assert_int_equal(PCLquery(descr, event, rows[i].nr,
					  rows[i].mode),
				 rows[i].status);
		assert_int_equal(PCLstart(descr, event, rows[i].nr,
					  rows[i].mode),
				 rows[i].status);
	}
	for (i = 0; i < ARRAY_SIZE(many); i++)
		many[i] = PCL_INSTR;
	assert_int_equal(PCLquery(descr, many, PCL_MAX_EVENT_PER_CALL,
				  PCL_MODE_USER),
			 PCL_SUCCESS);
	assert_int_equal(PCLquery(descr, many, ARRAY_SIZE(many), PCL_MODE_USER),
			 PCL_TOO_MANY_EVENTS);
	assert_int_equal(PCLquery(descr, NULL, 1, PCL_MODE_USER), PCL_FAILURE);
	assert_int_equal(fake->started.nr_events, 0);
	PCLexit(descr);
}

static void system_mode_needs_a_right(void **state)
{
	int event = PCL_INSTR;
	PCL_DRIVER_COMMAND_TYPE command = 0x16;
	PCL_DESCR_TYPE descr = init();

	privileged = false;
	assert_int_equal(PCLquery(descr, &event, 1, PCL_MODE_USER_SYSTEM),
			 PCL_MODE_NOT_SUPPORTED);
	assert_int_equal(PCLstart(descr, &event, 1, PCL_MODE_SYSTEM),
			 PCL_MODE_NOT_SUPPORTED);
	assert_int_equal(PCLquery(descr, &event, 1, PCL_MODE_USER),
			 PCL_SUCCESS);
	/* Even with CAP_PERFMON the driver may refuse. */
	privileged = true;
	fake->start_errno = EPERM;
	assert_int_equal(PCLstart(descr, &event, 1, PCL_MODE_SYSTEM),
			 PCL_MODE_NOT_SUPPORTED);
	assert_int_equal(PCL_driver_open(descr), PCL_SUCCESS);
	assert_int_equal(PCL_driver_start(descr, 0, 1, &command,
					  PCL_MODE_SYSTEM),
			 PCL_MODE_NOT_SUPPORTED);
	assert_int_equal(PCL_driver_start(descr, 0, 1, &command, 0),
			 PCL_MODE_NOT_SUPPORTED);
	PCLexit(descr);
}

static void failures_of_the_driver_are_told(void **state)
{
	int event = PCL_INSTR;
	PCL_CNT_TYPE count = -5;
	PCL_DESCR_TYPE descr;

	assert_int_equal(PCLinit(NULL), PCL_FAILURE);
	/*
	 * The samples of PCL's report ignore errors. They use the handle and the counts that a
	 * failed call has left.
	 */
	fake->open_errno = ENOENT;
	descr = (PCL_DESCR_TYPE)&event;
	assert_int_equal(PCLinit(&descr), PCL_FAILURE);
	assert_null(descr);
	assert_int_equal(PCLquery(descr, &event, 1, PCL_MODE_USER),
			 PCL_FAILURE);
	fake->open_errno = 0;
	descr = init();
	fake->start_errno = EBUSY;
	assert_int_equal(PCLstart(descr, &event, 1, PCL_MODE_USER),
			 PCL_FAILURE);
	fake->start_errno = EPERM;
	assert_int_equal(PCLstart(descr, &event, 1, PCL_MODE_USER),
			 PCL_FAILURE);
	assert_int_equal(PCLread(descr, &count, NULL, 1), PCL_FAILURE);
	fake->start_errno = 0;
	assert_int_equal(PCLstart(descr, &event, 1, PCL_MODE_USER),
			 PCL_SUCCESS);
	assert_int_equal(PCLread(descr, &count, NULL, 2), PCL_FAILURE);
	assert_int_equal(PCLstop(descr, &count, NULL, 2), PCL_FAILURE);
	/* Another program has started the thread in the meantime. */
	fake->read.generation = fake->read.start = 99;
	assert_int_equal(PCLread(descr, &count, NULL, 1), PCL_FAILURE);
	assert_int_equal(PCLstart(descr, &event, 1, PCL_MODE_USER),
			 PCL_FAILURE);
	assert_int_equal(PCLstop(descr, &count, NULL, 1), PCL_FAILURE);
	assert_int_equal(count, -5);
	/* The old count has ended, even if the generation is the former one again. */
	fake->read.generation = 7;
	fake->read.start = 21;
	assert_int_equal(PCLread(descr, &count, NULL, 1), PCL_FAILURE);
	assert_int_equal(PCLstart(descr, &event, 1, PCL_MODE_USER),
			 PCL_SUCCESS);
	assert_int_equal(PCLexit(descr), PCL_SUCCESS);
	assert_int_equal(fake->stops, 2);
}

/* Check that none of the functions accepts the handle. */
static void assert_refused(PCL_DESCR_TYPE descr)
{
	int event = PCL_INSTR;
	PCL_CNT_TYPE count;
	PCL_FP_CNT_TYPE rate;
	PCL_DRIVER_COMMAND_TYPE command = 0x16;

	assert_int_equal(PCLquery(descr, &event, 1, PCL_MODE_USER),
			 PCL_FAILURE);
	assert_int_equal(PCLstart(descr, &event, 1, PCL_MODE_USER),
			 PCL_FAILURE);
	assert_int_equal(PCLread(descr, &count, &rate, 1), PCL_FAILURE);
	assert_int_equal(PCLstop(descr, &count, &rate, 1), PCL_FAILURE);
	assert_int_equal(PCL_driver_open(descr), PCL_FAILURE);
	assert_int_equal(PCL_driver_start(descr, 0, 1, &command, PCL_MODE_USER),
			 PCL_FAILURE);
	assert_int_equal(PCL_driver_read(descr, 0, 1, &count), PCL_FAILURE);
	assert_int_equal(PCL_driver_stop(descr), PCL_FAILURE);
	assert_int_equal(PCL_driver_close(descr), PCL_FAILURE);
	assert_int_equal(PCLexit(descr), PCL_FAILURE);
}

static void *use_handle(void *descr)
{
	assert_refused(descr);
	return NULL;
}

static void a_handle_is_the_threads_own(void **state)
{
	int event = PCL_INSTR;
	PCL_CNT_TYPE count;
	PCL_DESCR_TYPE descr = init();
	pthread_t thread;

	assert_int_equal(PCLstart(descr, &event, 1, PCL_MODE_USER),
			 PCL_SUCCESS);
	assert_int_equal(pthread_create(&thread, NULL, use_handle, descr), 0);
	assert_int_equal(pthread_join(thread, NULL), 0);
	assert_refused(NULL);
	assert_int_equal(PCLstop(descr, &count, NULL, 1), PCL_SUCCESS);
	PCLexit(descr);
}

static void *make_handle(void *event)
{
	PCL_DESCR_TYPE descr = init();

	assert_int_equal(PCLstart(descr, event, 1, PCL_MODE_USER), PCL_SUCCESS);
	return descr;
}

/* The second thread gets the stack of the first thread, with the same contents. */
static void a_handle_is_not_a_later_thread_s(void **state)
{
	/* No thread can release this handle any more. */
	static void *descr;
	int event = PCL_INSTR;
	pthread_t thread;

	assert_int_equal(pthread_create(&thread, NULL, make_handle, &event), 0);
	assert_int_equal(pthread_join(thread, &descr), 0);
	assert_int_equal(pthread_create(&thread, NULL, use_handle, descr), 0);
	assert_int_equal(pthread_join(thread, NULL), 0);
}

/* The counts of a forked process begin at zero, not at the counts of its parent. */
static void a_handle_is_not_a_forked_process_s(void **state)
{
	int event = PCL_INSTR;
	PCL_CNT_TYPE count;
	PCL_DESCR_TYPE descr = init();
	pid_t pid;

	assert_int_equal(PCLstart(descr, &event, 1, PCL_MODE_USER),
			 PCL_SUCCESS);
	assert_int_equal(PCLstart(descr, &event, 1, PCL_MODE_USER),
			 PCL_SUCCESS);
	pid = fork();
	if (!pid) {
		assert_refused(descr);
		_exit(0);
	}
	check_status(pid, 0);
	assert_int_equal(PCLstop(descr, &count, NULL, 1), PCL_SUCCESS);
	assert_int_equal(PCLstop(descr, &count, NULL, 1), PCL_SUCCESS);
	PCLexit(descr);
}

static void names_have_numbers(void **state)
{
	assert_string_equal(PCLeventname(0), "PCL_L1CACHE_READ");
	assert_string_equal(PCLeventname(PCL_TLB_HIT), "PCL_TLB_HIT");
	assert_string_equal(PCLeventname(60), "PCL_MEM_FP_RATIO");
	assert_null(PCLeventname(-1));
	assert_null(PCLeventname(61));
	/* Programs were compiled with these numbers, so they must not change. */
	assert_int_equal(PCL_L2ICACHE_MISS, 29);
	assert_int_equal(PCL_CYCLES, 36);
	assert_int_equal(PCL_INSTR, 43);
	assert_int_equal(PCL_MFLOPS, 56);
	assert_int_equal(PCL_MAX_EVENT, 61);
	assert_true(PCL_EVENT_IS_INT(PCL_STALL));
	assert_false(PCL_EVENT_IS_INT(PCL_MFLOPS));
	assert_true(PCL_EVENT_IS_RATE(PCL_MEM_FP_RATIO));
	assert_false(PCL_EVENT_IS_RATE(PCL_L1CACHE_READ));
}

static void chosen_counters_count_chosen_events(void **state)
{
	PCL_DRIVER_COMMAND_TYPE commands[PCL_COUNTER_MAX] = { 0x16, 0x2b };
	PCL_CNT_TYPE counts[PCL_COUNTER_MAX] = { -5, -5, -5 };
	PCL_DESCR_TYPE descr = init();

	assert_int_equal(PCL_driver_open(descr), PCL_SUCCESS);
	assert_int_equal(PCL_driver_start(descr, PCL_COUNTER_MAX, 0x2, commands,
					  PCL_MODE_USER),
			 PCL_SUCCESS);
	assert_int_equal(fake->started.nr_events, 1);
	assert_int_equal(fake->started.event[0].code, 0x2b);
	assert_int_equal(fake->started.event[0].counter, 1);
	set_counts(77, 88);
	assert_int_equal(PCL_driver_read(descr, PCL_COUNTER_MAX, 0x2, counts),
			 PCL_SUCCESS);
	assert_int_equal(counts[0], -5);
	assert_int_equal(counts[1], 77);
	assert_int_equal(counts[2], -5);
	/* Counter 0 is in the mask, but it was not started. */
	assert_int_equal(PCL_driver_read(descr, PCL_COUNTER_MAX, 0x3, counts),
			 PCL_FAILURE);
	assert_int_equal(PCL_driver_stop(descr), PCL_SUCCESS);
	assert_int_equal(fake->stops, 1);
	/* Counts can still be read after a stop. */
	assert_int_equal(PCL_driver_read(descr, 1, 0x2, counts), PCL_SUCCESS);
	/* Commands for counters above the highest one are ignored. */
	assert_int_equal(PCL_driver_start(descr, 0, 0x3, commands,
					  PCL_MODE_USER_SYSTEM),
			 PCL_SUCCESS);
	assert_int_equal(fake->started.nr_events, 1);
	assert_int_equal(fake->started.event[0].counter, 0);
	assert_int_equal(fake->started.event[0].modes, VPMC_USER | VPMC_KERNEL);
	assert_int_equal(PCL_driver_close(descr), PCL_SUCCESS);
	assert_int_equal(fake->stops, 2);
	PCLexit(descr);
}

static void the_low_level_is_used_in_order(void **state)
{
	PCL_DRIVER_COMMAND_TYPE commands[PCL_COUNTER_MAX] = { 0x16, 0x16,
							      0x16 };
	PCL_CNT_TYPE count;
	PCL_DESCR_TYPE descr = init();
	int event = PCL_INSTR;

#define START(max, mask, commands) \
	PCL_driver_start(descr, max, mask, commands, PCL_MODE_USER)
	assert_int_equal(START(1, 1, commands), PCL_FAILURE);
	assert_int_equal(PCL_driver_close(descr), PCL_FAILURE);
	assert_int_equal(PCL_driver_open(descr), PCL_SUCCESS);
	assert_int_equal(PCL_driver_open(descr), PCL_FAILURE);
	assert_int_equal(PCL_driver_stop(descr), PCL_FAILURE);
	assert_int_equal(PCL_driver_read(descr, 1, 1, &count), PCL_FAILURE);
	assert_int_equal(START(1, 0, commands), PCL_FAILURE);
	assert_int_equal(START(-1, 1, commands), PCL_FAILURE);
	assert_int_equal(START(PCL_COUNTER_MAX + 1, 1, commands), PCL_FAILURE);
	assert_int_equal(START(1, 1, NULL), PCL_FAILURE);
	assert_int_equal(START(2, 4, commands), PCL_NOT_SUPPORTED);
	commands[0] = 0x3f;
	assert_int_equal(START(1, 1, commands), PCL_NOT_SUPPORTED);
	assert_int_equal(START(1, 2, commands), PCL_SUCCESS);
	assert_int_equal(START(1, 2, commands), PCL_FAILURE);
	assert_int_equal(PCL_driver_read(descr, 1, 2, NULL), PCL_FAILURE);
	/* A thread has only one set of counters. */
	assert_int_equal(PCLstart(descr, &event, 1, PCL_MODE_USER),
			 PCL_FAILURE);
	assert_int_equal(PCL_driver_stop(descr), PCL_SUCCESS);
	assert_int_equal(PCLstart(descr, &event, 1, PCL_MODE_USER),
			 PCL_SUCCESS);
	assert_int_equal(START(1, 2, commands), PCL_FAILURE);
	assert_int_equal(PCL_driver_read(descr, 1, 2, &count), PCL_FAILURE);
	assert_int_equal(PCLstop(descr, &count, NULL, 1), PCL_SUCCESS);
	assert_int_equal(START(1, 2, commands), PCL_SUCCESS);
	fake->read_errno = EIO;
	assert_int_equal(PCL_driver_read(descr, 1, 2, &count), PCL_FAILURE);
	fake->stop_errno = EIO;
	assert_int_equal(PCL_driver_stop(descr), PCL_FAILURE);
	PCLexit(descr);
}

static void the_processor_is_described(void **state)
{
	PCL_PROCESSOR_INFO info;

	assert_int_equal(PCL_driver_info(NULL), PCL_FAILURE);
	/* The processor has no CPUID. */
	assert_int_equal(PCL_driver_info(&info), PCL_NOT_SUPPORTED);
	fake->nr_cpuid = 2;
	fake->cpuid[0] = (struct fake_cpuid){
		.leaf = 0, .regs = { 1, 0x756e6547, 0x6c65746e, 0x49656e69 }
	};
	fake->cpuid[1] =
		(struct fake_cpuid){ .leaf = 1,
				     .regs = { 0x543, 0, 0, 1U << 23 } };
	assert_int_equal(PCL_driver_info(&info), PCL_SUCCESS);
	assert_string_equal(info.vendor, "GenuineIntel");
	assert_string_equal(info.family, "p5mmx");
	assert_string_equal(info.model, "family 5 model 4 stepping 3");
	assert_int_equal(info.mhz, MHZ);
	assert_int_equal(info.ncounters, 2);
}

#define TEST(name) cmocka_unit_test_setup(name, setup)

static const struct CMUnitTest tests[] = {
	TEST(the_driver_is_asked_for_the_events),
	TEST(a_mode_is_the_processors_mode),
	TEST(results_are_worked_out_from_counts),
	TEST(ratios_are_floating_point),
	TEST(each_result_is_in_its_list),
	TEST(elapsed_cycles_take_no_counter),
	TEST(starts_within_each_other_have_counts_of_their_own),
	TEST(nesting_has_a_limit),
	TEST(nested_starts_have_the_same_events),
	TEST(events_are_refused_with_the_reason),
	TEST(system_mode_needs_a_right),
	TEST(failures_of_the_driver_are_told),
	TEST(a_handle_is_the_threads_own),
	TEST(a_handle_is_not_a_later_thread_s),
	TEST(a_handle_is_not_a_forked_process_s),
	TEST(names_have_numbers),
	TEST(chosen_counters_count_chosen_events),
	TEST(the_low_level_is_used_in_order),
	TEST(the_processor_is_described),
};

UNIT_MAIN(tests)
