// SPDX-License-Identifier: GPL-2.0-only
/*
 * This file tests the library's calls to the driver: the arguments of each call, and the report
 * of each error that the driver can return.
 */
#include "unit.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <pthread.h>
#include <string.h>
#include <sys/resource.h>

#include "check_error.h"
#include "fake_driver.h"

static const struct vpmc_event_sel two_events[] = {
	{ 0x16, VPMC_ANY_COUNTER, VPMC_USER },
	{ 0x2b, 0, VPMC_USER | VPMC_KERNEL },
};

static const struct {
	int number;
	enum vpmc_code code;
	const char *words;
	const char *misc;
	int nodev;
} open_errors[] = {
	{ ENOENT, VPMC_E_NO_DEVICE,
	  "/dev/vpmc ... vpmc patches ... modprobe vpmc", NULL, 0 },
	{ ENOENT, VPMC_E_NO_DEVICE,
	  "/dev/vpmc ... vpmc patches ... modprobe vpmc",
	  " 10 vpmc2\n183 hw_random\n", 0 },
	/* In a container, the driver is in the kernel's list, but the device does not exist. */
	{ ENOENT, VPMC_E_NO_DEVICE,
	  "no /dev/vpmc here ... driver is loaded ... --device /dev/vpmc",
	  "183 hw_random\n256 vpmc\n  1 psaux\n", 0 },
	{ EACCES, VPMC_E_PERMISSION,
	  "/dev/vpmc ... mounted with \"nodev\" ... bind-mount", NULL, 1 },
	{ ENODEV, VPMC_E_NO_DEVICE, "/dev/vpmc ... modprobe vpmc", NULL, 0 },
	{ ENXIO, VPMC_E_NO_DEVICE, "/dev/vpmc ... modprobe vpmc", NULL, 0 },
	{ EACCES, VPMC_E_PERMISSION, "permission ... ask for read access", NULL,
	  0 },
	{ EPERM, VPMC_E_PERMISSION, "permission ... --device /dev/vpmc", NULL,
	  0 },
	{ ENOMEM, VPMC_E_MEMORY, "/dev/vpmc ... out of memory", NULL, 0 },
	{ EMFILE, VPMC_E_SYSTEM, "/dev/vpmc ... Too many open files", NULL, 0 },
};

static void every_failure_to_open_is_explained(void **state)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(open_errors); i++) {
		struct vpmc *vpmc = NULL;
		struct vpmc_error err;

		fake->open_errno = open_errors[i].number;
		fake->misc = open_errors[i].misc;
		fake->nodev = open_errors[i].nodev;
		check_error(vpmc_open(&vpmc, &err), &err, open_errors[i].code,
			    open_errors[i].words);
		assert_null(vpmc);
	}
}

static void the_device_is_opened_close_on_exec(void **state)
{
	vpmc_close(fake_open());
	assert_true(fake->open_flags & O_CLOEXEC);
}

static const struct refusal info_errors[] = {
	{ ENOTTY, VPMC_E_ABI, "does not understand ... one version" },
	{ E2BIG, VPMC_E_ABI, "does not understand ... one version" },
	{ EINVAL, VPMC_E_ABI, "does not understand ... one version" },
	{ EIO, VPMC_E_SYSTEM, "/dev/vpmc ... Input/output error" },
};

static void a_device_that_is_not_ours_is_refused(void **state)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(info_errors); i++) {
		struct vpmc *vpmc;
		struct vpmc_error err;

		fake->info_errno = info_errors[i].number;
		check_error(vpmc_open(&vpmc, &err), &err, info_errors[i].code,
			    info_errors[i].words);
	}
}

static void another_interface_version_is_refused(void **state)
{
	struct vpmc *vpmc;
	struct vpmc_error err;

	fake->info.abi_version = VPMC_ABI_VERSION + 1;
	check_error(vpmc_open(&vpmc, &err), &err, VPMC_E_ABI,
		    "version 2 ... version 1 ... one version");
}

static void unknown_counters_are_refused(void **state)
{
	struct vpmc *vpmc;
	struct vpmc_error err;

	strcpy(fake->info.pmu, "p7");
	check_error(vpmc_open(&vpmc, &err), &err, VPMC_E_UNSUPPORTED,
		    "(p7, 2 of them and 0 fixed ones) ... newer libvpmc");
}

static void start_sends_the_events_with_their_counters(void **state)
{
	struct vpmc *vpmc = fake_open();

	assert_int_equal(vpmc_generation(vpmc), 0);
	assert_int_equal(vpmc_start(vpmc, two_events, 2, VPMC_AT_EXEC, NULL),
			 0);
	assert_int_equal(vpmc_generation(vpmc), 7);
	assert_int_equal(fake->started.size,
			 offsetof(struct vpmc_start, event[2]));
	assert_int_equal(fake->started.flags, VPMC_START_AT_EXEC);
	assert_int_equal(fake->started.nr_events, 2);
	assert_int_equal(fake->started.pad, 0);
	assert_int_equal(fake->started.event[0].code, 0x16);
	assert_int_equal(fake->started.event[0].counter, 1);
	assert_int_equal(fake->started.event[0].modes, VPMC_MODE_USER);
	assert_int_equal(fake->started.event[1].code, 0x2b);
	assert_int_equal(fake->started.event[1].counter, 0);
	assert_int_equal(fake->started.event[1].modes,
			 VPMC_MODE_USER | VPMC_MODE_KERNEL);
	assert_int_equal(fake->started.event[2].code, 0);
	assert_int_equal(two_events[0].counter, VPMC_ANY_COUNTER);
	vpmc_close(vpmc);
}

