/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This file defines the kernel's names of types, so that headers of the driver compile in a
 * program.
 */
#ifndef TESTS_UNIT_LINUX_TYPES_H
#define TESTS_UNIT_LINUX_TYPES_H

#include_next <linux/types.h>
#include <stdbool.h>

typedef __u8 u8;
typedef __u16 u16;
typedef __u32 u32;
typedef __u64 u64;
typedef __s64 s64;

#endif /* TESTS_UNIT_LINUX_TYPES_H */
