// SPDX-License-Identifier: GPL-2.0-only
/*
 * collect: test that a handle collects a process and all its descendants as long as the handle is
 * open. This includes children for which no process waits, and daemons. The handle must keep a
 * record of each of their threads.
 */
#include <errno.h>
#include <linux/sched.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "follow.h"

#define ROUNDS	1000
#define NOTHING ((struct cost){ 0, 0 })

/* Return a family whose handle collects. @flags can be VPMC_START_RECORDS. */
static struct family collected(unsigned int flags)
{
	struct family f = family_new();

	f.start->flags = VPMC_START_COLLECT | flags;
	return f;
}

static void check_all(const struct family *f, struct cost want,
		      unsigned int missing, const char *what)
{
	check_scope(f->fd, VPMC_SCOPE_ALL, want, missing, what);
}

/* Wait until at most @n of the collected processes run. Returns ALL. */
static struct vpmc_read until_running(int fd, unsigned int n)
{
	struct vpmc_read all;

	do {
		usleep(1000);
		all = read_scope(fd, VPMC_SCOPE_ALL);
	} while (all.running > n);
	check(all.running == n, "%u processes run", n);
	return all;
}

/* Check all fields of a record. */
static void check_record(const struct vpmc_record *record, uint32_t pid,
			 const char *comm, unsigned int what, struct cost want)
{
	check((uint32_t)record->pid == pid && !strcmp(record->comm, comm) &&
		      !record->lost,
	      "record of %u %s: %d %.16s", pid, comm, record->pid,
	      record->comm);
	check(are_counts(record->count, record->nr_counts, want) &&
		      record->what == what,
	      "%llu %llu what %#x want %llu %llu %#x", record->count[0],
	      record->count[1], record->what,
	      (unsigned long long)want.instructions,
	      (unsigned long long)want.branches, what);
}

/* Take the next record, and check that it is the last one of the process. */
static void check_last(int fd, uint32_t pid, const char *comm, struct cost want)
{
	struct vpmc_record record = next_record(fd);

	check(record.tid == record.pid, "of the process's only thread");
	check_record(&record, pid, comm, VPMC_RECORD_LAST, want);
}

static void check_no_record(int fd, const char *what)
{
	struct vpmc_record record = { .size = sizeof(record) };

	check(request(fd, VPMC_RECORD, &record) == -ENODATA, "%s: ENODATA",
	      what);
}

/*
 * Take all records. Returns their sum, and adds their number to @n. The last of the records must be
 * the last one of a process.
 */
static struct cost take_all(int fd, unsigned int *n)
{
	struct vpmc_record record = { .size = sizeof(record) };
	struct cost sum = NOTHING;
	bool last = false;

	while (!request(fd, VPMC_RECORD, &record)) {
		last = record.what & VPMC_RECORD_LAST;
		if (!record.nr_counts || record.lost)
			check(false, "records were lost");
		sum.instructions += record.count[0];
		sum.branches += record.count[1];
		record = (struct vpmc_record){ .size = sizeof(record) };
		++*n;
	}
	check(last, "the last record is of the last thread");
	return sum;
}

static void reap(uint32_t pid)
{
	check(waitpid((pid_t)pid, NULL, 0) > 0, "a child is reaped");
}

/* These are a parent, a child for which it waits, and a second child, which leaves a daemon. */
struct house {
	struct family f;
	struct script child, second, daemon;
	struct gate gate;
	struct cost asleep;
	uint32_t *pid;
};

static void make_house(struct house *h)
{
	h->f = collected(VPMC_START_RECORDS);
	h->pid = shared(3 * sizeof(*h->pid));
	h->gate = gate_new();
	h->daemon = script_new();
	h->child = family_child_pid(&h->f, &h->pid[0]);
	script_rounds(&h->child, ROUNDS);
	script_exit(&h->child, 0);
	script_wait(&h->f.parent);
	h->second = family_child_pid(&h->f, &h->pid[1]);
	script_fork(&h->second, &h->daemon, SYS_fork);
	script_save(&h->second, &h->pid[2]);
	script_exit(&h->second, 0);
	script_gate(&h->daemon, h->gate.in);
	/*
	 * While it sleeps at the gate, the daemon has not executed the RET after the system call.
	 */
	h->asleep = h->daemon.cost;
	h->asleep.instructions--;
	h->asleep.branches--;
	script_rounds(&h->daemon, ROUNDS);
	script_exit(&h->daemon, 0);
	family_run(&h->f);
	while (waitid(P_PID, h->pid[1], NULL, WEXITED | WNOWAIT))
		;
	until_asleep(h->pid[2]);
}