static const struct {
	int number;
	uint32_t reason;
	uint32_t event;
	enum vpmc_code code;
	const char *words;
} start_errors[] = {
	{ EPERM, 0, 0, VPMC_E_PERMISSION, "0x2b ... CAP_PERFMON ... root" },
	{ EBUSY, 0, 0, VPMC_E_BUSY, "busy ... stop that first" },
	{ EXDEV, 0, 0, VPMC_E_BOUND, "start ... open another" },
	{ ENODATA, 0, 0, VPMC_E_NOT_STARTED, "never started" },
	{ ENOMEM, 0, 0, VPMC_E_MEMORY, "start ... out of memory" },
	{ E2BIG, 0, 0, VPMC_E_ABI, "one version" },
	{ EINTR, 0, 0, VPMC_E_SYSTEM, "Interrupted system call" },
	{ EINVAL, VPMC_REASON_FLAGS, 0, VPMC_E_ARGUMENT, "flags" },
	{ EINVAL, VPMC_REASON_TOO_MANY, 1, VPMC_E_TOO_MANY, "0x2b" },
	{ EINVAL, VPMC_REASON_UNKNOWN_EVENT, 1, VPMC_E_UNKNOWN_EVENT,
	  "0x2b ... mmx_instructions_u_pipe ... counter 0" },
	{ EINVAL, VPMC_REASON_RESERVED_BITS, 0, VPMC_E_UNKNOWN_EVENT,
	  "reserved bits ... 0x16" },
	{ EINVAL, VPMC_REASON_PIN_CONTROL, 0, VPMC_E_UNKNOWN_EVENT,
	  "pin control ... 0x16" },
	{ EINVAL, VPMC_REASON_NO_COUNTER, 0, VPMC_E_NO_COUNTER,
	  "0x16 ... counter 1" },
	{ EINVAL, VPMC_REASON_COUNTER_TAKEN, 1, VPMC_E_COUNTER_TAKEN,
	  "0x2b ... counter 0" },
	{ EINVAL, VPMC_REASON_MODES, 1, VPMC_E_ARGUMENT, "modes ... 0x2b" },
	{ EINVAL, VPMC_REASON_RESUME, 1, VPMC_E_RESUME, "resume ... 0x2b" },
	/* answers that a driver of another version might give */
	{ EINVAL, VPMC_REASON_NONE, 0, VPMC_E_ABI, "one version" },
	{ EINVAL, VPMC_REASON_NO_EVENTS, 0, VPMC_E_ABI, "one version" },
	{ EINVAL, 1000, 0, VPMC_E_ABI, "one version" },
	{ EINVAL, VPMC_REASON_MODES, 2, VPMC_E_ABI, "one version" },
};

static void every_failure_to_start_is_explained(void **state)
{
	struct vpmc *vpmc = fake_open();
	size_t i;

	for (i = 0; i < ARRAY_SIZE(start_errors); i++) {
		struct vpmc_error err;

		fake->start_errno = start_errors[i].number;
		fake->start.error = start_errors[i].reason;
		fake->start.error_event = start_errors[i].event;
		check_error(vpmc_start(vpmc, two_events, 2, 0, &err), &err,
			    start_errors[i].code, start_errors[i].words);
		assert_int_equal(vpmc_generation(vpmc), 0);
	}
	vpmc_close(vpmc);
}

static const struct {
	uint32_t state;
	int read_errno;
	int all_errno;
	const char *words;
} busy[] = {
	{ VPMC_STATE_RUNNING, 0, 0, "this thread is ... stop that first" },
	{ VPMC_STATE_ARMED, 0, 0, "this thread is ... stop that first" },
	{ VPMC_STATE_STOPPED, 0, ENODATA, "another handle ... this process" },
	{ 0, ENODATA, ENODATA, "another handle ... this process" },
	{ VPMC_STATE_STOPPED, 0, 0, "this handle still ... wait until" },
};

static void the_reasons_to_be_busy_are_told_apart(void **state)
{
	struct vpmc *vpmc = fake_open();
	struct vpmc_error err;
	size_t i;

	fake->start_errno = EBUSY;
	for (i = 0; i < ARRAY_SIZE(busy); i++) {
		fake->read.state = busy[i].state;
		fake->read_errno = busy[i].read_errno;
		fake->all_errno = busy[i].all_errno;
		check_error(vpmc_start(vpmc, two_events, 2, VPMC_COLLECT, &err),
			    &err, VPMC_E_BUSY, busy[i].words);
	}

	/* Without VPMC_COLLECT, the error depends on whether system mode counts. */
	check_error(vpmc_start(vpmc, two_events, 2, 0, &err), &err, VPMC_E_BUSY,
		    busy[0].words);

	fake->info.system = 1;
	check_error(vpmc_start(vpmc, two_events, 2, 0, &err), &err, VPMC_E_BUSY,
		    "system mode ... no thread ... wait until");
	vpmc_close(vpmc);
}

static const struct {
	const char *watchdog;
	const char *words;
} reserved[] = {
	{ NULL, "are busy: perf has them ... end perf" },
	{ "0\n", "are busy: perf has them ... end perf" },
	{ "", "are busy: perf has them ... end perf" },
	{ "1\n",
	  "NMI watchdog has them ... write 0 to /proc/sys/kernel/nmi_watchdog" },
};

