// SPDX-License-Identifier: GPL-2.0-only
/* This file tests events with signals and multiplexed events for the program "library". */
#include <err.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "library.h"

/*
 * struct told - a summary of the signals for an event
 * @period: the requested period
 * @signals: number of signals
 * @bad: number of signals for the same multiple as the previous signal, or for another start or
 *	event
 * @count: count that the last signal reported
 */
static volatile struct told {
	uint64_t period;
	unsigned int signals, bad;
	uint64_t count;
} told[2];
static const int signo_of[2] = { SIGUSR1, SIGUSR2 };
static struct vpmc *mine;
static volatile sig_atomic_t foreign;

static void note(int signo, siginfo_t *info, void *context)
{
	volatile struct told *t = &told[signo == SIGUSR2];
	struct vpmc_signal_info said;

	(void)context;
	if (vpmc_signal_decode(info, &said)) {
		foreign++;
		return;
	}
	if (said.start != vpmc_start_id(mine) || said.event > 1 ||
	    signo_of[said.event] != signo ||
	    said.count / t->period <= t->count / t->period)
		t->bad++;
	t->signals++;
	t->count = said.count;
}

static void handle(int signo, void (*handler)(int, siginfo_t *, void *))
{
	struct sigaction action = { .sa_flags = SA_SIGINFO };

	action.sa_sigaction = handler;
	if (sigaction(signo, &action, NULL))
		err(2, "sigaction");
}

static void rounds(unsigned int n)
{
	while (n--)
		__asm__ volatile("");
}

static void signals_of(uint64_t period)
{
	struct vpmc_counts counts;
	unsigned int i, before;

	must(vpmc_start(mine, first, 2, 0, &error), "start");
	for (i = 0; i < 2; i++) {
		told[i] = (struct told){ .period = period + i };
		must(vpmc_signal(mine, i, period + i, signo_of[i], &error),
		     "signal");
	}
	while (told[0].signals < 10 || told[1].signals < 10)
		rounds(10000);
	must(vpmc_stop(mine, &error), "stop");
	counts = counts_of(mine, VPMC_THREAD);
	before = told[0].signals + told[1].signals;
	rounds(LONG);
	for (i = 0; i < 2; i++)
		check(!told[i].bad && told[i].count / told[i].period ==
					      counts.count[i] / told[i].period,
		      "event %u, period %llu: told of %llu, count %llu, %u bad",
		      i, (unsigned long long)told[i].period,
		      (unsigned long long)told[i].count,
		      (unsigned long long)counts.count[i], told[i].bad);
	check(told[0].signals + told[1].signals == before && !foreign,
	      "none after the stop, none from elsewhere");
}

void test_signals(void)
{
	static const unsigned int periods[] = { 1, 777, 65536, 1000003 };
	unsigned int i;

	mine = open_handle();
	for (i = 0; i < 2; i++)
		handle(signo_of[i], note);
	for (i = 0; i < sizeof(periods) / sizeof(periods[0]); i++)
		signals_of(periods[i]);
	kill(getpid(), SIGUSR1);
	raise(SIGUSR2);
	sigqueue(getpid(), SIGUSR1, (union sigval){ .sival_int = 1 });
	check(foreign == 3, "VPMC_E_ARGUMENT for %d of 3 signals of others",
	      (int)foreign);
	must(vpmc_start(mine, first, 2, 0, &error), "start");
	told[0] = (struct told){ .period = 1000 };
	must(vpmc_signal(mine, 0, 1000, SIGUSR1, &error), "signal");
	must(vpmc_signal(mine, 0, 0, 0, &error), "no signal");
	i = told[0].signals;
	rounds(LONG);
	check(told[0].signals == i, "none any more");
}

/* Handle a fault whose si_code is the same as in the driver's signals. */
static void end_at_fault(int signo, siginfo_t *info, void *context)
{
	struct vpmc_signal_info said;

	(void)signo;
	(void)context;
	_exit(info->si_code != SI_KERNEL ||
	      vpmc_signal_decode(info, &said) != (int)VPMC_E_ARGUMENT);
}

void test_fault(void)
{
	int status;
	pid_t pid = fork();

	if (!pid) {
		handle(SIGSEGV, end_at_fault);
		__asm__ volatile("hlt");
	}
	check(waitpid(pid, &status, 0) == pid && !status,
	      "VPMC_E_ARGUMENT for a fault: status %#x", status);
}

static void bad_requests(struct vpmc *vpmc, unsigned int nr, const char *what)
{
	refused(vpmc_signal(vpmc, nr, 1000, SIGUSR1, &error), VPMC_E_ARGUMENT,
		what);
	refused(vpmc_signal(vpmc, 0, 1000, SIGRTMAX + 1, &error),
		VPMC_E_ARGUMENT, "no such signal");
	refused(vpmc_signal(vpmc, 0, 1000, -1, &error), VPMC_E_ARGUMENT,
		"a negative signal");
	refused(vpmc_signal(vpmc, 0, 0, SIGUSR1, &error), VPMC_E_ARGUMENT,
		"a period of 0");
}

