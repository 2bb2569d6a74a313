/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This file declares how to run operations of the driver while memory is short:
 * /proc/thread-self/fail-nth of a kernel that was built for this makes the nth
 * allocation of a thread fail.
 */
#ifndef FAULTS_H
#define FAULTS_H

#include "hold.h"

/*
 * struct operation - something that allocates
 * @prepare: function that prepares the process, or NULL
 * @act: does it between fault_arm() and fault_disarm(); 0 or a negated errno
 * @faults: how many objects the driver allocates, each of which can make it fail
 * @outcome: if it cannot fail with an error, NULL if it can: check what came of
 *	it when allocation @n failed
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

/* Make the nth allocation fail between these two calls. */
void fault_arm(void);
void fault_disarm(void);

/* Like fault_arm(), in a process that has just been forked. */
void fault_arm_forked(void);

/* Like fault_arm() and fault_disarm(), in a script of this process. */
void script_fault_arm(struct script *s);
void script_fault_disarm(struct script *s);

/* Like fault_arm(), in a script of another process. */
void script_fault_arm_own(struct script *s);

#endif /* FAULTS_H */