static void who_has_the_counters_is_told(void **state)
{
	struct vpmc *vpmc = fake_open();
	struct vpmc_error err;
	size_t i;

	fake->start_errno = EADDRINUSE;
	fake->map_errno = EADDRINUSE;
	fake->system_start_errno = EADDRINUSE;
	for (i = 0; i < ARRAY_SIZE(reserved); i++) {
		fake->watchdog = reserved[i].watchdog;
		check_error(vpmc_start(vpmc, two_events, 2, 0, &err), &err,
			    VPMC_E_BUSY, reserved[i].words);
		check_error(vpmc_map(vpmc, &err), &err, VPMC_E_BUSY,
			    reserved[i].words);
		check_error(vpmc_system_start(vpmc, two_events, 2, 0, &err),
			    &err, VPMC_E_BUSY, reserved[i].words);
	}
	vpmc_close(vpmc);
}

static void broken_counters_are_told(void **state)
{
	const char *const words = "do not work ... dmesg";
	struct vpmc *vpmc = fake_open();
	struct vpmc_error err;

	fake->start_errno = EIO;
	fake->map_errno = EIO;
	fake->system_start_errno = EIO;
	check_error(vpmc_start(vpmc, two_events, 2, 0, &err), &err,
		    VPMC_E_UNSUPPORTED, words);
	check_error(vpmc_map(vpmc, &err), &err, VPMC_E_UNSUPPORTED, words);
	check_error(vpmc_system_start(vpmc, two_events, 2, 0, &err), &err,
		    VPMC_E_UNSUPPORTED, words);
	vpmc_close(vpmc);
}

static void records_need_the_collection_and_ask_for_it(void **state)
{
	struct vpmc *vpmc = fake_open();

	assert_int_equal(vpmc_start(vpmc, two_events, 2, VPMC_COLLECT, NULL),
			 0);
	assert_int_equal(fake->started.flags, VPMC_START_COLLECT);
	assert_int_equal(vpmc_start(vpmc, two_events, 2, VPMC_RECORDS, NULL),
			 0);
	assert_int_equal(fake->started.flags,
			 VPMC_START_COLLECT | VPMC_START_RECORDS);
	vpmc_close(vpmc);
}

static void flags_go_to_the_driver_as_they_are(void **state)
{
	static const struct {
		unsigned int flags;
		uint32_t sent;
	} rows[] = {
		{ VPMC_FORCE, VPMC_START_FORCE },
		{ VPMC_MULTIPLEX, VPMC_START_MULTIPLEX },
		{ VPMC_FOLD | VPMC_AT_EXEC,
		  VPMC_START_FOLD | VPMC_START_AT_EXEC },
	};
	struct vpmc *vpmc = fake_open();
	size_t i;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		assert_int_equal(vpmc_start(vpmc, two_events, 2, rows[i].flags,
					    NULL),
				 0);
		assert_int_equal(fake->started.flags, rows[i].sent);
	}
	vpmc_close(vpmc);
}

static void only_with_the_flag_do_events_share_counters(void **state)
{
	static const struct vpmc_event_sel three_events[] = {
		{ 0x16, VPMC_ANY_COUNTER, VPMC_USER },
		{ 0x12, VPMC_ANY_COUNTER, VPMC_USER },
		{ 0x2b, 0, VPMC_USER },
	};
	struct vpmc *vpmc = fake_open();

	assert_int_equal(vpmc_start(vpmc, three_events, 3, 0, NULL),
			 VPMC_E_TOO_MANY);
	assert_int_equal(fake->started.size, 0);
	assert_int_equal(
		vpmc_start(vpmc, three_events, 3, VPMC_MULTIPLEX, NULL), 0);
	assert_int_equal(fake->started.nr_events, 3);
	assert_int_equal(fake->started.event[0].counter, 1);
	assert_int_equal(fake->started.event[1].counter, 0);
	assert_int_equal(fake->started.event[2].counter, 0);
	vpmc_close(vpmc);
}

static void a_restricted_driver_is_told_from_kernel_mode(void **state)
{
	struct vpmc *vpmc = fake_open();
	struct vpmc_error err;

	fake->start_errno = EPERM;
	check_error(vpmc_start(vpmc, two_events, 1, 0, &err), &err,
		    VPMC_E_PERMISSION, "CAP_PERFMON ... restricted");
	vpmc_close(vpmc);
}

static void a_resume_of_hidden_counts_is_told_from_a_start(void **state)
{
	struct vpmc *vpmc = fake_open();
	struct vpmc_error err;

	fake->start_errno = EPERM;
	fake->read_errno = EPERM;
	check_error(vpmc_start(vpmc, two_events, 1, VPMC_RESUME, &err), &err,
		    VPMC_E_PERMISSION, "resume ... no permission to watch");
	vpmc_close(vpmc);
}

static void start_does_not_send_nonsense(void **state)
{
	static const struct {
		struct vpmc_event_sel sel;
		enum vpmc_code code;
	} rows[] = {
		{ { 0x10, 0, VPMC_USER }, VPMC_E_UNKNOWN_EVENT },
		{ { 0x16, 2, VPMC_USER }, VPMC_E_NO_COUNTER },
		{ { 0x16, 0x10000, VPMC_USER }, VPMC_E_NO_COUNTER },
		{ { 0x16, 0, 0 }, VPMC_E_ARGUMENT },
		{ { 0x16, 0, 4 }, VPMC_E_ARGUMENT },
		{ { 0x16, 0, 0x10001 }, VPMC_E_ARGUMENT },
	};
	struct vpmc_event_sel many[2 * VPMC_COUNTS_MAX] = { 0 };
	struct vpmc *vpmc = fake_open();
	size_t i;

	for (i = 0; i < ARRAY_SIZE(rows); i++)
		assert_int_equal(vpmc_start(vpmc, &rows[i].sel, 1, 0, NULL),
				 rows[i].code);
	assert_int_equal(vpmc_start(vpmc, two_events, 0, 0, NULL),
			 VPMC_E_ARGUMENT);
	assert_int_equal(vpmc_start(vpmc, many, ARRAY_SIZE(many), 0, NULL),
			 VPMC_E_TOO_MANY);
	assert_int_equal(fake->started.size, 0);
	vpmc_close(vpmc);
}

