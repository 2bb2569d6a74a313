// SPDX-License-Identifier: GPL-2.0-only
/*
 * waits: test that the counts of a process are added once to the process that reaps it, and to no
 * other process. Test this for all ways to wait and all ways to end.
 */
#include <err.h>
#include <errno.h>
#include <linux/sched.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "follow.h"

#define ROUNDS 1000
/*
 * This is the system call waitpid(2) of the i386, for which the C library has no name. 64-bit
 * processors do not have this call.
 */
#ifdef __i386__
#define OLD_WAITPID 7
#else
#define OLD_WAITPID SYS_wait4
#endif
#define NOTHING ((struct cost){ 0, 0 })

static const char program[] = "./exactly-1000";

/* Write the script of a child that runs for a while and exits. Returns its cost. */
static struct cost simple_child(struct family *f, uint32_t *pid,
				unsigned int rounds)
{
	struct script child = family_child_pid(f, pid);

	script_rounds(&child, rounds);
	script_exit(&child, 0);
	return child.cost;
}

static void reap(pid_t pid, const char *what)
{
	if (waitpid(pid, NULL, 0) != pid)
		check(false, "%s: wait: %s", what, strerror(errno));
}

/*
 * struct call - a way to wait
 * @name: name of the way in messages
 * @reap: function that waits for @pid and returns the process ID that was reaped
 */
struct call {
	const char *name;
	pid_t (*reap)(pid_t pid);
};

static pid_t by_wait(pid_t pid)
{
	(void)pid;
	return wait(NULL);
}

static pid_t by_waitpid(pid_t pid)
{
	return waitpid(pid, NULL, 0);
}

static pid_t by_waitpid_any(pid_t pid)
{
	(void)pid;
	return waitpid(-1, NULL, WUNTRACED | WCONTINUED);
}

static pid_t by_waitpid_group(pid_t pid)
{
	(void)pid;
	return waitpid(0, NULL, __WALL);
}

static pid_t by_polling(pid_t pid)
{
	pid_t got;

	while (!(got = waitpid(pid, NULL, WNOHANG | __WNOTHREAD)))
		sched_yield();
	return got;
}

static pid_t by_wait3(pid_t pid)
{
	struct rusage usage;

	(void)pid;
	return wait3(NULL, 0, &usage);
}

static pid_t by_wait4(pid_t pid)
{
	struct rusage usage;

	return wait4(pid, NULL, 0, &usage);
}

static pid_t waited(idtype_t type, id_t id)
{
	siginfo_t info;

	return waitid(type, id, &info, WEXITED) ? -1 : info.si_pid;
}

static pid_t by_waitid(pid_t pid)
{
	return waited(P_PID, (id_t)pid);
}

static pid_t by_waitid_all(pid_t pid)
{
	(void)pid;
	return waited(P_ALL, 0);
}

static pid_t by_waitid_group(pid_t pid)
{
	(void)pid;
	return waited(P_PGID, (id_t)getpgrp());
}

static pid_t by_waitid_pidfd(pid_t pid)
{
	return waited(P_PIDFD, (id_t)syscall(SYS_pidfd_open, pid, 0));
}

static pid_t by_waitid_raw(pid_t pid)
{
	struct rusage usage;

	return syscall(SYS_waitid, P_PID, pid, NULL, WEXITED, &usage) ? -1
								      : pid;
}

static pid_t by_old_waitpid(pid_t pid)
{
	return (pid_t)syscall(OLD_WAITPID, pid, NULL, 0, NULL);
}

static void *wait_in_thread(void *arg)
{
	pid_t *pid = arg;

	*pid = waitpid(*pid, NULL, 0);
	return NULL;
}

static pid_t by_thread(pid_t pid)
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, wait_in_thread, &pid) ||
	    pthread_join(thread, NULL))
		errx(2, "no thread");
	return pid;
}

