/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This file declares how to run operations of the driver while memory is short. The kernel is built
 * with fault injection, so writing n to /proc/thread-self/fail-nth makes the nth allocation of the
 * thread fail.
 */
#ifndef FAULTS_H
#define FAULTS_H

#include "hold.h"

/*
 * struct operation - an operation that allocates memory
 * @prepare: function that prepares the process, or NULL
 * @act: function that executes the operation between fault_arm() and fault_disarm(), and returns 0
 *	or a negated errno
 * @faults: number of objects that the driver allocates; each of these allocations can fail
 * @outcome: NULL if the operation can return an error; if it cannot, a function that checks the
 *	result of the operation after allocation @n has failed
 */
struct operation {
	const char *name;
	void (*prepare)(void);
	int (*act)(void);
	unsigned int faults;
	void (*outcome)(unsigned int n);
};

extern const struct operation call_operations[], life_operations[];
extern const unsigned int nr_call_operations, nr_life_operations;

/* The answers of these handles must be the same before and after a failure. */
#define MAX_WATCHED 3
extern int watched[MAX_WATCHED];

/* Return another number each time. */
unsigned int fault_serial(void);

/* Make the nth allocation between these two calls fail. */
void fault_arm(void);
void fault_disarm(void);

/* Return a start of two events on each of two counters. */
struct vpmc_start *turns_arg(unsigned int flags);

/* Like fault_arm(), in a process that has just been forked. */
void fault_arm_forked(void);

/* Like fault_arm() and fault_disarm(), in a script that this process runs. */
void script_fault_arm(struct script *s);
void script_fault_disarm(struct script *s);

/* Like fault_arm(), in a script that another process runs. */
void script_fault_arm_own(struct script *s);

#endif /* FAULTS_H */
