// SPDX-License-Identifier: GPL-2.0-only
/*
 * This file has the operations of "faults" in which processes that count call fork, exit, wait and
 * exec. Counts are exact or reported as missing, whichever allocation fails.
 */
#include <errno.h>
#include <poll.h>
#include <sched.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cgroups.h"
#include "faults.h"

#define ROUNDS	50
#define EXACTLY 1000

static int fd, own;
static const volatile uint32_t *page;
static struct script child;

/* Like check_scope(), but print a line only if the counts are wrong. */
static void check_quietly(int handle, unsigned int scope, struct cost want)
{
	struct vpmc_read read = read_scope(handle, scope);

	if (read.nr_counts != 2 || read.count[0] != want.instructions ||
	    read.count[1] != want.branches || read.other_events || read.revoked)
		check_read(&read, want, 0, "counts in spite of a fault");
}

static void prepare(void)
{
	fd = open_device();
	own = open_device();
}

static void prepare_page(void)
{
	struct vpmc_map map = { .size = sizeof(map) };

	prepare();
	if (request(fd, VPMC_MAP, &map))
		check(false, "map");
	page = pointer_to(map.address);
}

/* Return 0, or the error of the system call. */
static int error_of(const uint32_t *result)
{
	return (int)*result < 0 ? (int)*result : 0;
}

static void check_both(const struct script *parent, struct cost children)
{
	check_quietly(fd, VPMC_SCOPE_SELF, parent->cost);
	check_quietly(fd, VPMC_SCOPE_CHILDREN, children);
}

/* Fork a child that counts like its parent. */
static int act_fork_by(uint32_t call)
{
	struct script parent = script_new();
	uint32_t *result = shared(sizeof(*result));

	child = script_new();
	script_start(&parent, fd, start_arg(FIRST, VPMC_START_FORCE));
	script_fault_arm(&parent);
	script_fork(&parent, &child, call);
	script_save(&parent, result);
	script_fault_disarm(&parent);
	script_rounds(&child, ROUNDS);
	script_exit(&child, 0);
	script_wait(&parent);
	script_stop(&parent, fd, stop_arg());
	script_back(&parent);
	script_run(&parent);
	check_both(&parent, error_of(result) ? NOTHING : child.cost);
	return error_of(result);
}

static int act_fork(void)
{
	return act_fork_by(SYS_fork);
}

static int act_vfork(void)
{
	return act_fork_by(SYS_vfork);
}

/* Create a thread. The driver allocates an object for the thread. */
static int act_thread(void)
{
	struct script parent = script_new();
	uint32_t *pair = shared(2 * sizeof(*pair));
	struct cost sum;

	child = script_new();
	script_start(&parent, fd, start_arg(FIRST, VPMC_START_FORCE));
	script_fault_arm(&parent);
	script_thread(&parent, &child, pair);
	script_fault_disarm(&parent);
	script_rounds(&child, ROUNDS);
	script_exit(&child, 0);
	script_join(&parent, pair);
	script_stop(&parent, fd, stop_arg());
	script_back(&parent);
	script_run(&parent);
	sum = error_of(&pair[1]) ? parent.cost
				 : cost_add(parent.cost, child.cost);
	check_quietly(fd, VPMC_SCOPE_SELF, sum);
	return error_of(&pair[1]);
}

static void prepare_turns(void)
{
	prepare();
	if (request(fd, VPMC_START, turns_arg(0)))
		check(false, "start");
	watched[0] = fd;
}

static int act_fork_turns(void)
{
	int result;
	pid_t pid;

	fault_arm();
	pid = fork();
	result = pid < 0 ? -errno : 0;
	if (!pid)
		_exit(0);
	fault_disarm();
	if (pid > 0)
		waitpid(pid, NULL, 0);
	return result;
}

/* Let a child exit whose parent collects records. The fault comes in the child's exit. */
static int act_exit_recorded(void)
{
	struct script parent = script_new();

	child = script_new();
	script_start(&parent, fd,
		     start_arg(FIRST, VPMC_START_COLLECT | VPMC_START_RECORDS));
	script_fork(&parent, &child, SYS_fork);
	script_rounds(&child, ROUNDS);
	script_fault_arm_own(&child);
	script_exit(&child, 0);
	script_wait(&parent);
	script_stop(&parent, fd, stop_arg());
	script_back(&parent);
	script_run(&parent);
	check_quietly(fd, VPMC_SCOPE_ALL, cost_add(parent.cost, child.cost));
	return 0;
}

static void check_readable(unsigned int n, bool want)
{
	struct pollfd p = { .fd = fd, .events = POLLIN };
	bool is_readable = poll(&p, 1, 0) == 1 && p.revents & POLLIN;

	if (is_readable != want)
		check(false, "allocation %u: readable: %d, want %d", n,
		      is_readable, want);
}

/* If memory is short, the record is lost, and the driver reports the loss. */
static void outcome_recorded(unsigned int n)
{
	struct vpmc_record record = { .size = sizeof(record) };
	bool is_lost = n == 1;
	int result;

	check_readable(n, true);
	result = request(fd, VPMC_RECORD, &record);
	check_readable(n, false);
	if (result || record.lost != is_lost ||
	    record.nr_counts != (is_lost ? 0 : 2) ||
	    record.count[0] != (is_lost ? 0 : child.cost.instructions))
		check(false,
		      "allocation %u: record: %d, %u lost, %u counts, %llu want %llu",
		      n, result, record.lost, record.nr_counts, record.count[0],
		      (unsigned long long)child.cost.instructions);
	record = (struct vpmc_record){ .size = sizeof(record) };
	result = request(fd, VPMC_RECORD, &record);
	if (result != -ENODATA)
		check(false, "allocation %u: more records: %d", n, result);
}

