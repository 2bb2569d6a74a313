// SPDX-License-Identifier: GPL-2.0-only
/*
 * namespaces: test that capabilities in a process's own user namespace do not give access to
 * counters. Test that the driver returns process IDs of the PID namespace of the process that
 * opened the file.
 */
#include <err.h>
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "hold.h"

#define NOBODY	 65534
#define SOMEBODY 1000
#define ROUNDS	 1000

/* Fork a child into new namespaces. */
static pid_t fork_into(unsigned long namespaces)
{
	pid_t pid = (pid_t)syscall(SYS_clone, namespaces | SIGCHLD, 0, 0, 0, 0);

	if (pid < 0)
		err(2, "clone");
	return pid;
}

/* Wait for the child, which has already printed its failures. */
static void reap(pid_t pid, const char *what)
{
	int status;

	check(waitpid(pid, &status, 0) == pid && !status, "%s: its end", what);
}

static void check_record(int fd, pid_t pid, const char *what)
{
	struct vpmc_record record = next_record(fd);

	check(record.pid == pid && record.tid == pid && !record.lost,
	      "%s: process %d, thread %d, want %d", what, record.pid,
	      record.tid, pid);
}

static pid_t fork_to_exit(void)
{
	pid_t pid = fork();

	if (!pid)
		_exit(0);
	waitpid(pid, NULL, 0);
	return pid;
}

/* This runs in a PID namespace in which the caller is process 1. */
static void count_inside(pid_t outer)
{
	int fd = open_device();

	check(getpid() == 1, "the first process there");
	check(!request(fd, VPMC_START,
		       start_arg(FIRST, VPMC_START_COLLECT |
						VPMC_START_RECORDS |
						VPMC_START_FORCE)),
	      "it counts");
	check(fork_to_exit() == 2, "and the second");
	check_record(fd, 2, "a file that was opened there");
	if (outer > 2)
		check(attach(open_device(), outer, 0, NULL) == -ESRCH,
		      "who is outside has no number there");
	check(!attach(open_device(), 1, 0, NULL), "who is inside has one");
}

static void test_numbers_inside(void)
{
	pid_t outer = getpid(), pid = fork_into(CLONE_NEWPID);

	if (!pid) {
		check_failures = 0;
		count_inside(outer);
		exit(check_status());
	}
	reap(pid, "a namespace of its own");
}

static void test_numbers_outside(void)
{
	pid_t *second = shared(sizeof(*second)), pid;
	int fd = open_device();

	if (request(fd, VPMC_START,
		    start_arg(FIRST, VPMC_START_COLLECT | VPMC_START_RECORDS)))
		check(false, "start");
	pid = fork_into(CLONE_NEWPID);
	if (!pid) {
		*second = fork_to_exit();
		_exit(0);
	}
	reap(pid, "a child in a namespace of its own");
	check(*second == 2, "its child is number 2 there");
	check(next_record(fd).pid > pid, "that has another number here");
	check_record(fd, pid, "a file that was opened outside");
}

static void become(unsigned int id)
{
	if (setgid(id) || setuid(id))
		err(2, "setuid");
}

static struct vpmc_start *kernel_mode(void)
{
	struct vpmc_start *start = start_arg(FIRST, 0);

	start_count_kernel(start);
	return start;
}

/*
 * Try to count as root of the namespace, which has all capabilities inside. @roots is a handle of
 * the real root.
 */
static void try_as_root_inside(int roots, pid_t root, pid_t somebody)
{
	struct vpmc_read read = { .size = sizeof(read),
				  .scope = VPMC_SCOPE_SELF };
	struct script s = script_new();
	int fd = open_device(), result;

	result = request(fd, VPMC_START, kernel_mode());
	check(result == -EPERM, "kernel mode: errno %d", -result);
	result = request(fd, VPMC_SYSTEM_START, start_arg(FIRST, 0));
	check(result == -EPERM, "system mode: errno %d", -result);
	result = attach(open_device(), root, 0, NULL);
	check(result == -EPERM, "a process of root's: errno %d", -result);
	result = attach(open_device(), somebody, 0, NULL);
	check(result == -EPERM, "a process of another user's: errno %d",
	      -result);
	result = request(roots, VPMC_READ, &read);
	check(result == -EPERM, "a file of root's: errno %d", -result);

	script_start(&s, fd, start_arg(FIRST, 0));
	script_rounds(&s, ROUNDS);
	script_stop(&s, fd, stop_arg());
	script_back(&s);
	script_run(&s);
	check_scope(fd, VPMC_SCOPE_SELF, s.cost, 0, "its own user mode");
}

static pid_t fork_sleeper(unsigned int id)
{
	pid_t pid = fork();

	if (!pid) {
		become(id);
		pause_forever();
	}
	return pid;
}

