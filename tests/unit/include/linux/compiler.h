/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This file has the parts of the kernel's linux/compiler.h and linux/limits.h that
 * vpmc/thread/sum.c and vpmc/cpu/epoch.c need.
 */
#ifndef TESTS_UNIT_LINUX_COMPILER_H
#define TESTS_UNIT_LINUX_COMPILER_H

#include <stdint.h>

#define U32_MAX UINT32_MAX
#define noinline
#define likely(condition)   (condition)
#define unlikely(condition) (condition)
#define READ_ONCE(variable) (variable)

#endif /* TESTS_UNIT_LINUX_COMPILER_H */
