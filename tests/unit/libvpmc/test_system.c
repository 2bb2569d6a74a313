// SPDX-License-Identifier: GPL-2.0-only
/* This file tests the library's calls to the driver for system mode. */
#include "unit.h"

#include <errno.h>
#include <string.h>

#include "check_error.h"
#include "fake_driver.h"

static const struct vpmc_event_sel two_events[] = {
	{ 0x16, VPMC_ANY_COUNTER, VPMC_USER | VPMC_KERNEL },
	{ 0x2b, 0, VPMC_USER },
};

static void start_sends_events_and_force(void **state)
{
	struct vpmc *vpmc = fake_open();

	assert_int_equal(vpmc_system_start(vpmc, two_events, 2, 0, NULL), 0);
	assert_int_equal(fake->system_started.size,
			 offsetof(struct vpmc_start, event[2]));
	assert_int_equal(fake->system_started.flags, 0);
	assert_int_equal(fake->system_started.nr_events, 2);
	assert_int_equal(fake->system_started.event[0].code, 0x16);
	assert_int_equal(fake->system_started.event[0].counter, 1);
	assert_int_equal(fake->system_started.event[0].modes,
			 VPMC_MODE_USER | VPMC_MODE_KERNEL);
	assert_int_equal(fake->system_started.event[1].code, 0x2b);
	assert_int_equal(fake->system_started.event[1].counter, 0);
	assert_int_equal(fake->started.size, 0);

	assert_int_equal(
		vpmc_system_start(vpmc, two_events, 1, VPMC_FORCE, NULL), 0);
	assert_int_equal(fake->system_started.flags, VPMC_START_FORCE);
	vpmc_close(vpmc);
}

static void start_does_not_send_nonsense(void **state)
{
	const struct vpmc_event_sel no_modes = { 0x16, 0, 0 };
	const struct vpmc_event_sel unknown = { 0x10, 0, VPMC_USER };
	struct vpmc *vpmc = fake_open();

	assert_int_equal(vpmc_system_start(vpmc, two_events, 0, 0, NULL),
			 VPMC_E_ARGUMENT);
	assert_int_equal(vpmc_system_start(vpmc, &no_modes, 1, 0, NULL),
			 VPMC_E_ARGUMENT);
	assert_int_equal(vpmc_system_start(vpmc, &unknown, 1, 0, NULL),
			 VPMC_E_UNKNOWN_EVENT);
	assert_int_equal(fake->system_started.size, 0);
	vpmc_close(vpmc);
}

static const struct {
	int number;
	uint32_t reason;
	uint32_t system;
	enum vpmc_code code;
	const char *words;
} start_errors[] = {
	{ EPERM, 0, 0, VPMC_E_PERMISSION,
	  "system mode ... CAP_PERFMON or CAP_SYS_ADMIN ... root" },
	{ EBUSY, 0, 0, VPMC_E_BUSY,
	  "threads that count are on a processor ... stop them ... force" },
	{ EBUSY, 0, 1, VPMC_E_BUSY,
	  "another process ... system mode ... wait until" },
	{ ENOMEM, 0, 0, VPMC_E_MEMORY, "system mode ... out of memory" },
	{ ENOTTY, 0, 0, VPMC_E_ABI, "system mode ... one version" },
	{ EINTR, 0, 0, VPMC_E_SYSTEM, "system mode ... Interrupted" },
	{ EINVAL, VPMC_REASON_FLAGS, 0, VPMC_E_ARGUMENT, "flags" },
	{ EINVAL, VPMC_REASON_MODES, 0, VPMC_E_ARGUMENT, "modes ... 0x16" },
	{ EINVAL, VPMC_REASON_NONE, 0, VPMC_E_ABI, "one version" },
};

static void every_failure_to_start_is_explained(void **state)
{
	struct vpmc *vpmc = fake_open();
	struct vpmc_error err;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(start_errors); i++) {
		fake->system_start_errno = start_errors[i].number;
		fake->start.error = start_errors[i].reason;
		fake->info.system = start_errors[i].system;
		check_error(vpmc_system_start(vpmc, two_events, 2, 0, &err),
			    &err, start_errors[i].code, start_errors[i].words);
	}
	vpmc_close(vpmc);
}

static void read_returns_the_snapshot(void **state)
{
	struct vpmc *vpmc = fake_open();
	struct vpmc_system_counts counts;

	fake->system.tsc = 123456789012345;
	fake->system.nr_counts = 2;
	fake->system.count[1] = UINT64_MAX;
	assert_int_equal(vpmc_system_start(vpmc, two_events, 2, 0, NULL), 0);
	assert_int_equal(vpmc_system_read(vpmc, VPMC_EVERY_CPU, &counts, NULL),
			 0);
	assert_int_equal(fake->system_cpu, VPMC_ALL_CPUS);
	assert_int_equal(counts.generation, 7);
	assert_true(counts.tsc == 123456789012345);
	assert_int_equal(counts.activity, VPMC_RUNNING);
	assert_int_equal(counts.cpus, 2);
	assert_int_equal(counts.nr, 2);
	assert_true(counts.count[0] == 100);
	assert_true(counts.count[1] == UINT64_MAX);

	fake->system.state = VPMC_STATE_STOPPED;
	assert_int_equal(vpmc_system_read(vpmc, 1, &counts, NULL), 0);
	assert_int_equal(fake->system_cpu, 1);
	assert_int_equal(counts.activity, VPMC_STOPPED);
	vpmc_close(vpmc);
}

