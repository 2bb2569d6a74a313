/* SPDX-License-Identifier: GPL-2.0-only */
/* What vpmc/sum.c and its headers need of the kernel's linux/slab.h, and what that includes. */
#ifndef TESTS_UNIT_LINUX_SLAB_H
#define TESTS_UNIT_LINUX_SLAB_H

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>

#define GFP_KERNEL_ACCOUNT   0
#define kzalloc(size, flags) calloc(1, size)
#define struct_size_t(type, member, nr) \
	(sizeof(type) + (nr) * sizeof(((type *)NULL)->member[0]))
#define struct_size(p, member, nr) \
	(sizeof(*(p)) + (nr) * sizeof((p)->member[0]))

#endif /* TESTS_UNIT_LINUX_SLAB_H */
