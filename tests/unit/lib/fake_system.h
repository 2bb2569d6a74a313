/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This file counts or refuses calls of perfex to the C library: the linker's --wrap
 * option redirects write(2), syscall(2), reallocarray(3) and open_memstream(3) here.
 */
#ifndef TESTS_UNIT_FAKE_SYSTEM_H
#define TESTS_UNIT_FAKE_SYSTEM_H

#include <stdbool.h>
#include <stddef.h>

/**
 * struct fake_system - the limits of resources, and the used resources
 * @most: size of the largest array that fits into memory, in bytes; 0 for no limit
 * @no_stream: whether open_memstream() fails for want of memory
 * @no_thread_fd: whether pidfd_open(2) refuses threads, as before Linux 6.9
 * @writes: out, number of writes to standard error
 * @largest: out, largest array that was allocated, in bytes
 */
struct fake_system {
	size_t most;
	bool no_stream;
	bool no_thread_fd;
	unsigned int writes;
	size_t largest;
};

/* This memory is shared with the processes that a test forks. */
extern struct fake_system *fake_system;

/* This function is called before each pread(2), unless it is NULL. */
extern void (*fake_before_pread)(int fd, size_t size);

/*
 * fake_system_setup() - before each test, remove all limits, set all results to 0, and call
 * fake_setup()
 */
int fake_system_setup(void **state);

#endif /* TESTS_UNIT_FAKE_SYSTEM_H */