static void test_descendants(void)
{
	struct house h;
	struct vpmc_read all;
	struct cost sum;

	make_house(&h);
	sum = cost_add(cost_add(h.f.parent.cost, h.child.cost), h.second.cost);
	all = read_scope(h.f.fd, VPMC_SCOPE_ALL);
	check_read(&all, cost_add(sum, h.asleep), 0,
		   "ALL has a child that nobody waited for, and its daemon");
	check(all.running == 2 && all.state == VPMC_STATE_RUNNING,
	      "collector and daemon run, state %u, %u run", all.state,
	      all.running);
	check(all.generation == h.f.start->generation,
	      "the start's generation");

	gate_open(&h.gate);
	all = until_running(h.f.fd, 1);
	sum = cost_add(sum, h.daemon.cost);
	check_read(&all, sum, 0, "ALL has the daemon to its end");
	check(all.state == VPMC_STATE_STOPPED, "the collector has stopped");
	family_check(&h.f, h.child.cost, 0, "CHILDREN has who was waited for");
	reap(h.pid[1]);
	check_all(&h.f, sum, 0, "a wait changes nothing in ALL");

	check_last(h.f.fd, h.pid[0], "collect", h.child.cost);
	check_last(h.f.fd, h.pid[1], "collect", h.second.cost);
	check_last(h.f.fd, h.pid[2], "collect", h.daemon.cost);
	check_no_record(h.f.fd, "no record of who still runs");
}

/* Take and check the records of two threads. Either one may come first. */
static void check_threads(int fd, uint32_t pid, struct cost leader,
			  struct cost thread)
{
	struct vpmc_record record[2] = { next_record(fd), next_record(fd) };
	int i;

	for (i = 0; i < 2; i++) {
		bool is_leader = record[i].tid == record[i].pid;

		check_record(&record[i], pid, is_leader ? "collect" : "worker",
			     i ? VPMC_RECORD_LAST : 0,
			     is_leader ? leader : thread);
	}
	check(record[0].tid != record[1].tid, "two threads");
}

/* Test that records have the IDs of threads and the names of programs. */
static void test_records(void)
{
	static const char name[] = "worker";
	uint32_t *pid = shared(2 * sizeof(*pid));
	uint32_t *tid = shared(2 * sizeof(*tid));
	struct family f = collected(VPMC_START_RECORDS);
	struct script child = family_child_pid(&f, &pid[0]), second;
	struct script thread = script_new();
	char *copy = memcpy(shared(sizeof(name)), name, sizeof(name));

	script_thread(&child, &thread, tid);
	script_call(&thread, SYS_prctl, PR_SET_NAME, P(copy));
	script_rounds(&thread, ROUNDS);
	script_exit(&thread, 0);
	script_join(&child, tid);
	script_exit(&child, 0);
	script_wait(&f.parent);
	second = family_child_pid(&f, &pid[1]);
	script_rounds(&second, ROUNDS);
	script_exec_exactly(&second, "./exactly-1000", 1000);
	script_wait(&f.parent);
	family_run(&f);

	check_all(&f,
		  cost_add(cost_add(f.parent.cost, child.cost),
			   cost_add(thread.cost, second.cost)),
		  0, "ALL has threads and programs");
	check_threads(f.fd, pid[0], child.cost, thread.cost);
	check_last(f.fd, pid[1], "exactly-1000", second.cost);
	check_no_record(f.fd, "all records are taken");
}

/*
 * Test that counts and records remain after the process that started, and its children, have
 * exited.
 */
static void test_survives(void)
{
	struct family f = collected(VPMC_START_RECORDS);
	struct script child = family_child(&f);
	struct vpmc_read all;
	struct cost sum, seen;
	unsigned int n = 0;
	pid_t pid = fork();

	script_rounds(&child, ROUNDS);
	script_exit(&child, 0);
	if (!pid) {
		family_run(&f);
		exit(check_status());
	}
	/*
	 * The script runs in the other process. Complete it here too, because its cost is needed.
	 */
	script_stop(&f.parent, f.fd, f.stop);
	reap((uint32_t)pid);
	all = until_running(f.fd, 0);
	sum = cost_add(f.parent.cost, child.cost);
	check_read(&all, sum, 0, "ALL is there after the process");
	check(all.state == VPMC_STATE_EXITED &&
		      all.generation == f.start->generation,
	      "all have exited, the generation is the start's");
	seen = take_all(f.fd, &n);
	check(n == 2 && seen.instructions == sum.instructions &&
		      seen.branches == sum.branches,
	      "and so are the records, %u", n);
	check_all(&f, sum, 0, "taking records does not change ALL");
}

