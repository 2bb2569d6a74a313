// SPDX-License-Identifier: GPL-2.0-only
/*
 * cgroup_delay: test a process that enters a cgroup while the handle that collects it is started
 * with other events. The process counts these events, or the start is refused. A process that
 * cannot be started is missing once. If another process starts it before, the driver does not
 * change that count.
 */
#include <err.h>
#include <errno.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cgroups.h"
#include "delayed.h"

/* Start the handle with other events while a process that enters the cgroup is held. */
static void restart(int fd, pid_t pid, struct cost cost)
{
	until_delayed();
	check(!group_start(fd, OTHER), "a start with other events");
	delay_end();
	if (waitpid(pid, NULL, 0) != pid)
		err(2, "waitpid");
	delay_remove();
	group_check(fd, swapped(cost), 0, "one that was just entering");
	close(fd);
}

static void test_restart(void)
{
	const int fd = group_collector();
	struct script s = script_new();
	pid_t pid;

	script_name_delayed(&s);
	script_move_in(&s, groups.inner);
	script_work(&s);
	delay_at("vpmc_control_enter");
	pid = fork();
	if (!pid)
		script_run(&s);
	restart(fd, pid, s.cost);
}

/* Test the same with a process that still counts for a closed file. */
static void test_restart_left(void)
{
	struct target t = target_new();
	int fd;

	script_name_delayed(&t.script);
	target_enter(&t);
	script_work(&t.script);
	fd = target_left(&t);
	delay_at("vpmc_control_enter");
	gate_open(&t.gate);
	restart(fd, t.pid, t.script.cost);
}

/* Another process starts a process that has left a closed file, before the handle starts it. */
static void test_started(void)
{
	struct target t = target_new();
	struct vpmc_read self;
	uint64_t generation;
	int fd, own;

	script_name_delayed(&t.script);
	target_enter(&t);
	target_gate(&t, true);
	script_work(&t.script);
	fd = target_left(&t);
	delay_at("vpmc_populate");
	gate_open(&t.gate);
	until_delayed();
	own = hold(t.pid, 0);
	generation = must_start(own, FIRST, VPMC_START_FORCE);
	delay_end();
	target_end(&t);
	self = read_scope(own, VPMC_SCOPE_SELF);
	check(self.generation == generation, "its count is left alone");
	close(own);
	delay_remove();
	target_reap(&t);
	group_check(fd, NOTHING, 1, "and it is missing");
	close(fd);
}

/* The process enters while it counts itself, so it is missing. */
static void script_enter_counting(struct script *s, int own)
{
	script_start(s, own, start_arg(FIRST, 0));
	script_move(s, groups.inner);
}

/* The handle is started again before the driver has recorded a missing process. */
static void test_missing_before(void)
{
	const int fd = group_collector(), own = open_device();
	struct script s = script_new();
	pid_t pid;

	script_name_delayed(&s);
	script_enter_counting(&s, own);
	script_work(&s);
	delay_at("vpmc_session_miss");
	pid = child_fork();
	if (!pid)
		script_run(&s);
	until_delayed();
	check(!group_start(fd, FIRST), "another start");
	delay_end();
	if (waitpid(pid, NULL, 0) != pid)
		err(2, "waitpid");
	delay_remove();
	group_check(fd, NOTHING, 1, "missing once, though noted too late");
	close(own);
	close(fd);
}

/* Fork a process that is not held, even if this process has the name of a held process. */
static pid_t fork_helper(void)
{
	const pid_t pid = child_fork();

	if (!pid && prctl(PR_SET_NAME, "helper"))
		err(2, "prctl");
	return pid;
}

/*
 * A process is missing after the handle was started again, although it has not checked the
 * cgroup.
 */
static void test_missing_after(void)
{
	const int fd = group_collector(), own = open_device();
	struct target t = target_new();
	pid_t pid;

	target_gate(&t, false);
	script_enter_counting(&t.script, own);
	target_gate(&t, true);
	script_work(&t.script);
	target_create(&t);
	name_delayed();
	delay_at("vpmc_group_again");
	pid = fork_helper();
	if (!pid) {
		until_delayed();
		target_pass(&t);
		delay_end();
		fflush(stdout);
		_exit(0);
	}
	check(!group_start(fd, FIRST), "another start");
	if (waitpid(pid, NULL, 0) != pid)
		err(2, "waitpid");
	delay_remove();
	target_end(&t);
	target_reap(&t);
	group_check(fd, NOTHING, 1, "missing once, though noted too early");
	close(own);
	close(fd);
}

