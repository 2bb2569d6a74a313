/* SPDX-License-Identifier: GPL-2.0-only */
/* What vpmc/sum.c and its headers need of the kernel's linux/minmax.h, and what that includes. */
#ifndef TESTS_UNIT_LINUX_MINMAX_H
#define TESTS_UNIT_LINUX_MINMAX_H

#include <stdint.h>

#define U32_MAX UINT32_MAX
#define S32_MAX INT32_MAX
#define noinline
#define likely(condition)   (condition)
#define unlikely(condition) (condition)
#define min_t(type, a, b)   ((type)(a) < (type)(b) ? (type)(a) : (type)(b))

#endif /* TESTS_UNIT_LINUX_MINMAX_H */
