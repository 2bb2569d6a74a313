// SPDX-License-Identifier: GPL-2.0-only
/*
 * cgroup_delay: a process enters a cgroup while the handle that collects it is started with
 * other events. It counts these.
 *
 * The process is held where its start begins, which has looked what to count.
 */
#include <err.h>
#include <sys/wait.h>
#include <unistd.h>

#include "delayed.h"
#include "grouped.h"

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
	until_delayed();
	check(!group_start(fd, OTHER), "a start with other events");
	delay_end();
	if (waitpid(pid, NULL, 0) != pid)
		err(2, "waitpid");
	delay_remove();
	group_check(fd, swapped(s.cost), 0, "one that was just entering");
	close(fd);
}

int main(void)
{
	groups_make();
	run(test_restart);
	return check_status();
}
