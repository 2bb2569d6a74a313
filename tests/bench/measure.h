/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This file declares how to measure the cost of one operation, in instructions and
 * register accesses, from the totals that the emulator keeps.
 *
 * Everything runs under SCHED_FIFO on one processor. A task runs until it yields or
 * sleeps, so the tasks that run between two snapshots are known. Each operation is
 * measured several times, because some repetitions contain a clock tick or find a cache
 * of the kernel empty.
 */
#ifndef MEASURE_H
#define MEASURE_H

#include <stdint.h>
#include <sys/types.h>

#include "totals.h"

struct totals {
	uint64_t n[NR_TOTALS];
};

/**
 * measure() - do an operation between two snapshots
 * @operation: what to do
 * @before: receives the totals as of the call of @operation
 * @after: receives those as of its return
 *
 * Memory for the totals must be present, and stay so over a fork: see
 * measure_memory().
 *
 * Return: what @operation returned.
 */
int measure(int (*operation)(void), struct totals *before,
	    struct totals *after);

/*
 * At the beginning of an operation: all registers are saved that belong to the
 * caller, so that one which does nothing else is what is around the others.
 */
#ifdef __x86_64__
#define MEASURE_SAVE_REGISTERS() \
	__asm__ __volatile__("" : : : "rbx", "r12", "r13", "r14", "r15")
#else
#define MEASURE_SAVE_REGISTERS() \
	__asm__ __volatile__("" : : : "ebx", "esi", "edi")
#endif

/* Operations: none; the system call in measured_args; fork. */
int measured_nothing(void);
int measured_call(void);
int measured_fork(void);

extern long measured_args[4];

/* Where the child goes; must not return. */
extern void (*measured_child)(void);

/* Prepare measured_call(). */
void measured_set(long number, long a, long b, long c);

/* Zeroed memory, shared with children, present in this process. */
void *measure_memory(size_t size);

/* After a fork: make sure that it is present in the child, too. */
void measure_touch(void *memory, size_t size);

/* Run under SCHED_FIFO from now on, the children as well. */
void measure_start(void);

/*
 * Before a repetition: let the kernel do what it has put off, and find its
 * caches of pages and objects in another state than the last one did. Else
 * each repetition is like the other, and none perhaps finds all of them filled.
 */
void measure_settle(void);

/* Wait for a clock tick: the next one is 4,000,000 instructions away. */
void measure_align(void);

/* One line for one repetition: the name, and what each total has gained. */
void cost_print(const char *name, const struct totals *before,
		const struct totals *after);

/* Measure @operation @repeat times, and print the costs. */
void cost_of(const char *name, int (*operation)(void), int repeat);

#endif /* MEASURE_H */
