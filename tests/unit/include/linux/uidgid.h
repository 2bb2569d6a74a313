/* SPDX-License-Identifier: GPL-2.0-only */
/* The parts that vpmc/thread/sum.c and its headers need of the kernel's linux/uidgid.h. */
#ifndef TESTS_UNIT_LINUX_UIDGID_H
#define TESTS_UNIT_LINUX_UIDGID_H

typedef unsigned int kuid_t;

#endif /* TESTS_UNIT_LINUX_UIDGID_H */
