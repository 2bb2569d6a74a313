// SPDX-License-Identifier: GPL-2.0-only
/*
 * fold: test that VPMC_START_FOLD adds the counts of a process to its parent when its last thread
 * exits. The parent may wait for the process or not. The counts are added only once.
 */
#include <err.h>
#include <errno.h>
#include <linux/sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "hold.h"

#define ROUNDS 1000

/* Return a family whose parent starts with VPMC_START_FOLD. */
static struct family folding(void)
{
	struct family f = family_new();

	f.start->flags = VPMC_START_FOLD;
	return f;
}

static struct cost finish(struct script *s)
{
	script_rounds(s, ROUNDS);
	script_exit(s, 0);
	return s->cost;
}

/* Wait until the process is a zombie, and do not reap it. */
static void until_zombie(uint32_t pid)
{
	if (waitid(P_PID, pid, NULL, WEXITED | WNOWAIT))
		err(2, "waitid");
}

static void reap(uint32_t pid)
{
	if (waitpid((pid_t)pid, NULL, 0) != (pid_t)pid)
		err(2, "waitpid");
}

/*
 * Check that CHILDREN has these counts while the child is a zombie, and also after it has been
 * reaped.
 */
static void check_folded(const struct family *f, uint32_t pid, struct cost want,
			 unsigned int missing, const char *what)
{
	until_zombie(pid);
	family_check(f, want, missing, what);
	reap(pid);
	family_check(f, want, missing, "not twice by the wait");
}

static void test_zombie(void)
{
	uint32_t *pid = shared(sizeof(*pid));
	struct family f = folding();
	struct script child = family_child_pid(&f, pid);

	finish(&child);
	family_run(&f);
	check_folded(&f, *pid, child.cost, 0, "a zombie's counts");
}

/* Test a child that starts again without the flag. Its counts are added only by the wait. */
static void test_without(void)
{
	uint32_t *pid = shared(sizeof(*pid));
	struct family f = folding();
	struct script child = family_child_pid(&f, pid);
	struct cost before;

	script_rounds(&child, ROUNDS);
	script_stop(&child, f.other, stop_arg());
	before = child.cost;
	script_start(&child, f.other, start_arg(FIRST, 0));
	finish(&child);
	family_run(&f);
	until_zombie(*pid);
	family_check(&f, NOTHING, 0, "a start without the flag ends it");
	reap(*pid);
	family_check(&f, cost_add(before, child.cost), 0, "added by the wait");
}

/*
 * Test a child that starts with the flag itself. Its parent does not count, and takes the child's
 * events.
 */
static void test_own(void)
{
	struct script parent = script_new(), child = script_new();
	uint32_t *pid = shared(sizeof(*pid));
	struct vpmc_info info = { .size = sizeof(info) };
	int fd = open_device(), own = open_device();

	script_fork(&parent, &child, SYS_fork);
	script_save(&parent, pid);
	script_back(&parent);
	script_start(&child, own, start_arg(FIRST, VPMC_START_FOLD));
	finish(&child);
	script_run(&parent);
	until_zombie(*pid);
	check_children(child.cost, 0, "a parent without events of its own");
	check(!request(fd, VPMC_INFO, &info) && info.generation,
	      "there is a generation");
	reap(*pid);
	check_children(child.cost, 0, "and not twice");
}

/* Check that a process that ignores SIGCHLD gets the counts of its children. */
static void check_unwaited(const char *what)
{
	struct family f = folding();
	struct script one = family_child(&f), two = family_child(&f);

	finish(&one);
	script_rounds(&two, ROUNDS);
	finish(&two);
	family_run(&f);
	check(wait(NULL) < 0 && errno == ECHILD, "%s: nobody to wait for",
	      what);
	family_check(&f, cost_add(one.cost, two.cost), 0, what);
}

static void test_ignored(void)
{
	signal(SIGCHLD, SIG_IGN);
	check_unwaited("SIGCHLD ignored");
}

static void test_no_wait(void)
{
	struct sigaction action = { .sa_handler = SIG_DFL,
				    .sa_flags = SA_NOCLDWAIT };

	sigaction(SIGCHLD, &action, NULL);
	check_unwaited("SA_NOCLDWAIT");
}