static void read_returns_the_snapshot(void **state)
{
	struct vpmc *vpmc = fake_open();
	struct vpmc_counts counts;

	fake->children = fake->read;
	fake->children.tsc = 123456789012345;
	fake->children.time[0] = 123456789012344;
	fake->children.time[1] = 0;
	fake->children.running = 4;
	fake->children.other_events = 3;
	fake->children.revoked = 2;
	fake->children.stopped = 5;
	fake->children.unwaited = 6;
	assert_int_equal(vpmc_start(vpmc, two_events, 2, 0, NULL), 0);
	assert_int_equal(vpmc_read(vpmc, VPMC_CHILDREN, &counts, NULL), 0);
	assert_int_equal(fake->reading.scope, VPMC_SCOPE_CHILDREN);
	assert_int_equal(fake->reading.flags, 0);
	assert_int_equal(counts.generation, 7);
	assert_int_equal(counts.start, 21);
	assert_int_equal(counts.activity, VPMC_EXITED);
	assert_int_equal(counts.running, 4);
	assert_int_equal(counts.other_events, 3);
	assert_int_equal(counts.revoked, 2);
	assert_int_equal(counts.stopped, 5);
	assert_int_equal(counts.unwaited, 6);
	assert_int_equal(counts.nr, 2);
	assert_true(counts.tsc == 123456789012345);
	assert_true(counts.count[0] == 1000);
	assert_true(counts.count[1] == UINT64_MAX);
	assert_true(counts.time[0] == 123456789012344);
	assert_true(counts.time[1] == 0);
	vpmc_close(vpmc);
}

static void counts_are_added_with_what_is_missing_in_them(void **state)
{
	struct vpmc_counts sum = { 7, 21, 10, VPMC_EXITED, 1,
				   2, 3,  2,  { 5, 6, 7 }, { 1, 2, 3 },
				   0, 4,  5 };
	const struct vpmc_counts more = {
		8,  22, 100, VPMC_RUNNING,	     10,
		20, 30, 2,   { 50, UINT64_MAX, 70 }, { 10, 100, 30 },
		0,  40, 50
	};

	assert_int_equal(vpmc_counts_add(&sum, &more, NULL), 0);
	assert_int_equal(sum.generation, 7);
	assert_int_equal(sum.start, 21);
	assert_int_equal(sum.tsc, 110);
	assert_int_equal(sum.activity, VPMC_EXITED);
	assert_int_equal(sum.running, 11);
	assert_int_equal(sum.other_events, 22);
	assert_int_equal(sum.revoked, 33);
	assert_int_equal(sum.stopped, 44);
	assert_int_equal(sum.unwaited, 55);
	assert_int_equal(sum.nr, 2);
	assert_int_equal(sum.count[0], 55);
	assert_int_equal(sum.count[1], 5);
	assert_int_equal(sum.count[2], 7);
	assert_int_equal(sum.time[0], 11);
	assert_int_equal(sum.time[1], 102);
	assert_int_equal(sum.time[2], 3);
	sum.other_events = UINT_MAX;
	sum.revoked = UINT_MAX;
	sum.stopped = UINT_MAX;
	sum.unwaited = UINT_MAX;
	assert_int_equal(vpmc_counts_add(&sum, &more, NULL), 0);
	assert_int_equal(sum.other_events, UINT_MAX);
	assert_int_equal(sum.revoked, UINT_MAX);
	assert_int_equal(sum.stopped, UINT_MAX);
	assert_int_equal(sum.unwaited, UINT_MAX);
}

static void counts_of_other_events_are_not_added(void **state)
{
	struct vpmc_counts sum = { .nr = 2, .count = { 1, 2 }, .tsc = 3 };
	struct vpmc_counts more = { .nr = 1, .count = { 10 }, .tsc = 30 };
	struct vpmc_error err;

	assert_int_equal(vpmc_counts_add(&sum, &more, &err), VPMC_E_ARGUMENT);
	check_says(err.text, "counts of 1 events cannot be added");
	/* If only one of two counts has a known set of events, the sets may be the same. */
	more.nr = 2;
	more.set = 5;
	assert_int_equal(vpmc_counts_add(&sum, &more, &err), 0);
	assert_int_equal(sum.set, 5);
	more.set = 6;
	assert_int_equal(vpmc_counts_add(&sum, &more, &err), VPMC_E_ARGUMENT);
	check_says(err.text, "of other events");
	assert_int_equal(sum.count[0], 11);
	assert_int_equal(sum.tsc, 33);
	/* Counts without events can be added to any other counts. */
	more.nr = 0;
	more.revoked = 1;
	assert_int_equal(vpmc_counts_add(&sum, &more, &err), 0);
	assert_int_equal(sum.count[0], 11);
	assert_int_equal(sum.revoked, 1);
}

static uint64_t set_of(const char *first, const char *second)
{
	struct vpmc *vpmc = fake_open();
	const char *const texts[] = { first, second };
	struct vpmc_event_sel sel[2];
	struct vpmc_counts counts;
	size_t i;

	for (i = 0; i < 2; i++)
		assert_int_equal(vpmc_event_parse(vpmc_pmu_of(vpmc), texts[i],
						  VPMC_USER, &sel[i], NULL),
				 0);
	assert_int_equal(vpmc_start(vpmc, sel, 2, 0, NULL), 0);
	assert_int_equal(vpmc_read(vpmc, VPMC_SELF, &counts, NULL), 0);
	vpmc_close(vpmc);
	return counts.set;
}