static void test_rights_inside(void)
{
	pid_t root = fork_sleeper(0), somebody = fork_sleeper(SOMEBODY), pid;
	int fd = hold(root, 0);

	must_start(fd, FIRST, 0);
	usleep(20000);
	pid = fork();
	if (!pid) {
		check_failures = 0;
		become(NOBODY);
		if (unshare(CLONE_NEWUSER))
			err(2, "unshare");
		try_as_root_inside(fd, root, somebody);
		exit(check_status());
	}
	reap(pid, "who is root in a namespace");
	kill(root, SIGKILL);
	kill(somebody, SIGKILL);
	while (wait(NULL) > 0)
		;
}

/* Test that a count that the real root has started goes on in a new user namespace. */
static void test_exec_inside(void)
{
	static char path[] = "./exactly-1000";
	static char *const argv[] = { path, NULL };
	struct gate ready = gate_new(), go = gate_new();
	struct vpmc_read counts;
	pid_t pid = fork();
	char byte;
	int fd;

	if (!pid) {
		become(NOBODY);
		if (unshare(CLONE_NEWUSER))
			_exit(1);
		gate_open(&ready);
		if (read(go.in, &byte, 1) != 1)
			_exit(1);
		execv(path, argv);
		_exit(1);
	}
	gate_wait(&ready);
	fd = hold(pid, 0);
	must_start(fd, FIRST, VPMC_START_AT_EXEC);
	gate_open(&go);
	waitpid(pid, NULL, 0);
	counts = read_scope(fd, VPMC_SCOPE_SELF);
	check(counts.count[0] == 1000 && !counts.revoked,
	      "root outside counts what is executed inside: %llu",
	      counts.count[0]);
}

/*
 * This is the program that children of an ordinary user execute, each in a new user namespace.
 */
static char exactly[] = "./exactly-1000";

static void execute_inside(void)
{
	char *const argv[] = { exactly, NULL };

	if (unshare(CLONE_NEWUSER))
		_exit(1);
	execv(exactly, argv);
	_exit(1);
}

static int start_as_nobody(void)
{
	int fd = open_device();

	become(NOBODY);
	if (prctl(PR_SET_DUMPABLE, 1))
		err(2, "PR_SET_DUMPABLE");
	must_start(fd, FIRST, 0);
	return fd;
}

static struct vpmc_read count_child(int fd)
{
	pid_t pid = fork();

	if (!pid)
		execute_inside();
	waitpid(pid, NULL, 0);
	return read_scope(fd, VPMC_SCOPE_CHILDREN);
}

/*
 * Test that a user may count a child in a namespace that the user has created. The user has all
 * capabilities in that namespace.
 */
static void test_exec_entered(void)
{
	struct vpmc_read children = count_child(start_as_nobody());

	check(children.count[0] > 1000 && !children.revoked,
	      "what a child executes inside is counted: %llu, %u revoked",
	      children.count[0], children.revoked);
}

static void check_denied(int fd, const char *who)
{
	struct vpmc_read read = { .size = sizeof(read),
				  .scope = VPMC_SCOPE_SELF };
	int result = request(fd, VPMC_READ, &read);

	check(result == -EPERM, "%s: errno %d", who, -result);
}

/*
 * Check that a process in another user namespace may not read. It could not have watched the
 * process.
 */
static void read_elsewhere(int fd)
{
	check_failures = 0;
	if (unshare(CLONE_NEWUSER))
		err(2, "unshare");
	check_denied(fd, "a namespace beside it");
	exit(check_status());
}

/*
 * Test that the user may read, from outside, a process that counted before it entered a namespace.
 */
static void test_read_entered(void)
{
	struct gate go = gate_new();
	struct vpmc_read counts;
	pid_t pid;
	int fd;

	become(NOBODY);
	if (prctl(PR_SET_DUMPABLE, 1))
		err(2, "PR_SET_DUMPABLE");
	pid = fork();
	if (!pid) {
		gate_wait(&go);
		execute_inside();
	}
	fd = hold(pid, 0);
	must_start(fd, FIRST, 0);
	gate_open(&go);
	waitpid(pid, NULL, 0);
	counts = read_scope(fd, VPMC_SCOPE_SELF);
	check(counts.count[0] > 1000 && !counts.revoked,
	      "its user reads it: %llu, %u revoked", counts.count[0],
	      counts.revoked);
	pid = fork();
	if (!pid)
		read_elsewhere(fd);
	reap(pid, "who is inside another namespace");
}

/*
 * Test that a count ends if the process executes a program that its user may not read, and so may
 * not watch.
 */
static void test_exec_unreadable_inside(void)
{
	struct vpmc_read children;

	if (chmod(exactly, 0111))
		err(2, "chmod");
	children = count_child(start_as_nobody());
	check(!children.count[0] && children.revoked == 1,
	      "a program inside that may not be traced ends its count: %llu,"
	      " %u revoked",
	      children.count[0], children.revoked);
}

int main(void)
{
	run(test_numbers_inside);
	run(test_numbers_outside);
	run(test_rights_inside);
	run(test_exec_inside);
	run(test_exec_entered);
	run(test_read_entered);
	run(test_exec_unreadable_inside);
	return check_status();
}
