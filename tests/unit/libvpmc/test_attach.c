// SPDX-License-Identifier: GPL-2.0-only
/* This file tests the library's calls to the driver for other processes. */
#include "unit.h"

#include <errno.h>
#include <string.h>

#include "check_error.h"
#include "fake_driver.h"

static const struct vpmc_event_sel one_event[] = {
	{ 0x16, VPMC_ANY_COUNTER, VPMC_USER },
};

static void attach_sends_the_target(void **state)
{
	static const struct {
		unsigned int flags;
		uint32_t sent;
	} rows[] = {
		{ 0, 0 },
		{ VPMC_ATTACH_ONE_THREAD, VPMC_ATTACH_THREAD },
		{ VPMC_ATTACH_FD, VPMC_ATTACH_PIDFD },
		{ VPMC_ATTACH_FD | VPMC_ATTACH_ONE_THREAD,
		  VPMC_ATTACH_PIDFD | VPMC_ATTACH_THREAD },
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		struct vpmc *vpmc = fake_open();

		assert_int_equal(vpmc_attach(vpmc, 1234, rows[i].flags, NULL),
				 0);
		assert_int_equal(fake->attached.size,
				 sizeof(struct vpmc_attach));
		assert_int_equal(fake->attached.flags, rows[i].sent);
		assert_int_equal(fake->attached.id, 1234);
		assert_int_equal(fake->attached.pad, 0);
		vpmc_close(vpmc);
	}
}

static void what_is_attached_has_to_stay_what_it_is(void **state)
{
	struct vpmc *vpmc = fake_open();
	struct vpmc_counts counts;
	struct vpmc_error err;

	assert_int_equal(vpmc_attach(vpmc, 1, 0, NULL), 0);
	assert_int_equal(vpmc_generation(vpmc), 7);
	assert_int_equal(vpmc_read(vpmc, VPMC_SELF, &counts, NULL), 0);
	fake->read.generation = 8;
	check_error(vpmc_read(vpmc, VPMC_SELF, &counts, &err), &err,
		    VPMC_E_GENERATION,
		    "invalid ... generation 7 ... generation 8 now");

	/* Test both ways to use the handle again. */
	vpmc_expect(vpmc, 0);
	assert_int_equal(vpmc_read(vpmc, VPMC_SELF, &counts, NULL), 0);
	fake->start.generation = 9;
	fake->read.generation = 9;
	assert_int_equal(vpmc_start(vpmc, one_event, 1, VPMC_FORCE, NULL), 0);
	assert_int_equal(vpmc_generation(vpmc), 9);
	assert_int_equal(vpmc_read(vpmc, VPMC_SELF, &counts, NULL), 0);
	vpmc_close(vpmc);
}

static void a_target_that_never_counted_is_no_expectation(void **state)
{
	struct vpmc *vpmc = fake_open();
	struct vpmc_counts counts;

	fake->attach.generation = 0;
	assert_int_equal(vpmc_attach(vpmc, 1, 0, NULL), 0);
	assert_int_equal(vpmc_generation(vpmc), 0);
	fake->read.generation = 12;
	assert_int_equal(vpmc_read(vpmc, VPMC_SELF, &counts, NULL), 0);
	vpmc_close(vpmc);
}

static const struct {
	int number;
	unsigned int flags;
	enum vpmc_code code;
	const char *words;
} attach_errors[] = {
	{ ESRCH, 0, VPMC_E_NO_PROCESS, "no process 12: ... check" },
	{ ESRCH, VPMC_ATTACH_ONE_THREAD, VPMC_E_NO_PROCESS, "thread 12:" },
	{ ESRCH, VPMC_ATTACH_FD, VPMC_E_NO_PROCESS, "descriptor 12:" },
	{ EPERM, 0, VPMC_E_PERMISSION,
	  "attach to process 12 ... same user ... CAP_SYS_PTRACE" },
	{ EXDEV, 0, VPMC_E_BOUND, "process 12 ... already ... open another" },
	{ EBADF, VPMC_ATTACH_FD, VPMC_E_ARGUMENT,
	  "12 is not a descriptor ... pidfd_open" },
	{ ENOMEM, 0, VPMC_E_MEMORY,
	  "attach ... out of memory ... RLIMIT_MEMLOCK" },
	{ ENOTTY, 0, VPMC_E_ABI, "attach ... one version" },
	{ EINVAL, 0, VPMC_E_ABI, "attach ... one version" },
	{ EFAULT, 0, VPMC_E_SYSTEM, "attach ... Bad address" },
};

static void every_failure_to_attach_is_explained(void **state)
{
	struct vpmc *vpmc = fake_open();
	struct vpmc_error err;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(attach_errors); i++) {
		fake->attach_errno = attach_errors[i].number;
		check_error(vpmc_attach(vpmc, 12, attach_errors[i].flags, &err),
			    &err, attach_errors[i].code,
			    attach_errors[i].words);
		assert_int_equal(vpmc_generation(vpmc), 0);
	}
	vpmc_close(vpmc);
}

