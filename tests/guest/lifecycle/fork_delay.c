// SPDX-License-Identifier: GPL-2.0-only
/*
 * fork_delay: test a start by force of a process that forks, after the fork has allocated memory
 * for the previous events. The child must inherit only the new events. The previous events share
 * counters. The new events share counters in one test, and do not in the other.
 *
 * The parent is held in the fork hook, between the allocation and the lock.
 */
#include <unistd.h>

#include "delayed.h"

#define ROUNDS 1000

/* This is the function that allocates memory for large sets of events. */
#define ALLOCATION "vpmc_prealloc_threads"

/* Create and start the target, and wait until it is held in its fork. @fd receives the handle. */
static void begin_fork(struct target *t, int *fd)
{
	target_create(t);
	*fd = hold(t->pid, 0);
	must_start_shared(*fd, FIRST, 0);
	delay_at(ALLOCATION);
	gate_open(&t->gate);
	until_delayed();
}

static void end_fork(struct target *t)
{
	delay_end();
	target_reap(t);
	delay_remove();
}

static void test_fork(void)
{
	struct script child;
	struct target t = target_forking(&child, ROUNDS);
	int fd;

	begin_fork(&t, &fd);
	must_start(fd, FIRST, VPMC_START_FORCE);
	end_fork(&t);
	check_scope(fd, VPMC_SCOPE_CHILDREN, child.cost, 0, "the child");
}

/*
 * Test new events that share counters. Each counter has two equal events, so their counts add up.
 */
static void test_fork_shared(void)
{
	struct vpmc_read read;
	struct script child;
	struct target t = target_forking(&child, ROUNDS);
	unsigned int i, n;
	int fd;

	begin_fork(&t, &fd);
	must_start_shared(fd, OTHER, VPMC_START_FORCE);
	end_fork(&t);
	read = read_scope(fd, VPMC_SCOPE_CHILDREN);
	n = read.nr_counts / 2;
	for (i = 0; i < n; i++)
		read.count[i] += read.count[n + i];
	check(are_counts(read.count, n, swapped(child.cost)),
	      "the child counts %llu branches and %llu instructions, want %llu and %llu",
	      read.count[0], read.count[1],
	      (unsigned long long)child.cost.branches,
	      (unsigned long long)child.cost.instructions);
}

int main(void)
{
	run(test_fork);
	run(test_fork_shared);
	return check_status();
}
