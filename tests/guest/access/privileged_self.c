// SPDX-License-Identifier: GPL-2.0-only
/*
 * privileged_self: test that a program that gains rights when it is executed can count itself. A
 * process that may not watch the program must not learn these counts. Such a process may have an
 * older handle, which a start has bound or which was attached. It may be the program's parent, or
 * may collect it.
 */
#include <err.h>
#include <errno.h>
#include <pthread.h>
#include <stddef.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "follow.h"
#include "privileged_programs.h"

#define NOTHING ((struct cost){ 0, 0 })

static const char path[] = "/tmp/raised";
static const char plain[] = "/tmp/plain";

static const struct kind *kind;

/*
 * The program that counts itself is a copy of this one. Its argument is the number of a way, or one
 * of these words.
 */
#define COUNT	       "count"
#define COUNT_IN_CHILD "child"
#define COUNT_ALL      "all"

enum way {
	PLAINLY,
	OPENLY,	      /* it makes itself dumpable */
	THEN_EXEC,    /* it then executes an ordinary program */
	AS_OTHER,     /* it executes an ordinary program, see become_other() */
	IN_CHILD,     /* its child counts, and it waits for the child */
	IN_CHILD_EXEC /* its child does the same as AS_OTHER */
};

static const char *const ways[] = {
	[PLAINLY] = "plainly",
	[OPENLY] = "openly",
	[THEN_EXEC] = "exec after it",
	[AS_OTHER] = "exec before it",
	[IN_CHILD] = "in a child",
	[IN_CHILD_EXEC] = "exec in a child before it",
};

static enum way way;

/* Report that a step is done, and wait for the request of the next step. */
static void step(void)
{
	char byte;

	if (write(1, "", 1) != 1 || read(0, &byte, 1) < 0)
		err(2, "pipe");
}

/*
 * Count three events that share a counter, as no other process does. Returns the exit
 * status.
 */
static int count_itself(void)
{
	struct vpmc_start *start = start_arg(FIRST, VPMC_START_MULTIPLEX);

	start->event[1] = start->event[0];
	start->event[2] = start->event[0];
	start->nr_events = 3;
	return request(open_device(), VPMC_START, start) ? 1 : 0;
}

/* Become another user completely, like su(1), and execute this program again. */
static _Noreturn void become_other(const char *argument)
{
	if (setresgid(getegid(), getegid(), getegid()) ||
	    setresuid(geteuid(), geteuid(), geteuid()))
		err(2, "setresuid");
	execl(plain, "privileged_self", argument, (char *)NULL);
	err(2, "%s", plain);
}

/* Let a child count itself and exit. */
static int in_child(bool other)
{
	int status;
	pid_t pid = child_fork();

	if (!pid && other)
		become_other(COUNT_IN_CHILD);
	if (!pid)
		_exit(count_itself());
	if (waitpid(pid, &status, 0) != pid)
		err(2, "waitpid");
	return status;
}

/* Start to count in the current way. Returns the exit status. */
static int count_somehow(void)
{
	int status;

	switch (way) {
	case AS_OTHER:
		become_other(COUNT);
	case IN_CHILD:
	case IN_CHILD_EXEC:
		return in_child(way == IN_CHILD_EXEC);
	case OPENLY:
		if (prctl(PR_SET_DUMPABLE, 1))
			err(2, "PR_SET_DUMPABLE");
		break;
	default:
		break;
	}
	status = count_itself();
	if (!status && way == THEN_EXEC)
		execl("/bin/busybox", "sh", "-c", "echo; exec cat",
		      (char *)NULL);
	return status;
}

/* Check that the program may see its own counts and those of its children. */
static int count_all(void)
{
	struct vpmc_start *start = start_arg(FIRST, VPMC_START_COLLECT);
	struct vpmc_read self, children, all;
	int fd = open_device();
	pid_t pid;

	check_failures = 0;
	check(!request(fd, VPMC_START, start), "start");
	pid = fork();
	if (!pid)
		_exit(0);
	check(waitpid(pid, NULL, 0) == pid &&
		      !request(fd, VPMC_STOP, stop_arg()),
	      "stop");
	self = read_scope(fd, VPMC_SCOPE_SELF);
	children = read_scope(fd, VPMC_SCOPE_CHILDREN);
	all = read_scope(fd, VPMC_SCOPE_ALL);
	check(self.count[0] && children.count[0] && !children.revoked,
	      "the program reads what its child counts: %llu",
	      children.count[0]);
	check(all.count[0] == self.count[0] + children.count[0] && !all.revoked,
	      "and collects it: %llu want %llu", all.count[0],
	      self.count[0] + children.count[0]);
	return check_status();
}

