/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This file is included by every unit test. It includes cmocka with the headers that
 * cmocka needs, and defines a main() that reports in TAP, which tests/unit/run reads.
 */
#ifndef TESTS_UNIT_UNIT_H
#define TESTS_UNIT_UNIT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <sys/wait.h>

/* cmocka 1.1 does not declare its functions for C++. */
#ifdef __cplusplus
extern "C" {
#endif
#include <cmocka.h>
#ifdef __cplusplus
}
#endif

/* Each test has cmocka's parameter for its state, but few tests use it. */
#pragma GCC diagnostic ignored "-Wunused-parameter"

/* Wait for a child, and fail the test unless it ends with @status, in the form of waitpid(2). */
static inline void check_status(pid_t pid, int status)
{
	int got;

	assert_int_equal(waitpid(pid, &got, 0), pid);
	assert_int_equal(got, status);
}

#define ARRAY_SIZE(array) (sizeof(array) / sizeof((array)[0]))

/*
 * UNIT_MAIN() - define main(), which runs the tests of an array of struct CMUnitTest. Each
 * element holds a name, a function, a set-up and a tear-down.
 */
#define UNIT_MAIN(tests) UNIT_MAIN_UNLESS(0, tests)

/* UNIT_MAIN_UNLESS() - like UNIT_MAIN(), but run no test if @cannot is true */
#define UNIT_MAIN_UNLESS(cannot, tests)                           \
	int main(void)                                            \
	{                                                         \
		cmocka_set_message_output(CM_OUTPUT_TAP);         \
		if (cannot)                                       \
			return 0;                                 \
		return cmocka_run_group_tests(tests, NULL, NULL); \
	}

#endif /* TESTS_UNIT_UNIT_H */
