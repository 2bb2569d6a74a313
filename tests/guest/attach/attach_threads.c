// SPDX-License-Identifier: GPL-2.0-only
/*
 * attach_threads: test that a start of a process applies to all its threads, and to all threads
 * that are just being created or are created later. Test that a start of a thread applies to this
 * thread only.
 */
#include <err.h>
#include <errno.h>
#include <linux/sched.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "hold.h"

#define ROUNDS	1000
#define THREADS 3
#define TIMES	50

/**
 * struct crew - a target of four threads, each with a gate
 * @t: the process and its leader
 * @thread: the scripts of the other threads
 * @gate: the gates of the other threads
 * @tid: two words for each of the other threads, see script_thread()
 */
struct crew {
	struct target t;
	struct script thread[THREADS];
	struct gate gate[THREADS];
	uint32_t *tid[THREADS];
};

static struct crew crew_new(void)
{
	struct crew c = { .t = target_new() };
	int i;

	for (i = 0; i < THREADS; i++) {
		c.thread[i] = script_new();
		c.gate[i] = gate_new();
		c.tid[i] = shared(2 * sizeof(*c.tid[i]));
		script_thread(&c.t.script, &c.thread[i], c.tid[i]);
	}
	return c;
}

/*
 * Add a gate to the scripts of all threads. After it they count if @counts is set. Returns the sum
 * of their counts at this gate.
 */
static struct cost crew_gates(struct crew *c, bool counts)
{
	struct cost sum = target_gate(&c->t, counts);
	int i;

	for (i = 0; i < THREADS; i++)
		sum = cost_add(sum, script_gate_then(&c->thread[i],
						     c->gate[i].in, counts));
	return sum;
}

/* Add a gate to the scripts of all threads, at which the test starts them from zero. */
static void crew_gates_start(struct crew *c)
{
	int i;

	target_gate_start(&c->t);
	for (i = 0; i < THREADS; i++) {
		c->thread[i].counts = false;
		c->thread[i].cost = NOTHING;
		script_gate_then(&c->thread[i], c->gate[i].in, true);
	}
}

static void crew_rounds(struct crew *c)
{
	int i;

	script_rounds(&c->t.script, ROUNDS);
	for (i = 0; i < THREADS; i++)
		script_rounds(&c->thread[i], ROUNDS + 1 + (unsigned int)i);
}

/* Complete the scripts of all threads. Returns the sum of their final counts. */
static struct cost crew_exit(struct crew *c)
{
	struct cost sum;
	int i;

	script_exit(&c->t.script, 0);
	sum = c->t.script.cost;
	for (i = 0; i < THREADS; i++) {
		script_exit(&c->thread[i], 0);
		sum = cost_add(sum, c->thread[i].cost);
	}
	return sum;
}

static void crew_create(struct crew *c)
{
	int i;

	target_create(&c->t);
	for (i = 0; i < THREADS; i++)
		until_at_gate(c->tid[i][1], &c->gate[i]);
}

/* Let all threads pass their gates, and wait until all sleep again. */
static void crew_pass(struct crew *c)
{
	int i;

	for (i = 0; i < THREADS; i++)
		gate_open(&c->gate[i]);
	gate_open(&c->t.gate);
	for (i = 0; i < THREADS; i++)
		until_at_gate(c->tid[i][1], &c->gate[i]);
	until_at_gate((uint32_t)c->t.pid, &c->t.gate);
}

static void crew_end(struct crew *c)
{
	int i;

	for (i = 0; i < THREADS; i++)
		gate_open(&c->gate[i]);
	target_end(&c->t);
}

