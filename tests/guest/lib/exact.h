/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This file declares code whose user-mode instructions are known exactly, for programs that count
 * themselves. All counted code is in exact-32.S and exact-64.S. It begins at the system call that
 * starts the count, and ends at the system call that ends or reads the count.
 */
#ifndef EXACT_H
#define EXACT_H

#include <linux/vpmc.h>

/*
 * Call VPMC_START, run n rounds of a loop (n is at least 1), and make another request on the same
 * file. Returns the result of the request, or of VPMC_START if VPMC_START failed. A result is 0 or
 * a negated errno.
 */
int exact_run(int fd, struct vpmc_start *start, unsigned int n,
	      unsigned int request, void *arg);

/* These are the counts of exact_run(), including the instruction that makes the request. */
#define EXACT_RUN_INSTRUCTIONS(n) (2 * (n) + 7)
#define EXACT_RUN_BRANCHES(n)	  ((n) + 2)

/* This is the size of a thread's stack in exact_threads(). */
#define EXACT_STACK 4096

/*
 * Call VPMC_START and create k threads. Each thread runs n rounds of a loop and exits. Then call
 * VPMC_STOP in the calling thread, without waiting for the others. @stacks has room for k times
 * EXACT_STACK bytes. Returns 0 or a negated errno.
 */
int exact_threads(int fd, struct vpmc_start *start, unsigned int k,
		  unsigned int n, struct vpmc_stop *stop, void *stacks);

/* These are the counts of the calling thread of exact_threads(), and of all threads. */
#define EXACT_CALLER_INSTRUCTIONS(k) (11 * (k) + 9)
#define EXACT_CALLER_BRANCHES(k)     (3 * (k) + 2)
#define EXACT_THREADS_INSTRUCTIONS(k, n) \
	(EXACT_CALLER_INSTRUCTIONS(k) + (k) * (2 * (n) + 6))
#define EXACT_THREADS_BRANCHES(k, n) \
	(EXACT_CALLER_BRANCHES(k) + (k) * ((n) + 2))

#endif /* EXACT_H */
