// SPDX-License-Identifier: GPL-2.0-only
/*
 * attach: test that a process that has attached to another one, the target, can start, stop and
 * read the target's counts. The counts are the same as after a start by the target itself: they are
 * exact, they are inherited, and each new start changes the generation.
 */
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "hold.h"

#define ROUNDS 1000
#ifndef PIDFD_THREAD
#define PIDFD_THREAD O_EXCL
#endif

/*
 * struct way - a way to name a target
 * @flags: flags of VPMC_ATTACH
 * @pidfd: flags of pidfd_open(2), if the way is a descriptor
 */
struct way {
	const char *name;
	unsigned int flags;
	unsigned int pidfd;
};

static const struct way ways[] = {
	{ "pid", 0, 0 },
	{ "pidfd", VPMC_ATTACH_PIDFD, 0 },
	{ "tid", VPMC_ATTACH_THREAD, 0 },
	{ "pidfd, one thread", VPMC_ATTACH_THREAD | VPMC_ATTACH_PIDFD, 0 },
	{ "pidfd of a thread", VPMC_ATTACH_THREAD | VPMC_ATTACH_PIDFD,
	  PIDFD_THREAD },
};

static const struct way *way;

/* Return a handle that is attached to the process, or to its first thread, in the current way. */
static int hold_by_way(pid_t pid)
{
	int fd, id = pid;

	if (way->flags & VPMC_ATTACH_PIDFD) {
		id = (int)syscall(SYS_pidfd_open, pid, way->pidfd);
		if (id < 0)
			err(2, "pidfd_open");
	}
	fd = hold(id, way->flags);
	/* The handle does not need the descriptor after the attach. */
	if (way->flags & VPMC_ATTACH_PIDFD)
		close(id);
	return fd;
}

static unsigned int scope_of_way(void)
{
	return way->flags & VPMC_ATTACH_THREAD ? VPMC_SCOPE_THREAD
					       : VPMC_SCOPE_SELF;
}

/*
 * Create a target with six gates. The test starts the target at its first gate, and lets it
 * continue at the second. The test stops the target at the third gate, starts it again at the
 * fifth, and lets it run to its end. @at
 * receives its counts at the second, third and sixth gate, and at its end.
 */
static struct target twice_started(struct cost at[4])
{
	struct target t = target_new();

	script_rounds(&t.script, ROUNDS);
	target_gate_start(&t);
	script_rounds(&t.script, ROUNDS);
	at[0] = target_gate(&t, true);
	script_rounds(&t.script, ROUNDS);
	at[1] = target_gate(&t, false);
	script_rounds(&t.script, ROUNDS);
	target_gate(&t, false);
	target_gate_start(&t);
	script_rounds(&t.script, ROUNDS * 3);
	at[2] = target_gate(&t, true);
	script_exit(&t.script, 0);
	at[3] = t.script.cost;
	target_create(&t);
	return t;
}

/* Test that exactly the instructions between a start and a stop are counted. */
static void test_way(void)
{
	unsigned int scope = scope_of_way();
	uint64_t first, second;
	struct cost at[4];
	struct target t = twice_started(at);
	int fd = hold_by_way(t.pid);

	check(try_read(fd, scope) == -ENODATA && stop(fd, NULL) == -ENODATA,
	      "%s: a target that never counted: ENODATA", way->name);
	first = must_start(fd, FIRST, 0);
	check_held(fd, scope, NOTHING, VPMC_STATE_RUNNING, first,
		   "started in its sleep");
	target_pass(&t);
	check_held(fd, scope, at[0], VPMC_STATE_RUNNING, first, "it counts");
	target_pass(&t);
	check_held(fd, scope, at[1], VPMC_STATE_RUNNING, first, "it goes on");
	check(must_stop(fd) == first, "a stop leaves the generation");
	check_held(fd, scope, at[1], VPMC_STATE_STOPPED, first, "stopped");
	target_pass(&t);
	target_pass(&t);
	check_held(fd, scope, at[1], VPMC_STATE_STOPPED, first,
		   "nothing counts behind the stop");
	check(must_stop(fd) == first, "a second stop changes nothing");
	second = must_start(fd, FIRST, 0);
	check(second != first, "a start from zero: another generation");
	check_held(fd, scope, NOTHING, VPMC_STATE_RUNNING, second, "from zero");
	target_pass(&t);
	check_held(fd, scope, at[2], VPMC_STATE_RUNNING, second,
		   "it counts again");
	target_end(&t);
	check_held(fd, scope, at[3], VPMC_STATE_EXITED, second, "to its end");
	target_reap(&t);
	check_held(fd, scope, at[3], VPMC_STATE_EXITED, second,
		   "and when it is reaped");
	check_children(cost_add(at[1], at[3]), 0,
		       "the parent has both, as of the child's own starts");
}