static void test_process(void)
{
	struct crew c = crew_new();
	uint64_t generation;
	struct cost at[3];
	int fd;

	crew_gates_start(&c);
	crew_rounds(&c);
	at[0] = crew_gates(&c, false);
	crew_rounds(&c);
	crew_gates(&c, true);
	crew_rounds(&c);
	at[1] = crew_gates(&c, true);
	at[2] = crew_exit(&c);
	crew_create(&c);

	fd = hold(c.t.pid, 0);
	generation = must_start(fd, FIRST, 0);
	crew_pass(&c);
	check_held(fd, VPMC_SCOPE_SELF, at[0], VPMC_STATE_RUNNING, generation,
		   "all threads");
	must_stop(fd);
	crew_pass(&c);
	check_held(fd, VPMC_SCOPE_SELF, at[0], VPMC_STATE_STOPPED, generation,
		   "none behind the stop");
	check(must_start(fd, FIRST, VPMC_START_RESUME) == generation,
	      "all go on");
	crew_pass(&c);
	check_held(fd, VPMC_SCOPE_SELF, at[1], VPMC_STATE_RUNNING, generation,
		   "from where they were");
	crew_end(&c);
	check_held(fd, VPMC_SCOPE_SELF, at[2], VPMC_STATE_EXITED, generation,
		   "to their ends");
	target_reap(&c.t);
	check_children(at[2], 0, "CHILDREN");
}

/* Test a start of one thread by its own handle, and then starts of all threads by force. */
static void test_one_thread(void)
{
	struct crew c = crew_new();
	uint64_t one, two, all;
	struct cost first, sum;
	int process, thread, other;

	crew_gates_start(&c);
	crew_rounds(&c);
	/* This is the count of the only thread that counts at first. */
	first = cost_add(c.thread[1].cost, (struct cost){ 8, 1 });
	crew_gates(&c, true);
	crew_gates_start(&c);
	crew_rounds(&c);
	sum = crew_exit(&c);
	crew_create(&c);

	process = hold(c.t.pid, 0);
	thread = hold((int)c.tid[1][1], VPMC_ATTACH_THREAD);
	other = hold((int)c.tid[2][1], VPMC_ATTACH_THREAD);
	one = must_start(thread, FIRST, 0);
	crew_pass(&c);
	check_held(thread, VPMC_SCOPE_THREAD, first, VPMC_STATE_RUNNING, one,
		   "one thread");
	check_held(process, VPMC_SCOPE_SELF, first, VPMC_STATE_RUNNING, one,
		   "SELF has no other thread");
	check(try_read(other, VPMC_SCOPE_THREAD) == -ENODATA,
	      "another thread: ENODATA");
	check(start(process, FIRST, 0, NULL) == -EBUSY &&
		      start(thread, FIRST, 0, NULL) == -EBUSY,
	      "a start on what counts: EBUSY");
	check(try_read(other, VPMC_SCOPE_THREAD) == -ENODATA,
	      "which starts no other thread");
	two = must_start(other, FIRST, 0);
	check(two == one, "a second thread counts in the same generation");
	must_stop(thread);
	check_held(thread, VPMC_SCOPE_THREAD, first, VPMC_STATE_STOPPED, one,
		   "one stops");
	check_held(other, VPMC_SCOPE_THREAD, NOTHING, VPMC_STATE_RUNNING, one,
		   "the other one counts");
	all = must_start(process, OTHER, VPMC_START_FORCE);
	check(all != one, "by force, all begin again");
	check_held(process, VPMC_SCOPE_SELF, NOTHING, VPMC_STATE_RUNNING, all,
		   "all are at zero");
	crew_pass(&c);
	all = must_start(process, OTHER, VPMC_START_FORCE);
	crew_end(&c);
	check_held(process, VPMC_SCOPE_SELF, swapped(sum), VPMC_STATE_EXITED,
		   all, "all have counted");
	check_held(thread, VPMC_SCOPE_THREAD, swapped(c.thread[1].cost),
		   VPMC_STATE_EXITED, all, "of that, one thread");
	target_reap(&c.t);
}

/*
 * Test a thread that a started thread creates, and a thread that the new thread creates in turn.
 * Both new threads count.
 */
