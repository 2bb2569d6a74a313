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
 * @operation: the operation to measure
 * @before: receives the totals as of the call of @operation
 * @after: receives those as of its return
 *
 * Memory for the totals must be present, and stay so over a fork: see
 * measure_memory().
 *
 * Return: the result of @operation.
 */
int measure(int (*operation)(void), struct totals *before,
	    struct totals *after);

/*
 * Save all registers that belong to the caller, at the beginning of an operation. So an
 * operation that does nothing else has the overhead of all operations.
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

/* The function that the child executes; it must not return. */
extern void (*measured_child)(void);

/* Prepare measured_call(). */
void measured_set(long number, long a, long b, long c);

/* Return zeroed memory that is shared with children, and present in this process. */
void *measure_memory(size_t size);

/* After a fork: make sure that it is present in the child, too. */
void measure_touch(void *memory, size_t size);

/* Run under SCHED_FIFO from now on, the children as well. */
void measure_start(void);

/*
 * Let the kernel do delayed work before a repetition, and change the state of its
 * caches of pages and objects. Otherwise all repetitions would be alike, and possibly
 * none would find all caches filled.
 */
void measure_settle(void);

/* Wait for a clock tick: the next one is 4,000,000 instructions away. */
void measure_align(void);

/* Print a line for one repetition: the name, and the growth of each total. */
void cost_print(const char *name, const struct totals *before,
		const struct totals *after);

/* Measure @operation @repeat times, and print the costs. */
void cost_of(const char *name, int (*operation)(void), int repeat);

#endif /* MEASURE_H */