static int be_program(const char *argument)
{
	int status;

	if (!strcmp(argument, COUNT_IN_CHILD))
		return count_itself();
	if (!strcmp(argument, COUNT_ALL))
		return count_all();
	if (!strcmp(argument, COUNT)) {
		status = count_itself();
	} else {
		way = (enum way)(argument[0] - '0');
		step();
		status = count_somehow();
	}
	step();
	return status;
}

/**
 * struct program - a process that executes the program
 * @pid: its process ID
 * @in: gate by which the test requests a step
 * @out: gate by which the program reports a step
 */
struct program {
	pid_t pid;
	struct gate in, out;
};

/*
 * Create a process of user "nobody" that starts to count on @fd, unless @fd is negative. It
 * executes the program when the test requests the next step.
 */
static struct program program_new(int fd)
{
	const char argument[] = { (char)('0' + way), '\0' };
	struct program p = { .in = gate_new(), .out = gate_new() };

	p.pid = child_fork();
	if (p.pid)
		return p;
	if (geteuid() != NOBODY)
		become_nobody();
	if (dup2(p.in.in, 0) < 0 || dup2(p.out.out, 1) < 0 ||
	    prctl(PR_SET_DUMPABLE, 1) ||
	    (fd >= 0 && request(fd, VPMC_START, start_arg(FIRST, 0))))
		err(2, "start");
	step();
	execl(path, "privileged_self", argument, (char *)NULL);
	err(2, "%s", path);
}

static void until_step(const struct program *p)
{
	gate_wait(&p->out);
}

static void let_step(const struct program *p)
{
	gate_open(&p->in);
	until_step(p);
}

static void program_end(const struct program *p)
{
	int status;

	close(p->in.out);
	check(waitpid(p->pid, &status, 0) == p->pid && !status,
	      "%s, %s: the program's end", kind->name, ways[way]);
}

/* Check the results of reads of a handle. @want is the errno that an unprivileged process gets. */
static void check_reads(int fd, int want, const char *when)
{
	struct vpmc_info info = { .size = sizeof(info) };
	int self, children;

	self = request(fd, VPMC_READ, read_arg(VPMC_SCOPE_SELF));
	children = request(fd, VPMC_READ, read_arg(VPMC_SCOPE_CHILDREN));
	check(self == want && children == want,
	      "%s, %s, %s: errno %d and %d want %d", kind->name, ways[way],
	      when, -self, -children, -want);
	check(!request(fd, VPMC_INFO, &info) &&
		      !info.generation == (want == -EPERM) &&
		      !info.start == (want == -EPERM),
	      "%s, %s, %s: generation %llu of VPMC_INFO", kind->name, ways[way],
	      when, info.generation);
}

static void check_controls(int fd)
{
	struct vpmc_start *start = start_arg(OTHER, VPMC_START_FORCE);

	check(request(fd, VPMC_START, start) == -EPERM &&
		      request(fd, VPMC_STOP, stop_arg()) == -EPERM,
	      "%s, %s: neither start nor stop", kind->name, ways[way]);
}

/* Check that the count is revoked. The program has not started its own count yet. */
static void check_revoked(int fd, uint64_t generation)
{
	struct vpmc_read self = read_scope(fd, VPMC_SCOPE_SELF);

	check_read(&self, NOTHING, REVOKED, "SELF has nothing");
	check(self.generation != generation && self.state == VPMC_STATE_REVOKED,
	      "another generation, revoked");
}

/*
 * Let the program run to its end, and check @fd at each step. @fd was bound to the process before
 * it executes the program.
 */
static void follow_program(struct program *p, int fd, bool attached)
{
	uint64_t generation = read_scope(fd, VPMC_SCOPE_SELF).generation;

	let_step(p);
	check_revoked(fd, generation);
	if (attached)
		check_controls(fd);
	let_step(p);
	check_reads(fd, -EPERM, "it has started");
	if (attached && way != THEN_EXEC)
		check_controls(fd);
	program_end(p);
	check_reads(fd, -EPERM, "it has ended");
}

static void test_restarted(void)
{
	int fd = open_device();
	struct program p = program_new(fd);

	become_nobody();
	until_step(&p);
	follow_program(&p, fd, false);
}

static int attach(int fd, pid_t pid)
{
	struct vpmc_attach attach = { .size = sizeof(attach), .id = pid };

	return request(fd, VPMC_ATTACH, &attach);
}

