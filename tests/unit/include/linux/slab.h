/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This file has the parts of the kernel's linux/slab.h, and of its headers, that
 * vpmc/thread/sum.c needs.
 */
#ifndef TESTS_UNIT_LINUX_SLAB_H
#define TESTS_UNIT_LINUX_SLAB_H

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>

#include "gfp.h"

static inline void *kzalloc(size_t size, gfp_t flags)
{
	(void)flags;
	return calloc(1, size);
}

static inline void kfree(void *object)
{
	free(object);
}

#define struct_size_t(type, member, nr) \
	(sizeof(type) + (nr) * sizeof(((type *)NULL)->member[0]))
#define struct_size(p, member, nr) \
	(sizeof(*(p)) + (nr) * sizeof((p)->member[0]))

#endif /* TESTS_UNIT_LINUX_SLAB_H */
