// SPDX-License-Identifier: GPL-2.0-only
/*
 * privileged_exec: test that a task that may not watch a program learns only that the program
 * ran. An unprivileged user counts processes that execute a set-uid program, a set-gid program, a
 * program with capabilities, and a program that cannot be read. The superuser may watch all of
 * these programs, and also counts them.
 */
#include <err.h>
#include <fcntl.h>
#include <pthread.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "follow.h"
#include "privileged_programs.h"

#define ROUNDS	1000
#define NOTHING ((struct cost){ 0, 0 })

static const char path[] = "/tmp/raised";

static const struct kind *kind;

/* Let a child execute the privileged program after some rounds. */
static void raise_child(struct script *child)
{
	script_rounds(child, ROUNDS);
	script_exec_exactly(child, path, 1000);
}

static void reap(uint32_t pid)
{
	int status;

	check(waitpid((pid_t)pid, &status, 0) > 0 && !status,
	      "%s: the program's end", kind->name);
}

/* Test that only the child that executes the program is missing in CHILDREN. */
static void test_children(void)
{
	uint32_t *pid = shared(3 * sizeof(*pid));
	struct family f = family_new();
	struct script before = family_child_pid(&f, &pid[0]);
	struct script raised = family_child_pid(&f, &pid[1]);
	struct script after = family_child_pid(&f, &pid[2]);

	script_exit(&before, 0);
	script_exit(&after, 0);
	raise_child(&raised);
	become_nobody();
	family_run(&f);
	reap(pid[0]);
	reap(pid[1]);
	family_check(&f, before.cost, REVOKED,
		     "nobody's CHILDREN has nothing of the program");
	reap(pid[2]);
	family_check(&f, cost_add(before.cost, after.cost), REVOKED,
		     "the other children are there");
}

/* Test that a program that is missing in its parent is also missing in its grandparent. */
static void test_grandchildren(void)
{
	uint32_t *pid = shared(sizeof(*pid));
	struct family f = family_new();
	struct script child = family_child_pid(&f, pid);
	struct script raised = script_new();

	script_fork(&child, &raised, SYS_fork);
	raise_child(&raised);
	script_wait(&child);
	script_exit(&child, 0);
	become_nobody();
	family_run(&f);
	reap(*pid);
	family_check(&f, child.cost, REVOKED,
		     "a grandchild's revocation is passed on");
}

/*
 * Test that a count of the superuser goes on, even if the child becomes user "nobody" before the
 * exec.
 */
static void test_superuser(void)
{
	uint32_t *pid = shared(sizeof(*pid));
	struct family f = family_new();
	struct script child = family_child_pid(&f, pid);

	script_call(&child, SYS_setgid, NOBODY);
	script_call(&child, SYS_setuid, NOBODY);
	raise_child(&child);
	family_run(&f);
	reap(*pid);
	family_check(&f, child.cost, 0, "the superuser counts the program");
}

static void test_collected(void)
{
	uint32_t *pid = shared(sizeof(*pid));
	struct family f = family_new();
	struct script child = family_child_pid(&f, pid);
	struct vpmc_record record = { .size = sizeof(record) };
	struct cost before;

	f.start->flags = VPMC_START_COLLECT | VPMC_START_RECORDS;
	script_rounds(&child, ROUNDS);
	before = child.cost;
	script_exec_exactly(&child, path, 1000);
	/*
	 * The last counted piece before the program is the part of EXECVE up to the system call,
	 * with eight instructions.
	 */
	before.instructions += 8;
	before.branches += 1;
	become_nobody();
	family_run(&f);
	reap(*pid);
	check_scope(f.fd, VPMC_SCOPE_ALL, f.parent.cost, REVOKED,
		    "nobody's ALL has nothing of the program");
	check(!request(f.fd, VPMC_RECORD, &record) &&
		      record.what == (VPMC_RECORD_REVOKED | VPMC_RECORD_LAST) &&
		      (uint32_t)record.pid == *pid,
	      "its record says that it was revoked");
	check(record.count[0] == before.instructions &&
		      record.count[1] == before.branches,
	      "the record ends before the program: %llu %llu want %llu %llu",
	      record.count[0], record.count[1],
	      (unsigned long long)before.instructions,
	      (unsigned long long)before.branches);
}

/* Check that the owner of a handle sees no counts, and that the generation has changed. */
static void check_holder(int fd, uint64_t generation, enum vpmc_state state)
{
	struct vpmc_info info = { .size = sizeof(info) };
	struct vpmc_read self = read_scope(fd, VPMC_SCOPE_SELF);

	check_read(&self, NOTHING, REVOKED, "SELF has nothing");
	check(self.generation != generation && self.state == state,
	      "another generation, state %u want %u", self.state, state);
	check(!request(fd, VPMC_INFO, &info) &&
		      info.generation == self.generation,
	      "the generation that the handle tells");
}

/*
 * Start to count with @fd, and execute a copy of cat that reads @in. This runs in the child, and
 * writes the generation to @out.
 */
static _Noreturn void execute_cat(int fd, int in, int out, unsigned int flags)
{
	struct vpmc_start *start = start_arg(FIRST, flags);

	become_nobody();
	if (request(fd, VPMC_START, start) ||
	    write(out, &start->generation, 8) != 8 || dup2(in, 0) < 0)
		err(2, "start");
	execl(path, "cat", (char *)NULL);
	err(2, "%s", path);
}