/* Test a process that ignores SIGCHLD without the flag. It gets no counts of children. */
static void test_ignored_without(void)
{
	struct family f = family_new();
	struct script child = family_child(&f);

	signal(SIGCHLD, SIG_IGN);
	finish(&child);
	family_run(&f);
	check(wait(NULL) < 0 && errno == ECHILD, "nobody to wait for");
	family_check(&f, NOTHING, 0, "SIGCHLD ignored without the flag");
}

/* Test that the flag is inherited. A grandchild is folded into its own parent first. */
static void test_grandchild(void)
{
	uint32_t *pid = shared(2 * sizeof(*pid));
	struct family f = folding();
	struct script child = family_child_pid(&f, &pid[0]);
	struct script grand = script_new();
	struct gate gate = gate_new();
	struct vpmc_read read;
	int fd;

	script_fork(&child, &grand, SYS_fork);
	script_save(&child, &pid[1]);
	script_gate(&child, gate.in);
	finish(&child);
	finish(&grand);
	family_run(&f);
	until_at_gate(pid[0], &gate);
	fd = hold((int)pid[0], 0);
	do {
		read = read_scope(fd, VPMC_SCOPE_CHILDREN);
	} while (!read.count[0]);
	check_read(&read, grand.cost, 0, "the grandchild is the child's");
	family_check(&f, NOTHING, 0, "and not the grandparent's yet");
	gate_open(&gate);
	check_folded(&f, pid[0], cost_add(child.cost, grand.cost), 0,
		     "the child with its own child");
}

/* Test that an orphan is folded into its new parent. */
static void test_orphan(void)
{
	uint32_t *pid = shared(2 * sizeof(*pid));
	struct family f = folding();
	struct script child = family_child_pid(&f, &pid[0]);
	struct script orphan = script_new();
	struct gate gate = gate_new();

	prctl(PR_SET_CHILD_SUBREAPER, 1);
	script_fork(&child, &orphan, SYS_fork);
	script_save(&child, &pid[1]);
	script_exit(&child, 0);
	script_gate(&orphan, gate.in);
	finish(&orphan);
	family_run(&f);
	check_folded(&f, pid[0], child.cost, 0, "a child without its own");
	gate_open(&gate);
	check_folded(&f, pid[1], cost_add(child.cost, orphan.cost), 0,
		     "the orphan is the subreaper's");
}

/*
 * Test a child and a grandchild that exit at the same time. The grandchild's counts are added to
 * the child, or directly to this process if the child has gone. In both cases they must arrive
 * here.
 */
static void test_both_exit(void)
{
	enum { NR = 400 };
	struct script child, grand, s;
	struct cost sum = NOTHING;
	struct family f = folding();
	int i;

	prctl(PR_SET_CHILD_SUBREAPER, 1);
	signal(SIGCHLD, SIG_IGN);
	s = f.parent;
	for (i = 0; i < NR; i++) {
		child = script_new();
		grand = script_new();
		script_fork(&s, &child, SYS_fork);
		script_fork(&child, &grand, SYS_fork);
		script_rounds(&child, 1 + (unsigned int)i % 50 * 40);
		script_exit(&child, 0);
		script_rounds(&grand, 1 + (unsigned int)i % 7 * 300);
		script_exit(&grand, 0);
		sum = cost_add(sum, cost_add(child.cost, grand.cost));
		/* This waits until all children have exited, because SIGCHLD is ignored. */
		script_wait(&s);
	}
	f.parent = s;
	family_run(&f);
	check(wait(NULL) < 0 && errno == ECHILD, "nobody is left");
	family_check(&f, sum, 0, "all children, and all of theirs");
}

/*
 * Test a child that changes its events. CHILDREN reports both of its counts as missing, and only
 * once.
 */
static void test_other(void)
{
	uint32_t *pid = shared(sizeof(*pid));
	struct family f = folding();
	struct script child = family_child_pid(&f, pid);

	script_rounds(&child, ROUNDS);
	script_stop(&child, f.other, stop_arg());
	script_start(&child, f.other, start_arg(OTHER, VPMC_START_FOLD));
	finish(&child);
	family_run(&f);
	check_folded(&f, *pid, NOTHING, 2, "other events are numbered");
}