static const struct call calls[] = {
	{ "wait", by_wait },
	{ "waitpid", by_waitpid },
	{ "waitpid of any", by_waitpid_any },
	{ "waitpid of a group", by_waitpid_group },
	{ "waitpid that polls", by_polling },
	{ "wait3", by_wait3 },
	{ "wait4", by_wait4 },
	{ "waitid", by_waitid },
	{ "waitid of all", by_waitid_all },
	{ "waitid of a group", by_waitid_group },
	{ "waitid of a pidfd", by_waitid_pidfd },
	{ "waitid with rusage alone", by_waitid_raw },
	{ "the old waitpid", by_old_waitpid },
	{ "waitpid in another thread", by_thread },
};

static const struct call *call;

/* Test one way to wait. The parent has stopped its count before it waits. */
static void test_call(void)
{
	uint32_t *pid = shared(sizeof(*pid));
	struct family f = family_new();
	struct cost cost = simple_child(&f, pid, ROUNDS);
	siginfo_t info;

	family_run(&f);
	check(!waitid(P_PID, *pid, &info, WEXITED | WNOWAIT) &&
		      !waitid(P_ALL, 0, &info, WEXITED | WNOWAIT) &&
		      (uint32_t)info.si_pid == *pid,
	      "%s: first with WNOWAIT", call->name);
	family_check(&f, NOTHING, 0, "WNOWAIT adds nothing");
	check((uint32_t)call->reap((pid_t)*pid) == *pid, "%s", call->name);
	family_check(&f, cost, 0, call->name);
	check(wait(NULL) < 0 && errno == ECHILD, "there is no other child");
	family_check(&f, cost, 0, "it was added once");
}

/* Test that sums do not depend on the order of the waits. */
static void test_many(void)
{
	enum { NR = 16 };
	uint32_t *pid = shared(NR * sizeof(*pid));
	struct family f = family_new();
	struct cost cost[NR], sum = NOTHING;
	unsigned int i, n;

	for (i = 0; i < NR; i++)
		cost[i] = simple_child(&f, &pid[i], ROUNDS << (i % 7));
	family_run(&f);
	for (i = 0; i < NR; i++) {
		n = i * 5 % NR;
		reap((pid_t)pid[n], "one of many");
		sum = cost_add(sum, cost[n]);
		family_check(&f, sum, 0, "one more of many");
	}
}

/*
 * Test a child with a thread that outlives the leader. The thread's counts belong to the child too.
 */
static void test_leader_first(void)
{
	uint32_t *pid = shared(3 * sizeof(*pid));
	struct family f = family_new();
	struct script leader = family_child_pid(&f, pid);
	struct script thread = script_new();
	struct gate gate = gate_new();

	script_thread(&leader, &thread, pid + 1);
	script_exit(&leader, 0);
	script_gate(&thread, gate.in);
	script_rounds(&thread, ROUNDS);
	script_exit(&thread, 0);
	family_run(&f);
	check(!waitpid((pid_t)*pid, NULL, WNOHANG),
	      "a process whose leader is gone is none to reap");
	family_check(&f, NOTHING, 0, "nothing of it is added");
	gate_open(&gate);
	reap((pid_t)*pid, "leader first");
	family_check(&f, cost_add(leader.cost, thread.cost), 0,
		     "leader and thread");
}

/*
 * Test a child in which a thread other than the leader executes a program, and so gets the leader's
 * ID.
 */
static void test_exec_of_thread(void)
{
	uint32_t *pid = shared(2 * sizeof(*pid));
	struct family f = family_new();
	struct script leader = family_child_pid(&f, pid);
	struct script thread = script_new();

	/* The leader is killed in clone(2), and does not execute the RET after it. */
	script_clone(&leader, &thread,
		     CLONE_VM | CLONE_SIGHAND | CLONE_THREAD | CLONE_VFORK,
		     pid + 1);
	leader.cost.instructions--;
	leader.cost.branches--;
	script_rounds(&thread, ROUNDS);
	script_exec_exactly(&thread, program, 1000);
	family_run(&f);
	reap((pid_t)*pid, "exec of a thread");
	family_check(&f, cost_add(leader.cost, thread.cost), 0,
		     "leader, thread and the program that it executed");
}