/* Wait until the process executes the program. */
static void until_executed(pid_t pid)
{
	char link[32], name[32];
	ssize_t length;

	snprintf(link, sizeof(link), "/proc/%d/exe", (int)pid);
	do {
		length = readlink(link, name, sizeof(name) - 1);
		if (length < 0)
			err(2, "%s", link);
		name[length] = '\0';
	} while (strcmp(name, path) != 0);
}

static void hold(unsigned int flags)
{
	struct gate in = gate_new(), numbers = gate_new();
	int fd = open_device(), status;
	uint64_t generation;
	pid_t pid = fork();

	if (!pid)
		execute_cat(fd, in.in, numbers.out, flags);
	if (read(numbers.in, &generation, 8) != 8)
		err(2, "pipe");
	until_executed(pid);
	check_holder(fd, generation, VPMC_STATE_REVOKED);
	close(in.out);
	check(waitpid(pid, &status, 0) == pid && !status, "cat's end");
	check_holder(fd, generation, VPMC_STATE_EXITED);
}

static void test_holder(void)
{
	hold(0);
}

static void test_holder_at_exec(void)
{
	hold(VPMC_START_AT_EXEC);
}

/*
 * Count, count again after the superuser has counted this process, and execute the program. This
 * runs in the child.
 */
static _Noreturn void execute_started_again(const struct gate *in,
					    const struct gate *ready)
{
	struct vpmc_start *start = start_arg(FIRST, 0);
	int fd = open_device();
	char byte;

	become_ordinary();
	if (request(fd, VPMC_START, start) ||
	    request(fd, VPMC_STOP, stop_arg()))
		err(2, "start");
	gate_open(ready);
	if (read(in->in, &byte, 1) != 1 || request(fd, VPMC_START, start) ||
	    write(ready->out, &start->generation, 8) != 8 ||
	    dup2(in->in, 0) < 0)
		err(2, "second start");
	execl(path, "cat", (char *)NULL);
	err(2, "%s", path);
}

/*
 * Test that the last start decides whether the count of a program ends. The superuser had started
 * an earlier count.
 */
static void test_started_before(void)
{
	struct gate in = gate_new(), ready = gate_new();
	struct vpmc_attach target = { .size = sizeof(target) };
	int fd = open_device(), status;
	uint64_t generation;
	pid_t pid = fork();

	if (!pid)
		execute_started_again(&in, &ready);
	gate_wait(&ready);
	target.id = pid;
	check(!request(fd, VPMC_ATTACH, &target) &&
		      !request(fd, VPMC_START, start_arg(FIRST, 0)) &&
		      !request(fd, VPMC_STOP, stop_arg()),
	      "the superuser counts the process");
	gate_open(&in);
	if (read(ready.in, &generation, 8) != 8)
		err(2, "pipe");
	until_executed(pid);
	check_holder(fd, generation, VPMC_STATE_REVOKED);
	close(in.out);
	check(waitpid(pid, &status, 0) == pid && !status, "cat's end");
}

static void *execute_in_thread(void *unused)
{
	int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);

	if (nothing < 0 || dup2(nothing, 0) < 0)
		err(2, "/dev/null");
	execl(path, "cat", (char *)NULL);
	err(2, "%s", path);
	return unused;
}

/*
 * Start and stop in the first thread, and execute the program in a second thread, which has never
 * started. This runs in the child.
 */
static _Noreturn void execute_unstarted(int fd)
{
	struct vpmc_start *start =
		start_arg(FIRST, VPMC_START_COLLECT | VPMC_START_RECORDS);
	struct vpmc_stop stop = { .size = sizeof(stop) };
	pthread_t thread;

	become_nobody();
	if (request(fd, VPMC_START, start) || request(fd, VPMC_STOP, &stop) ||
	    pthread_create(&thread, NULL, execute_in_thread, NULL))
		err(2, "thread");
	pause_forever();
}

/*
 * Test that no count is revoked if the thread that executes the program has none. A record reports
 * the exit of the first thread.
 */
static void test_unstarted(void)
{
	struct vpmc_record record = { .size = sizeof(record) };
	int fd = open_device(), status;
	pid_t pid = fork();

	if (!pid)
		execute_unstarted(fd);
	check(waitpid(pid, &status, 0) == pid && !status, "cat's end");
	check(!request(fd, VPMC_RECORD, &record) && record.count[0] &&
		      !record.what,
	      "the record of the thread that had started");
	record = (struct vpmc_record){ .size = sizeof(record) };
	check(!request(fd, VPMC_RECORD, &record) && !record.count[0] &&
		      record.what == VPMC_RECORD_LAST,
	      "the record of the one that had not: %#x", record.what);
}

int main(void)
{
	size_t i;

	for (i = 0; i < NR_KINDS; i++) {
		kind = &kinds[i];
		make_program(kind, "exactly-1000", path);
		run(test_children);
		run(test_grandchildren);
		run(test_superuser);
		run(test_collected);
		make_program(kind, "/bin/busybox", path);
		run(test_holder);
		run(test_holder_at_exec);
		run(test_started_before);
		run(test_unstarted);
	}
	return check_status();
}
