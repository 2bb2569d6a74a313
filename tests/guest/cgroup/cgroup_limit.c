// SPDX-License-Identifier: GPL-2.0-only
/*
 * cgroup_limit: test a process that collects a cgroup and is in another cgroup, whose memory is
 * used up. Processes that enter count exactly. Processes that cannot be started are missing, and
 * the records for them are lost and counted.
 */
#include <err.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cgroups.h"

#define LIMITED GROUPS_ROOT "/limited"
#define MISSING 5

/* Collect the cgroup. This process must not need more memory, and cannot be killed for it. */
static _Noreturn void be_collector(int fd, const struct gate *ready)
{
	set_file(LIMITED "/cgroup.procs", "0");
	set_file("/proc/self/oom_score_adj", "-1000");
	check(!group_start(fd, FIRST), "a start in a cgroup with a limit");
	check(!group_watch(fd, groups.directory), "the cgroup is collected");
	/* The memory limit will kill this process. */
	fflush(stdout);
	gate_open(ready);
	for (;;)
		pause();
}

/* Return the number of lost records. */
static unsigned int records_lost(int fd)
{
	struct vpmc_record record = { .size = sizeof(record) };
	unsigned int lost = 0;

	while (!request(fd, VPMC_RECORD, &record)) {
		lost += record.lost;
		record = (struct vpmc_record){ .size = sizeof(record) };
	}
	return lost;
}

/*
 * Let a process enter the cgroup. If @own is set, the process already counts. Returns its cost.
 */
static struct cost enter(int own)
{
	struct script s = script_new();

	if (own >= 0)
		script_start(&s, own, start_arg(FIRST, 0));
	s.counts = false;
	script_move_in(&s, groups.inner);
	script_work(&s);
	group_run(&s);
	return s.cost;
}

static void test_limit(void)
{
	const int fd = open_device();
	const struct gate ready = gate_new();
	const pid_t pid = child_fork();
	unsigned int i, lost;
	struct cost cost;
	int own;

	if (!pid)
		be_collector(fd, &ready);
	gate_wait(&ready);
	set_file(LIMITED "/memory.max", "4096");
	cost = enter(-1);
	for (i = 0; i < MISSING; i++) {
		own = open_device();
		enter(own);
		close(own);
	}
	group_check(fd, cost, MISSING, "one that enters, and the others");
	lost = records_lost(fd);
	check(lost >= MISSING, "%u records are lost", lost);
	check(!kill(pid, SIGKILL) && waitpid(pid, NULL, 0) == pid,
	      "the collector has not been killed");
	close(fd);
}

int main(void)
{
	groups_make();
	set_file(GROUPS_ROOT "/cgroup.subtree_control", "+memory");
	if (mkdir(LIMITED, 0700))
		err(2, LIMITED);
	run(test_limit);
	return check_status();
}
