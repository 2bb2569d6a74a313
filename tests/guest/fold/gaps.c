// SPDX-License-Identifier: GPL-2.0-only
/*
 * gaps: test that reads report which counts are incomplete. A stop begins a gap if one of certain
 * events follows it, see vpmc(7). A process for which its parent did not wait is missing in
 * CHILDREN.
 */
#include <err.h>
#include <errno.h>
#include <linux/sched.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "hold.h"

#define ROUNDS 1000

static const char program[] = "./exactly-1000";

/* Check the reported numbers of gaps and of processes without a wait. */
static void check_lacks(const struct vpmc_read *read, unsigned int stopped,
			unsigned int unwaited, const char *what)
{
	check(read->stopped == stopped && read->unwaited == unwaited,
	      "%s: %u gaps, %u not waited for, want %u and %u", what,
	      read->stopped, read->unwaited, stopped, unwaited);
}

static void check_gaps(int fd, unsigned int scope, struct cost want,
		       unsigned int stopped, const char *what)
{
	struct vpmc_read read = read_scope(fd, scope);

	check_read(&read, want, 0, what);
	check_lacks(&read, stopped, 0, what);
}

static void check_unwaited(const struct family *f, struct cost want,
			   unsigned int unwaited, const char *what)
{
	struct vpmc_read read = read_scope(f->fd, VPMC_SCOPE_CHILDREN);

	check_read(&read, want, 0, what);
	check_lacks(&read, 0, unwaited, what);
}

static void reap(uint32_t pid)
{
	if (waitpid((pid_t)pid, NULL, __WALL) != (pid_t)pid)
		err(2, "waitpid");
}

static void until_zombie(uint32_t pid)
{
	if (waitid(P_PID, pid, NULL, WEXITED | WNOWAIT | __WALL))
		err(2, "waitid");
}

/* Let the script stop, and execute some rounds that are not counted. */
static void stop_script(struct script *s, int fd)
{
	script_stop(s, fd, stop_arg());
	script_rounds(s, ROUNDS);
}

static void go_on(struct script *s, int fd, unsigned int flags)
{
	script_start(s, fd, start_arg(FIRST, VPMC_START_RESUME | flags));
	script_rounds(s, ROUNDS);
}

/* Check the numbers that read(2) of the device returns. */
static void check_plain(int fd, unsigned int stopped)
{
	struct vpmc_thread_counts counts = { .stopped = 77, .unwaited = 77 };

	if (read(fd, &counts, sizeof(counts)) < 0)
		err(2, "read");
	check(counts.stopped == stopped && !counts.unwaited,
	      "read(2): %u gaps want %u", counts.stopped, stopped);
}

static void test_own(void)
{
	struct family f = family_new();
	struct vpmc_stop *again = stop_arg();
	struct vpmc_start *resume = start_arg(FIRST, VPMC_START_RESUME);

	script_rounds(&f.parent, ROUNDS);
	stop_script(&f.parent, f.fd);
	go_on(&f.parent, f.fd, 0);
	family_run(&f);
	check_gaps(f.fd, VPMC_SCOPE_SELF, f.parent.cost, 1,
		   "stopped and gone on");
	check_gaps(f.fd, VPMC_SCOPE_THREAD, f.parent.cost, 1, "the thread");
	check_plain(f.fd, 1);
	request(f.fd, VPMC_STOP, again);
	request(f.fd, VPMC_STOP, again);
	check_gaps(f.fd, VPMC_SCOPE_SELF, f.parent.cost, 2,
		   "stopped again, the gap counts once");
	check(!request(f.fd, VPMC_START, resume), "goes on");
	check(read_scope(f.fd, VPMC_SCOPE_THREAD).stopped == 2,
	      "while it counts");
	check_plain(f.fd, 2);
	check(!request(f.fd, VPMC_STOP, again), "stopped");
	check(read_scope(f.fd, VPMC_SCOPE_SELF).stopped == 2,
	      "the last stop is not a gap");
}

/*
 * Test that counts that begin at zero have no gap, although there were gaps before their start.
 */
static void test_from_zero(void)
{
	struct family f = family_new();

	script_rounds(&f.parent, ROUNDS);
	stop_script(&f.parent, f.fd);
	script_start(&f.parent, f.fd, start_arg(FIRST, 0));
	stop_script(&f.parent, f.fd);
	go_on(&f.parent, f.fd, 0);
	stop_script(&f.parent, f.fd);
	script_start(&f.parent, f.fd, start_arg(FIRST, 0));
	script_rounds(&f.parent, ROUNDS);
	family_run(&f);
	check_gaps(f.fd, VPMC_SCOPE_SELF, f.parent.cost, 0, "from zero");
	check_gaps(f.fd, VPMC_SCOPE_THREAD, f.parent.cost, 0, "the thread");
}