/* Test refused requests of SIGUSR1. There is no handler, so a signal would kill the process. */
void test_signal_requests(void)
{
	struct vpmc_event_sel many[VPMC_MAX_EVENTS];
	unsigned int nr = one_too_many(many);
	struct vpmc *vpmc = open_handle();

	refused(vpmc_signal(vpmc, 0, 1000, SIGUSR1, &error), VPMC_E_NOT_STARTED,
		"a signal before a start");
	must(vpmc_start(vpmc, first, 2, 0, &error), "start");
	bad_requests(vpmc, 2, "no such event");
	must(vpmc_start(vpmc, many, nr, VPMC_FORCE | VPMC_MULTIPLEX, &error),
	     "start");
	bad_requests(vpmc, 2, "events that share counters");
	rounds(LONG);
	must(vpmc_stop(vpmc, &error), "stop, without a signal");
}

/*
 * Create a target that another process counts. In user mode the script takes one clock for each
 * instruction. So the counts of the two events add up to the cost if they share a counter.
 */
static struct target long_target(struct cost *cost)
{
	struct target t = target_new();

	target_gate_start(&t);
	script_rounds(&t.script, LONG);
	*cost = target_gate(&t, false);
	script_exit(&t.script, 0);
	target_create(&t);
	return t;
}

static struct vpmc_counts count_long(const struct vpmc_event_sel *sel,
				     size_t nr, struct cost *cost)
{
	struct target t = long_target(cost);
	struct vpmc *vpmc = attached(t.pid, 0);
	struct vpmc_counts counts;

	must(vpmc_start(vpmc, sel, nr, VPMC_MULTIPLEX, &error), "start");
	target_pass(&t);
	must(vpmc_stop(vpmc, &error), "stop");
	counts = counts_of(vpmc, VPMC_SELF);
	target_end(&t);
	target_reap(&t);
	check(counts.nr == nr, "%u counts", counts.nr);
	return counts;
}

static void check_projected(const struct vpmc_counts *c, unsigned int i)
{
	uint64_t n = vpmc_project(c->count[i], c->time[i], c->tsc);
	uint64_t there = n * c->time[i], want = c->count[i] * c->tsc;
	uint64_t far = there > want ? there - want : want - there;

	check(vpmc_is_projected(c, i) && c->count[i] && n > c->count[i] &&
		      far <= c->time[i] / 2,
	      "event %u: %llu in %llu of %llu clocks, projected %llu", i,
	      (unsigned long long)c->count[i], (unsigned long long)c->time[i],
	      (unsigned long long)c->tsc, (unsigned long long)n);
}

/* Return whether each event except the first and the last has its own counter. */
static bool are_alone(const struct vpmc_counts *c, struct cost cost)
{
	unsigned int i;

	for (i = 1; i < c->nr - 1; i++) {
		if (c->count[i] != cost.instructions || c->time[i] != c->tsc ||
		    vpmc_is_projected(c, i) ||
		    vpmc_project(c->count[i], c->time[i], c->tsc) !=
			    c->count[i])
			return false;
	}
	return true;
}

/*
 * Return whether the events are distributed over the counters. On a Pentium the library chooses
 * counters, and on other processors the driver does.
 */
static bool are_distributed(const struct vpmc *vpmc,
			    const struct vpmc_event_sel *sel, unsigned int nr)
{
	bool chosen = !strncmp(vpmc_pmu_name(vpmc_pmu_of(vpmc)), "p5", 2);
	unsigned int i;

	for (i = 0; i < nr; i++) {
		if (sel[i].counter !=
		    (chosen ? (int)(i % (nr - 1)) : VPMC_ANY_COUNTER))
			return false;
	}
	return true;
}

/* Test events that share a counter: the last event shares the counter of the first one. */
void test_turns(void)
{
	struct vpmc_event_sel sel[VPMC_MAX_EVENTS];
	unsigned int i, last = one_too_many(sel) - 1;
	struct vpmc *vpmc = open_handle();
	struct vpmc_counts c;
	struct cost cost;

	refused(vpmc_start(vpmc, sel, last + 1, 0, &error), VPMC_E_TOO_MANY,
		"one too many without VPMC_MULTIPLEX");
	must(vpmc_event_distribute(vpmc_pmu_of(vpmc), sel, last + 1, &error),
	     "distribute");
	check(are_distributed(vpmc, sel, last + 1),
	      "the first of %u has counter %d, the last %d", last + 1,
	      sel[0].counter, sel[last].counter);
	for (i = 0; i < last; i++)
		sel[i].counter = counter_here(i);
	sel[last].counter = counter_here(0);
	c = count_long(sel, last + 1, &cost);
	check(c.count[0] + c.count[last] == cost.instructions,
	      "in turn %llu and %llu, want %llu",
	      (unsigned long long)c.count[0], (unsigned long long)c.count[last],
	      (unsigned long long)cost.instructions);
	check(c.time[0] + c.time[last] == c.tsc,
	      "each clock is one event's on a counter");
	check_projected(&c, 0);
	check_projected(&c, last);
	check(are_alone(&c, cost), "who is alone has all: %llu want %llu",
	      (unsigned long long)c.count[1],
	      (unsigned long long)cost.instructions);
}

void test_fits(void)
{
	struct vpmc_counts c;
	struct cost cost;

	c = count_long(first, 2, &cost);
	check(!vpmc_is_projected(&c, 0) && !vpmc_is_projected(&c, 1) &&
		      c.count[0] == cost.instructions &&
		      c.count[1] == cost.branches && c.time[0] == c.tsc &&
		      c.time[1] == c.tsc,
	      "events that fit are not projected: %llu %llu want %llu %llu",
	      (unsigned long long)c.count[0], (unsigned long long)c.count[1],
	      (unsigned long long)cost.instructions,
	      (unsigned long long)cost.branches);
}