static void test_restarted_attached(void)
{
	struct program p = program_new(-1);
	int fd = open_device();

	become_nobody();
	until_step(&p);
	check(!attach(fd, p.pid) &&
		      !request(fd, VPMC_START, start_arg(FIRST, 0)),
	      "attach and start");
	follow_program(&p, fd, true);
}

/* Test that the superuser can read the program's counts. */
static void test_restarted_superuser(void)
{
	int fd = open_device(), mine = open_device();
	struct program p = program_new(fd);

	until_step(&p);
	check(!attach(mine, p.pid), "attach");
	let_step(&p);
	let_step(&p);
	check_reads(fd, 0, "root reads");
	check(!request(mine, VPMC_STOP, stop_arg()), "root stops");
	program_end(&p);
	check_reads(mine, 0, "root reads after its end");
}

/*
 * Check CHILDREN and ALL. @missing is the number of counts that were not added, as for
 * check_read().
 */
static void check_sums(int fd, unsigned int missing)
{
	struct vpmc_read self = read_scope(fd, VPMC_SCOPE_SELF);
	struct vpmc_read all = read_scope(fd, VPMC_SCOPE_ALL);

	check_scope(fd, VPMC_SCOPE_CHILDREN, NOTHING, missing,
		    "CHILDREN has nothing");
	check(all.count[0] == self.count[0] && all.count[1] == self.count[1] &&
		      all.revoked == missing / REVOKED,
	      "nor has ALL: %llu want %llu (%u revoked)", all.count[0],
	      self.count[0], all.revoked);
}

#define NO_TIMES offsetof(struct vpmc_record, time)

/*
 * Check the records. The inherited counts have a record up to the exec of the program. The
 * record of the program's own counts shows neither the counts nor the number of events.
 */
static void check_records(int fd)
{
	struct vpmc_record first = { .size = sizeof(first) };
	struct vpmc_record second = { .size = NO_TIMES };

	check(!request(fd, VPMC_RECORD, &first) &&
		      first.what ==
			      (VPMC_RECORD_REVOKED | VPMC_RECORD_RESTARTED) &&
		      first.count[0],
	      "the record of what it inherited");
	check(!request(fd, VPMC_RECORD, &second) &&
		      second.what == (VPMC_RECORD_REVOKED | VPMC_RECORD_LAST) &&
		      !second.count[0] && !second.count[1] && !second.tsc &&
		      second.nr_counts == 1,
	      "that of what it started has nothing: %llu, %u events",
	      second.count[0], second.nr_counts);
}

/*
 * Test a child whose inherited count is revoked, and which then starts again. Its two counts are
 * reported as missing.
 */
static void test_restarted_child(void)
{
	struct vpmc_start *start =
		start_arg(FIRST, VPMC_START_COLLECT | VPMC_START_RECORDS);
	int fd = open_device();
	struct program p;

	become_ordinary();
	check(!request(fd, VPMC_START, start), "start");
	p = program_new(-1);
	check(!request(fd, VPMC_STOP, stop_arg()), "stop");
	until_step(&p);
	let_step(&p);
	let_step(&p);
	program_end(&p);
	check_sums(fd, 2 * REVOKED);
	check_records(fd);
}

static int query_children(int fd, struct vpmc_query *query)
{
	*query = (struct vpmc_query){ .size = sizeof(*query),
				      .scope = VPMC_SCOPE_CHILDREN };
	return request(fd, VPMC_QUERY, query);
}

/*
 * Check the events of CHILDREN of a parent that has never counted. They are not those of a child
 * that the parent may not see, but those of the next child.
 */
static void check_events(int fd)
{
	struct vpmc_start *start = start_arg(OTHER, 0);
	struct vpmc_query query;
	int result = query_children(fd, &query);
	pid_t pid;

	check(result == -ENODATA, "%s, %s: no events: errno %d, %u events",
	      kind->name, ways[way], -result, query.nr_events);
	pid = fork();
	if (!pid)
		_exit(!!request(open_device(), VPMC_START, start));
	check(waitpid(pid, NULL, 0) == pid && !query_children(fd, &query) &&
		      query.nr_events == start->nr_events &&
		      !memcmp(query.event, start->event,
			      start->nr_events * sizeof(*query.event)),
	      "those of an ordinary child: %u", query.nr_events);
}

/* Test a child that starts to count for the first time in the program. */
static void test_started_child(void)
{
	int fd = open_device();
	struct vpmc_read children;
	struct program p;

	become_ordinary();
	p = program_new(-1);
	until_step(&p);
	let_step(&p);
	let_step(&p);
	program_end(&p);
	children = read_scope(fd, VPMC_SCOPE_CHILDREN);
	check(!children.nr_counts && !children.tsc && !children.other_events &&
		      children.revoked == 1,
	      "CHILDREN has nothing of what a child started: %u (%u revoked)",
	      children.nr_counts, children.revoked);
	check_events(fd);
}

