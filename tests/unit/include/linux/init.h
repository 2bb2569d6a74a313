/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This file has the parts of the kernel's linux/init.h that vpmc/thread/sum.c and its headers
 * need.
 */
#ifndef TESTS_UNIT_LINUX_INIT_H
#define TESTS_UNIT_LINUX_INIT_H

#define __init

#endif /* TESTS_UNIT_LINUX_INIT_H */