static void unknown_flags_are_not_sent(void **state)
{
	struct vpmc *vpmc = fake_open();
	struct vpmc_error err;

	check_error(vpmc_attach(vpmc, 12, 5, &err), &err, VPMC_E_ARGUMENT,
		    "0x5 ... flags");
	assert_int_equal(fake->attached.size, 0);
	vpmc_close(vpmc);
}

static const struct {
	int number;
	unsigned int attach;
	unsigned int start;
	uint32_t state;
	int all_errno;
	uint32_t system;
	enum vpmc_code code;
	const char *words;
} start_errors[] = {
	{ EPERM, 0, 0, 0, 0, 0, VPMC_E_PERMISSION,
	  "traced ... CAP_SYS_PTRACE ... CAP_PERFMON" },
	{ ESRCH, 0, 0, 0, 0, 0, VPMC_E_NO_PROCESS, "start ... exited" },
	{ EBUSY, 0, 0, VPMC_STATE_RUNNING, 0, 0, VPMC_E_BUSY,
	  "the process counts already ... VPMC_FORCE" },
	{ EBUSY, VPMC_ATTACH_ONE_THREAD, 0, VPMC_STATE_RUNNING, 0, 0,
	  VPMC_E_BUSY, "the thread counts already ... VPMC_FORCE" },
	{ EBUSY, 0, VPMC_COLLECT, VPMC_STATE_ARMED, 0, 0, VPMC_E_BUSY,
	  "the process counts already" },
	{ EBUSY, 0, VPMC_COLLECT | VPMC_FORCE, VPMC_STATE_RUNNING, ENODATA, 0,
	  VPMC_E_BUSY, "another handle" },
	{ EBUSY, 0, VPMC_COLLECT, VPMC_STATE_STOPPED, 0, 0, VPMC_E_BUSY,
	  "this handle" },
	{ EBUSY, 0, 0, VPMC_STATE_STOPPED, 0, 1, VPMC_E_BUSY, "system mode" },
};

static void every_failure_to_start_a_target_is_explained(void **state)
{
	struct vpmc_error err;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(start_errors); i++) {
		struct vpmc *vpmc = fake_open();

		assert_int_equal(
			vpmc_attach(vpmc, 1, start_errors[i].attach, NULL), 0);
		fake->start_errno = start_errors[i].number;
		fake->read.state = start_errors[i].state;
		fake->all_errno = start_errors[i].all_errno;
		fake->info.system = start_errors[i].system;
		fake->scopes = 0;
		check_error(vpmc_start(vpmc, one_event, 1,
				       start_errors[i].start, &err),
			    &err, start_errors[i].code, start_errors[i].words);
		/* A read of the other scope would fail with EXDEV. */
		if (fake->scopes)
			assert_int_equal(fake->scopes & 3,
					 start_errors[i].attach
						 ? 1 << VPMC_SCOPE_THREAD
						 : 1 << VPMC_SCOPE_SELF);
		vpmc_close(vpmc);
	}
}

static const struct {
	int number;
	unsigned int attach;
	enum vpmc_code code;
	const char *words;
} call_errors[] = {
	{ EPERM, 0, VPMC_E_PERMISSION, "no permission ... privileged" },
	{ ESRCH, 0, VPMC_E_NO_PROCESS, "has exited" },
	{ EXDEV, 0, VPMC_E_BOUND, "another process ... open another" },
	{ EXDEV, VPMC_ATTACH_ONE_THREAD, VPMC_E_BOUND, "one thread" },
	{ ENODATA, 0, VPMC_E_NOT_STARTED, "never started" },
};

static void every_failure_to_read_and_stop_is_explained(void **state)
{
	struct vpmc_counts counts;
	struct vpmc_error err;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(call_errors); i++) {
		struct vpmc *vpmc = fake_open();

		assert_int_equal(
			vpmc_attach(vpmc, 1, call_errors[i].attach, NULL), 0);
		fake->stop_errno = call_errors[i].number;
		check_error(vpmc_stop(vpmc, &err), &err, call_errors[i].code,
			    call_errors[i].words);
		fake->read_errno = call_errors[i].number;
		check_error(vpmc_read(vpmc, VPMC_THREAD, &counts, &err), &err,
			    call_errors[i].code, call_errors[i].words);
		vpmc_close(vpmc);
	}
}

#define DRIVER_TEST(f) cmocka_unit_test_setup(f, fake_setup)

static const struct CMUnitTest tests[] = {
	DRIVER_TEST(attach_sends_the_target),
	DRIVER_TEST(what_is_attached_has_to_stay_what_it_is),
	DRIVER_TEST(a_target_that_never_counted_is_no_expectation),
	DRIVER_TEST(every_failure_to_attach_is_explained),
	DRIVER_TEST(unknown_flags_are_not_sent),
	DRIVER_TEST(every_failure_to_start_a_target_is_explained),
	DRIVER_TEST(every_failure_to_read_and_stop_is_explained),
};

UNIT_MAIN(tests)