static void test_created_later(void)
{
	struct target t = target_new();
	struct script thread = script_new(), inner = script_new();
	uint32_t *tid = shared(4 * sizeof(*tid));
	struct cost sum;
	int fd;

	target_gate_start(&t);
	script_thread(&t.script, &thread, tid);
	script_thread(&thread, &inner, tid + 2);
	script_rounds(&inner, ROUNDS);
	script_exit(&inner, 0);
	script_join(&thread, tid + 2);
	script_exit(&thread, 0);
	script_join(&t.script, tid);
	sum = cost_add(thread.cost, inner.cost);
	sum = cost_add(sum, target_gate(&t, true));
	script_exit(&t.script, 0);
	fd = target_hold(&t, 0);
	must_start(fd, FIRST, 0);
	target_pass(&t);
	check_scope(fd, VPMC_SCOPE_SELF, sum, 0, "threads created since");
	target_end(&t);
	target_reap(&t);
}

/*
 * Create a crew whose leader exits after its gate. The test starts the other threads at their first
 * gate and again at their second one. Returns their counts from the second start on.
 */
static struct cost crew_without_leader(struct crew *c)
{
	struct cost sum = NOTHING;
	unsigned int j;
	int i;

	target_gate(&c->t, false);
	script_exit(&c->t.script, 0);
	for (i = 0; i < THREADS; i++) {
		for (j = 0; j < 2; j++) {
			c->thread[i].counts = false;
			c->thread[i].cost = NOTHING;
			script_gate_then(&c->thread[i], c->gate[i].in, true);
			script_rounds(&c->thread[i], ROUNDS * (j + 1));
		}
		script_exit(&c->thread[i], 0);
		sum = cost_add(sum, c->thread[i].cost);
	}
	crew_create(c);
	return sum;
}

/* Test a process whose leader has exited while its other threads go on. */
static void test_leader_gone(void)
{
	struct crew c = crew_new();
	struct cost sum = crew_without_leader(&c);
	uint64_t generation;
	int fd, leader, i;

	leader = hold(c.t.pid, VPMC_ATTACH_THREAD);
	gate_open(&c.t.gate);
	while (start(leader, FIRST, VPMC_START_FORCE, NULL) != -ESRCH)
		usleep(1000);
	fd = hold(c.t.pid, 0);
	must_start(fd, FIRST, VPMC_START_FORCE);
	for (i = 0; i < THREADS; i++) {
		gate_open(&c.gate[i]);
		until_at_gate(c.tid[i][1], &c.gate[i]);
	}
	must_stop(fd);
	generation = must_start(fd, FIRST, 0);
	for (i = 0; i < THREADS; i++)
		gate_open(&c.gate[i]);
	waitid(P_PID, (id_t)c.t.pid, NULL, WEXITED | WNOWAIT);
	check_held(fd, VPMC_SCOPE_SELF, sum, VPMC_STATE_EXITED, generation,
		   "a process without its leader");
	check(start(fd, FIRST, 0, NULL) == -ESRCH, "when all are gone: ESRCH");
	target_reap(&c.t);
}

/* Test a thread that has exited while its process goes on. The counts of this thread are final. */
static void test_thread_gone(void)
{
	struct target t = target_new();
	struct script thread = script_new();
	uint32_t *tid = shared(2 * sizeof(*tid));
	struct gate gate = gate_new();
	uint64_t generation;
	struct cost at;
	int process, gone;

	script_thread(&t.script, &thread, tid);
	target_gate_start(&t);
	script_join(&t.script, tid);
	at = target_gate(&t, true);
	script_exit(&t.script, 0);
	thread.cost = NOTHING;
	script_gate_then(&thread, gate.in, true);
	script_rounds(&thread, ROUNDS);
	script_exit(&thread, 0);
	target_create(&t);
	until_at_gate(tid[1], &gate);
	process = hold(t.pid, 0);
	gone = hold((int)tid[1], VPMC_ATTACH_THREAD);
	generation = must_start(process, FIRST, 0);
	gate_open(&gate);
	while (state_of(tid[1]))
		usleep(1000);
	target_pass(&t);
	check_held(gone, VPMC_SCOPE_THREAD, thread.cost, VPMC_STATE_EXITED,
		   generation, "a thread that has exited");
	check(start(gone, FIRST, 0, NULL) == -ESRCH &&
		      start(gone, FIRST, VPMC_START_FORCE, NULL) == -ESRCH &&
		      stop(gone, NULL) == -ESRCH,
	      "its start and stop: ESRCH");
	check_held(process, VPMC_SCOPE_SELF, cost_add(at, thread.cost),
		   VPMC_STATE_RUNNING, generation, "it is in SELF");
	must_start(process, OTHER, VPMC_START_FORCE);
	check_held(gone, VPMC_SCOPE_THREAD, thread.cost, VPMC_STATE_EXITED,
		   generation, "what it counted, and when, is final");
	target_end(&t);
	target_reap(&t);
}

