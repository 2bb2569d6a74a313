// SPDX-License-Identifier: GPL-2.0-only
/*
 * This file tests signals that are sent after a number of events: the library's requests to the
 * driver, and the information that a signal carries.
 */
#include "unit.h"

#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>

#include "check_error.h"
#include "fake_driver.h"

static const struct vpmc_event_sel one_event[] = {
	{ 0x16, VPMC_ANY_COUNTER, VPMC_USER },
};

static void a_request_is_sent_as_it_is(void **state)
{
	struct vpmc *vpmc = fake_open();

	assert_int_equal(vpmc_signal(vpmc, 1, 5000000000ULL, SIGUSR1, NULL), 0);
	assert_int_equal(fake->asking.size, sizeof(struct vpmc_signal));
	assert_int_equal(fake->asking.flags, 0);
	assert_int_equal(fake->asking.event, 1);
	assert_int_equal(fake->asking.signo, SIGUSR1);
	assert_true(fake->asking.period == 5000000000ULL);

	assert_int_equal(vpmc_signal(vpmc, 0, 0, 0, NULL), 0);
	assert_int_equal(fake->asking.signo, 0);
	assert_int_equal(fake->asks, 2);
	vpmc_close(vpmc);
}

static const struct {
	int number;
	unsigned int event;
	int signo;
	int read_errno;
	enum vpmc_code code;
	const char *words;
} errors[] = {
	{ EINVAL, 2, SIGUSR1, 0, VPMC_E_ARGUMENT, "index 2 ... the 2 that" },
	{ EINVAL, 0, SIGUSR1, ENODATA, VPMC_E_ARGUMENT, "the 0 that" },
	{ EINVAL, 0, 1000, 0, VPMC_E_ARGUMENT, "no signal 1000" },
	{ EINVAL, 0, -1, 0, VPMC_E_ARGUMENT, "no signal -1" },
	{ EINVAL, 1, SIGUSR1, 0, VPMC_E_ARGUMENT, "share ... MULTIPLEX" },
	{ EXDEV, 0, SIGUSR1, 0, VPMC_E_BOUND, "open another" },
	{ ENODATA, 0, SIGUSR1, 0, VPMC_E_NOT_STARTED, "start first" },
	{ ENOMEM, 0, SIGUSR1, 0, VPMC_E_MEMORY, "out of memory" },
	{ ENOTTY, 0, SIGUSR1, 0, VPMC_E_ABI, "one version" },
};

static void every_refusal_is_explained(void **state)
{
	struct vpmc *vpmc = fake_open();
	struct vpmc_error err;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(errors); i++) {
		fake->signal_errno = errors[i].number;
		fake->read_errno = errors[i].read_errno;
		check_error(vpmc_signal(vpmc, errors[i].event, 1000,
					errors[i].signo, &err),
			    &err, errors[i].code, errors[i].words);
	}
	fake->asks = 0;
	check_error(vpmc_signal(vpmc, 0, 0, SIGUSR1, &err), &err,
		    VPMC_E_ARGUMENT, "every 0 events ... at least 1");
	assert_int_equal(fake->asks, 0);
	vpmc_close(vpmc);
}

/* A signal for other events than those that were started would mislead the program. */
static void none_is_left_on_other_counts(void **state)
{
	struct vpmc *vpmc = fake_open();
	struct vpmc_error err;

	assert_int_equal(vpmc_start(vpmc, one_event, 1, 0, NULL), 0);
	fake->asked.generation = 8;
	check_error(vpmc_signal(vpmc, 0, 1000, SIGUSR1, &err), &err,
		    VPMC_E_GENERATION, "generation 7 ... generation 8");
	assert_int_equal(fake->asks, 2);
	assert_int_equal(fake->asking.event, 0);
	assert_int_equal(fake->asking.signo, 0);
	vpmc_close(vpmc);
}

static siginfo_t signal_with(int code, const struct vpmc_siginfo *told)
{
	siginfo_t info;

	memset(&info, 0, sizeof(info));
	info.si_signo = SIGUSR1;
	info.si_code = code;
	memcpy((char *)&info + offsetof(siginfo_t, si_addr), told,
	       sizeof(*told));
	return info;
}

static void a_signal_tells_event_count_and_start(void **state)
{
	const struct vpmc_siginfo told = {
		.event = 3,
		.count = { 0x89abcdef, 0x01234567 },
		.start = { 21, 2 },
	};
	const siginfo_t info = signal_with(VPMC_SI_CODE, &told);
	struct vpmc_signal_info out;

	assert_int_equal(vpmc_signal_decode(&info, &out), 0);
	assert_int_equal(out.event, 3);
	assert_true(out.count == 0x0123456789abcdefULL);
	assert_true(out.start == 0x200000015ULL);
}

static void other_signals_are_told_apart(void **state)
{
	const struct vpmc_siginfo told = { .event = 1, .start = { 7, 0 } };
	const struct vpmc_siginfo nothing = { .event = 0 };
	static const int codes[] = { SI_USER, SI_QUEUE, SI_TKILL, SI_TIMER };
	struct vpmc_signal_info out = { .event = 42 };
	siginfo_t info;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(codes); i++) {
		info = signal_with(codes[i], &told);
		assert_int_equal(vpmc_signal_decode(&info, &out),
				 VPMC_E_ARGUMENT);
	}
	/* This is the form of SIGSEGV after a general protection fault. */
	info = signal_with(SI_KERNEL, &nothing);
	assert_int_equal(vpmc_signal_decode(&info, &out), VPMC_E_ARGUMENT);
	assert_int_equal(out.event, 42);
}

#define DRIVER_TEST(f) cmocka_unit_test_setup(f, fake_setup)

static const struct CMUnitTest tests[] = {
	DRIVER_TEST(a_request_is_sent_as_it_is),
	DRIVER_TEST(every_refusal_is_explained),
	DRIVER_TEST(none_is_left_on_other_counts),
	cmocka_unit_test(a_signal_tells_event_count_and_start),
	cmocka_unit_test(other_signals_are_told_apart),
};

UNIT_MAIN(tests)