/* Test that a handle of a process and one of a thread have different scopes. */
static void test_scopes(void)
{
	struct target t = target_new();
	struct vpmc_info info = { .size = sizeof(info) };
	unsigned int scope;
	uint64_t generation, told;
	int process, thread;

	target_gate(&t, false);
	script_exit(&t.script, 0);
	process = target_hold(&t, 0);
	thread = hold(t.pid, VPMC_ATTACH_THREAD);
	check(!request(process, VPMC_INFO, &info) && !info.generation,
	      "no generation before a start");
	generation = must_start(process, FIRST, 0);
	check(!request(process, VPMC_INFO, &info) &&
		      info.generation == generation,
	      "the generation that the handle tells");
	check(!attach(open_device(), t.pid, 0, &told) && told == generation,
	      "the generation that a new handle is told");
	check(try_read(process, VPMC_SCOPE_THREAD) == -EXDEV,
	      "THREAD of a process: EXDEV");
	for (scope = VPMC_SCOPE_SELF; scope <= VPMC_SCOPE_CHILDREN; scope++)
		check(try_read(thread, scope) == -EXDEV,
		      "scope %u of a thread: EXDEV", scope);
	check_scope(process, VPMC_SCOPE_CHILDREN, NOTHING, 0, "no children");
	check(try_read(process, VPMC_SCOPE_ALL) == -ENODATA &&
		      try_read(thread, VPMC_SCOPE_ALL) == -ENODATA,
	      "ALL of who is not collected: ENODATA");
	check_held(thread, VPMC_SCOPE_THREAD, NOTHING, VPMC_STATE_RUNNING,
		   generation, "the thread of the process");
	target_end(&t);
	target_reap(&t);
}

/* Return a target whose script begins with its own start. The caller completes the script. */
static struct target self_starter(int fd, struct vpmc_start *arg)
{
	struct target t = target_new();

	script_start(&t.script, fd, arg);
	script_rounds(&t.script, ROUNDS);
	return t;
}

/* Test that a start of a target that counts already is refused, and does not change its count. */
static void test_busy(void)
{
	struct vpmc_start *own = start_arg(FIRST, 0);
	int own_fd = open_device(), fd;
	struct target t = self_starter(own_fd, own);
	uint64_t generation;
	struct cost at[2];

	at[0] = target_gate(&t, true);
	script_rounds(&t.script, ROUNDS);
	at[1] = target_gate(&t, false);
	script_exit(&t.script, 0);
	target_create(&t);
	fd = open_device();
	check(!attach(fd, t.pid, 0, &generation) &&
		      generation == own->generation,
	      "attached, the generation is that of its own start");
	check_held(fd, VPMC_SCOPE_SELF, at[0], VPMC_STATE_RUNNING, generation,
		   "what it counts by itself");
	check(start(fd, FIRST, 0, NULL) == -EBUSY &&
		      start(fd, OTHER, 0, NULL) == -EBUSY &&
		      start(fd, FIRST, VPMC_START_AT_EXEC, NULL) == -EBUSY &&
		      start(fd, FIRST, VPMC_START_RESUME, NULL) == -EBUSY &&
		      start(fd, FIRST, VPMC_START_COLLECT, NULL) == -EBUSY,
	      "EBUSY");
	check_held(fd, VPMC_SCOPE_SELF, at[0], VPMC_STATE_RUNNING, generation,
		   "the refusals change nothing");
	check(try_read(fd, VPMC_SCOPE_ALL) == -ENODATA, "nor collect");
	target_pass(&t);
	check(must_stop(fd) == generation, "the holder stops it");
	check_held(own_fd, VPMC_SCOPE_SELF, at[1], VPMC_STATE_STOPPED,
		   generation, "its own handle sees the stop");
	target_end(&t);
	check_held(fd, VPMC_SCOPE_SELF, at[1], VPMC_STATE_EXITED, generation,
		   "and nothing behind it is counted");
	target_reap(&t);
	check_children(at[1], 0, "CHILDREN");
}

