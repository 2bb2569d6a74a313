/* SPDX-License-Identifier: GPL-2.0-only */
/* This file checks that a text contains the parts that a test expects. */
#ifndef TESTS_UNIT_CHECK_SAYS_H
#define TESTS_UNIT_CHECK_SAYS_H

#include <string.h>

#include "unit.h"

/**
 * check_says() - fail the test unless a text contains some parts in this order
 * @text: the text
 * @parts: the parts, with " ... " between them, such as "no process 12 ... check"
 */
static inline void check_says(const char *text, const char *parts)
{
	static const char between[] = " ... ";
	const char *at = text, *part, *end;
	size_t length;

	for (part = parts; part; part = end) {
		end = strstr(part, between);
		length = end ? (size_t)(end - part) : strlen(part);
		at = memmem(at, strlen(at), part, length);
		if (!at) {
			fail_msg("\"%s\" does not say \"%s\"", text, parts);
			return;
		}
		at += length;
		if (end)
			end += strlen(between);
	}
}

#endif /* TESTS_UNIT_CHECK_SAYS_H */
