/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This file has the parts of the kernel's linux/gfp.h that vpmc/thread/sum.c and its headers
 * need.
 */
#ifndef TESTS_UNIT_LINUX_GFP_H
#define TESTS_UNIT_LINUX_GFP_H

#define GFP_KERNEL_ACCOUNT 0
#define __GFP_ACCOUNT	   0

typedef unsigned int gfp_t;

#endif /* TESTS_UNIT_LINUX_GFP_H */