/*
 * Test a start by force of a target that counts itself. The target sees the new count, and its
 * parent reports the previous one as missing.
 */
static void test_force(void)
{
	struct vpmc_start *own = start_arg(FIRST, 0);
	struct vpmc_read *read = read_arg(VPMC_SCOPE_SELF);
	int own_fd = open_device(), fd;
	struct target t = self_starter(own_fd, own);
	uint64_t generation;
	struct cost at_read;

	target_gate(&t, true);
	/* This is the count since the start by the holder. */
	t.script.cost = (struct cost){ 1, 1 };
	script_rounds(&t.script, ROUNDS);
	at_read = script_read(&t.script, own_fd, read);
	script_exit(&t.script, 0);
	fd = target_hold(&t, 0);
	generation = must_start(fd, OTHER, VPMC_START_FORCE);
	check(generation != own->generation, "another generation");
	check_held(own_fd, VPMC_SCOPE_SELF, NOTHING, VPMC_STATE_RUNNING,
		   generation, "its own handle tells");
	target_end(&t);
	check_read(read, swapped(at_read), 0, "the target reads the new count");
	check(read->generation == generation, "and the new generation");
	check_held(fd, VPMC_SCOPE_SELF, swapped(t.script.cost),
		   VPMC_STATE_EXITED, generation, "exact to the end");
	target_reap(&t);
	check_children(swapped(t.script.cost), 1,
		       "the parent has the last, and the number of the first");
}

/* Test starts by force with the same events. The parent gets all counts. */
static void test_force_same(void)
{
	struct target t = target_new();
	uint64_t generation;
	struct cost sum = NOTHING;
	int fd, i;

	for (i = 0; i < 5; i++) {
		target_gate_start(&t);
		script_rounds(&t.script, ROUNDS + (unsigned int)i);
		/* Each count ends with the system call of the next gate. */
		sum = cost_add(sum,
			       cost_add(t.script.cost, (struct cost){ 8, 1 }));
	}
	target_gate_start(&t);
	script_exit(&t.script, 0);
	fd = target_hold(&t, 0);
	for (i = 0; i < 5; i++) {
		generation = must_start(fd, FIRST, VPMC_START_FORCE);
		check_held(fd, VPMC_SCOPE_SELF, NOTHING, VPMC_STATE_RUNNING,
			   generation, "begun again");
		target_pass(&t);
	}
	generation = must_start(fd, FIRST, VPMC_START_FORCE);
	target_end(&t);
	check_held(fd, VPMC_SCOPE_SELF, t.script.cost, VPMC_STATE_EXITED,
		   generation, "the last");
	target_reap(&t);
	check_children(cost_add(sum, t.script.cost), 0, "the parent has all");
}

/* Test a target that stops and starts itself again. The holder sees the new count. */
static void test_reconfigured(void)
{
	struct vpmc_start *own = start_arg(OTHER, 0);
	int own_fd = open_device(), fd;
	struct target t = target_new();
	uint64_t generation;

	target_gate_start(&t);
	script_rounds(&t.script, ROUNDS);
	script_stop(&t.script, own_fd, stop_arg());
	script_start(&t.script, own_fd, own);
	script_rounds(&t.script, ROUNDS);
	target_gate(&t, true);
	script_exit(&t.script, 0);
	fd = target_hold(&t, 0);
	generation = must_start(fd, FIRST, 0);
	target_pass(&t);
	check(own->generation != generation, "its own start: a new generation");
	check(read_scope(fd, VPMC_SCOPE_SELF).generation == own->generation,
	      "the holder reads the new generation");
	check(start(fd, FIRST, 0, NULL) == -EBUSY, "the holder's start: EBUSY");
	target_end(&t);
	check_held(fd, VPMC_SCOPE_SELF, swapped(t.script.cost),
		   VPMC_STATE_EXITED, own->generation, "its own count");
	target_reap(&t);
	check_children(swapped(t.script.cost), 1,
		       "the parent has the last, and the number of the first");
}

