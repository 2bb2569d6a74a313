/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This file fakes the capabilities of perfex. The linker's --wrap option redirects
 * cap_get_proc(3), cap_get_bound(3) and stat(2) here; stat(2) is faked only for the process's
 * user namespace.
 */
#ifndef TESTS_UNIT_FAKE_CAPABILITY_H
#define TESTS_UNIT_FAKE_CAPABILITY_H

#include <sys/types.h>

/* This is the inode of the initial user namespace. */
#define INITIAL_NAMESPACE 0xeffffffdU

/**
 * struct fake_capability - the capabilities of the process
 * @own: its capabilities in the notation of cap_from_text(3), or NULL if cap_get_proc(3) fails
 * @bounding: capabilities that its programs can have, one bit each
 * @namespace: the inode of its user namespace; 0 if the kernel has no namespaces
 */
struct fake_capability {
	const char *own;
	unsigned long long bounding;
	ino_t namespace;
};

/* By default, a process has no capabilities, and its bounding set has all of them. */
extern struct fake_capability fake_capability;

#endif /* TESTS_UNIT_FAKE_CAPABILITY_H */