static void test_exec(void)
{
	uint32_t *pid = shared(sizeof(*pid));
	struct family f = family_new();
	struct script child = family_child_pid(&f, pid);

	script_rounds(&child, ROUNDS);
	script_exec_exactly(&child, program, 1000);
	family_run(&f);
	reap((pid_t)*pid, "exec");
	family_check(&f, child.cost, 0, "counts go on over exec");
}

static void test_killed_itself(void)
{
	static const int signals[] = { SIGKILL, SIGTERM, SIGABRT, SIGUSR1 };
	uint32_t *pid = shared(8 * sizeof(*pid));
	struct family f = family_new();
	struct cost sum = NOTHING;
	unsigned int i;
	int status;

	for (i = 0; i <= 4; i++) {
		struct script child = family_child_pid(&f, &pid[i]);

		script_rounds(&child, ROUNDS + i);
		if (i < 4)
			script_kill(&child, signals[i]);
		else
			script_crash(&child);
		sum = cost_add(sum, child.cost);
	}
	family_run(&f);
	for (i = 0; i <= 4; i++)
		check(waitpid((pid_t)pid[i], &status, 0) > 0 &&
			      WIFSIGNALED(status) &&
			      WTERMSIG(status) ==
				      (i < 4 ? signals[i] : SIGSEGV),
		      "a child ends by a signal");
	family_check(&f, sum, 0, "children killed by signals");
}

static void test_killed_asleep(void)
{
	uint32_t *pid = shared(sizeof(*pid));
	struct family f = family_new();
	struct script child = family_child_pid(&f, pid);

	script_rounds(&child, ROUNDS);
	script_last(&child, SYS_pause);
	family_run(&f);
	until_asleep(*pid);
	kill((pid_t)*pid, SIGKILL);
	reap((pid_t)*pid, "killed");
	family_check(&f, child.cost, 0, "a child killed in its sleep");
}

/* Test waits that report a stop or its end. They add nothing. */
static void test_stopped(void)
{
	uint32_t *pid = shared(sizeof(*pid));
	struct family f = family_new();
	struct script child = family_child_pid(&f, pid);
	struct gate gate = gate_new();
	int status;

	script_rounds(&child, ROUNDS);
	script_raise(&child, SIGSTOP);
	script_gate(&child, gate.in);
	script_rounds(&child, ROUNDS);
	script_exit(&child, 0);
	family_run(&f);
	check(waitpid((pid_t)*pid, &status, WUNTRACED) > 0 &&
		      WIFSTOPPED(status),
	      "a child stops");
	family_check(&f, NOTHING, 0, "a stop adds nothing");
	kill((pid_t)*pid, SIGCONT);
	check(waitpid((pid_t)*pid, &status, WCONTINUED) > 0 &&
		      WIFCONTINUED(status),
	      "it continues");
	family_check(&f, NOTHING, 0, "its continuation adds nothing");
	gate_open(&gate);
	reap((pid_t)*pid, "stopped");
	family_check(&f, child.cost, 0, "a child that was stopped");
}

/* Be a tracer, which reaps the process if @to_the_end is set. */
static _Noreturn void trace(pid_t pid, const struct gate *gate, bool to_the_end)
{
	struct vpmc_read read = { .size = sizeof(read),
				  .scope = VPMC_SCOPE_CHILDREN };
	int status, fd = open_device();

	if (ptrace(PTRACE_SEIZE, pid, NULL, NULL))
		err(2, "ptrace");
	if (!to_the_end)
		exit(check_status());
	gate_open(gate);
	check(waitpid(pid, &status, 0) == pid && WIFEXITED(status),
	      "the tracer reaps first");
	check(request(fd, VPMC_READ, &read) == -ENODATA,
	      "nothing is added to the tracer");
	exit(check_status());
}