/* Test two holders of one process. Both control the same counts. */
static void test_two_holders(void)
{
	struct target t = target_new();
	uint64_t first, second;
	struct cost at;
	int one, two;

	target_gate_start(&t);
	script_rounds(&t.script, ROUNDS);
	at = target_gate(&t, false);
	target_gate_start(&t);
	script_rounds(&t.script, ROUNDS);
	script_exit(&t.script, 0);
	one = target_hold(&t, 0);
	two = hold(t.pid, 0);
	first = must_start(one, FIRST, 0);
	check(start(two, FIRST, 0, NULL) == -EBUSY, "the other's start: EBUSY");
	target_pass(&t);
	check_held(two, VPMC_SCOPE_SELF, at, VPMC_STATE_RUNNING, first,
		   "both read the same");
	check(must_stop(two) == first, "the other one stops it");
	check_held(one, VPMC_SCOPE_SELF, at, VPMC_STATE_STOPPED, first,
		   "and the first can tell");
	target_pass(&t);
	second = must_start(two, OTHER, 0);
	check_held(one, VPMC_SCOPE_SELF, NOTHING, VPMC_STATE_RUNNING, second,
		   "a new start is another generation for both");
	close(two);
	target_end(&t);
	check_held(one, VPMC_SCOPE_SELF, swapped(t.script.cost),
		   VPMC_STATE_EXITED, second,
		   "the other one's close is no stop");
	target_reap(&t);
}

/* Test that a target continues to count if its holder is killed. */
static void test_holder_dies(void)
{
	struct target t = target_new();
	uint64_t *generation = shared(sizeof(*generation));
	struct cost at;
	pid_t pid;
	int fd;

	target_gate_start(&t);
	script_rounds(&t.script, ROUNDS);
	at = target_gate(&t, true);
	script_rounds(&t.script, ROUNDS);
	script_exit(&t.script, 0);
	target_create(&t);
	pid = fork();
	if (!pid) {
		*generation = must_start(hold(t.pid, 0), FIRST, 0);
		raise(SIGKILL);
	}
	waitpid(pid, NULL, 0);
	target_pass(&t);
	fd = hold(t.pid, 0);
	check_held(fd, VPMC_SCOPE_SELF, at, VPMC_STATE_RUNNING, *generation,
		   "a dead holder's target counts");
	target_end(&t);
	check_held(fd, VPMC_SCOPE_SELF, t.script.cost, VPMC_STATE_EXITED,
		   *generation, "to its end");
	target_reap(&t);
}

/* Test a start at exec. The program is counted, and the instructions before it are not. */
static void test_at_exec(void)
{
	struct target t = target_new();
	struct cost program;
	uint64_t generation;
	int fd;

	script_rounds(&t.script, ROUNDS);
	target_gate(&t, false);
	script_rounds(&t.script, ROUNDS);
	target_gate(&t, false);
	script_rounds(&t.script, ROUNDS);
	script_exec_exactly(&t.script, "./exactly-1000", 1000);
	program = (struct cost){ 1000, (1000 - 4) / 2 + 1 };
	fd = target_hold(&t, 0);
	generation = must_start(fd, FIRST, VPMC_START_AT_EXEC);
	check_held(fd, VPMC_SCOPE_SELF, NOTHING, VPMC_STATE_ARMED, generation,
		   "armed");
	check(start(fd, FIRST, 0, NULL) == -EBUSY, "a start: EBUSY");
	check(must_stop(fd) == generation, "a stop disarms");
	check_held(fd, VPMC_SCOPE_SELF, NOTHING, VPMC_STATE_STOPPED, generation,
		   "disarmed");
	generation = must_start(fd, FIRST, VPMC_START_AT_EXEC);
	target_pass(&t);
	check_held(fd, VPMC_SCOPE_SELF, NOTHING, VPMC_STATE_ARMED, generation,
		   "armed, nothing counts");
	generation =
		must_start(fd, OTHER, VPMC_START_AT_EXEC | VPMC_START_FORCE);
	target_end(&t);
	check_held(fd, VPMC_SCOPE_SELF, swapped(program), VPMC_STATE_EXITED,
		   generation, "the program from its first to its last");
	target_reap(&t);
}