/* Test a process of which one thread has started itself. */
static void test_half_started(void)
{
	struct target t = target_new();
	struct script thread = script_new();
	uint32_t *tid = shared(2 * sizeof(*tid));
	int own = open_device(), fd;
	struct gate gate = gate_new();
	struct cost at;

	script_thread(&t.script, &thread, tid);
	target_gate_start(&t);
	script_rounds(&t.script, ROUNDS);
	script_exit(&t.script, 0);
	script_start(&thread, own, start_arg(FIRST, 0));
	at = script_gate_then(&thread, gate.in, true);
	thread.cost = (struct cost){ 1, 1 };
	script_exit(&thread, 0);
	target_create(&t);
	until_at_gate(tid[1], &gate);
	fd = hold(t.pid, 0);
	check(start(fd, FIRST, 0, NULL) == -EBUSY, "one thread counts: EBUSY");
	check_scope(fd, VPMC_SCOPE_SELF, at, 0, "what it counts");
	must_start(fd, FIRST, VPMC_START_FORCE);
	check_scope(fd, VPMC_SCOPE_SELF, NOTHING, 0, "all begin again");
	gate_open(&gate);
	target_end(&t);
	check_scope(fd, VPMC_SCOPE_SELF, cost_add(t.script.cost, thread.cost),
		    0, "both threads");
	target_reap(&t);
	check_children(cost_add(at, cost_add(t.script.cost, thread.cost)), 0,
		       "CHILDREN has what was before, too");
}

/*
 * Test a resume of threads in different states. The result must not depend on the order of the
 * threads.
 */
static void test_resume_refused(void)
{
	struct vpmc_start arg = *start_arg(FIRST, VPMC_START_RESUME);
	struct crew c = crew_new();
	int process, thread[THREADS], i;

	crew_gates_start(&c);
	crew_exit(&c);
	crew_create(&c);
	process = hold(c.t.pid, 0);
	for (i = 0; i < THREADS; i++)
		thread[i] = hold((int)c.tid[i][1], VPMC_ATTACH_THREAD);
	must_start(thread[0], FIRST, 0);
	must_start(thread[1], OTHER, 0);
	must_stop(thread[1]);
	must_start(thread[2], FIRST, 0);
	must_stop(thread[2]);
	check(request(process, VPMC_START, &arg) == -EBUSY,
	      "one counts, one has stopped with other events: EBUSY");
	must_stop(thread[0]);
	check(request(process, VPMC_START, &arg) == -EINVAL &&
		      arg.error == VPMC_REASON_RESUME,
	      "one has stopped with other events: EINVAL");
	crew_end(&c);
	target_reap(&c.t);
}

#define CHAINS 2

/**
 * struct chain - a chain of threads: each thread creates the next one and exits
 * @link: the script of each thread
 * @next: the part of the script in which the thread creates the next one
 * @tid: the ID of the newest thread
 * @halt: if it is not zero, the newest thread sleeps at the gate twice before it goes on
 * @gate: the gate
 * @at: the count of a thread from its first sleep to its second one
 */
struct chain {
	struct script link, next;
	uint32_t *tid;
	volatile uint32_t *halt;
	struct gate gate;
	struct cost at;
};

static struct chain chain_new(void)
{
	uint32_t *word = shared(2 * sizeof(*word));
	struct chain c = { .link = script_new(),
			   .next = script_new(),
			   .tid = &word[0],
			   .halt = &word[1],
			   .gate = gate_new() };

