/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This file has the parts of the kernel's linux/refcount.h that vpmc/thread/sum.c and its
 * headers need.
 */
#ifndef TESTS_UNIT_LINUX_REFCOUNT_H
#define TESTS_UNIT_LINUX_REFCOUNT_H

#include <stdbool.h>

typedef struct {
	int refs;
} refcount_t;

void refcount_add(int nr, refcount_t *ref);
bool refcount_dec_and_test(refcount_t *ref);

#endif /* TESTS_UNIT_LINUX_REFCOUNT_H */
