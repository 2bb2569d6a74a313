// SPDX-License-Identifier: GPL-2.0-only
/*
 * call_fairness: test that a call for all threads of a process is executed soon, even if other
 * tasks make such calls all the time.
 *
 * Two processes have many threads each. Several threads stop all threads of these processes again
 * and again. At nearly any time one of the two processes is in such a call. Without fairness, a
 * read of the counts of both would have to wait for a moment without a call.
 */
#include <err.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "hold.h"

#define NR_THREADS 300
#define NR_CALLERS 2 /* in each process */
#define NR_MEMBERS 2
#define NR_READS   50
#define STACK_SIZE 16384
/* When a read begins, each caller may be in a call, or be the next one to make a call. */
#define MOST	   (2 * NR_CALLERS * NR_MEMBERS)

static struct gate never, created;

/* This is the number of completed calls of each member, in memory that all processes share. */
static volatile uint32_t *nr_calls;
static unsigned int member_number;

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
		__atomic_add_fetch(&nr_calls[member_number], 1,
				   __ATOMIC_RELAXED);
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
	pause_forever();
}

static pid_t create_member(unsigned int number)
{
	struct gate ready = gate_new();
	pid_t pid = child_fork();

	if (!pid) {
		member_number = number;
		be_member(&ready);
	}
	gate_wait(&ready);
	return pid;
}

/* Return the number of completed calls of the first @members members. */
static uint32_t calls_of(unsigned int members)
{
	uint32_t sum = 0;

	while (members--)
		sum += nr_calls[members];
	return sum;
}

/* Check that only few calls of the first @members members end during a read. */
static void check_reads(int fd, unsigned int scope, unsigned int members,
			const char *what)
{
	uint32_t most = 0, before, calls, first = calls_of(members);
	unsigned int i;

	for (i = 0; i < NR_READS; i++) {
		before = calls_of(members);
		read_scope(fd, scope);
		calls = calls_of(members) - before;
		if (calls > most)
			most = calls;
		usleep(1000);
	}
	check(most <= MOST && calls_of(members) != first,
	      "%s: at most %u calls during a read", what, most);
}

/*
 * Give the reader a priority at which it runs as soon as it does not wait. The processes that it
 * reads must exist before.
 */
static void run_first(void)
{
	const struct sched_param param = { .sched_priority = 1 };

	if (syscall(SYS_sched_setscheduler, 0, SCHED_FIFO, &param))
		err(2, "SCHED_FIFO");
}

int main(void)
{
	int fd = open_device();
	pid_t member[NR_MEMBERS];
	unsigned int i;

	never = gate_new();
	created = gate_new();
	nr_calls = shared(NR_MEMBERS * sizeof(*nr_calls));
	must_start(fd, FIRST, VPMC_START_COLLECT);
	for (i = 0; i < NR_MEMBERS; i++)
		member[i] = create_member(i);
	run_first();
	check_reads(fd, VPMC_SCOPE_ALL, NR_MEMBERS, "what is collected");
	check_reads(hold(member[0], 0), VPMC_SCOPE_SELF, 1, "a process");
	for (i = 0; i < NR_MEMBERS; i++)
		kill(member[i], SIGKILL);
	return check_status();
}
