// SPDX-License-Identifier: GPL-2.0-only
/*
 * fork_delay: a process is started with other events while it forks, when the fork
 * has memory for the events of before: the child has nothing of them.
 *
 * It is held in the fork hook, between the allocation and the lock.
 */
#include <sys/syscall.h>
#include <unistd.h>

#include "delayed.h"

#define ROUNDS 1000

/* Allocates for sets of events that need memory of their own. */
#define ALLOCATION "vpmc_prealloc_threads"

static void test_fork(void)
{
	struct target t = target_new();
	struct script child = script_new();
	int fd;

	script_name_delayed(&t.script);
	target_gate(&t, true);
	script_fork(&t.script, &child, SYS_fork);
	script_rounds(&child, ROUNDS);
	script_exit(&child, 0);
	script_wait(&t.script);
	script_exit(&t.script, 0);

	target_create(&t);
	fd = hold(t.pid, 0);
	must_start_shared(fd);
	delay_at(ALLOCATION);
	gate_open(&t.gate);
	until_delayed();
	must_start(fd, FIRST, VPMC_START_FORCE);
	delay_end();
	target_reap(&t);
	delay_remove();
	check_scope(fd, VPMC_SCOPE_CHILDREN, child.cost, 0, "the child");
}

int main(void)
{
	run(test_fork);
	return check_status();
}
