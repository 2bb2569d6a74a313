/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This file declares the tasks of endurance.c. Each task repeats the same operations all the time.
 */
#ifndef ENDURANCE_H
#define ENDURANCE_H

#include <stdint.h>

#include "hold.h"

/* These are the ways in which tasks count. */
enum role {
	COUNTS,
	HAS_PAGE,
	TURNS, /* events that share a counter */
	SIGNALLED,
	IS_QUIET, /* does not count */
	NR_ROLES
};

/**
 * struct task - one of the tasks
 * @role: its way to count
 * @rounds: the number of rounds between its switches, which differs from those of other tasks
 * @fd: its handle, which has the same number in all tasks
 * @script: the script that it runs for each count, with a child and a thread
 * @pair: two words for the thread, see script_thread()
 * @child: the cost of the child
 * @whole: the cost of the process, including the thread
 * @done: the number of counts that were exact
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

/* Return a new task. @seed determines the properties in which tasks differ. */
struct task task_new(enum role role, unsigned int seed);

/* Let the task count once, and check the counts. Returns false if there is no driver. */
bool task_count(struct task *task);

#endif /* ENDURANCE_H */
