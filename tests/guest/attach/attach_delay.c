// SPDX-License-Identifier: GPL-2.0-only
/*
 * attach_delay: test that a start of a process also reaches a thread that is being created and is
 * not in the list of threads yet. The creator does not have counters.
 *
 * The creator is held in clone(2), after the fork hook, while the test starts the process. In
 * another test the creator counts, so the new thread already has counters. The kernel drops task
 * works that are queued for the new thread at this point. Later starts by force must still find
 * this thread.
 */
#include <err.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "delayed.h"

#define ROUNDS 1000

/* This is the number of rounds that a thread makes after a start, and the number of starts. */
#define FEW    1000
#define STARTS 20

/*
 * clone(2) allocates the thread's ID in this function, before the thread is in the list of threads.
 */
#define CREATION "alloc_pid"

/**
 * struct crew - a target that creates a thread
 * @t: the process and its leader
 * @thread: the script of the created thread
 * @gate: the gate at which this thread sleeps
 * @pair: two words for script_thread()
 * @least, @most: the smallest and the largest possible sum of the counts of both threads. The sum
 *	depends on the moments at which the threads are started
 */
struct crew {
	struct target t;
	struct script thread;
	struct gate gate;
	uint32_t *pair;
	struct cost least, most;
};

static struct crew crew_new(void)
{
	struct crew c = {
		.t = target_new(),
		.thread = script_new(),
		.gate = gate_new(),
		.pair = shared(2 * sizeof(*c.pair)),
	};
	struct script *leader = &c.t.script;
	struct cost early;

	script_name_delayed(leader);
	target_gate(&c.t, false);
	/* The start comes during this call. The thread may be started a little later. */
	leader->counts = true;
	script_thread(leader, &c.thread, c.pair);
	early = cost_add(leader->cost,
			 script_gate_then(&c.thread, c.gate.in, true));
	script_rounds(leader, ROUNDS);
	script_join(leader, c.pair);
	script_exit(leader, 0);
	script_rounds(&c.thread, ROUNDS);
	script_exit(&c.thread, 0);
	c.most = cost_add(leader->cost, c.thread.cost);
	c.least = (struct cost){ c.most.instructions - early.instructions,
				 c.most.branches - early.branches };
	return c;
}

static void check_crew(const struct crew *c, const struct vpmc_read *read,
		       const char *what)
{
	check(is_between(read, c->least, c->most) && !read->other_events &&
		      !read->revoked,
	      "%s: %llu %llu (%u other events) want %llu %llu to %llu %llu",
	      what, read->count[0], read->count[1], read->other_events,
	      (unsigned long long)c->least.instructions,
	      (unsigned long long)c->least.branches,
	      (unsigned long long)c->most.instructions,
	      (unsigned long long)c->most.branches);
}

static void test_creation(void)
{
	struct crew c = crew_new();
	struct vpmc_read read;
	int fd;

	target_create(&c.t);
	delay_at(CREATION);
	gate_open(&c.t.gate);
	until_delayed();
	fd = hold(c.t.pid, 0);
	must_start(fd, FIRST, 0);
	delay_end();
	while (!c.pair[1])
		usleep(1000);
	until_at_gate(c.pair[1], &c.gate);
	gate_open(&c.gate);
	target_reap(&c.t);
	delay_remove();
	read = read_scope(fd, VPMC_SCOPE_SELF);
	check_crew(&c, &read, "SELF");
	read = read_scope(open_device(), VPMC_SCOPE_CHILDREN);
	check_crew(&c, &read, "CHILDREN");
}

/*
 * At this function, a start allocates memory for threads that it has missed. The leader calls it
 * when it returns from clone(2).
 */
#define ARRIVAL "vpmc_prealloc_threads"

/* Let @by create a thread that sleeps at @gate. Returns the address of the thread's ID. */
static uint32_t *thread_at_gate(struct script *by, struct script *thread,
				const struct gate *gate)
{
	uint32_t *pair = shared(2 * sizeof(*pair));

	script_thread(by, thread, pair);
	script_gate_then(thread, gate->in, true);
	return pair;
}

static void until_thread_at_gate(const volatile uint32_t *pair,
				 const struct gate *gate)
{
	while (!pair[0])
		usleep(1000);
	until_at_gate(pair[0], gate);
}

/*
 * Start the process while its leader is held in clone(2). Then hold the leader a second time, at
 * ARRIVAL.
 */
static void hold_twice(struct target *t)
{
	delay_at(CREATION);
	gate_open(&t->gate);
	until_delayed();
	must_start_shared(hold(t->pid, 0), FIRST, 0);
	delay_use(1);
	delay_first_at(ARRIVAL);
	delay_use(0);
	delay_end();
	delay_use(1);
	until_delayed();
}

static void check_counts(uint32_t thread)
{
	struct vpmc_read read = { .size = sizeof(read),
				  .scope = VPMC_SCOPE_THREAD };
	int result = request(hold((int)thread, VPMC_ATTACH_THREAD), VPMC_READ,
			     &read);

	check(!result && read.state == VPMC_STATE_RUNNING,
	      "what a thread creates that was missed counts: result %d, state %u",
	      result, read.state);
}