/* Test a child that starts again. The parent also gets its counts from before the second start. */
static void test_begun_anew(void)
{
	uint32_t *pid = shared(sizeof(*pid));
	struct family f = folding();
	struct script child = family_child_pid(&f, pid);
	struct cost before;

	script_rounds(&child, ROUNDS);
	script_stop(&child, f.other, stop_arg());
	before = child.cost;
	script_start(&child, f.other, start_arg(FIRST, VPMC_START_FOLD));
	finish(&child);
	family_run(&f);
	check_folded(&f, *pid, cost_add(before, child.cost), 0,
		     "both counts of a child that began again");
}

/* Test a child that stops before it exits. Its counts are added too. */
static void test_stopped(void)
{
	uint32_t *pid = shared(sizeof(*pid));
	struct family f = folding();
	struct script child = family_child_pid(&f, pid);

	script_rounds(&child, ROUNDS);
	script_stop(&child, f.other, stop_arg());
	finish(&child);
	family_run(&f);
	check_folded(&f, *pid, child.cost, 0, "a child that stopped");
}

/*
 * Test a child whose leader exits before its other thread. The exit of the last thread folds the
 * child.
 */
static void test_leader_first(void)
{
	uint32_t *pid = shared(3 * sizeof(*pid));
	struct family f = folding();
	struct script leader = family_child_pid(&f, pid);
	struct script thread = script_new();
	struct gate gate = gate_new();

	script_thread(&leader, &thread, pid + 1);
	script_exit(&leader, 0);
	script_gate(&thread, gate.in);
	finish(&thread);
	family_run(&f);
	while (state_of(*pid) != 'Z')
		usleep(1000);
	family_check(&f, NOTHING, 0, "the leader is gone, the process is not");
	gate_open(&gate);
	check_folded(&f, *pid, cost_add(leader.cost, thread.cost), 0,
		     "leader and thread");
}

/* Test a child with eight threads that exit at the same time. */
static void test_threads(void)
{
	enum { NR = 8 };
	uint32_t *pid = shared((1 + 2 * NR) * sizeof(*pid));
	struct family f = folding();
	struct script leader = family_child_pid(&f, pid);
	struct gate gate = gate_new();
	struct cost sum = NOTHING;
	int i;

	for (i = 0; i < NR; i++) {
		struct script thread = script_new();

		script_thread(&leader, &thread, &pid[1 + 2 * i]);
		script_gate(&thread, gate.in);
		sum = cost_add(sum, finish(&thread));
	}
	script_gate(&leader, gate.in);
	sum = cost_add(sum, finish(&leader));
	family_run(&f);
	for (i = 0; i <= NR; i++)
		gate_open(&gate);
	check_folded(&f, *pid, sum, 0, "all threads");
}

/* Test children whose last thread has not counted. */
static void test_last_uncounted(void)
{
	struct script parent = script_new(), leader = script_new();
	struct script thread = script_new();
	uint32_t *pid = shared(3 * sizeof(*pid));
	struct gate gate = gate_new();

	script_fork(&parent, &leader, SYS_fork);
	script_save(&parent, pid);
	script_back(&parent);
	script_thread(&leader, &thread, pid + 1);
	script_gate(&thread, gate.in);
	script_exit(&thread, 0);
	script_start(&leader, open_device(), start_arg(FIRST, VPMC_START_FOLD));
	finish(&leader);
	script_run(&parent);
	while (state_of(*pid) != 'Z')
		usleep(1000);
	check(try_read(open_device(), VPMC_SCOPE_CHILDREN) == -ENODATA,
	      "who counted has exited, the process has not");
	gate_open(&gate);
	until_zombie(*pid);
	check_children(leader.cost, 0, "added when the last thread exits");
	reap(*pid);
	check_children(leader.cost, 0, "not twice by the wait");
}

static void test_killed(void)
{
	uint32_t *pid = shared(3 * sizeof(*pid));
	struct family f = folding();
	struct script asleep = family_child_pid(&f, &pid[0]);
	struct script crashed, killed;
	struct cost sum;

	script_rounds(&asleep, ROUNDS);
	script_last(&asleep, SYS_pause);
	crashed = family_child_pid(&f, &pid[1]);
	script_rounds(&crashed, ROUNDS);
	script_crash(&crashed);
	killed = family_child_pid(&f, &pid[2]);
	script_rounds(&killed, ROUNDS);
	script_kill(&killed, SIGKILL);
	family_run(&f);
	until_zombie(pid[1]);
	until_zombie(pid[2]);
	sum = cost_add(crashed.cost, killed.cost);
	family_check(&f, sum, 0, "one that crashed, one that killed itself");
	until_asleep(pid[0]);
	kill((pid_t)pid[0], SIGKILL);
	check_folded(&f, pid[0], cost_add(sum, asleep.cost), 0,
		     "one killed in its sleep");
	reap(pid[1]);
	reap(pid[2]);
	family_check(&f, cost_add(sum, asleep.cost), 0, "none twice");
}

