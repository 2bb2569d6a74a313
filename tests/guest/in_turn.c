// SPDX-License-Identifier: GPL-2.0-only
/*
 * in_turn: whoever waits for a call about all threads of a process gets its turn, however
 * many such calls follow each other.
 *
 * Two processes with many threads are stopped again and again, by several of their threads.
 * Without precedence at least one of the two is nearly always in such a call, and a read of
 * what both count is kept waiting.
 */
#include <err.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "child.h"
#include "hold.h"

#define NR_THREADS 300
#define NR_CALLERS 2 /* in each process */
#define NR_MEMBERS 2
#define NR_READS   50
#define STACK_SIZE 16384
/*
 * Each caller may be in a call when a read comes, and as many calls may pass before the read
 * is on the list of those who wait, and when it is over.
 */
#define MOST	   20

static struct gate never, created;

/* Calls that are over; in memory that all share. */
static volatile uint32_t *nr_calls;

static void *sleep_for_ever(void *unused)
{
	(void)unused;
	gate_open(&created);
	gate_wait(&never);
	return NULL;
}

static void *stop_for_ever(void *unused)
{
	const int fd = hold(getpid(), 0);

	(void)unused;
	gate_open(&created);
	for (;;) {
		stop(fd, NULL);
		__atomic_add_fetch(nr_calls, 1, __ATOMIC_RELAXED);
	}
	return NULL;
}

static void create(unsigned int number, void *(*function)(void *))
{
	pthread_attr_t attributes;
	pthread_t id;

	pthread_attr_init(&attributes);
	pthread_attr_setstacksize(&attributes, STACK_SIZE);
	while (number--) {
		if (pthread_create(&id, &attributes, function, NULL))
			errx(2, "no thread");
		gate_wait(&created);
	}
}

static _Noreturn void be_member(const struct gate *ready)
{
	if (prctl(PR_SET_PDEATHSIG, SIGKILL))
		err(2, "prctl");
	create(NR_THREADS, sleep_for_ever);
	create(NR_CALLERS, stop_for_ever);
	gate_open(ready);
	for (;;)
		pause();
}

static pid_t create_member(void)
{
	struct gate ready = gate_new();
	pid_t pid = child_fork();

	if (!pid)
		be_member(&ready);
	gate_wait(&ready);
	return pid;
}

/* How many calls are over during the read that takes longest. */
static void check_reads(int fd, unsigned int scope, const char *what)
{
	uint32_t most = 0, before, calls, first = *nr_calls;
	unsigned int i;

	for (i = 0; i < NR_READS; i++) {
		before = *nr_calls;
		read_scope(fd, scope);
		calls = *nr_calls - before;
		if (calls > most)
			most = calls;
		sched_yield();
	}
	check(most <= MOST && *nr_calls != first,
	      "%s: at most %u calls during a read", what, most);
}

int main(void)
{
	int fd = open_device();
	pid_t member[NR_MEMBERS];
	unsigned int i;

	never = gate_new();
	created = gate_new();
	nr_calls = shared(sizeof(*nr_calls));
	must_start(fd, FIRST, VPMC_START_COLLECT);
	for (i = 0; i < NR_MEMBERS; i++)
		member[i] = create_member();
	check_reads(fd, VPMC_SCOPE_ALL, "what is collected");
	check_reads(hold(member[0], 0), VPMC_SCOPE_SELF, "a process");
	for (i = 0; i < NR_MEMBERS; i++)
		kill(member[i], SIGKILL);
	return check_status();
}