/*
 * Run a process that starts to count. Its parent has never counted. A fault comes in the child's
 * exit or in the parent's wait.
 */
static void run_child(struct vpmc_start *start, bool in_exit)
{
	pid_t pid;

	child = script_new();
	script_start(&child, own, start);
	script_rounds(&child, ROUNDS);
	if (in_exit)
		script_fault_arm_own(&child);
	script_exit(&child, 0);
	pid = child_fork();
	if (!pid)
		script_run(&child);
	waitid(P_PID, (id_t)pid, NULL, WEXITED | WNOWAIT);
	if (!in_exit)
		fault_arm();
	waitpid(pid, NULL, 0);
	if (!in_exit)
		fault_disarm();
}

static int act_wait(void)
{
	run_child(start_arg(FIRST, 0), false);
	return 0;
}

static int act_wait_turns(void)
{
	run_child(turns_arg(0), false);
	return 0;
}

static int act_fold(void)
{
	run_child(start_arg(FIRST, VPMC_START_FOLD), true);
	return 0;
}

/* The wait repeats the allocation of memory for the counts until the allocation succeeds. */
static void outcome_wait(unsigned int n)
{
	(void)n;
	check_quietly(fd, VPMC_SCOPE_CHILDREN, child.cost);
}

/* Sums of turns are missing if their allocation fails. */
static void outcome_wait_turns(unsigned int n)
{
	struct vpmc_read read = { .size = sizeof(read),
				  .scope = VPMC_SCOPE_CHILDREN };
	int result = request(fd, VPMC_READ, &read);
	bool is_missing = n < 6;

	if (result || read.other_events != is_missing ||
	    read.nr_counts != (is_missing ? 0 : 4))
		check(false, "allocation %u: %d, %u other events, %u counts", n,
		      result, read.other_events, read.nr_counts);
}

/* If memory is short at the exit, the wait adds the counts. */
static void outcome_fold(unsigned int n)
{
	(void)n;
	check_quietly(fd, VPMC_SCOPE_CHILDREN, child.cost);
}

static int act_exec(void)
{
	pid_t pid;

	child = script_new();
	script_start(&child, own, start_arg(FIRST, VPMC_START_AT_EXEC));
	script_fault_arm_own(&child);
	script_exec_exactly(&child, "exactly-1000", EXACTLY);
	pid = child_fork();
	if (!pid)
		script_run(&child);
	waitpid(pid, NULL, 0);
	return 0;
}

/*
 * Read the page in a child. The kernel allocates its memory at the first read. If the allocation
 * fails, the kernel repeats it.
 */
static int act_look(void)
{
	int status;
	pid_t pid = child_fork();

	if (!pid) {
		fault_arm_forked();
		(void)*page;
		_exit(0);
	}
	return waitpid(pid, &status, 0) != pid || status ? -EIO : 0;
}

/* There is nothing to check, because the process only reads memory: see act_look(). */
static void outcome_look(unsigned int n)
{
	(void)n;
}

static void outcome_exec(unsigned int n)
{
	(void)n;
	check_quietly(own, VPMC_SCOPE_SELF,
		      (struct cost){ EXACTLY, (EXACTLY - 4) / 2 + 1 });
}

static void prepare_enter(void)
{
	prepare();
	must_start(fd, FIRST, VPMC_START_COLLECT | VPMC_START_AT_EXEC);
	if (group_watch(fd, groups.directory))
		check(false, "the cgroup is collected");
}

/* Let a process enter a cgroup that is collected. */
static int act_enter(void)
{
	child = script_new();
	child.counts = false;
	script_fault_arm_own(&child);
	script_move_in(&child, groups.inner);
	script_work(&child);
	group_run(&child);
	return 0;
}

/* If memory is short, the process is reported as missing. The move itself succeeds. */
static void outcome_enter(unsigned int n)
{
	const struct vpmc_read read = read_scope(fd, VPMC_SCOPE_ALL);
	const bool is_missing = n == 1;

	if (read.other_events != is_missing ||
	    read.count[0] != (is_missing ? 0 : child.cost.instructions))
		check(false, "allocation %u: %llu instructions, %u missing", n,
		      read.count[0], read.other_events);
}

/*
 * The numbers are those of the driver's objects: a process, its thread, and the description of a
 * page. For events that share counters, the driver also allocates four sums and an object for each
 * thread.
 */
const struct operation life_operations[] = {
	{ "fork", prepare, act_fork, 1, NULL },
	{ "vfork", prepare, act_vfork, 1, NULL },
	{ "fork with a page", prepare_page, act_fork, 2, NULL },
	{ "fork of turns", prepare_turns, act_fork_turns, 7, NULL },
	{ "thread", prepare, act_thread, 1, NULL },
	{ "exit with a record", prepare, act_exit_recorded, 1,
	  outcome_recorded },
	{ "wait", prepare, act_wait, 0, outcome_wait },
	{ "wait for turns", prepare, act_wait_turns, 5, outcome_wait_turns },
	{ "fold", prepare, act_fold, 1, outcome_fold },
	{ "exec", prepare, act_exec, 0, outcome_exec },
	{ "enter a cgroup", prepare_enter, act_enter, 1, outcome_enter },
	{ "first look at a page", prepare_page, act_look, 0, outcome_look },
};

const unsigned int nr_life_operations =
	sizeof(life_operations) / sizeof(life_operations[0]);