/*
 * Test children that stop, and then exit, fork, or execute a program. Each one adds one gap to its
 * parent's CHILDREN.
 */
static void test_child(void)
{
	static const struct {
		const char *what;
		bool forks, executes, arms;
		unsigned int gaps;
	} rows[] = {
		{ "a child that stops and exits", .gaps = 1 },
		{ "it forks", .forks = true, .gaps = 1 },
		{ "it executes a program", .executes = true, .gaps = 1 },
		{ "it waits for the program", .executes = true, .arms = true,
		  .gaps = 1 },
	};
	size_t i;

	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct family f = family_new();
		struct script child = family_child(&f), grand = script_new();
		struct cost want;

		script_wait(&f.parent);
		script_rounds(&child, ROUNDS);
		stop_script(&child, f.other);
		if (rows[i].forks) {
			script_fork(&child, &grand, SYS_fork);
			script_rounds(&grand, ROUNDS);
			script_exit(&grand, 0);
			script_wait(&child);
		}
		if (rows[i].arms)
			script_start(&child, f.other,
				     start_arg(FIRST,
					       VPMC_START_RESUME |
						       VPMC_START_AT_EXEC));
		want = child.cost;
		if (rows[i].arms) {
			child.counts = false;
			want.instructions += 1000;
			want.branches += (1000 - 4) / 2 + 1;
		}
		if (rows[i].executes)
			script_exec_exactly(&child, program, 1000);
		else
			script_exit(&child, 0);
		family_run(&f);
		check_gaps(f.fd, VPMC_SCOPE_CHILDREN, want, rows[i].gaps,
			   rows[i].what);
		check_gaps(f.fd, VPMC_SCOPE_SELF, f.parent.cost, 0,
			   "the parent");
	}
}

/*
 * Test a thread that stops and starts again from zero while another thread counts. SELF has a gap
 * for each stop.
 */
static void test_threads(void)
{
	uint32_t *pair = shared(2 * sizeof(*pair));
	struct family f = family_new();
	struct script thread = script_new();
	struct cost before;

	script_thread(&f.parent, &thread, pair);
	script_rounds(&thread, ROUNDS);
	stop_script(&thread, f.fd);
	before = thread.cost;
	script_start(&thread, f.fd, start_arg(FIRST, 0));
	script_rounds(&thread, ROUNDS);
	stop_script(&thread, f.fd);
	script_exit(&thread, 0);
	script_join(&f.parent, pair);
	script_stop(&f.parent, f.fd, f.stop);
	script_back(&f.parent);
	script_run(&f.parent);
	/*
	 * The thread that was joined may still have its counters. Wait until it has been released.
	 */
	until_threads((uint32_t)getpid(), 1);
	check_gaps(f.fd, VPMC_SCOPE_SELF,
		   cost_add(f.parent.cost, cost_add(before, thread.cost)), 2,
		   "a thread begins again, and exits");
	check_gaps(f.fd, VPMC_SCOPE_THREAD, f.parent.cost, 0,
		   "the other thread");
}

/* Test a process that a holder stops and resumes. The stop is not a gap before the resume. */
static void test_held(void)
{
	struct target t = target_new();
	struct cost first;
	int fd;

	target_gate_start(&t);
	script_rounds(&t.script, ROUNDS);
	first = target_gate(&t, false);
	script_rounds(&t.script, ROUNDS);
	target_gate(&t, true);
	script_exit(&t.script, 0);
	fd = target_hold(&t, 0);
	must_start(fd, FIRST, 0);
	target_pass(&t);
	must_stop(fd);
	check_gaps(fd, VPMC_SCOPE_SELF, first, 0, "stopped to be read");
	target_pass(&t);
	must_start(fd, FIRST, VPMC_START_RESUME);
	target_end(&t);
	check_gaps(fd, VPMC_SCOPE_SELF, t.script.cost, 1, "gone on");
	target_reap(&t);
	check_gaps(open_device(), VPMC_SCOPE_CHILDREN, t.script.cost, 1,
		   "the parent's");
}

/*
 * Test a process that forks while it is stopped. It has a gap. After a new start from zero it does
 * not have one.
 */