/* Test that a resume does not begin a new generation. */
static void test_resume(void)
{
	struct vpmc_start arg = *start_arg(OTHER, VPMC_START_RESUME);
	struct target t = target_new();
	uint64_t generation;
	struct cost at[2];
	int fd;

	target_gate_start(&t);
	script_rounds(&t.script, ROUNDS);
	at[0] = target_gate(&t, false);
	script_rounds(&t.script, ROUNDS);
	target_gate(&t, true);
	script_rounds(&t.script, ROUNDS);
	at[1] = target_gate(&t, false);
	script_exit(&t.script, 0);
	fd = target_hold(&t, 0);
	check(start(fd, FIRST, VPMC_START_RESUME, NULL) == -ENODATA,
	      "there is nothing to resume: ENODATA");
	check(try_read(fd, VPMC_SCOPE_SELF) == -ENODATA, "nothing has begun");
	generation = must_start(fd, FIRST, 0);
	target_pass(&t);
	must_stop(fd);
	target_pass(&t);
	check(request(fd, VPMC_START, &arg) == -EINVAL &&
		      arg.error == VPMC_REASON_RESUME,
	      "to resume other events: EINVAL");
	check_held(fd, VPMC_SCOPE_SELF, at[0], VPMC_STATE_STOPPED, generation,
		   "which changes nothing");
	check(must_start(fd, FIRST, VPMC_START_RESUME) == generation,
	      "the generation stays");
	target_pass(&t);
	check_held(fd, VPMC_SCOPE_SELF, at[1], VPMC_STATE_RUNNING, generation,
		   "what was counted before and since");
	must_stop(fd);
	target_end(&t);
	target_reap(&t);
	check_children(at[1], 0, "CHILDREN");
}

/*
 * Test a process that has attached to itself. It counts from the system call of the start to that
 * of the stop, like a process that has not attached.
 */
static void test_oneself(void)
{
	struct script s = script_new();
	int fd = hold(getpid(), 0), thread = hold(getpid(), VPMC_ATTACH_THREAD);
	struct vpmc_start *arg = start_arg(FIRST, 0);
	struct vpmc_start *again = start_arg(OTHER, VPMC_START_FORCE);
	struct vpmc_read *read = read_arg(VPMC_SCOPE_SELF);
	struct cost at;

	script_start(&s, fd, arg);
	script_rounds(&s, ROUNDS);
	at = script_read(&s, fd, read);
	script_start(&s, thread, again);
	script_rounds(&s, ROUNDS);
	script_stop(&s, fd, stop_arg());
	script_back(&s);
	script_run(&s);
	check_read(read, at, 0, "SELF of who holds itself");
	check(read->generation == arg->generation &&
		      arg->generation != again->generation,
	      "by force: another generation");
	check_held(fd, VPMC_SCOPE_SELF, swapped(s.cost), VPMC_STATE_STOPPED,
		   again->generation, "after a start by force");
	check_held(thread, VPMC_SCOPE_THREAD, swapped(s.cost),
		   VPMC_STATE_STOPPED, again->generation, "THREAD");
	check_held(open_device(), VPMC_SCOPE_THREAD, swapped(s.cost),
		   VPMC_STATE_STOPPED, again->generation, "by another handle");
}

int main(void)
{
	size_t i;

	for (i = 0; i < sizeof(ways) / sizeof(ways[0]); i++) {
		way = &ways[i];
		run(test_way);
	}
	run(test_scopes);
	run(test_busy);
	run(test_force);
	run(test_force_same);
	run(test_reconfigured);
	run(test_two_holders);
	run(test_holder_dies);
	run(test_at_exec);
	run(test_resume);
	run(test_oneself);
	return check_status();
}
