// SPDX-License-Identifier: GPL-2.0-only
/*
 * attach_ends: test that the counts of a target continue over an exec by any of its threads. Test
 * that its final counts stay readable after the target has exited in any way, and after it has been
 * reaped.
 */
#include <errno.h>
#include <linux/sched.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "hold.h"

#define ROUNDS 1000

static const char program[] = "./exactly-1000";

/* Check that a start and a stop of a target that has exited are refused. */
static void check_gone(int fd, const char *what)
{
	int started = start(fd, FIRST, 0, NULL);
	int forced = start(fd, FIRST, VPMC_START_FORCE, NULL);
	int armed = start(fd, FIRST, VPMC_START_AT_EXEC, NULL);
	int stopped = stop(fd, NULL);

	check(started == -ESRCH && forced == -ESRCH && armed == -ESRCH &&
		      stopped == -ESRCH,
	      "%s: start and stop: ESRCH: %d %d %d %d", what, -started, -forced,
	      -armed, -stopped);
}

/*
 * Kill the sleeping target, or let it run to its end. Check handles of the process and of its
 * thread while the target is a zombie, and after it has been reaped.
 */
static void check_end(struct target *t, bool killed, uint64_t generation,
		      struct cost want)
{
	int process = hold(t->pid, 0),
	    thread = hold(t->pid, VPMC_ATTACH_THREAD);
	int i;

	if (killed)
		kill(t->pid, SIGKILL);
	else
		gate_open(&t->gate);
	waitid(P_PID, (id_t)t->pid, NULL, WEXITED | WNOWAIT);
	for (i = 0; i < 2; i++) {
		const char *what = i ? "reaped" : "a zombie";

		check_held(process, VPMC_SCOPE_SELF, want, VPMC_STATE_EXITED,
			   generation, what);
		check_held(thread, VPMC_SCOPE_THREAD, want, VPMC_STATE_EXITED,
			   generation, what);
		check(!read_scope(process, VPMC_SCOPE_SELF).running,
		      "nobody runs");
		check_gone(process, what);
		check_gone(thread, what);
		if (!i)
			target_reap(t);
	}
	check_held(process, VPMC_SCOPE_SELF, want, VPMC_STATE_EXITED,
		   generation, "the refusals change nothing");
}

/*
 * Return a target that is to be started at its first gate. The caller adds the way in which it
 * ends.
 */
static struct target starting(void)
{
	struct target t = target_new();

	target_gate_start(&t);
	script_rounds(&t.script, ROUNDS);
	return t;
}

static void finish_started(struct target *t)
{
	uint64_t generation;

	target_create(t);
	generation = must_start(hold(t->pid, 0), FIRST, 0);
	check_end(t, false, generation, t->script.cost);
	check_children(t->script.cost, 0, "CHILDREN has it once");
}

static void test_exit(void)
{
	struct target t = starting();

	script_exit(&t.script, 0);
	finish_started(&t);
}

static void test_kills_itself(void)
{
	struct target t = starting();

	script_kill(&t.script, SIGTERM);
	finish_started(&t);
}

static void test_crash(void)
{
	struct target t = starting();

	script_crash(&t.script);
	/* Keep script_run() from overwriting the words after the end of the script. */
	t.script.length += 2;
	finish_started(&t);
}

static void test_killed(void)
{
	struct target t = starting();
	uint64_t generation;

	script_last(&t.script, SYS_pause);
	target_create(&t);
	generation = must_start(hold(t.pid, 0), FIRST, 0);
	gate_open(&t.gate);
	until_asleep((uint32_t)t.pid);
	check_end(&t, true, generation, t.script.cost);
}

static void test_exec(void)
{
	struct target t = starting();

	script_exec_exactly(&t.script, program, 1000);
	finish_started(&t);
}

/* Test a target that was stopped before its exit. */
static void test_stopped_before(void)
{
	struct target t = starting();
	uint64_t generation;
	struct cost at;
	int fd;

	at = target_gate(&t, false);
	script_rounds(&t.script, ROUNDS);
	script_exit(&t.script, 0);
	fd = target_hold(&t, 0);
	generation = must_start(fd, FIRST, 0);
	target_pass(&t);
	must_stop(fd);
	check_end(&t, false, generation, at);
}

/* Test a target that has never counted. */
static void test_never(void)
{
	struct target t = target_new();
	int process, thread;

	target_gate(&t, false);
	script_exit(&t.script, 0);
	process = target_hold(&t, 0);
	thread = hold(t.pid, VPMC_ATTACH_THREAD);
	target_end(&t);
	check(start(process, FIRST, 0, NULL) == -ESRCH &&
		      start(thread, FIRST, 0, NULL) == -ESRCH,
	      "start of a zombie that never counted: ESRCH");
	check(try_read(process, VPMC_SCOPE_SELF) == -ENODATA &&
		      try_read(thread, VPMC_SCOPE_THREAD) == -ENODATA,
	      "its counts: ENODATA");
	target_reap(&t);
	check(start(process, FIRST, 0, NULL) == -ESRCH &&
		      start(thread, FIRST, 0, NULL) == -ESRCH,
	      "start when it is reaped: ESRCH");
	check(try_read(process, VPMC_SCOPE_SELF) == -ENODATA &&
		      try_read(thread, VPMC_SCOPE_THREAD) == -ENODATA,
	      "its counts: ENODATA");
}