static void test_restarted(void)
{
	struct target t = target_new();
	struct script child = script_new();
	struct cost first;
	int fd;

	target_gate_start(&t);
	script_rounds(&t.script, ROUNDS);
	first = target_gate(&t, false);
	script_fork(&t.script, &child, SYS_fork);
	script_exit(&child, 0);
	script_wait(&t.script);
	target_gate_start(&t);
	script_rounds(&t.script, ROUNDS);
	script_exit(&t.script, 0);
	fd = target_hold(&t, 0);
	must_start(fd, FIRST, 0);
	target_pass(&t);
	must_stop(fd);
	target_pass(&t);
	check_gaps(fd, VPMC_SCOPE_SELF, first, 1, "stopped, and forks");
	must_start(fd, FIRST, 0);
	check_gaps(fd, VPMC_SCOPE_SELF, NOTHING, 0, "started again");
	target_end(&t);
	check_gaps(fd, VPMC_SCOPE_SELF, t.script.cost, 0, "of the new start");
	target_reap(&t);
}

/* Test gaps in counts of events that share counters. */
static void test_shared(void)
{
	struct vpmc_start *resume;
	struct vpmc_query query = { .size = sizeof(query),
				    .scope = VPMC_SCOPE_THREAD };
	struct vpmc_stop *stopped = stop_arg();
	struct vpmc_read read;
	int fd = open_device();

	must_start_shared(fd, FIRST, 0);
	check(!request(fd, VPMC_QUERY, &query), "events");
	resume = start_arg(FIRST, VPMC_START_RESUME | VPMC_START_MULTIPLEX);
	resume->nr_events = query.nr_events;
	for (unsigned int i = 0; i < query.nr_events; i++)
		resume->event[i] = query.event[i];
	check(!request(fd, VPMC_STOP, stopped) &&
		      !request(fd, VPMC_START, resume),
	      "goes on");
	read = read_scope(fd, VPMC_SCOPE_THREAD);
	check_lacks(&read, 1, 0, "the thread");
	read = read_scope(fd, VPMC_SCOPE_SELF);
	check_lacks(&read, 1, 0, "the process");
}

/* Test gaps in records and in ALL. */
static void test_collected(void)
{
	struct family f = family_new();
	struct script child = family_child(&f);
	struct vpmc_record record;
	struct vpmc_read all;

	f.start->flags = VPMC_START_COLLECT | VPMC_START_RECORDS;
	script_wait(&f.parent);
	script_rounds(&child, ROUNDS);
	stop_script(&child, f.other);
	go_on(&child, f.other, 0);
	stop_script(&child, f.other);
	script_exit(&child, 0);
	family_run(&f);
	record = next_record(f.fd);
	check(record.stopped == 2 &&
		      are_counts(record.count, record.nr_counts, child.cost),
	      "the record: %u gaps want 2", record.stopped);
	all = read_scope(f.fd, VPMC_SCOPE_ALL);
	check_read(&all, cost_add(f.parent.cost, child.cost), 0, "ALL");
	check_lacks(&all, 2, 0, "ALL");
}

/* Complete the script of a child. Returns its cost. */
static struct cost finish(struct script *s)
{
	script_rounds(s, ROUNDS);
	script_exit(s, 0);
	return s->cost;
}

static void test_zombie(void)
{
	uint32_t *pid = shared(2 * sizeof(*pid));
	struct family f = family_new();
	struct script one = family_child_pid(&f, &pid[0]);
	struct script two = family_child_pid(&f, &pid[1]);
	struct cost first = finish(&one), second = finish(&two);

	family_run(&f);
	until_zombie(pid[0]);
	until_zombie(pid[1]);
	check_unwaited(&f, NOTHING, 2, "two children that nobody waits for");
	reap(pid[0]);
	check_unwaited(&f, first, 1, "one is waited for");
	reap(pid[1]);
	check_unwaited(&f, cost_add(first, second), 0, "so is the other one");
}

static void test_ignored(unsigned int flags, unsigned int unwaited,
			 const char *what)
{
	struct family f = family_new();
	struct script child = family_child(&f);
	struct cost cost;

	f.start->flags = flags;
	signal(SIGCHLD, SIG_IGN);
	cost = finish(&child);
	family_run(&f);
	check(wait(NULL) < 0 && errno == ECHILD, "nobody to wait for");
	check_unwaited(&f, unwaited ? NOTHING : cost, unwaited, what);
}

static void test_sigchld(void)
{
	test_ignored(0, 1, "SIGCHLD is ignored");
}

static void test_fold(void)
{
	test_ignored(VPMC_START_FOLD, 0, "it folds at its exit");
}

/*
 * Test a child that its brother creates with CLONE_PARENT. It is missing until this process waits
 * for it.
 */
