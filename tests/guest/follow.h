/* SPDX-License-Identifier: GPL-2.0-only */
/* What the programs that follow counts from process to process have in common. */
#ifndef FOLLOW_H
#define FOLLOW_H

#include <linux/vpmc.h>

#include "check.h"
#include "script.h"

/* A handle of /dev/vpmc. */
int open_device(void);

/* Returns 0 or a negated errno. */
int request(int fd, unsigned long what, void *arg);

/* What to count in user mode. */
enum events {
	FIRST, /* instructions and branches */
	OTHER, /* the same two in the other order */
};

/* The arguments of the requests, in memory that all processes share. */
struct vpmc_start *start_arg(enum events events, unsigned int flags);
struct vpmc_stop *stop_arg(void);
struct vpmc_read *read_arg(unsigned int scope);

/* Reads; a read that fails is a failed check and all zero. */
struct vpmc_read read_scope(int fd, unsigned int scope);

/*
 * Check what was read of FIRST events. @missing: what it says of counts that
 * are not in it, those of other events plus 1000 times the revoked ones.
 */
void check_read(const struct vpmc_read *read, struct cost want,
		unsigned int missing, const char *what);

/* read_scope() and check_read(). */
void check_scope(int fd, unsigned int scope, struct cost want,
		 unsigned int missing, const char *what);

/* Run a test in a process and with shared memory of its own. */
void run(void (*test)(void));

#endif /* FOLLOW_H */
