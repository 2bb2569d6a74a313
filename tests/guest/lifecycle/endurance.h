/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This file declares what the tasks of endurance.c do. They repeat exactly the same
 * operations.
 */
#ifndef ENDURANCE_H
#define ENDURANCE_H

#include <stdint.h>

#include "hold.h"

/* How a task counts. */
enum role {
	COUNTS,
	HAS_PAGE,
	TURNS, /* events that share a counter */
	SIGNALLED,
	IS_QUIET, /* it does not count */
	NR_ROLES
};

/**
 * struct task - one of those that take turns on the processors
 * @role: its way to count
 * @rounds: something between its switches, different from the others'
 * @fd: its handle, always of the same number
 * @script: its actions each time it counts, with a child and a thread
 * @pair: its thread's, see script_thread()
 * @child: the cost of that child
 * @whole: the cost of its process, the thread included
 * @done: how often it has been found exact
 */
struct task {
	enum role role;
	unsigned int rounds;
	int fd;
	struct script script;
	uint32_t *pair;
	struct cost child, whole;
	unsigned long *done;
};

/* @seed: decides what is different from task to task. */
struct task task_new(enum role role, unsigned int seed);

/* One count; returns false if there is no driver to count with. */
bool task_count(struct task *task);

#endif /* ENDURANCE_H */
