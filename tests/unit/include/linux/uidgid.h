/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This file has the parts of the kernel's linux/uidgid.h that vpmc/thread/sum.c and its headers
 * need.
 */
#ifndef TESTS_UNIT_LINUX_UIDGID_H
#define TESTS_UNIT_LINUX_UIDGID_H

typedef unsigned int kuid_t;

#endif /* TESTS_UNIT_LINUX_UIDGID_H */