/* Test many children for which no process waits. Each of them leaves a child of its own. */
static void test_many(void)
{
	enum { NR = 60 };
	struct family f = collected(VPMC_START_RECORDS);
	struct cost sum = NOTHING, seen;
	unsigned int i, n = 0;
	struct vpmc_read all;

	signal(SIGCHLD, SIG_IGN);
	for (i = 0; i < NR; i++) {
		struct script child = family_child(&f), orphan = script_new();

		script_fork(&child, &orphan, SYS_fork);
		script_rounds(&child, ROUNDS + i);
		script_exit(&child, 0);
		script_rounds(&orphan, ROUNDS * 2);
		script_exit(&orphan, 0);
		sum = cost_add(sum, cost_add(child.cost, orphan.cost));
	}
	family_run(&f);
	all = until_running(f.fd, 1);
	check_read(&all, cost_add(sum, f.parent.cost), 0,
		   "many that nobody waits for");
	family_check(&f, NOTHING, 0, "none is in CHILDREN");
	seen = take_all(f.fd, &n);
	check(n == 2 * NR && seen.instructions == sum.instructions &&
		      seen.branches == sum.branches,
	      "%u records have the same sum", n);
}

/*
 * Test a child that changes its events. ALL has its counts from before the change, and reports the
 * counts after the change as missing.
 */
static void test_other_events(void)
{
	uint32_t *pid = shared(sizeof(*pid));
	struct family f = collected(VPMC_START_RECORDS);
	struct script child = family_child_pid(&f, pid);
	struct vpmc_record record;
	struct cost before;

	script_rounds(&child, ROUNDS);
	script_stop(&child, f.other, f.stop);
	before = child.cost;
	script_start(&child, f.other, start_arg(OTHER, 0));
	script_rounds(&child, ROUNDS);
	script_exit(&child, 0);
	script_wait(&f.parent);
	family_run(&f);
	check_all(&f, cost_add(f.parent.cost, before), 1,
		  "ALL has what was counted of its events");
	record = next_record(f.fd);
	check_record(&record, *pid, "collect", VPMC_RECORD_RESTARTED, before);
	record = next_record(f.fd);
	check_record(
		&record, *pid, "collect", VPMC_RECORD_LAST | VPMC_RECORD_OTHER,
		(struct cost){ child.cost.branches, child.cost.instructions });
}

/*
 * Test a process of two threads. After the leader has stopped, the thread stops and starts again.
 * The leader cannot resume, because its counts belong to the previous generation.
 */
static void test_begun_anew(void)
{
	struct family f = collected(VPMC_START_RECORDS);
	struct script leader = family_child(&f), thread = script_new();
	uint32_t *tid = shared(2 * sizeof(*tid));
	uint32_t *result = shared(sizeof(*result));
	struct gate gate = gate_new();
	struct cost sum, seen;
	unsigned int n = 0;

	script_thread(&leader, &thread, tid);
	script_stop(&leader, f.other, stop_arg());
	sum = leader.cost;
	script_call(&leader, SYS_write, (uint32_t)gate.out, P(tid), 1);
	script_join(&leader, tid);
	script_call(&leader, SYS_ioctl, (uint32_t)f.other, VPMC_START,
		    P(start_arg(FIRST, VPMC_START_RESUME)));
	script_save(&leader, result);
	script_exit(&leader, 0);
	script_gate(&thread, gate.in);
	script_stop(&thread, f.other, stop_arg());
	sum = cost_add(sum, thread.cost);
	script_start(&thread, f.other, start_arg(FIRST, 0));
	script_rounds(&thread, ROUNDS);
	script_exit(&thread, 0);
	sum = cost_add(sum, thread.cost);
	script_wait(&f.parent);
	family_run(&f);
	check((int)*result == -ENODATA, "a resume of what is over: errno %d",
	      -(int)*result);
	check_all(&f, cost_add(f.parent.cost, sum), 0,
		  "ALL has what was counted before");
	family_check(&f, sum, 0, "and so has CHILDREN");
	/* There are four records if the leader is the last to exit. The last one is empty then. */
	seen = take_all(f.fd, &n);
	check((n == 3 || n == 4) && !memcmp(&seen, &sum, sizeof(sum)),
	      "%u records have the same sum", n);
}

/*
 * Test a child that stops before it forks. ALL has the child's counts, and nothing of the
 * grandchild.
 */
static void test_stopped(void)
{
	struct family f = collected(VPMC_START_RECORDS);
	struct script child = family_child(&f), grandchild = script_new();

	script_rounds(&child, ROUNDS);
	script_stop(&child, f.other, stop_arg());
	script_fork(&child, &grandchild, SYS_fork);
	script_wait(&child);
	script_exit(&child, 0);
	script_rounds(&grandchild, ROUNDS);
	script_exit(&grandchild, 0);
	script_wait(&f.parent);
	family_run(&f);
	check_all(&f, cost_add(f.parent.cost, child.cost), 0,
		  "a child that stopped, not its child");
}