/*
 * Test that counts of the program's children are not visible to readers that may not watch the
 * program.
 */
static void test_programs_child(void)
{
	int fd = open_device(), own = open_device();
	struct program p = program_new(fd);
	struct vpmc_read read = { .size = sizeof(read),
				  .scope = VPMC_SCOPE_CHILDREN };
	int result;

	become_nobody();
	until_step(&p);
	let_step(&p);
	let_step(&p);
	result = request(fd, VPMC_READ, &read);
	check(result == -EPERM || (!result && !read.count[0]),
	      "%s, %s: its CHILDREN has nothing: %llu", kind->name, ways[way],
	      read.count[0]);
	program_end(&p);
	read = read_scope(own, VPMC_SCOPE_CHILDREN);
	check(!read.count[0] && !read.count[1] && read.revoked,
	      "nor has its parent's: %llu", read.count[0]);
}

static void test_own(void)
{
	int status;
	pid_t pid = fork();

	if (!pid) {
		become_nobody();
		execl(path, "privileged_self", COUNT_ALL, (char *)NULL);
		err(2, "%s", path);
	}
	check(waitpid(pid, &status, 0) == pid && !status, "%s: its own counts",
	      kind->name);
}

static void *sleep_for_ever(void *unused)
{
	pause_forever();
	return unused;
}

/*
 * Start in a thread of a process with hidden counts. Exit with 0 if the start does not return the
 * number of the hidden start.
 */
static _Noreturn void join_hidden(const struct gate *ready,
				  const struct gate *go)
{
	struct vpmc_start *start = start_arg(FIRST, VPMC_START_FORCE);
	pthread_t thread;
	char byte;

	become_nobody();
	if (pthread_create(&thread, NULL, sleep_for_ever, NULL))
		errx(2, "pthread_create");
	gate_open(ready);
	_exit(read(go->in, &byte, 1) != 1 ||
	      request(open_device(), VPMC_START, start) || !start->start ||
	      start->self_start);
}

/* Test a thread that starts while root counts the kernel mode of all threads. */
static void test_join(void)
{
	struct gate ready = gate_new(), go = gate_new();
	struct vpmc_start *start = start_arg(FIRST, 0);
	int fd = open_device(), status;
	pid_t pid = fork();
	char byte;

	if (!pid)
		join_hidden(&ready, &go);
	start->nr_events = modes_here();
	start->event[0].modes = VPMC_MODE_KERNEL;
	check(read(ready.in, &byte, 1) == 1 && !attach(fd, pid) &&
		      !request(fd, VPMC_START, start),
	      "root starts kernel mode");
	gate_open(&go);
	check(waitpid(pid, &status, 0) == pid && !status,
	      "who starts beside it is not told its start");
}

/* Test that a process that has given up rights learns nothing about a child that still has them. */
static void test_given_up(void)
{
	struct script child = script_new();
	struct gate gate = gate_new();
	int fd = open_device();
	struct vpmc_read read;
	pid_t pid;

	script_gate(&child, gate.in);
	script_rounds(&child, 1000);
	script_exit(&child, 0);
	check(!request(fd, VPMC_START, start_arg(FIRST, 0)), "root starts");
	pid = fork();
	if (!pid)
		script_run(&child);
	become_nobody();
	gate_open(&gate);
	waitpid(pid, NULL, 0);
	read = read_scope(fd, VPMC_SCOPE_CHILDREN);
	check(read.revoked == 1 && !read.count[0],
	      "root's child is missing to who is nobody: %u, %llu",
	      read.revoked, read.count[0]);
}

/*
 * Fork a child that waits for @go, works, notifies its parent through @done, and exits after @end.
 */
static pid_t working_child(const struct gate *go, const struct gate *done,
			   const struct gate *end)
{
	struct script s = script_new();
	pid_t pid;

	script_gate(&s, go->in);
	script_rounds(&s, 1000);
	script_call(&s, SYS_write, done->out, P("!"), 1);
	script_gate(&s, end->in);
	script_exit(&s, 0);
	pid = fork();
	if (!pid)
		script_run(&s);
	return pid;
}

/* Become a program that its user may watch. */
static void become_open(void)
{
	become_ordinary();
}

/*
 * Check that ALL contains the caller's own process and nothing else. The caller continues to count.
 */