/* The handle is closed while a process is being started for it. */
static void test_close(void)
{
	const int fd = group_collector();
	struct target t = target_new();
	int again;

	script_name_delayed(&t.script);
	script_move(&t.script, groups.inner);
	target_gate_start(&t);
	script_work(&t.script);
	delay_at("vpmc_control_enter");
	t.pid = child_fork();
	if (!t.pid) {
		close(fd);
		script_run(&t.script);
	}
	until_delayed();
	close(fd);
	delay_end();
	until_at_gate((uint32_t)t.pid, &t.gate);
	delay_remove();
	again = group_collector();
	target_end(&t);
	target_reap(&t);
	group_check(again, t.script.cost, 0, "one whose start was too late");
	close(again);
}

/* A start of this many threads lets other tasks run. */
#define NR_THREADS 60

/* The start of many threads calls this function, and then soon lets other tasks run. */
#define BEGINS "vpmc_fold_restart"

static void script_threads(struct script *s)
{
	const struct gate never = gate_new();
	struct script thread = script_new();
	int i;

	script_gate(&thread, never.in);
	script_exit(&thread, 0);
	for (i = 0; i < NR_THREADS; i++)
		script_thread(s, &thread, shared(2 * sizeof(uint32_t)));
}

/* Write the last piece of a process with such threads. */
static void script_work_and_die(struct script *s)
{
	script_rounds(s, 1000);
	script_kill(s, SIGKILL);
}

/* The handle is started again in the middle of the start of many threads that enter. */
static void test_restart_of_many(void)
{
	const int fd = group_collector();
	struct target t = target_new();

	stay_on(0);
	script_stay_on(&t.script, 1);
	script_threads(&t.script);
	script_name_delayed(&t.script);
	target_gate(&t, false);
	script_move_in(&t.script, groups.inner);
	script_work_and_die(&t.script);
	target_create(&t);
	spin_at(BEGINS);
	gate_open(&t.gate);
	until_delayed();
	check(group_start(fd, OTHER) == -EBUSY, "a start while many enter");
	target_reap(&t);
	delay_remove();
	group_check(fd, t.script.cost, 0, "the many");
	close(fd);
}

/* When the first module holds a process, release the process that the second module holds. */
static _Noreturn void end_second(void)
{
	stay_on(1);
	until_delayed();
	delay_use(1);
	delay_end();
	fflush(stdout);
	_exit(0);
}

/*
 * A process enters in the middle of another start of the handle, for many threads. The check that
 * it may enter precedes that start.
 */
static void test_many_restart(void)
{
	struct target many = target_new(), t = target_new();
	pid_t pid;
	int fd;

	script_threads(&many.script);
	target_gate(&many, true);
	script_kill(&many.script, SIGKILL);
	delay_use(1);
	script_name_delayed(&t.script);
	stay_on(0);
	script_stay_on(&t.script, 1);
	script_move(&t.script, groups.inner);
	target_gate_start(&t);
	script_work(&t.script);
	target_create(&many);
	target_create(&t);
	fd = hold(many.pid, 0);
	must_start(fd, FIRST, VPMC_START_COLLECT);
	check(!group_watch(fd, groups.directory), "the cgroup is collected");
	delay_at("vpmc_populate");
	gate_open(&t.gate);
	until_delayed();
	delay_use(0);
	name_delayed();
	spin_at(BEGINS);
	pid = fork_helper();
	if (!pid)
		end_second();
	must_start(fd, OTHER, VPMC_START_COLLECT | VPMC_START_FORCE);
	if (waitpid(pid, NULL, 0) != pid)
		err(2, "waitpid");
	target_reap(&t);
	delay_remove();
	delay_use(1);
	delay_remove();
	group_check(fd, swapped(t.script.cost), 0,
		    "one that enters while many start");
	gate_open(&many.gate);
	target_reap(&many);
	close(fd);
}

int main(void)
{
	groups_make();
	run(test_restart);
	run(test_restart_left);
	run(test_started);
	run(test_close);
	run(test_missing_before);
	run(test_missing_after);
	run(test_restart_of_many);
	run(test_many_restart);
	return check_status();
}
