/* SPDX-License-Identifier: GPL-2.0-only */
/* What vpmc/thread/sum.c and its headers need of the kernel's linux/compiler.h and linux/limits.h. */
#ifndef TESTS_UNIT_LINUX_COMPILER_H
#define TESTS_UNIT_LINUX_COMPILER_H

#include <stdint.h>

#define U32_MAX UINT32_MAX
#define noinline
#define likely(condition)   (condition)
#define unlikely(condition) (condition)

#endif /* TESTS_UNIT_LINUX_COMPILER_H */