static void check_all_is_self(int fd, unsigned int hidden, const char *what)
{
	struct vpmc_read before = read_scope(fd, VPMC_SCOPE_SELF);
	struct vpmc_read all = read_scope(fd, VPMC_SCOPE_ALL);
	struct vpmc_read after = read_scope(fd, VPMC_SCOPE_SELF);

	check(all.revoked == hidden && before.count[0] <= all.count[0] &&
		      all.count[0] <= after.count[0],
	      "%s is missing to who is nobody: %u, %llu of %llu to %llu", what,
	      all.revoked, all.count[0], before.count[0], after.count[0]);
}

static struct vpmc_record take_record(int fd)
{
	struct vpmc_record record = { .size = sizeof(record) };

	check(!request(fd, VPMC_RECORD, &record), "there is a record");
	return record;
}

/* Test that ALL and records do not show such a child, while it runs and after it has exited. */
static void test_all_given_up(void)
{
	struct gate go = gate_new(), done = gate_new(), end = gate_new();
	int fd = open_device();
	struct vpmc_record record;
	unsigned int i;
	pid_t pid;
	char byte;

	check(!request(fd, VPMC_START,
		       start_arg(FIRST,
				 VPMC_START_COLLECT | VPMC_START_RECORDS)),
	      "root starts");
	pid = working_child(&go, &done, &end);
	become_open();
	gate_open(&go);
	check(read(done.in, &byte, 1) == 1, "root's child works");
	check_all_is_self(fd, 1, "root's child");
	if (!fork())
		_exit(0);
	wait(NULL);
	gate_open(&end);
	waitpid(pid, NULL, 0);
	check_all_is_self(fd, 2, "what has exited, with root's child");
	for (i = 0; i < 2; i++) {
		record = take_record(fd);
		check(record.what & VPMC_RECORD_REVOKED && !record.count[0],
		      "and so is its record");
	}
}

/* Test that counts of a child that has given up the same rights are shown. */
static void test_all_kept(void)
{
	struct gate go = gate_new(), done = gate_new(), end = gate_new();
	int fd = open_device();
	struct vpmc_record record;
	struct vpmc_read all;
	pid_t pid;
	char byte;

	check(!request(fd, VPMC_START,
		       start_arg(FIRST,
				 VPMC_START_COLLECT | VPMC_START_RECORDS)),
	      "root starts");
	become_open();
	pid = working_child(&go, &done, &end);
	gate_open(&go);
	check(read(done.in, &byte, 1) == 1, "nobody's child works");
	all = read_scope(fd, VPMC_SCOPE_ALL);
	check(!all.revoked &&
		      all.count[0] > read_scope(fd, VPMC_SCOPE_SELF).count[0],
	      "nobody's child is shown: %llu", all.count[0]);
	gate_open(&end);
	waitpid(pid, NULL, 0);
	all = read_scope(fd, VPMC_SCOPE_ALL);
	check(!all.revoked &&
		      all.count[0] > read_scope(fd, VPMC_SCOPE_SELF).count[0],
	      "nobody's child that has exited is shown: %llu", all.count[0]);
	record = take_record(fd);
	check(!(record.what & VPMC_RECORD_REVOKED) && record.count[0] > 1000,
	      "and so is its record: %llu", record.count[0]);
}

/* Return whether the current kind of program can count in the current way. */
static bool is_possible(void)
{
	switch (way) {
	case OPENLY: /* if the program has other rights than its user */
		return kind->other || kind->capable;
	case AS_OTHER:
	case IN_CHILD_EXEC:
		return kind->other;
	default:
		return true;
	}
}

static void try_ways(void)
{
	for (way = PLAINLY; way <= IN_CHILD_EXEC; way++) {
		if (!is_possible())
			continue;
		if (way == IN_CHILD || way == IN_CHILD_EXEC) {
			run(test_programs_child);
			continue;
		}
		run(test_restarted);
		run(test_restarted_attached);
		run(test_restarted_superuser);
		run(test_restarted_child);
		run(test_started_child);
	}
}

int main(int argc, char **argv)
{
	size_t i;

	if (argc > 1)
		return be_program(argv[1]);
	copy("privileged_self", plain);
	if (chmod(plain, 0755))
		err(2, "chmod");
	run(test_join);
	run(test_given_up);
	run(test_all_given_up);
	run(test_all_kept);
	for (i = 0; i < NR_KINDS; i++) {
		kind = &kinds[i];
		make_program(kind, "privileged_self", path);
		run(test_own);
		try_ways();
	}
	return check_status();
}