static void counts_say_which_events_they_are_of(void **state)
{
	struct vpmc *vpmc = fake_open();
	struct vpmc_counts counts;

	fake->start.generation = fake->read.generation;
	fake->start.start = fake->read.start;
	fake->start.self_start = fake->read.start;
	assert_true(set_of("0x16", "0x12") != 0);
	assert_true(set_of("0x16", "0x12") == set_of("0x16@1", "0x12"));
	assert_true(set_of("0x16", "0x12") != set_of("0x12", "0x16"));
	assert_true(set_of("0x16", "0x12") != set_of("0x16", "0x12:k"));
	/* A handle that has not started the counts does not know their events. */
	assert_int_equal(vpmc_read(vpmc, VPMC_SELF, &counts, NULL), 0);
	assert_int_equal(counts.set, 0);
	vpmc_close(vpmc);
}

static void usage_is_of_the_same_children(void **state)
{
	struct vpmc *vpmc = fake_open();
	struct vpmc_counts counts = { .nr = 0 };
	struct rusage usage = { .ru_nvcsw = -1 };
	struct vpmc_error err;

	fake->children.nr_counts = 1;
	fake->children.count[0] = 100;
	fake->child_waits = 5;
	assert_int_equal(
		vpmc_read_usage(vpmc, VPMC_CHILDREN, &counts, &usage, &err), 0);
	/*
	 * Each of the first five reads finds one event more than the previous read. The sixth
	 * read finds no more events.
	 */
	assert_int_equal(counts.count[0], 105);
	assert_int_equal(fake->child_waits, 0);
	assert_int_equal(usage.ru_nvcsw, 0);
	fake->child_waits = UINT_MAX;
	assert_int_equal(vpmc_read_usage(vpmc, VPMC_CHILDREN, &counts, &usage,
					 &err),
			 VPMC_E_BUSY);
	assert_int_equal(counts.count[0], 105);
	vpmc_close(vpmc);
}

static void usage_is_that_of_the_scope(void **state)
{
	struct vpmc *vpmc = fake_open();
	struct rusage usage = { .ru_maxrss = 0 };
	struct vpmc_counts counts;
	struct vpmc_error err;

	assert_int_equal(
		vpmc_read_usage(vpmc, VPMC_SELF, &counts, &usage, &err), 0);
	assert_true(usage.ru_maxrss > 0);
	assert_int_equal(fake->reading.scope, VPMC_SCOPE_SELF);
	assert_int_equal(vpmc_read_usage(vpmc, VPMC_ALL, &counts, &usage, &err),
			 VPMC_E_ARGUMENT);
	assert_int_equal(vpmc_attach(vpmc, 1, 0, &err), 0);
	assert_int_equal(vpmc_read_usage(vpmc, VPMC_SELF, &counts, &usage,
					 &err),
			 VPMC_E_BOUND);
	vpmc_close(vpmc);
}

/* Compare a thread's usage with getrusage(2) before and after the library's call. */
static struct {
	struct rusage before;
	struct rusage usage;
	struct rusage after;
	int ret;
} own;

static void *read_own_usage(void *vpmc)
{
	struct vpmc_counts counts;

	getrusage(RUSAGE_THREAD, &own.before);
	own.ret = vpmc_read_usage(vpmc, VPMC_THREAD, &counts, &own.usage, NULL);
	getrusage(RUSAGE_THREAD, &own.after);
	return vpmc;
}

/* The main thread has more page faults, which are part of the usage of the process. */
static void usage_of_a_thread_is_its_own(void **state)
{
	struct vpmc *vpmc = fake_open();
	struct rusage main_thread;
	pthread_t id;

	assert_int_equal(pthread_create(&id, NULL, read_own_usage, vpmc), 0);
	assert_int_equal(pthread_join(id, NULL), 0);
	assert_int_equal(own.ret, 0);
	assert_int_equal(fake->reading.scope, VPMC_SCOPE_THREAD);
	getrusage(RUSAGE_THREAD, &main_thread);
	assert_true(main_thread.ru_minflt > own.after.ru_minflt);
	assert_in_range(own.usage.ru_minflt, own.before.ru_minflt,
			own.after.ru_minflt);
	vpmc_close(vpmc);
}

static void every_scope_has_its_number(void **state)
{
	static const uint32_t scopes[] = {
		[VPMC_THREAD] = VPMC_SCOPE_THREAD,
		[VPMC_SELF] = VPMC_SCOPE_SELF,
		[VPMC_CHILDREN] = VPMC_SCOPE_CHILDREN,
		[VPMC_ALL] = VPMC_SCOPE_ALL,
	};
	struct vpmc *vpmc = fake_open();
	struct vpmc_counts counts;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(scopes); i++) {
		assert_int_equal(vpmc_read(vpmc, i, &counts, NULL), 0);
		assert_int_equal(fake->reading.scope, scopes[i]);
	}
	vpmc_close(vpmc);
}

