/* SPDX-License-Identifier: GPL-2.0-only */
/* This header declares the page of results of the self-test. */
#ifndef PERFEX_SELF_TEST_PAGE_H
#define PERFEX_SELF_TEST_PAGE_H

#include "self_test/checks.h"

/**
 * print_page() - print the results
 * @out: stream to write to
 * @bench: the machine
 * @verdicts: the verdict of each check
 *
 * The page has no names of hosts, users or files, so that users can send it.
 */
void print_page(FILE *out, const struct bench *bench,
		const struct verdict verdicts[NR_CHECKS]);

#endif /* PERFEX_SELF_TEST_PAGE_H */
