// SPDX-License-Identifier: GPL-2.0-only
/*
 * attach_running [STARTS]: test that a start or stop of a running target takes effect at once, on
 * any processor. Targets count their rounds in memory. A round is two instructions, of which one is
 * a branch. The counts must include all rounds between the start and the stop, and no rounds from
 * before the start or after the stop. A read must include all rounds before the read. STARTS is the
 * number of starts of each target.
 */
#include <err.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "hold.h"

#define READS	    10
#define MAX_THREADS 4
#define FEW	    100

/**
 * struct spinner - a process whose threads only make rounds
 * @pid: its process ID
 * @threads: the number of its threads
 * @round: the number of rounds of each thread
 */
struct spinner {
	pid_t pid;
	unsigned int threads;
	volatile uint32_t *round;
};

/* These are the rounds of all threads at a moment. */
struct rounds {
	uint32_t of[MAX_THREADS];
};

static unsigned int processors;
static int starts = 12;

static _Noreturn void *spin(void *round)
{
	for (;;)
		__asm__ volatile("1: incl (%0)\n\tjmp 1b"
				 :
				 : "r"(round)
				 : "memory");
}

static struct rounds rounds_of(const struct spinner *s)
{
	struct rounds r = {};
	unsigned int i;

	for (i = 0; i < s->threads; i++)
		r.of[i] = s->round[i];
	return r;
}

/* Return the number of rounds between two moments. */
static uint64_t between(const struct rounds *from, const struct rounds *to)
{
	uint64_t sum = 0;
	unsigned int i;

	for (i = 0; i < MAX_THREADS; i++)
		sum += (uint32_t)(to->of[i] - from->of[i]);
	return sum;
}

/* Wait until each thread has made some more rounds. */
static void wait_for_some(const struct spinner *s)
{
	struct rounds from = rounds_of(s);
	unsigned int i;

	for (i = 0; i < s->threads; i++)
		while (s->round[i] - from.of[i] < FEW)
			sched_yield();
}

static struct spinner spinner_new(unsigned int threads)
{
	struct spinner s = { .threads = threads,
			     .round = shared(MAX_THREADS * sizeof(*s.round)) };
	pthread_t thread;
	unsigned int i;

	s.pid = child_fork();
	if (!s.pid) {
		for (i = 1; i < threads; i++)
			if (pthread_create(&thread, NULL, spin,
					   (void *)&s.round[i]))
				errx(2, "no thread");
		spin((void *)&s.round[0]);
	}
	wait_for_some(&s);
	return s;
}

static void spinner_end(const struct spinner *s)
{
	kill(s->pid, SIGKILL);
	waitpid(s->pid, NULL, 0);
}

static void put_on(pid_t pid, unsigned int mask)
{
	cpu_set_t set;
	unsigned int i;

	CPU_ZERO(&set);
	for (i = 0; i < processors; i++)
		if (mask & 1U << i)
			CPU_SET(i, &set);
	if (sched_setaffinity(pid, sizeof(set), &set))
		err(2, "sched_setaffinity");
}

/* The rounds at certain moments around a start and a stop, and the counts of reads between them. */
struct measure {
	struct rounds before, started, stopping, stopped;
	struct vpmc_read first, second, last, later;
};

/*
 * Compare counts with rounds. At least @least and at most @most rounds must have been counted.
 * Counting may have begun and ended in the middle of a round @number times.
 */
static void judge(const struct measure *m, uint64_t least, uint64_t most,
		  uint64_t number)
{
	uint64_t instructions = m->last.count[0], branches = m->last.count[1];

	check(instructions + 2 * number >= 2 * least &&
		      instructions <= 2 * most + 2 * number &&
		      2 * branches + number >= instructions &&
		      instructions + number >= 2 * branches,
	      "%llu instructions, %llu branches: at least %llu rounds, at most %llu",
	      (unsigned long long)instructions, (unsigned long long)branches,
	      (unsigned long long)least, (unsigned long long)most);
	check(m->first.count[0] <= m->second.count[0] &&
		      m->first.count[1] <= m->second.count[1] &&
		      m->second.count[0] <= m->last.count[0] &&
		      m->second.count[1] <= m->last.count[1],
	      "counts do not fall");
	check(!memcmp(m->last.count, m->later.count, sizeof(m->last.count)) &&
		      m->last.tsc == m->later.tsc &&
		      m->later.state == VPMC_STATE_STOPPED,
	      "a stop is final: %llu and later %llu", m->last.count[0],
	      m->later.count[0]);
}