static void records_are_taken_one_by_one(void **state)
{
	static const struct vpmc_record records[] = {
		{ .pid = 100,
		  .tid = 101,
		  .comm = "worker",
		  .tsc = 12,
		  .nr_counts = 2,
		  .count = { 4, UINT64_MAX },
		  .time = { 12, 3 } },
		{ .pid = 100,
		  .tid = 100,
		  .comm = "a name of 16 ch",
		  .nr_counts = 1,
		  .lost = 9 },
	};
	struct vpmc *vpmc = fake_open();
	struct vpmc_thread_record record;
	struct vpmc_error err;

	memcpy(fake->record, records, sizeof(records));
	fake->nr_records = ARRAY_SIZE(records);

	assert_int_equal(vpmc_next_record(vpmc, &record, NULL), 0);
	assert_int_equal(record.pid, 100);
	assert_int_equal(record.tid, 101);
	assert_string_equal(record.command, "worker");
	assert_int_equal(record.lost, 0);
	assert_int_equal(record.tsc, 12);
	assert_int_equal(record.nr, 2);
	assert_int_equal(record.count[0], 4);
	assert_true(record.count[1] == UINT64_MAX);
	assert_int_equal(record.time[0], 12);
	assert_int_equal(record.time[1], 3);

	assert_int_equal(vpmc_next_record(vpmc, &record, NULL), 0);
	assert_string_equal(record.command, "a name of 16 ch");
	assert_int_equal(record.lost, 9);

	check_error(vpmc_next_record(vpmc, &record, &err), &err,
		    VPMC_E_NO_RECORD, "no record");
	assert_string_equal(record.command, "a name of 16 ch");
	vpmc_close(vpmc);
}

/* Check turns. Bits that a later driver may add have no effect. */
static void check_turns(const struct vpmc_spread *spread, size_t i,
			const struct vpmc_turns_of *want)
{
	const struct vpmc_turns_of *turns = &spread->event[i];

	assert_int_equal(turns->nr, want->nr);
	assert_true(turns->count_squares == want->count_squares);
	assert_true(turns->products == want->products);
	assert_true(turns->time_squares == want->time_squares);
	assert_true(turns->unit == want->unit);
}

/* The library reports numbers in units of 1. The driver may report numbers in larger units. */
static void turns_are_read_with_the_counts(void **state)
{
	static const struct vpmc_turns_of want[] = {
		{ 4, 16, 32, 48, 16 },
		{ 7, 0x1p66, 80, 96, 16 },
	};
	struct vpmc *vpmc = fake_open();
	struct vpmc_spread spread = { .nr = 99 };
	struct vpmc_counts counts;

	fake->read.nr_counts = 2;
	fake->read.count[1] = 8;
	fake->read.time[1] = 60;
	fake->read.tsc = 100;
	fake->read.nr_turns = 2;
	fake->read.turn_shift = 4;
	fake->read.turn[0] = (struct vpmc_turns){ 1, 2, 3, 4 };
	fake->read.turn[1] = (struct vpmc_turns){ 1ULL << 62, 5, 6, 7 };
	assert_int_equal(
		vpmc_read_spread(vpmc, VPMC_SELF, &counts, &spread, NULL), 0);
	assert_int_equal(fake->reading.size, sizeof(struct vpmc_read));
	assert_int_equal(fake->reading.scope, VPMC_SCOPE_SELF);
	assert_int_equal(fake->reading.nr_turns, 0);
	assert_int_equal(counts.nr, 2);
	assert_int_equal(counts.count[1], 8);
	assert_int_equal(counts.time[1], 60);
	assert_int_equal(counts.tsc, 100);
	assert_int_equal(spread.nr, 2);
	check_turns(&spread, 0, &want[0]);
	check_turns(&spread, 1, &want[1]);
	/* The driver's sums have reached their largest value. */
	fake->read.turn[0].count_squares = UINT64_MAX;
	fake->read.turn[1].products = UINT64_MAX - 1;
	assert_int_equal(
		vpmc_read_spread(vpmc, VPMC_SELF, &counts, &spread, NULL), 0);
	assert_true(isinf(spread.event[0].count_squares));
	assert_false(isinf(spread.event[1].products));

	/* Events that do not share counters have no turns. */
	fake->read.nr_turns = 0;
	assert_int_equal(
		vpmc_read_spread(vpmc, VPMC_SELF, &counts, &spread, NULL), 0);
	assert_int_equal(spread.nr, 0);
	vpmc_close(vpmc);
}

static void turns_without_counts_are_withheld(void **state)
{
	struct vpmc *vpmc = fake_open();
	struct vpmc_spread spread = { .nr = 99 };
	struct vpmc_counts counts = { .count = { 42 } };
	struct vpmc_error err;

	assert_int_equal(vpmc_start(vpmc, two_events, 2, 0, NULL), 0);
	fake->read_errno = ENOMEM;
	check_error(vpmc_read_spread(vpmc, VPMC_SELF, &counts, &spread, &err),
		    &err, VPMC_E_MEMORY, "read the counters ... memory");
	fake->read_errno = 0;
	fake->read.generation = 8;
	check_error(vpmc_read_spread(vpmc, VPMC_SELF, &counts, &spread, &err),
		    &err, VPMC_E_GENERATION,
		    "generation 7 ... generation 8 now");
	assert_int_equal(counts.count[0], 42);
	assert_int_equal(spread.nr, 99);
	vpmc_close(vpmc);
}