static void test_exec(void)
{
	uint32_t *pid = shared(sizeof(*pid));
	struct family f = folding();
	struct script child = family_child_pid(&f, pid);

	script_rounds(&child, ROUNDS);
	script_exec_exactly(&child, "./exactly-1000", 1000);
	family_run(&f);
	check_folded(&f, *pid, child.cost, 0, "a program");
}

/* Test a start at exec with the flag, as perfex makes it. */
static void test_at_exec(void)
{
	unsigned int flags = VPMC_START_FOLD | VPMC_START_AT_EXEC;
	struct target t = target_new();

	script_start(&t.script, open_device(), start_arg(FIRST, flags));
	target_gate(&t, false);
	script_exec_exactly(&t.script, "./exactly-1000", 1000);
	target_create(&t);
	target_end(&t);
	check_children((struct cost){ 1000, (1000 - 4) / 2 + 1 }, 0,
		       "the program alone, a zombie");
	target_reap(&t);
	check_children((struct cost){ 1000, (1000 - 4) / 2 + 1 }, 0,
		       "not twice");
}

/*
 * Test a tracer that reaps the child before the parent. The tracer gets no counts, because the
 * parent already has them.
 */
static void test_tracer(void)
{
	uint32_t *pid = shared(sizeof(*pid));
	struct family f = folding();
	struct script child = family_child_pid(&f, pid);
	struct gate gate = gate_new();
	int status;
	pid_t tracer;

	script_gate(&child, gate.in);
	finish(&child);
	family_run(&f);
	tracer = fork();
	if (!tracer) {
		if (ptrace(PTRACE_SEIZE, (pid_t)*pid, NULL, NULL))
			err(2, "ptrace");
		gate_open(&gate);
		check(waitpid((pid_t)*pid, &status, 0) == (pid_t)*pid,
		      "the tracer reaps first");
		check(try_read(open_device(), VPMC_SCOPE_CHILDREN) == -ENODATA,
		      "nothing is added to the tracer");
		exit(check_status());
	}
	check(waitpid(tracer, &status, 0) == tracer && !status, "the tracer");
	check_folded(&f, *pid, child.cost, 0, "a traced child");
}

/* Test that ALL contains a folded child only once. */
static void test_collected(void)
{
	uint32_t *pid = shared(sizeof(*pid));
	struct family f = folding();
	struct script child = family_child_pid(&f, pid);
	struct cost sum;

	f.start->flags |= VPMC_START_COLLECT;
	finish(&child);
	family_run(&f);
	sum = cost_add(f.parent.cost, child.cost);
	until_zombie(*pid);
	check_scope(f.fd, VPMC_SCOPE_ALL, sum, 0, "ALL");
	check_folded(&f, *pid, child.cost, 0, "CHILDREN");
	check_scope(f.fd, VPMC_SCOPE_ALL, sum, 0, "ALL has it once");
}

/* Test a child that resumes. It keeps the flag of its start. */
static void test_resumed(void)
{
	uint32_t *pid = shared(sizeof(*pid));
	struct family f = folding();
	struct script child = family_child_pid(&f, pid);

	script_rounds(&child, ROUNDS);
	script_stop(&child, f.other, stop_arg());
	script_start(&child, f.other, start_arg(FIRST, VPMC_START_RESUME));
	finish(&child);
	family_run(&f);
	check_folded(&f, *pid, child.cost, 0, "a child that resumed");
}

int main(void)
{
	run(test_zombie);
	run(test_without);
	run(test_own);
	run(test_ignored);
	run(test_no_wait);
	run(test_ignored_without);
	run(test_grandchild);
	run(test_orphan);
	run(test_both_exit);
	run(test_other);
	run(test_begun_anew);
	run(test_stopped);
	run(test_leader_first);
	run(test_threads);
	run(test_last_uncounted);
	run(test_killed);
	run(test_exec);
	run(test_at_exec);
	run(test_tracer);
	run(test_collected);
	run(test_resumed);
	return check_status();
}