/* Test starts that do not ask for ALL or for records. */
static void test_nothing(void)
{
	uint32_t *pid = shared(sizeof(*pid));
	struct vpmc_read read = { .size = sizeof(read),
				  .scope = VPMC_SCOPE_ALL };
	struct family f = family_new();
	struct script child = family_child_pid(&f, pid);

	check(request(f.fd, VPMC_READ, &read) == -ENODATA,
	      "ALL of a new handle: ENODATA");
	check_no_record(f.fd, "a record of a new handle");
	script_exit(&child, 0);
	script_wait(&f.parent);
	family_run(&f);
	check(request(f.fd, VPMC_READ, &read) == -ENODATA,
	      "ALL of a handle that does not collect: ENODATA");
	check_no_record(f.fd, "a record of it");

	f = collected(0);
	child = family_child_pid(&f, pid);
	script_exit(&child, 0);
	script_wait(&f.parent);
	family_run(&f);
	check_all(&f, cost_add(f.parent.cost, child.cost), 0, "ALL");
	check_no_record(f.fd, "a record of a handle that keeps none");
	read.scope = VPMC_SCOPE_ALL;
	check(request(f.other, VPMC_READ, &read) == -ENODATA,
	      "ALL of another handle: ENODATA");
}

/*
 * Test a second start that collects on the same handle. It is refused while a child is still
 * collected. Otherwise ALL begins at zero.
 */
static void test_again(void)
{
	uint32_t *pid = shared(sizeof(*pid));
	struct family f = collected(VPMC_START_RECORDS);
	struct script child = family_child_pid(&f, pid), again = script_new();
	struct vpmc_start *start = start_arg(FIRST, VPMC_START_COLLECT);
	struct vpmc_info info = { .size = sizeof(info) };
	struct gate gate = gate_new();

	script_gate(&child, gate.in);
	script_exit(&child, 0);
	family_run(&f);
	until_asleep(*pid);
	check(request(f.fd, VPMC_START, start) == -EBUSY,
	      "a start that collects while a child is collected: EBUSY");
	check(!request(f.fd, VPMC_INFO, &info) &&
		      info.generation == f.start->generation,
	      "the refusal leaves the generation");
	gate_open(&gate);
	reap(*pid);
	check_all(&f, cost_add(f.parent.cost, child.cost), 0,
		  "the refusal leaves the counts");
	start->flags = VPMC_START_COLLECT;
	script_start(&again, f.fd, start);
	script_rounds(&again, ROUNDS);
	script_stop(&again, f.fd, f.stop);
	script_back(&again);
	script_run(&again);
	check(start->generation > f.start->generation,
	      "a new start when it is gone: a new generation");
	check_all(&f, again.cost, 0, "ALL began at zero");
	check_no_record(f.fd, "old records are dropped");
}

/* Test that two handles cannot collect the same process. */
static void test_busy(void)
{
	struct vpmc_start *start = start_arg(FIRST, 0);
	struct vpmc_start *second = start_arg(FIRST, VPMC_START_COLLECT);
	struct vpmc_read read = { .size = sizeof(read),
				  .scope = VPMC_SCOPE_ALL };
	int fd = open_device(), other = open_device(), status;
	pid_t pid;

	start->flags = VPMC_START_COLLECT;
	check(!request(fd, VPMC_START, start), "a start that collects");
	check(request(other, VPMC_START, second) == -EBUSY,
	      "another while it counts: EBUSY");
	pid = fork();
	if (!pid)
		other = open_device();
	check(!request(pid ? fd : other, VPMC_STOP, stop_arg()), "a stop");
	check(request(other, VPMC_START, second) == -EBUSY,
	      "another handle, parent and child, after a stop: EBUSY");
	check(request(other, VPMC_READ, &read) == -ENODATA,
	      "the refused handle has nothing");
	if (!pid) {
		check(!request(other, VPMC_START, start_arg(FIRST, 0)),
		      "a child that is collected may start for itself");
		exit(check_status());
	}
	check(waitpid(pid, &status, 0) == pid && !status, "the child's end");
	check(!request(fd, VPMC_START, second), "the same handle again");
}

/* Test a collected process that starts again without VPMC_START_COLLECT. ALL continues. */
static void test_plain_start(void)
{
	struct family f = collected(0);
	struct cost before;

	script_rounds(&f.parent, ROUNDS);
	script_stop(&f.parent, f.fd, f.stop);
	before = f.parent.cost;
	script_start(&f.parent, f.fd, start_arg(FIRST, 0));
	script_rounds(&f.parent, ROUNDS);
	family_run(&f);
	check_all(&f, cost_add(before, f.parent.cost), 0,
		  "ALL goes on over a start that does not collect");
}

int main(void)
{
	run(test_descendants);
	run(test_records);
	run(test_survives);
	run(test_many);
	run(test_other_events);
	run(test_begun_anew);
	run(test_stopped);
	run(test_nothing);
	run(test_again);
	run(test_busy);
	run(test_plain_start);
	return check_status();
}