static void turns_are_taken_with_a_record(void **state)
{
	static const struct vpmc_turns_of want = { 4, 2, 4, 6, 2 };
	struct vpmc *vpmc = fake_open();
	struct vpmc_thread_record record;
	struct vpmc_spread spread = { .nr = 99 };

	fake->record[0] = (struct vpmc_record){
		.pid = 7,
		.nr_counts = 1,
		.count = { 9 },
		.nr_turns = 1,
		.turn_shift = 1,
		.turn = { { 1, 2, 3, 4 } },
	};
	fake->record[1].pid = 8;
	fake->nr_records = 2;
	assert_int_equal(vpmc_next_record_spread(vpmc, &record, &spread, NULL),
			 0);
	assert_int_equal(record.pid, 7);
	assert_int_equal(record.count[0], 9);
	assert_int_equal(spread.nr, 1);
	check_turns(&spread, 0, &want);
	fake->record_errno = ENOMEM;
	assert_int_equal(vpmc_next_record_spread(vpmc, &record, &spread, NULL),
			 VPMC_E_MEMORY);
	assert_int_equal(spread.nr, 1);
	fake->record_errno = 0;
	assert_int_equal(vpmc_next_record_spread(vpmc, &record, &spread, NULL),
			 0);
	assert_int_equal(record.pid, 8);
	assert_int_equal(spread.nr, 0);
	assert_int_equal(vpmc_next_record_spread(vpmc, &record, &spread, NULL),
			 VPMC_E_NO_RECORD);
	vpmc_close(vpmc);
}

static void a_record_says_what_it_is_worth(void **state)
{
	static const struct {
		uint32_t what;
		unsigned int last, restarted, other_events, revoked, limited;
	} rows[] = {
		{ 0, 0, 0, 0, 0, 0 },
		{ VPMC_RECORD_LAST, 1, 0, 0, 0, 0 },
		{ VPMC_RECORD_RESTARTED, 0, 1, 0, 0, 0 },
		{ VPMC_RECORD_OTHER, 0, 0, 1, 0, 0 },
		{ VPMC_RECORD_REVOKED, 0, 0, 0, 1, 0 },
		{ VPMC_RECORD_LIMITED, 0, 0, 0, 0, 1 },
		{ 0xffffffff, 1, 1, 1, 1, 1 },
	};
	struct vpmc *vpmc = fake_open();
	struct vpmc_thread_record record;
	size_t i;

	fake->nr_records = ARRAY_SIZE(rows);
	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		fake->record[i].what = rows[i].what;
		fake->record[i].stopped = (uint32_t)i;
		assert_int_equal(vpmc_next_record(vpmc, &record, NULL), 0);
		assert_int_equal(record.last, rows[i].last);
		assert_int_equal(record.restarted, rows[i].restarted);
		assert_int_equal(record.other_events, rows[i].other_events);
		assert_int_equal(record.revoked, rows[i].revoked);
		assert_int_equal(record.limited, rows[i].limited);
		assert_int_equal(record.stopped, i);
	}
	vpmc_close(vpmc);
}

static void a_record_may_only_say_that_others_were_lost(void **state)
{
	struct vpmc *vpmc = fake_open();
	struct vpmc_thread_record record = { .nr = 2 };

	fake->record[0].lost = 3;
	fake->nr_records = 1;
	assert_int_equal(vpmc_next_record(vpmc, &record, NULL), 0);
	assert_int_equal(record.nr, 0);
	assert_int_equal(record.pid, 0);
	assert_int_equal(record.lost, 3);
	assert_int_equal(vpmc_next_record(vpmc, &record, NULL),
			 VPMC_E_NO_RECORD);
	vpmc_close(vpmc);
}

static void every_failure_to_take_a_record_is_explained(void **state)
{
	static const struct refusal rows[] = {
		{ ENOTTY, VPMC_E_ABI, "record ... one version" },
		{ EFAULT, VPMC_E_SYSTEM, "record ... Bad address" },
	};
	struct vpmc *vpmc = fake_open();
	struct vpmc_thread_record record;
	struct vpmc_error err;
	size_t i;

	fake->nr_records = 1;
	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		fake->record_errno = rows[i].number;
		check_error(vpmc_next_record(vpmc, &record, &err), &err,
			    rows[i].code, rows[i].words);
	}
	vpmc_close(vpmc);
}

static void counts_of_another_generation_are_withheld(void **state)
{
	const char *const words =
		"invalid ... generation 7 ... generation 8 now";
	struct vpmc_counts counts = { .count = { 42 } };
	struct vpmc *vpmc = fake_open();
	struct vpmc_error err;

	assert_int_equal(vpmc_start(vpmc, two_events, 2, 0, NULL), 0);
	fake->read.generation = 8;
	check_error(vpmc_read(vpmc, VPMC_SELF, &counts, &err), &err,
		    VPMC_E_GENERATION, words);
	assert_int_equal(counts.count[0], 42);

	fake->stop.generation = 8;
	check_error(vpmc_stop(vpmc, &err), &err, VPMC_E_GENERATION, words);

	/*
	 * The driver does not name the counts that it has stopped. They may be the counts of this
	 * handle.
	 */
	fake->stop = (struct vpmc_stop){ .generation = 0 };
	assert_int_equal(vpmc_stop(vpmc, &err), 0);
	vpmc_close(vpmc);
}

static void counts_that_were_taken_away_are_withheld(void **state)
{
	struct vpmc *vpmc = fake_open();
	struct vpmc_counts counts;
	struct vpmc_error err;

	fake->read.state = VPMC_STATE_REVOKED;
	check_error(vpmc_read(vpmc, VPMC_SELF, &counts, &err), &err,
		    VPMC_E_GENERATION, "invalid ... taken away");
	vpmc_close(vpmc);
}

static void a_parent_can_expect_what_its_child_started(void **state)
{
	struct vpmc *vpmc = fake_open();
	struct vpmc_counts counts;

	assert_int_equal(vpmc_read(vpmc, VPMC_SELF, &counts, NULL), 0);
	vpmc_expect(vpmc, 7);
	assert_int_equal(vpmc_generation(vpmc), 7);
	assert_int_equal(vpmc_read(vpmc, VPMC_SELF, &counts, NULL), 0);
	vpmc_expect(vpmc, 6);
	assert_int_equal(vpmc_read(vpmc, VPMC_SELF, &counts, NULL),
			 VPMC_E_GENERATION);
	vpmc_close(vpmc);
}