	script_branch(&c.link, &word[1], &c.next);
	script_gate_then(&c.link, c.gate.in, true);
	c.link.cost = (struct cost){ 1, 1 };
	script_rounds(&c.link, ROUNDS);
	c.at = script_gate_then(&c.link, c.gate.in, true);
	script_go(&c.link, &c.link);
	script_clone(&c.next, &c.link,
		     CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND |
			     CLONE_THREAD | CLONE_SYSVSEM | CLONE_CHILD_SETTID,
		     c.tid);
	script_exit(&c.next, 0);
	return c;
}

/* Return whether there is a byte in the pipe. Then a thread is about to pass the gate. */
static bool is_open(const struct gate *gate)
{
	int unread;

	if (ioctl(gate->in, FIONREAD, &unread))
		err(2, "FIONREAD");
	return unread;
}

/*
 * Wait until the newest thread sleeps at the gate, the only place where it sleeps. A thread that
 * has just been woken up is still shown as sleeping, so the pipe must also be empty.
 */
static void until_halted(const struct chain *c)
{
	while (is_open(&c->gate) ||
	       state_of(*(volatile uint32_t *)c->tid) != 'S')
		sched_yield();
}

static void chains_halt(struct chain *c)
{
	int i;

	for (i = 0; i < CHAINS; i++)
		*c[i].halt = 1;
	for (i = 0; i < CHAINS; i++)
		until_halted(&c[i]);
}

/* Let the newest threads go from their first sleep at the gate to the second one. */
static void chains_pass(struct chain *c)
{
	int i;

	for (i = 0; i < CHAINS; i++)
		gate_open(&c[i].gate);
	for (i = 0; i < CHAINS; i++)
		until_halted(&c[i]);
}

static void chains_go(struct chain *c)
{
	int i;

	for (i = 0; i < CHAINS; i++)
		*c[i].halt = 0;
	for (i = 0; i < CHAINS; i++)
		gate_open(&c[i].gate);
}

static bool same(const struct vpmc_read *a, const struct vpmc_read *b,
		 struct cost more)
{
	return a->count[0] + more.instructions == b->count[0] &&
	       a->count[1] + more.branches == b->count[1] &&
	       a->generation == b->generation && !b->other_events &&
	       !b->revoked;
}

static void show(const char *what, unsigned int round,
		 const struct vpmc_read *a, const struct vpmc_read *b)
{
	check(false,
	      "round %u, %s: %llu %llu to %llu %llu, generation %llu to %llu, %u %u",
	      round, what, a->count[0], a->count[1], b->count[0], b->count[1],
	      a->generation, b->generation, b->other_events, b->revoked);
}

/*
 * Start the process, and check that the newest thread of each chain counts, although it did not
 * exist at the start. Then stop the process, and check that no thread counts.
 */
static void chain_round(pid_t pid, int fd, struct chain *c, unsigned int round)
{
	struct vpmc_read read[5];
	struct cost want = NOTHING;
	unsigned int flags = round % 3 ? 0 : VPMC_START_RESUME;
	int i;

	must_start(fd, FIRST, round ? flags : 0);
	if (round % 4 == 1)
		must_start(fd, FIRST, VPMC_START_FORCE);
	chains_halt(c);
	/* Wait until the creators of the newest threads have exited too. */
	until_threads((uint32_t)pid, CHAINS + 1);
	read[0] = read_scope(fd, VPMC_SCOPE_SELF);
	chains_pass(c);
	read[1] = read_scope(fd, VPMC_SCOPE_SELF);
	for (i = 0; i < CHAINS; i++)
		want = cost_add(want, c[i].at);
	if (!same(&read[0], &read[1], want))
		show("all that is there counts", round, &read[0], &read[1]);
	chains_go(c);
	must_stop(fd);
	read[2] = read_scope(fd, VPMC_SCOPE_SELF);
	usleep(500);
	read[3] = read_scope(fd, VPMC_SCOPE_SELF);
	chains_halt(c);
	chains_pass(c);
	read[4] = read_scope(fd, VPMC_SCOPE_SELF);
	if (!same(&read[2], &read[3], NOTHING) ||
	    !same(&read[2], &read[4], NOTHING))
		show("nobody counts after the stop", round, &read[2], &read[4]);
	if (read[4].state != VPMC_STATE_STOPPED)
		check(false, "round %u: state %u", round, read[4].state);
	chains_go(c);
}

