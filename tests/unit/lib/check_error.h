/* SPDX-License-Identifier: GPL-2.0-only */
/* This file checks that an error of the library has the right form. */
#ifndef TESTS_UNIT_CHECK_ERROR_H
#define TESTS_UNIT_CHECK_ERROR_H

#include <string.h>

#include "check_says.h"
#include "unit.h"
#include "vpmc.h"

/**
 * check_error() - fail the test unless an error is the expected one
 * @ret: the result of a function of the library
 * @err: the error that it has set
 * @code: the expected value of @ret and of the error's code
 * @parts: the expected parts of the sentence, as for check_says()
 */
static inline void check_error(int ret, const struct vpmc_error *err,
			       enum vpmc_code code, const char *parts)
{
	if (ret != (int)code || err->code != code)
		fail_msg("returned %d (\"%s\"), not %d", ret, err->text, code);
	check_says(err->text, parts);
	/* The text must be one sentence that can follow "program: ". */
	assert_in_range(strlen(err->text), 10, sizeof(err->text) - 2);
	assert_null(strchr(err->text, '\n'));
	assert_int_not_equal(err->text[strlen(err->text) - 1], '.');
}

/**
 * struct refusal - an error of the driver, and the resulting error of a library function
 * @number: the errno
 * @code: the result of the function
 * @words: the expected parts of the sentence, as for check_says()
 */
struct refusal {
	int number;
	enum vpmc_code code;
	const char *words;
};

#endif /* TESTS_UNIT_CHECK_ERROR_H */