static const struct refusal call_errors[] = {
	{ ENODATA, VPMC_E_NOT_STARTED, "counters ... never started" },
	{ EXDEV, VPMC_E_BOUND, "counters ... open another" },
	{ EINVAL, VPMC_E_ABI, "counters ... one version" },
	{ EFAULT, VPMC_E_SYSTEM, "counters ... Bad address" },
};

static void every_failure_to_read_is_explained(void **state)
{
	struct vpmc *vpmc = fake_open();
	struct vpmc_counts counts;
	struct vpmc_error err;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(call_errors); i++) {
		fake->read_errno = call_errors[i].number;
		check_error(vpmc_read(vpmc, VPMC_THREAD, &counts, &err), &err,
			    call_errors[i].code, call_errors[i].words);
	}

	fake->read_errno = EINVAL;
	check_error(vpmc_read(vpmc, 77, &counts, &err), &err, VPMC_E_ARGUMENT,
		    "77 ... scope");

	fake->all_errno = ENODATA;
	check_error(vpmc_read(vpmc, VPMC_ALL, &counts, &err), &err,
		    VPMC_E_NOT_STARTED, "handle ... VPMC_COLLECT");
	vpmc_close(vpmc);
}

static void every_failure_to_stop_is_explained(void **state)
{
	struct vpmc *vpmc = fake_open();
	struct vpmc_error err;

	assert_int_equal(vpmc_stop(vpmc, &err), 0);
	fake->stop_errno = ENODATA;
	check_error(vpmc_stop(vpmc, &err), &err, VPMC_E_NOT_STARTED,
		    "stop ... never started");
	vpmc_close(vpmc);
}

static void every_code_has_its_own_words(void **state)
{
	int i, j;

	for (i = VPMC_E_NO_PROCESS; i <= VPMC_OK; i++) {
		assert_string_not_equal(vpmc_strerror(i), "unknown error code");
		for (j = VPMC_E_NO_PROCESS; j < i; j++)
			assert_string_not_equal(vpmc_strerror(i),
						vpmc_strerror(j));
	}
	assert_string_equal(vpmc_strerror(VPMC_E_NO_PROCESS - 1),
			    "unknown error code");
	assert_string_equal(vpmc_strerror(1), "unknown error code");
	assert_string_equal(vpmc_strerror(INT32_MIN), "unknown error code");
}

static void closing_nothing_does_nothing(void **state)
{
	errno = ERANGE;
	vpmc_close(NULL);
	vpmc_close(fake_open());
	errno = ERANGE;
	vpmc_close(NULL);
	assert_int_equal(errno, ERANGE);
}

#define DRIVER_TEST(f) cmocka_unit_test_setup(f, fake_setup)

static const struct CMUnitTest tests[] = {
	DRIVER_TEST(every_failure_to_open_is_explained),
	DRIVER_TEST(the_device_is_opened_close_on_exec),
	DRIVER_TEST(a_device_that_is_not_ours_is_refused),
	DRIVER_TEST(another_interface_version_is_refused),
	DRIVER_TEST(unknown_counters_are_refused),
	DRIVER_TEST(start_sends_the_events_with_their_counters),
	DRIVER_TEST(every_failure_to_start_is_explained),
	DRIVER_TEST(the_reasons_to_be_busy_are_told_apart),
	DRIVER_TEST(who_has_the_counters_is_told),
	DRIVER_TEST(broken_counters_are_told),
	DRIVER_TEST(records_need_the_collection_and_ask_for_it),
	DRIVER_TEST(flags_go_to_the_driver_as_they_are),
	DRIVER_TEST(only_with_the_flag_do_events_share_counters),
	DRIVER_TEST(a_restricted_driver_is_told_from_kernel_mode),
	DRIVER_TEST(a_resume_of_hidden_counts_is_told_from_a_start),
	DRIVER_TEST(start_does_not_send_nonsense),
	DRIVER_TEST(read_returns_the_snapshot),
	DRIVER_TEST(counts_are_added_with_what_is_missing_in_them),
	DRIVER_TEST(counts_of_other_events_are_not_added),
	DRIVER_TEST(counts_say_which_events_they_are_of),
	DRIVER_TEST(usage_is_of_the_same_children),
	DRIVER_TEST(usage_is_that_of_the_scope),
	DRIVER_TEST(usage_of_a_thread_is_its_own),
	DRIVER_TEST(every_scope_has_its_number),
	DRIVER_TEST(records_are_taken_one_by_one),
	DRIVER_TEST(turns_are_read_with_the_counts),
	DRIVER_TEST(turns_without_counts_are_withheld),
	DRIVER_TEST(turns_are_taken_with_a_record),
	DRIVER_TEST(a_record_says_what_it_is_worth),
	DRIVER_TEST(a_record_may_only_say_that_others_were_lost),
	DRIVER_TEST(every_failure_to_take_a_record_is_explained),
	DRIVER_TEST(counts_of_another_generation_are_withheld),
	DRIVER_TEST(counts_that_were_taken_away_are_withheld),
	DRIVER_TEST(a_parent_can_expect_what_its_child_started),
	DRIVER_TEST(every_failure_to_read_is_explained),
	DRIVER_TEST(every_failure_to_stop_is_explained),
	DRIVER_TEST(every_code_has_its_own_words),
	DRIVER_TEST(closing_nothing_does_nothing),
};

UNIT_MAIN(tests)
