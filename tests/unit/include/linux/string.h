/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This file has the parts of the kernel's linux/string.h that vpmc/thread/sum.c and its headers
 * need.
 */
#ifndef TESTS_UNIT_LINUX_STRING_H
#define TESTS_UNIT_LINUX_STRING_H

#include <string.h>

#endif /* TESTS_UNIT_LINUX_STRING_H */
