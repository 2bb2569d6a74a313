/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This file fakes the capabilities of perfex: the linker's --wrap option redirects
 * cap_get_proc(3), cap_get_bound(3) and stat(2) of the process's user namespace here.
 */
#ifndef TESTS_UNIT_FAKE_CAPABILITY_H
#define TESTS_UNIT_FAKE_CAPABILITY_H

#include <sys/types.h>

/* The inode of the initial user namespace. */
#define INITIAL_NAMESPACE 0xeffffffdU

/**
 * struct fake_capability - the capabilities of the process
 * @own: its capabilities in the notation of cap_from_text(3), or NULL if they
 *	cannot be had
 * @bounding: capabilities that its programs can have, one bit each
 * @namespace: the inode of its user namespace, 0 without any
 */
struct fake_capability {
	const char *own;
	unsigned long long bounding;
	ino_t namespace;
};

/* A process may do nothing, and its programs anything, if no test sets it. */
extern struct fake_capability fake_capability;

#endif /* TESTS_UNIT_FAKE_CAPABILITY_H */