static void measure(int fd, const struct spinner *s, unsigned int flags,
		    struct measure *m)
{
	m->before = rounds_of(s);
	must_start(fd, FIRST, flags);
	m->started = rounds_of(s);
	m->first = read_scope(fd, VPMC_SCOPE_SELF);
	wait_for_some(s);
	m->second = read_scope(fd, VPMC_SCOPE_SELF);
	m->stopping = rounds_of(s);
	must_stop(fd);
	m->stopped = rounds_of(s);
	m->last = read_scope(fd, VPMC_SCOPE_SELF);
	wait_for_some(s);
	m->later = read_scope(fd, VPMC_SCOPE_SELF);
}

/* Check starts from zero. */
static void check_starts(const struct spinner *s)
{
	int fd = hold(s->pid, 0), i;
	struct measure m;

	for (i = 0; i < starts; i++) {
		put_on(s->pid, 1 + (unsigned int)i % ((1U << processors) - 1));
		if (i % 3 == 2)
			must_start(fd, OTHER, 0);
		measure(fd, s, i % 3 == 2 ? VPMC_START_FORCE : 0, &m);
		judge(&m, between(&m.started, &m.stopping),
		      between(&m.before, &m.stopped), s->threads);
	}
}

/* Check resumes, which continue from the last count. */
static void check_resumes(const struct spinner *s)
{
	uint64_t least = 0, most = 0;
	int fd = hold(s->pid, 0), i;
	struct measure m;

	for (i = 0; i < starts; i++) {
		measure(fd, s, i ? VPMC_START_RESUME : 0, &m);
		least += between(&m.started, &m.stopping);
		most += between(&m.before, &m.stopped);
		judge(&m, least, most, (uint64_t)(i + 1) * s->threads);
	}
}

static void test_here(void)
{
	struct spinner s;

	stay_on(0);
	s = spinner_new(1);
	check_resumes(&s);
	spinner_end(&s);
}

static void test_there(void)
{
	struct spinner s = spinner_new(1);

	put_on(s.pid, 1U << (processors - 1));
	stay_on(0);
	check_resumes(&s);
	spinner_end(&s);
}

static void test_moving(void)
{
	struct spinner s = spinner_new(1);

	check_starts(&s);
	spinner_end(&s);
}

static void test_threads(void)
{
	struct spinner s = spinner_new(MAX_THREADS);

	check_starts(&s);
	check_resumes(&s);
	spinner_end(&s);
}

/* Test that two targets have separate counts. Each target has its own holder. */
static void test_two(void)
{
	struct spinner s[2] = { spinner_new(2), spinner_new(1) };
	pid_t pid = fork();
	int status;

	if (!pid) {
		check_resumes(&s[1]);
		exit(check_status());
	}
	check_starts(&s[0]);
	if (waitpid(pid, &status, 0) != pid || status)
		check(false, "the other holder");
	spinner_end(&s[0]);
	spinner_end(&s[1]);
}

static void check_reads(int fd, unsigned int scope, const struct spinner *s,
			const struct rounds *before,
			const struct rounds *started)
{
	struct rounds asked, answered;
	struct vpmc_read now;
	unsigned int i;

	for (i = 0; i < READS; i++) {
		wait_for_some(s);
		asked = rounds_of(s);
		now = read_scope(fd, scope);
		answered = rounds_of(s);
		check(now.count[0] + 2 >= 2 * between(started, &asked) &&
			      now.count[0] <=
				      2 * between(before, &answered) + 2,
		      "a read of scope %u has %llu instructions of %llu rounds at least",
		      scope, now.count[0],
		      (unsigned long long)between(started, &asked));
	}
}

/* Test that a read returns the current counts of a target that runs on another processor. */
static void test_reads(void)
{
	struct spinner s = spinner_new(1);
	struct rounds before, started;
	int fd = hold(s.pid, 0);

	put_on(s.pid, 1U << (processors - 1));
	stay_on(0);
	before = rounds_of(&s);
	must_start(fd, FIRST, VPMC_START_COLLECT);
	started = rounds_of(&s);
	check_reads(fd, VPMC_SCOPE_SELF, &s, &before, &started);
	check_reads(fd, VPMC_SCOPE_ALL, &s, &before, &started);
	spinner_end(&s);
}

int main(int argc, char **argv)
{
	if (argc > 1)
		starts = (int)strtol(argv[1], NULL, 10);
	processors = (unsigned int)sysconf(_SC_NPROCESSORS_ONLN);
	run(test_here);
	run(test_there);
	run(test_moving);
	run(test_threads);
	run(test_two);
	run(test_reads);
	return check_status();
}