static void test_clone_parent(void)
{
	uint32_t *pid = shared(2 * sizeof(*pid));
	struct family f = family_new();
	struct script child = family_child_pid(&f, &pid[0]);
	struct script brother = script_new();
	struct cost cost;

	script_clone(&child, &brother, CLONE_PARENT | SIGCHLD, &pid[1]);
	script_save(&child, &pid[1]);
	cost = finish(&child);
	finish(&brother);
	family_run(&f);
	reap(pid[0]);
	check_unwaited(&f, cost, 1, "CLONE_PARENT");
	reap(pid[1]);
	check_unwaited(&f, cost_add(cost, brother.cost), 0, "it is waited for");
}

/*
 * Test an orphan. It is missing until its new parent waits for it. If @adopted is set, this process
 * is the new parent.
 */
static void test_orphan(bool adopted)
{
	uint32_t *pid = shared(2 * sizeof(*pid));
	struct family f = family_new();
	struct script child = family_child_pid(&f, &pid[0]);
	struct script orphan = script_new();
	struct gate gate = gate_new();
	struct cost cost;

	prctl(PR_SET_CHILD_SUBREAPER, adopted);
	script_fork(&child, &orphan, SYS_fork);
	script_save(&child, &pid[1]);
	cost = finish(&child);
	script_gate(&orphan, gate.in);
	finish(&orphan);
	family_run(&f);
	reap(pid[0]);
	check_unwaited(&f, cost, 1, "an orphan that runs");
	gate_open(&gate);
	if (!adopted)
		return;
	reap(pid[1]);
	check_unwaited(&f, cost_add(cost, orphan.cost), 0,
		       "it is the subreaper's");
}

static void test_left(void)
{
	test_orphan(false);
}

static void test_adopted(void)
{
	test_orphan(true);
}

/*
 * Test a child that has started itself, in a parent that does not count. The child does not wait
 * for its own child, which is reported as missing.
 */
static void test_self_started(void)
{
	uint32_t *pid = shared(2 * sizeof(*pid));
	struct script parent = script_new(), child = script_new();
	struct script grand = script_new();
	struct vpmc_read read;
	int fd = open_device(), own = open_device();

	script_fork(&parent, &child, SYS_fork);
	script_save(&parent, &pid[0]);
	script_back(&parent);
	script_start(&child, own, start_arg(FIRST, 0));
	script_fork(&child, &grand, SYS_fork);
	finish(&child);
	finish(&grand);
	script_run(&parent);
	reap(pid[0]);
	read = read_scope(fd, VPMC_SCOPE_CHILDREN);
	check_read(&read, child.cost, 0, "a child that has started by itself");
	check_lacks(&read, 0, 1, "its child is missing");
}

/*
 * Test a child that inherits the count. Its CHILDREN reports that its own child is missing, and
 * reports nothing else.
 */
static void test_born(void)
{
	struct vpmc_read *read = shared(sizeof(*read));
	int fd = open_device();
	pid_t pid, grand;

	check(!request(fd, VPMC_START, start_arg(FIRST, 0)), "started");
	pid = fork();
	if (!pid) {
		grand = fork();
		if (!grand)
			_exit(0);
		until_zombie((uint32_t)grand);
		*read = read_scope(open_device(), VPMC_SCOPE_CHILDREN);
		_exit(0);
	}
	reap((uint32_t)pid);
	check_lacks(read, 0, 1, "the child of a child that was born counting");
}

/*
 * Test a fork that fails after the counters of the child have been set up, because the requested
 * process ID is already in use. No child may be reported as missing.
 */
static void test_failed(void)
{
	struct vpmc_start *begin = start_arg(FIRST, 0);
	struct vpmc_read read;
	pid_t taken = getpid();
	struct clone_args args = {
		.exit_signal = SIGCHLD,
		.set_tid = (uintptr_t)&taken,
		.set_tid_size = 1,
	};
	int fd = open_device();
	pid_t pid;

	check(!request(fd, VPMC_START, begin), "started");
	pid = (pid_t)syscall(SYS_clone3, &args, sizeof(args));
	if (!pid)
		_exit(0);
	check(pid < 0 && errno == EEXIST, "the fork fails");
	read = read_scope(fd, VPMC_SCOPE_CHILDREN);
	check_lacks(&read, 0, 0, "there is no child");
}

int main(void)
{
	run(test_own);
	run(test_from_zero);
	run(test_child);
	run(test_threads);
	run(test_held);
	run(test_restarted);
	run(test_shared);
	run(test_collected);
	run(test_zombie);
	run(test_sigchld);
	run(test_fold);
	run(test_clone_parent);
	run(test_left);
	run(test_adopted);
	run(test_self_started);
	run(test_born);
	run(test_failed);
	return check_status();
}