/*
 * Test handles that were attached before the process had ever counted, and are read after its exit.
 */
static void test_started_later(void)
{
	struct vpmc_start *own = start_arg(FIRST, 0);
	struct target t = target_new();
	int process, thread;

	target_gate(&t, false);
	script_start(&t.script, open_device(), own);
	script_rounds(&t.script, ROUNDS);
	script_exit(&t.script, 0);
	process = target_hold(&t, 0);
	thread = hold(t.pid, VPMC_ATTACH_THREAD);
	target_end(&t);
	target_reap(&t);
	check_held(process, VPMC_SCOPE_SELF, t.script.cost, VPMC_STATE_EXITED,
		   own->generation, "a process that started later");
	check_held(thread, VPMC_SCOPE_THREAD, t.script.cost, VPMC_STATE_EXITED,
		   own->generation, "its thread");
}

/*
 * Test that a handle stands for its process, and not for another process that gets the same ID
 * later.
 */
static void test_number_again(void)
{
	struct target t = starting();
	struct clone_args args = { .exit_signal = SIGCHLD,
				   .set_tid = P(&t.pid),
				   .set_tid_size = 1 };
	uint64_t generation;
	pid_t pid;
	int fd;

	script_exit(&t.script, 0);
	fd = target_hold(&t, 0);
	generation = must_start(fd, FIRST, 0);
	target_end(&t);
	target_reap(&t);
	pid = (pid_t)syscall(SYS_clone3, &args, sizeof(args));
	if (!pid)
		pause();
	check(pid == t.pid, "another process has the number");
	check(start(fd, FIRST, VPMC_START_FORCE, NULL) == -ESRCH &&
		      stop(fd, NULL) == -ESRCH,
	      "it is not the target: ESRCH");
	check_held(fd, VPMC_SCOPE_SELF, t.script.cost, VPMC_STATE_EXITED,
		   generation, "the target's counts");
	check(try_read(hold(pid, 0), VPMC_SCOPE_SELF) == -ENODATA,
	      "the new one never counted");
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

/**
 * struct pair - a process of two threads that sleep. The second thread executes a program, and so
 * gets the ID of the first thread.
 * @t: the process and its leader
 * @at: the count of the leader at its second gate
 * @thread: the script of the second thread
 * @tid: the ID of the second thread
 * @gate: the gate of the second thread
 */
struct pair {
	struct target t;
	struct cost at;
	struct script thread;
	uint32_t *tid;
	struct gate gate;
};

static struct pair pair_create(void)
{
	struct pair p = { .t = target_new(),
			  .thread = script_new(),
			  .tid = shared(sizeof(*p.tid)),
			  .gate = gate_new() };

	script_clone(&p.t.script, &p.thread,
		     CLONE_VM | CLONE_SIGHAND | CLONE_THREAD |
			     CLONE_CHILD_SETTID,
		     p.tid);
	target_gate_start(&p.t);
	script_rounds(&p.t.script, ROUNDS);
	p.at = target_gate(&p.t, true);
	script_exit(&p.t.script, 0);
	p.thread.cost = NOTHING;
	script_gate_then(&p.thread, p.gate.in, true);
	script_rounds(&p.thread, ROUNDS * 2);
	script_exec_exactly(&p.thread, program, 1000);
	target_create(&p.t);
	while (!*(volatile uint32_t *)p.tid)
		usleep(1000);
	until_at_gate(*p.tid, &p.gate);
	return p;
}

static void test_exec_of_thread(void)
{
	struct pair p = pair_create();
	struct cost sum = cost_add(p.at, p.thread.cost);
	int process = hold(p.t.pid, 0), i;
	int first = hold(p.t.pid, VPMC_ATTACH_THREAD);
	int second = hold((int)*p.tid, VPMC_ATTACH_THREAD);
	uint64_t generation = must_start(process, FIRST, 0);

	target_pass(&p.t);
	check_held(first, VPMC_SCOPE_THREAD, p.at, VPMC_STATE_RUNNING,
		   generation, "the leader before the exec");
	check_held(second, VPMC_SCOPE_THREAD, NOTHING, VPMC_STATE_RUNNING,
		   generation, "the thread before it");
	gate_open(&p.gate);
	waitid(P_PID, (id_t)p.t.pid, NULL, WEXITED | WNOWAIT);
	for (i = 0; i < 2; i++) {
		check_held(process, VPMC_SCOPE_SELF, sum, VPMC_STATE_EXITED,
			   generation, "the process: both, and the program");
		check_held(first, VPMC_SCOPE_THREAD, p.at, VPMC_STATE_EXITED,
			   generation, "the leader: what it did");
		check_held(second, VPMC_SCOPE_THREAD, p.thread.cost,
			   VPMC_STATE_EXITED, generation,
			   "the thread: and the program");
		if (!i)
			target_reap(&p.t);
	}
	check_children(sum, 0, "CHILDREN");
}

int main(void)
{
	run(test_exit);
	run(test_kills_itself);
	run(test_crash);
	run(test_killed);
	run(test_exec);
	run(test_stopped_before);
	run(test_never);
	run(test_started_later);
	run(test_number_again);
	run(test_exec_of_thread);
	return check_status();
}
