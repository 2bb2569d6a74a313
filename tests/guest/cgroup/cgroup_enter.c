// SPDX-License-Identifier: GPL-2.0-only
/*
 * cgroup_enter: test that a handle collects the processes that are in a cgroup, that enter it and
 * that are born in it, and their children. Each process is collected exactly from that moment on.
 * No other process is collected.
 */
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/sched.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cgroups.h"

#define ROUNDS 1000

/* Test a process that enters, and has two children in the cgroup. One child leaves again. */
static void test_enter(void)
{
	const int fd = group_collector();
	struct script s = script_new(), child = script_new();
	struct script other = script_new(), stranger = script_new();

	script_rounds(&s, ROUNDS);
	script_move_in(&s, groups.inner);
	script_fork(&s, &child, SYS_fork);
	script_wait(&s);
	script_fork(&s, &other, SYS_fork);
	script_wait(&s);
	script_work(&s);
	script_work(&child);
	script_move(&other, groups.outside);
	script_work(&other);
	script_work(&stranger);
	group_run(&stranger);
	group_check(fd, NOTHING, 0, "outside");
	group_run(&s);
	group_check(fd, cost_add(s.cost, cost_add(child.cost, other.cost)), 0,
		    "one that enters, and its children");
	group_run(&stranger);
	group_check(fd, cost_add(s.cost, cost_add(child.cost, other.cost)), 0,
		    "and nobody else");
	close(fd);
}

/* Call clone3(2) to create a process in the cgroup. */
static void script_born(struct script *s, struct script *child)
{
	struct clone_args *args = shared(sizeof(*args));

	*args = (struct clone_args){
		.flags = CLONE_INTO_CGROUP,
		.exit_signal = SIGCHLD,
		.stack = P(child->start) - 16,
		.stack_size = 16,
		.cgroup = (uint32_t)groups.directory,
	};
	script_call(s, SYS_clone3, P(args), sizeof(*args));
	child->counts = true;
	child->cost = (struct cost){ 1, 1 };
}

static void test_born(void)
{
	const int fd = group_collector();
	struct script s = script_new(), child = script_new();

	script_born(&s, &child);
	script_work(&child);
	script_wait(&s);
	script_work(&s);
	group_run(&s);
	group_check(fd, child.cost, 0, "one that is born there");
	close(fd);
}

/*
 * Test two processes that are in the cgroup, one of which has threads, and a process that leaves
 * earlier.
 */
static void test_present(void)
{
	struct target t = target_new(), left = target_new();
	struct script thread = script_new();
	struct cost want;
	int fd;

	script_move(&t.script, groups.inner);
	target_gate_start(&t);
	script_thread(&t.script, &thread, shared(2 * sizeof(uint32_t)));
	script_work(&t.script);
	script_work(&thread);
	script_move(&left.script, groups.inner);
	script_move(&left.script, groups.outside);
	target_gate(&left, false);
	script_work(&left.script);
	target_create(&t);
	target_create(&left);
	fd = group_collector();
	group_check(fd, NOTHING, 0, "they sleep");
	target_end(&t);
	target_reap(&t);
	target_end(&left);
	target_reap(&left);
	want = cost_add(t.script.cost, thread.cost);
	group_check(fd, want, 0, "one that was there, with a thread");
	close(fd);
}

/* Another process moves a sleeping process. */
static void test_moved(void)
{
	const int fd = group_collector();
	struct target t = target_new();

	target_gate_start(&t);
	script_work(&t.script);
	target_create(&t);
	group_move(t.pid, groups.middle);
	target_end(&t);
	target_reap(&t);
	group_check(fd, t.script.cost, 0, "one that is moved");
	close(fd);
}

