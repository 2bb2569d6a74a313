// SPDX-License-Identifier: GPL-2.0-only
/*
 * force_delay: test a start by force of a process in the middle of its fork. The child must count.
 * Test also a thread that wakes up in the middle of such a start.
 *
 * The process is held where the fork hook begins. It continues after the start has stopped it and
 * before the start starts it again. The starter spins at this point with the lock held.
 */
#include <sys/syscall.h>

#include "delayed.h"

#define ROUNDS 1000

/* A start by force calls this function after it has stopped the process. */
#define STOPPED "vpmc_fold_restart"

/*
 * Return a target that starts the process to which the handle is attached. @result receives the
 * result of the start.
 */
static struct target starting(int fd, uint32_t *result)
{
	struct target t = target_new();

	delay_use(1);
	script_name_delayed(&t.script);
	script_stay_on(&t.script, 1);
	target_gate(&t, false);
	script_call(&t.script, SYS_ioctl, (script_word)fd, VPMC_START,
		    P(start_arg(FIRST, VPMC_START_FORCE)));
	script_save(&t.script, result);
	script_exit(&t.script, 0);
	return t;
}

static void fork_and_start(unsigned int flags)
{
	uint32_t *result = shared(sizeof(*result));
	struct target t, starter;
	struct script child;
	int fd, all;

	*result = 1;
	stay_on(0);
	delay_use(0);
	t = target_forking(&child, ROUNDS);
	fd = target_hold(&t, flags);
	all = hold(t.pid, 0);
	must_start(fd, FIRST, 0);
	starter = starting(fd, result);
	target_create(&starter);

	delay_use(0);
	delay_at("vpmc_life_fork");
	gate_open(&t.gate);
	until_delayed();
	delay_use(1);
	spin_at(STOPPED);
	gate_open(&starter.gate);
	until_delayed();
	delay_use(0);
	delay_end();
	target_reap(&t);
	delay_remove();
	target_reap(&starter);
	delay_use(1);
	delay_remove();
	check(!*result, "started by force");
	check_scope(all, VPMC_SCOPE_CHILDREN, child.cost, 0, "the child");
}

static void test_fork(void)
{
	fork_and_start(0);
}

/*
 * Test the same with a start of the forking thread alone. In the middle of the start, the state of
 * that thread says that it does not count.
 */
static void test_fork_of_thread(void)
{
	fork_and_start(VPMC_ATTACH_THREAD);
}

/*
 * Test a thread that sleeps while the start stops it, and wakes up before the start has ended. The
 * thread must not execute instructions before the end of the start.
 */
static void test_sleeper(void)
{
	uint32_t *result = shared(sizeof(*result));
	struct target t = target_new(), starter;
	int fd;

	*result = 1;
	stay_on(0);
	target_gate_start(&t);
	script_rounds(&t.script, ROUNDS);
	script_exit(&t.script, 0);
	fd = target_hold(&t, 0);
	must_start(fd, FIRST, 0);
	starter = starting(fd, result);
	target_create(&starter);
	spin_at(STOPPED);
	gate_open(&starter.gate);
	until_delayed();
	gate_open(&t.gate);
	target_reap(&t);
	target_reap(&starter);
	delay_remove();
	check(!*result, "started by force");
	check_scope(fd, VPMC_SCOPE_SELF, t.script.cost, 0,
		    "what it executed when it had woken up");
}

int main(void)
{
	run(test_fork);
	run(test_fork_of_thread);
	run(test_sleeper);
	return check_status();
}
