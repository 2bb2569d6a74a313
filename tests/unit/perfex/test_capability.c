// SPDX-License-Identifier: GPL-2.0-only
/* This file tests that a refusal names the missing capability, the reason, and the remedy. */
#include <errno.h>
#include <string.h>
#include <sys/capability.h>

#include "fake_capability.h"
#include "fake_driver.h"
#include "run_perfex.h"
#include "unit.h"
#include "util/status.h"

#define OTHERS	   "=ep cap_perfmon,cap_sys_admin-ep"
#define ELSEWHERE  0xf0000001
#define ONE(value) (1ULL << (value))

static const char none[] = " (perfex has neither CAP_PERFMON nor CAP_SYS_ADMIN:"
			   " \"setcap cap_perfmon+ep perfex\" gives it the"
			   " first)";
static const char barred[] = " (neither is in the bounding set, so not even"
			     " root has them here: run perfex outside the"
			     " container or service that dropped them)";
static const char foreign[] = " (in this user namespace CAP_PERFMON does not"
			      " count: run perfex in the initial one)";
static const char perfmon[] =
	" (CAP_PERFMON is permitted to perfex but not"
	" effective: \"setcap cap_perfmon+ep perfex\" sets"
	" both)";
static const char admin[] = " (CAP_SYS_ADMIN is permitted to perfex but not"
			    " effective: \"setcap cap_perfmon+ep perfex\" sets"
			    " both)";

static const struct {
	struct fake_capability has;
	const char *hint;
} rows[] = {
	{ { "=", ~0ULL, INITIAL_NAMESPACE }, none },
	{ { OTHERS, ~0ULL, INITIAL_NAMESPACE }, none },
	{ { "=", ONE(CAP_PERFMON), INITIAL_NAMESPACE }, none },
	{ { "=", ONE(CAP_SYS_ADMIN), INITIAL_NAMESPACE }, none },
	{ { "cap_perfmon=i", ~0ULL, INITIAL_NAMESPACE }, none },
	/* These kernels have no user namespaces. */
	{ { "=", ~0ULL, 0 }, none },
	{ { "cap_perfmon=p", ~0ULL, INITIAL_NAMESPACE }, perfmon },
	{ { "cap_perfmon,cap_sys_admin=p", 0, INITIAL_NAMESPACE }, perfmon },
	{ { "cap_sys_admin=p", ~0ULL, INITIAL_NAMESPACE }, admin },
	{ { "=", ~(ONE(CAP_PERFMON) | ONE(CAP_SYS_ADMIN)), INITIAL_NAMESPACE },
	  barred },
	{ { "=ep", ~0ULL, ELSEWHERE }, foreign },
	{ { "=", ~0ULL, ELSEWHERE }, foreign },
	{ { "=", 0, ELSEWHERE }, foreign },
	/*
	 * In these rows the refusal has another cause than a missing capability, or its cause
	 * is unknown.
	 */
	{ { "cap_perfmon=ep", ~0ULL, INITIAL_NAMESPACE }, "" },
	{ { "cap_sys_admin=ep", ~0ULL, INITIAL_NAMESPACE }, "" },
	{ { NULL, ~0ULL, INITIAL_NAMESPACE }, "" },
};

/* Check that all output is in one line, which begins with the sentence of the library. */
static void check_hint(size_t row, int status, const char *sentence)
{
	char end[300];
	size_t length = strlen(stderr_text);

	assert_int_equal(status, PERFEX_PERMISSION);
	check_sentence("%s ... CAP_PERFMON", sentence);
	snprintf(end, sizeof(end), "%s\n", rows[row].hint);
	if (length < strlen(end) ||
	    strcmp(stderr_text + length - strlen(end), end) != 0)
		fail_msg("row %zu: \"%s\" does not end with \"%s\"", row,
			 stderr_text, end);
	if (!rows[row].hint[0])
		assert_null(strchr(stderr_text, '('));
}

static void a_refusal_names_what_is_missing(void **state)
{
	size_t i;

	fake->start_errno = EPERM;
	fake->system_start_errno = EPERM;
	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		fake_capability = rows[i].has;
		check_hint(i, PERFEX("--system", "true"),
			   "no permission for system mode");
		check_hint(i, PERFEX("-k", "true"),
			   "no permission to count event 0x16 in kernel mode");
		check_hint(i, PERFEX("true"),
			   "no permission to count: the administrator has"
			   " restricted it");
	}
}

/* An error of open(2) or a busy device is not a question of capabilities. */
static void other_errors_have_no_such_hint(void **state)
{
	fake_capability = rows[0].has;
	fake->start_errno = EBUSY;
	PERFEX_EXITS(PERFEX_BUSY, "-k", "true");
	check_sentence("busy");
	assert_null(strstr(stderr_text, "CAP_PERFMON"));
	fake->open_errno = EACCES;
	PERFEX_EXITS(PERFEX_PERMISSION, "-k", "true");
	check_sentence("read access");
	assert_null(strstr(stderr_text, "CAP_PERFMON"));
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test_setup(a_refusal_names_what_is_missing, fake_setup),
	cmocka_unit_test_setup(other_errors_have_no_such_hint, fake_setup),
};

UNIT_MAIN(tests)