static struct target chains_create(struct chain *c)
{
	struct target t = target_new();
	int i;

	for (i = 0; i < CHAINS; i++) {
		c[i] = chain_new();
		script_clone(&t.script, &c[i].link,
			     CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND |
				     CLONE_THREAD | CLONE_SYSVSEM |
				     CLONE_CHILD_SETTID,
			     c[i].tid);
	}
	target_gate(&t, true);
	script_exit(&t.script, 0);
	target_create(&t);
	return t;
}

static void test_chains(void)
{
	enum { NR = 200 };
	unsigned int failures = check_failures, i;
	struct chain c[CHAINS];
	struct target t = chains_create(c);
	int fd = hold(t.pid, 0);

	for (i = 0; i < NR; i++)
		chain_round(t.pid, fd, c, i);
	check(check_failures == failures,
	      "threads that create threads, %u starts and stops", NR);
	kill(t.pid, SIGKILL);
	target_reap(&t);
}

/*
 * Start the process while its threads are being created, and check that the newest threads count.
 */
static void being_created(int process, struct chain *c, unsigned int round)
{
	struct vpmc_read read[2][CHAINS];
	int fd[CHAINS], i;

	must_start(process, FIRST, VPMC_START_FORCE);
	chains_halt(c);
	for (i = 0; i < CHAINS; i++) {
		fd[i] = hold((int)*c[i].tid, VPMC_ATTACH_THREAD);
		read[0][i] = read_scope(fd[i], VPMC_SCOPE_THREAD);
	}
	chains_pass(c);
	for (i = 0; i < CHAINS; i++) {
		read[1][i] = read_scope(fd[i], VPMC_SCOPE_THREAD);
		if (!same(&read[0][i], &read[1][i], c[i].at))
			show("the last thread", round, &read[0][i],
			     &read[1][i]);
		close(fd[i]);
	}
	must_stop(process);
	chains_go(c);
}

/* Test the first start of a process, before which its threads do not have counters. */
static void test_being_created(void)
{
	unsigned int failures = check_failures;
	struct chain c[CHAINS];
	struct target t = chains_create(c);

	being_created(hold(t.pid, 0), c, 0);
	check(check_failures == failures, "threads being created");
	kill(t.pid, SIGKILL);
	target_reap(&t);
}

/* Make many starts and stops at any moment. Afterwards the process must still count exactly. */
static void test_calls(void)
{
	enum { NR = 1000 };
	unsigned int failures = check_failures, i;
	struct chain c[CHAINS];
	struct target t = chains_create(c);
	int fd = hold(t.pid, 0), result;

	for (i = 0; i < NR; i++) {
		unsigned int n = i * 2654435761u >> 29;

		if (n < 2)
			result = stop(fd, NULL);
		else if (n < 4)
			result = start(fd, n % 2 ? FIRST : OTHER, 0, NULL);
		else
			result = start(fd, n % 2 ? FIRST : OTHER,
				       VPMC_START_FORCE, NULL);
		if (result && result != -ENODATA && result != -EBUSY)
			check(false, "call %u, %u: errno %d", i, n, -result);
	}
	must_stop(fd);
	for (i = 0; i < 10; i++)
		chain_round(t.pid, fd, c, i);
	check(check_failures == failures, "exact after %u calls", NR);
	kill(t.pid, SIGKILL);
	target_reap(&t);
}

int main(void)
{
	int i;

	run(test_process);
	run(test_one_thread);
	run(test_created_later);
	run(test_leader_gone);
	run(test_thread_gone);
	run(test_half_started);
	run(test_resume_refused);
	run(test_chains);
	for (i = 0; i < TIMES; i++)
		run(test_being_created);
	run(test_calls);
	return check_status();
}
