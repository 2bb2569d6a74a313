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
 * measure() - execute an operation between two snapshots
 * @operation: the operation to measure
 * @before: receives the totals at the call of @operation
 * @after: receives the totals at its return
 *
 * Memory for the totals must be present, and stay present in a fork: see measure_memory().
 *
 * Return: the result of @operation.
 */
int measure(int (*operation)(void), struct totals *before,
	    struct totals *after);

/*
 * Save all registers that belong to the caller, at the beginning of an operation. So an
 * operation without any work has the same overhead as all operations.
 */
#ifdef __x86_64__
#define MEASURE_SAVE_REGISTERS() \
	__asm__ __volatile__("" : : : "rbx", "r12", "r13", "r14", "r15")
#else
#define MEASURE_SAVE_REGISTERS() \
	__asm__ __volatile__("" : : : "ebx", "esi", "edi")
#endif

/* These operations do nothing, make the system call in measured_args, and fork. */
int measured_nothing(void);
int measured_call(void);
int measured_fork(void);

extern long measured_args[4];

/* The child executes this function, which must not return. */
extern void (*measured_child)(void);

/* Prepare measured_call(). */
void measured_set(long number, long a, long b, long c);

/* Return zeroed memory that is shared with children, and present in this process. */
void *measure_memory(size_t size);

/* After a fork, make sure that the memory is present in the child, too. */
void measure_touch(void *memory, size_t size);

/* From now on, run under SCHED_FIFO. Children inherit this. */
void measure_start(void);

/*
 * Let the kernel do delayed work before a repetition, and change the state of its caches of pages
 * and objects. Without the changes, all repetitions would be alike, and perhaps no repetition
 * would find all caches filled.
 */
void measure_settle(void);

/* Wait for a clock tick. The next tick comes 4,000,000 instructions later. */
void measure_align(void);

/* Print a line for one repetition: the name, and the growth of each total. */
void cost_print(const char *name, const struct totals *before,
		const struct totals *after);

/* Measure @operation @repeat times, and print the costs. */
void cost_of(const char *name, int (*operation)(void), int repeat);

#endif /* MEASURE_H */