/*
 * Test the threads that a missed thread creates. The leader is held a second time when the missed
 * thread has counters, but no events yet. The threads that the missed thread creates after this
 * must count too.
 */
static void test_chain(void)
{
	struct script first = script_new(), last = script_new();
	struct gate first_gate = gate_new(), last_gate = gate_new();
	struct target t = target_new();
	uint32_t *first_pair, *last_pair;

	script_name_delayed(&t.script);
	target_gate(&t, false);
	first_pair = thread_at_gate(&t.script, &first, &first_gate);
	last_pair = thread_at_gate(&first, &last, &last_gate);
	script_join(&t.script, first_pair);
	script_join(&first, last_pair);
	target_create(&t);
	hold_twice(&t);
	until_thread_at_gate(first_pair, &first_gate);
	gate_open(&first_gate);
	until_thread_at_gate(last_pair, &last_gate);
	delay_end();
	until_asleep((uint32_t)t.pid);
	check_counts(last_pair[0]);
	kill(t.pid, SIGKILL);
	target_reap(&t);
	delay_remove();
	delay_use(0);
	delay_remove();
}

/* Fork a process that starts all threads of process @pid by force. */
static pid_t restarter(pid_t pid)
{
	pid_t child = fork();

	if (child)
		return child;
	must_start_shared(hold(pid, 0), FIRST, VPMC_START_FORCE);
	_exit(check_status());
}

/* Return whether the child exits soon. If not, it waits for its turn to start. */
static bool ends_soon(pid_t pid)
{
	unsigned int i;

	for (i = 0; i < 300 && state_of((uint32_t)pid) != 'Z'; i++)
		usleep(1000);
	return i < 300;
}

/*
 * Test a start by force while the leader is held at ARRIVAL, where it allocates memory for its
 * thread. The second start also finds this thread. The second start must wait for its turn before
 * it allocates memory itself.
 */
static void test_turn(void)
{
	struct script thread = script_new();
	struct target t = target_new();
	struct gate gate = gate_new();
	uint32_t *pair;
	pid_t pid;
	int status;

	script_name_delayed(&t.script);
	target_gate(&t, false);
	pair = thread_at_gate(&t.script, &thread, &gate);
	script_join(&t.script, pair);
	target_create(&t);
	hold_twice(&t);
	until_thread_at_gate(pair, &gate);
	pid = restarter(t.pid);
	check(!ends_soon(pid),
	      "a start waits until others have used their memory");
	delay_end();
	if (waitpid(pid, &status, 0) != pid)
		err(2, "waitpid");
	check(!status, "then it has its turn: status %#x",
	      (unsigned int)status);
	until_asleep((uint32_t)t.pid);
	check_counts(pair[0]);
	kill(t.pid, SIGKILL);
	target_reap(&t);
	delay_remove();
	delay_use(0);
	delay_remove();
}

/* Count rounds in @round for ever. A round has two instructions. */
static _Noreturn void *spin(void *round)
{
	for (;;)
		__asm__ volatile("1: incl (%0)\n\tjmp 1b"
				 :
				 : "r"(round)
				 : "memory");
}

/* Fork a process that waits at a gate, and then creates a spinning thread. */
static pid_t creator_new(const struct gate *gate, volatile uint32_t *round)
{
	pid_t pid = fork();
	pthread_t thread;
	char byte;

	if (pid)
		return pid;
	name_delayed();
	if (read(gate->in, &byte, 1) != 1 ||
	    pthread_create(&thread, NULL, spin, (void *)round))
		errx(2, "no thread");
	pause_forever();
}

static void until_more(const volatile uint32_t *round)
{
	uint32_t from = *round;

	while (*round - from < FEW)
		sched_yield();
}

/* Check that all rounds after a start by force are counted. */
static void check_forced(int fd, const volatile uint32_t *round)
{
	unsigned int i, bad = 0;
	struct vpmc_read read;
	uint32_t from, to;

	for (i = 0; i < STARTS; i++) {
		must_start(fd, FIRST, VPMC_START_FORCE);
		from = *round;
		until_more(round);
		to = *round;
		read = read_scope(fd, VPMC_SCOPE_SELF);
		/* The read may come in the middle of a round. */
		bad += read.count[0] + 2 < 2 * (uint64_t)(to - from);
	}
	check(!bad, "%u of %u starts by force miss a thread", bad, STARTS);
}

static void test_forced(void)
{
	volatile uint32_t *round = shared(sizeof(*round));
	struct gate gate = gate_new();
	pid_t pid;
	int fd;

	pid = creator_new(&gate, round);
	until_at_gate((uint32_t)pid, &gate);
	fd = hold(pid, 0);
	must_start(fd, FIRST, 0);
	delay_at(CREATION);
	gate_open(&gate);
	until_delayed();
	must_start(fd, FIRST, VPMC_START_FORCE);
	delay_end();
	until_more(round);
	delay_remove();
	check_forced(fd, round);
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

int main(void)
{
	run(test_creation);
	run(test_forced);
	run(test_chain);
	run(test_turn);
	return check_status();
}
