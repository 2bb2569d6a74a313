// SPDX-License-Identifier: GPL-2.0-only
/*
 * fork_delay: test that a child inherits only the new events if its parent is started
 * with other events while it forks, after the fork has allocated memory for the
 * previous events. The previous events share counters; the new ones do or do not.
 *
 * The parent is held in the fork hook, between the allocation and the lock.
 */
#include <sys/syscall.h>
#include <unistd.h>

#include "delayed.h"

#define ROUNDS 1000

/* The function that allocates memory for large sets of events. */
#define ALLOCATION "vpmc_prealloc_threads"

/* Make a target that forks @child. */
static struct target forking(struct script *child)
{
	struct target t = target_new();

	*child = script_new();
	script_name_delayed(&t.script);
	target_gate(&t, true);
	script_fork(&t.script, child, SYS_fork);
	script_rounds(child, ROUNDS);
	script_exit(child, 0);
	script_wait(&t.script);
	script_exit(&t.script, 0);
	return t;
}

/* Return when the target, to which @fd is attached, is in its fork. */
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
	struct target t = forking(&child);
	int fd;

	begin_fork(&t, &fd);
	must_start(fd, FIRST, VPMC_START_FORCE);
	end_fork(&t);
	check_scope(fd, VPMC_SCOPE_CHILDREN, child.cost, 0, "the child");
}

/* Two equal events share a counter, and one of them counts at a time. */
static void test_fork_shared(void)
{
	struct vpmc_read read;
	struct script child;
	struct target t = forking(&child);
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