/* A process that counts itself cannot be collected, and is named. */
static void test_missing(void)
{
	const int fd = group_collector(), own = open_device();
	struct vpmc_start *args = start_arg(FIRST, 0);
	struct script s = script_new();
	struct vpmc_record record;

	script_start(&s, own, args);
	script_move(&s, groups.inner);
	script_work(&s);
	group_run(&s);
	group_check(fd, NOTHING, 1, "one that counts already");
	record = next_record(fd);
	check(record.pid && record.what == VPMC_RECORD_MISSING,
	      "its record: %d what %#x", record.pid, record.what);
	close(own);
	close(fd);
}

/* A new count takes over the processes of an earlier count whose file is closed. */
static void test_again(void)
{
	struct target t = target_new();
	int fd;

	target_enter(&t);
	script_work(&t.script);
	fd = target_left(&t);
	target_end(&t);
	target_reap(&t);
	group_check(fd, t.script.cost, 0,
		    "one that another handle has collected");
	close(fd);
}

static void test_refusals(void)
{
	struct vpmc_cgroup cgroup = { .size = sizeof(cgroup),
				      .fd = groups.directory };
	int fd = open_device(), directory = open("/tmp", O_RDONLY);

	check(group_watch(fd, groups.directory) == -ENODATA,
	      "a handle that does not collect");
	close(fd);
	fd = group_handle();
	check(group_watch(fd, -1) == -EBADF, "no descriptor");
	check(group_watch(fd, directory) == -EBADF, "no cgroup");
	cgroup.flags = 1;
	check(request(fd, VPMC_CGROUP, &cgroup) == -EINVAL, "unknown flags");
	cgroup.flags = 0;
	cgroup.pad = 1;
	check(request(fd, VPMC_CGROUP, &cgroup) == -EINVAL, "pad");
	check(!group_watch(fd, groups.directory), "the cgroup is collected");
	check(!group_start(fd, OTHER), "and is, with other events");
	check(group_watch(fd, groups.directory) == -EBUSY, "another one");
	close(directory);
	close(fd);
}

/*
 * One thread of a process can be moved into a threaded cgroup. Such a cgroup is refused. If it
 * becomes one later, the threads that enter it are missing, and their processes do not count.
 */
static void test_threaded(void)
{
	const struct threaded threaded = threaded_new();
	struct target t = target_new();
	struct script thread = script_new();
	uint32_t *pair = shared(2 * sizeof(*pair));
	int fd = group_handle();

	check(!group_watch(fd, threaded.directory), "not threaded yet");
	threaded_begin();
	script_thread(&t.script, &thread, pair);
	target_gate_start(&t);
	script_work(&t.script);
	script_gate(&thread, t.gate.in);
	script_work(&thread);
	target_create(&t);
	group_move((pid_t)pair[0], threaded.threads);
	gate_open(&t.gate);
	target_end(&t);
	target_reap(&t);
	group_check(fd, NOTHING, 1, "a thread in a threaded cgroup");
	close(fd);
	fd = group_handle();
	check(group_watch(fd, threaded.directory) == -EINVAL, "threaded");
	check(!group_watch(fd, groups.directory), "and then another one");
	close(fd);
}

static void give_up_rights(void)
{
	if (syscall(SETRESUID, 1, 1, 1))
		err(2, "setresuid");
}

static void test_rights(void)
{
	const int fd = group_handle();

	give_up_rights();
	check(group_watch(fd, groups.directory) == -EPERM, "without rights");
	check(!group_start(fd, FIRST), "a start, which needs none");
	close(fd);
}

/* The handle may have been passed to another process. */
static void test_rights_of_starts(void)
{
	const int fd = group_collector();

	give_up_rights();
	check(group_start(fd, FIRST) == -EPERM, "a start without rights");
	close(fd);
}

int main(void)
{
	groups_make();
	run(test_enter);
	run(test_born);
	run(test_present);
	run(test_moved);
	run(test_missing);
	run(test_again);
	run(test_refusals);
	run(test_threaded);
	run(test_rights);
	run(test_rights_of_starts);
	return check_status();
}