static void test_tracer(bool to_the_end)
{
	uint32_t *pid = shared(sizeof(*pid));
	struct family f = family_new();
	struct script child = family_child_pid(&f, pid);
	struct gate gate = gate_new();
	int status;
	pid_t tracer;

	script_gate(&child, gate.in);
	script_rounds(&child, ROUNDS);
	script_exit(&child, 0);
	family_run(&f);
	tracer = fork();
	if (!tracer)
		trace((pid_t)*pid, &gate, to_the_end);
	check(waitpid(tracer, &status, 0) == tracer && !status,
	      "the tracer's end");
	if (!to_the_end)
		gate_open(&gate);
	else
		family_check(&f, NOTHING, 0, "not yet in the parent's");
	reap((pid_t)*pid, "traced");
	family_check(&f, child.cost, 0, "a traced child is its parent's");
}

static void test_tracer_reaps(void)
{
	test_tracer(true);
}

static void test_tracer_leaves(void)
{
	test_tracer(false);
}

/* Test a parent that traces its child. */
static void test_tracing_parent(void)
{
	uint32_t *pid = shared(sizeof(*pid));
	struct family f = family_new();
	struct script child = family_child_pid(&f, pid);
	int status;

	script_call(&child, SYS_ptrace, PTRACE_TRACEME);
	script_rounds(&child, ROUNDS);
	script_raise(&child, SIGSTOP);
	script_rounds(&child, ROUNDS);
	script_exec_exactly(&child, program, 1000);
	family_run(&f);
	while (waitpid((pid_t)*pid, &status, 0) > 0 && WIFSTOPPED(status)) {
		family_check(&f, NOTHING, 0, "a tracer's stop adds nothing");
		ptrace(PTRACE_SINGLESTEP, (pid_t)*pid, NULL, NULL);
	}
	check(!status, "its end");
	family_check(&f, child.cost, 0, "a child stepped by its parent");
}

/*
 * Check that a process that does not wait for its children gets no counts. CPU times behave in the
 * same way.
 */
static void check_ignored(const char *what)
{
	uint32_t *pid = shared(sizeof(*pid));
	struct family f = family_new();

	simple_child(&f, pid, ROUNDS);
	family_run(&f);
	check(wait(NULL) < 0 && errno == ECHILD, "%s: no child to wait for",
	      what);
	family_check(&f, NOTHING, 0, what);
}

static void test_ignored(void)
{
	signal(SIGCHLD, SIG_IGN);
	check_ignored("SIGCHLD ignored");
}

static void test_no_wait(void)
{
	struct sigaction action = { .sa_handler = SIG_DFL,
				    .sa_flags = SA_NOCLDWAIT };

	sigaction(SIGCHLD, &action, NULL);
	check_ignored("SA_NOCLDWAIT");
}

/*
 * Test a parent that ignores SIGCHLD only after its child has exited. It can still wait for the
 * child.
 */
static void test_ignored_late(void)
{
	uint32_t *pid = shared(sizeof(*pid));
	struct family f = family_new();
	struct cost cost = simple_child(&f, pid, ROUNDS);
	siginfo_t info;

	family_run(&f);
	waitid(P_PID, *pid, &info, WEXITED | WNOWAIT);
	signal(SIGCHLD, SIG_IGN);
	reap((pid_t)*pid, "ignored late");
	family_check(&f, cost, 0, "SIGCHLD ignored after the child's death");
}

/*
 * Create a process that counts and leaves a child. The child continues when the gate opens. @cost
 * receives the costs of both.
 */
static pid_t leave_orphan(const struct gate *gate, struct cost cost[2])
{
	struct family f = family_new();
	struct script orphan = family_child(&f);
	pid_t pid = child_fork();

	script_gate(&orphan, gate->in);
	script_rounds(&orphan, ROUNDS);
	script_exit(&orphan, 0);
	if (!pid) {
		family_run(&f);
		exit(check_status());
	}
	/*
	 * The script runs in the other process. Complete it here too, because its cost is needed.
	 */
	script_stop(&f.parent, f.fd, f.stop);
	cost[0] = f.parent.cost;
	cost[1] = orphan.cost;
	return pid;
}