static const struct {
	int number;
	int cpu;
	enum vpmc_code code;
	const char *words;
} read_errors[] = {
	{ EINVAL, 9, VPMC_E_NO_CPU, "read ... no processor 9" },
	{ EINVAL, -5, VPMC_E_NO_CPU, "read ... no processor -5" },
	{ EINVAL, VPMC_EVERY_CPU, VPMC_E_ABI, "read ... one version" },
	{ EPERM, 0, VPMC_E_PERMISSION, "system mode ... CAP_PERFMON" },
	{ ENODATA, 0, VPMC_E_NOT_STARTED, "read ... this handle" },
	{ EFAULT, 0, VPMC_E_SYSTEM, "read ... Bad address" },
};

static void every_failure_to_read_is_explained(void **state)
{
	struct vpmc_system_counts counts = { .count = { 42 } };
	struct vpmc *vpmc = fake_open();
	struct vpmc_error err;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(read_errors); i++) {
		fake->system_read_errno = read_errors[i].number;
		check_error(vpmc_system_read(vpmc, read_errors[i].cpu, &counts,
					     &err),
			    &err, read_errors[i].code, read_errors[i].words);
	}
	assert_int_equal(counts.count[0], 42);
	vpmc_close(vpmc);
}

static const struct refusal stop_errors[] = {
	{ EPERM, VPMC_E_PERMISSION, "system mode ... CAP_PERFMON" },
	{ ENODATA, VPMC_E_NOT_STARTED, "stop system mode ... this handle" },
	{ EFAULT, VPMC_E_SYSTEM, "stop system mode ... Bad address" },
};

static void every_failure_to_stop_is_explained(void **state)
{
	struct vpmc *vpmc = fake_open();
	struct vpmc_error err;
	size_t i;

	assert_int_equal(vpmc_system_stop(vpmc, &err), 0);
	assert_int_equal(fake->system_stops, 1);
	for (i = 0; i < ARRAY_SIZE(stop_errors); i++) {
		fake->system_stop_errno = stop_errors[i].number;
		check_error(vpmc_system_stop(vpmc, &err), &err,
			    stop_errors[i].code, stop_errors[i].words);
	}
	vpmc_close(vpmc);
}

static const struct refusal release_errors[] = {
	{ EPERM, VPMC_E_PERMISSION, "take the counters ... CAP_PERFMON" },
	{ EBUSY, VPMC_E_BUSY, "not released ... end the processes" },
	{ EFAULT, VPMC_E_SYSTEM, "take the counters ... Bad address" },
};

static void every_failure_to_release_is_explained(void **state)
{
	struct vpmc *vpmc = fake_open();
	struct vpmc_error err;
	size_t i;

	assert_int_equal(vpmc_release(vpmc, &err), 0);
	assert_int_equal(fake->releases, 1);
	for (i = 0; i < ARRAY_SIZE(release_errors); i++) {
		fake->release_errno = release_errors[i].number;
		check_error(vpmc_release(vpmc, &err), &err,
			    release_errors[i].code, release_errors[i].words);
	}
	vpmc_close(vpmc);
}

static void counts_of_another_start_are_withheld(void **state)
{
	const char *const words =
		"system mode ... generation 7 ... generation 8 now";
	struct vpmc_system_counts counts = { .count = { 42 } };
	struct vpmc *vpmc = fake_open();
	struct vpmc_error err;

	assert_int_equal(vpmc_system_start(vpmc, two_events, 2, 0, NULL), 0);
	fake->system.generation = 8;
	check_error(vpmc_system_read(vpmc, VPMC_EVERY_CPU, &counts, &err), &err,
		    VPMC_E_GENERATION, words);
	assert_int_equal(counts.count[0], 42);

	fake->stop.generation = 8;
	check_error(vpmc_system_stop(vpmc, &err), &err, VPMC_E_GENERATION,
		    words);
	vpmc_close(vpmc);
}

/* A handle can count the system and then threads. */
static void threads_are_not_of_that_generation(void **state)
{
	struct vpmc *vpmc = fake_open();
	struct vpmc_counts counts;

	assert_int_equal(vpmc_system_start(vpmc, two_events, 2, 0, NULL), 0);
	assert_int_equal(vpmc_generation(vpmc), 0);
	fake->read.generation = 9;
	assert_int_equal(vpmc_read(vpmc, VPMC_SELF, &counts, NULL), 0);
	vpmc_close(vpmc);
}

#define DRIVER_TEST(f) cmocka_unit_test_setup(f, fake_setup)

static const struct CMUnitTest tests[] = {
	DRIVER_TEST(start_sends_events_and_force),
	DRIVER_TEST(start_does_not_send_nonsense),
	DRIVER_TEST(every_failure_to_start_is_explained),
	DRIVER_TEST(read_returns_the_snapshot),
	DRIVER_TEST(every_failure_to_read_is_explained),
	DRIVER_TEST(every_failure_to_stop_is_explained),
	DRIVER_TEST(every_failure_to_release_is_explained),
	DRIVER_TEST(counts_of_another_start_are_withheld),
	DRIVER_TEST(threads_are_not_of_that_generation),
};

UNIT_MAIN(tests)
