/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This file declares code whose user-mode instructions are known exactly, for programs
 * that count themselves. All code between the system call that starts a count and the
 * one that ends or reads it is in exact-32.S and exact-64.S.
 */
#ifndef EXACT_H
#define EXACT_H

#include <linux/vpmc.h>

/*
 * VPMC_START, n rounds of a loop (n at least 1), then another request on the
 * same file. Returns the result of the request, or of VPMC_START if that
 * failed: 0 or a negated errno.
 */
int exact_run(int fd, struct vpmc_start *start, unsigned int n,
	      unsigned int request, void *arg);

/* The counts of exact_run(), including the instruction that makes the request. */
#define EXACT_RUN_INSTRUCTIONS(n) (2 * (n) + 7)
#define EXACT_RUN_BRANCHES(n)	  ((n) + 2)

/* The size of a thread's stack in exact_threads(). */
#define EXACT_STACK 4096

/*
 * VPMC_START, then k threads that each run n rounds of a loop and exit, then
 * VPMC_STOP in the calling thread, which does not wait for the others. The
 * stacks are k times EXACT_STACK bytes. Returns 0 or a negated errno.
 */
int exact_threads(int fd, struct vpmc_start *start, unsigned int k,
		  unsigned int n, struct vpmc_stop *stop, void *stacks);

/* The counts of the calling thread, and those of all threads. */
#define EXACT_CALLER_INSTRUCTIONS(k) (11 * (k) + 9)
#define EXACT_CALLER_BRANCHES(k)     (3 * (k) + 2)
#define EXACT_THREADS_INSTRUCTIONS(k, n) \
	(EXACT_CALLER_INSTRUCTIONS(k) + (k) * (2 * (n) + 6))
#define EXACT_THREADS_BRANCHES(k, n) \
	(EXACT_CALLER_BRANCHES(k) + (k) * ((n) + 2))

#endif /* EXACT_H */