/* Test that the counts of an orphan are added to the subreaper that waits for it. */
static void test_subreaper(void)
{
	struct gate gate = gate_new();
	struct cost cost[2];
	int fd = open_device();
	pid_t pid;

	prctl(PR_SET_CHILD_SUBREAPER, 1);
	pid = leave_orphan(&gate, cost);
	reap(pid, "parent of an orphan");
	check_scope(fd, VPMC_SCOPE_CHILDREN, cost[0], 0,
		    "a parent without the child it left");
	gate_open(&gate);
	check(wait(NULL) > 0, "the subreaper waits for the orphan");
	check_scope(fd, VPMC_SCOPE_CHILDREN, cost_add(cost[0], cost[1]), 0,
		    "the orphan is the subreaper's");
}

static void test_orphan(void)
{
	struct gate gate = gate_new(), alive = gate_new();
	struct cost cost[2];
	int fd = open_device();
	pid_t pid;
	char byte;

	pid = leave_orphan(&gate, cost);
	reap(pid, "parent of an orphan");
	gate_open(&gate);
	/* After this, only the orphan has the other end of the pipe open. */
	close(alive.out);
	check(!read(alive.in, &byte, 1), "the orphan has ended");
	check(wait(NULL) < 0 && errno == ECHILD, "nobody is left to wait for");
	check_scope(fd, VPMC_SCOPE_CHILDREN, cost[0], 0,
		    "an orphan is not its grandparent's");
}

/*
 * Test grandchildren. The counts of grandchildren for which the child has waited are added
 * together with the child's own counts. The counts of the other grandchildren are lost.
 */
static void test_grandchildren(void)
{
	uint32_t *pid = shared(sizeof(*pid));
	struct family f = family_new();
	struct script child = family_child_pid(&f, pid);
	struct script waited_for = script_new(), left = script_new();
	struct gate gate = gate_new();

	script_fork(&child, &waited_for, SYS_fork);
	script_wait(&child);
	script_fork(&child, &left, SYS_fork);
	script_exit(&child, 0);
	script_rounds(&waited_for, ROUNDS);
	script_exit(&waited_for, 0);
	script_gate(&left, gate.in);
	script_exit(&left, 0);
	family_run(&f);
	reap((pid_t)*pid, "child");
	family_check(&f, cost_add(child.cost, waited_for.cost), 0,
		     "a child with what it had reaped itself");
	gate_open(&gate);
}

#define HANDLE 100

/*
 * Wait until the driver has switched its hooks off. The child waits for the last process that
 * counts, and then exits. The driver switches the hooks off a second later.
 */
static void wait_until_hooks_are_off(void)
{
	siginfo_t info;

	if (waitid(P_ALL, 0, &info, WEXITED | WNOWAIT))
		err(2, "waitid");
	sleep(2);
}

/*
 * Test a child that is reaped when no process counts or has the device open. Its counts are still
 * added.
 */
static void test_nobody_counts(void)
{
	struct script child = script_new();
	pid_t pid;
	int fd;

	script_start(&child, HANDLE, start_arg(FIRST, 0));
	script_rounds(&child, ROUNDS);
	script_exit(&child, 0);
	pid = fork();
	if (!pid) {
		if (!fork()) {
			dup2(open_device(), HANDLE);
			script_run(&child);
		}
		wait(NULL);
		_exit(0);
	}
	wait_until_hooks_are_off();
	reap(pid, "the one between");
	fd = open_device();
	check_scope(fd, VPMC_SCOPE_CHILDREN, child.cost, 0,
		    "a grandchild's counts, when nobody counts any more");
	close(fd);
}

int main(void)
{
	size_t i;

	/* This test must come first, because other tests leave orphans that count. */
	run(test_nobody_counts);
	for (i = 0; i < sizeof(calls) / sizeof(calls[0]); i++) {
		call = &calls[i];
		run(test_call);
	}
	run(test_many);
	run(test_leader_first);
	run(test_exec);
	run(test_exec_of_thread);
	run(test_killed_itself);
	run(test_killed_asleep);
	run(test_stopped);
	run(test_tracer_reaps);
	run(test_tracer_leaves);
	run(test_tracing_parent);
	run(test_ignored);
	run(test_no_wait);
	run(test_ignored_late);
	run(test_subreaper);
	run(test_orphan);
	run(test_grandchildren);
	return check_status();
}
