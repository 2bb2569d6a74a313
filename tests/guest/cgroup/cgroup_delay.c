// SPDX-License-Identifier: GPL-2.0-only
/*
 * cgroup_delay: a process enters a cgroup while the handle that collects it is started with
 * other events. It counts these. If somebody else starts the process in the meantime, that count
 * is left alone.
 *
 * The process is held where its start begins, which has looked what to count.
 */
#include <err.h>
#include <sys/wait.h>
#include <unistd.h>

#include "delayed.h"
#include "grouped.h"

/* Start the handle with other events while a process is held that enters the cgroup. */
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

/* The same for one that still counts for a file that is closed. */
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

/* Somebody starts one that has left a closed file and is about to be started. */
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

int main(void)
{
	groups_make();
	run(test_restart);
	run(test_restart_left);
	run(test_started);
	return check_status();
}
