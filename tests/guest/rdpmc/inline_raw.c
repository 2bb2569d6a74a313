// SPDX-License-Identifier: GPL-2.0-only
/*
 * inline_raw [LOOKS]: test that RDPMC shows a process only its own counts while other processes
 * count other events. Test that RDPMC is refused if no page is mapped.
 *
 * The process looks at the counters LOOKS times. When it sleeps, a neighbour on each processor
 * counts user mode, and usually kernel mode too, on all counters.
 */
#include <err.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "inline.h"

/*
 * This is the number of looks at the counters, and the time between two looks in which the
 * neighbours run.
 */
static unsigned int looks = 20;
#define NAP_SECONDS 0.02

/*
 * The counters may go on counting kernel mode in a process that does not count. These events belong
 * to its own system calls and to interrupts, and are fewer than LITTLE. A neighbour executes more
 * instructions while it is awake.
 */
#define LITTLE 400000

/*
 * These are the events of the neighbours, in user and kernel mode: instructions on each general
 * counter and on the first fixed counter, and clocks on the second and the third fixed counter.
 * The driver assigns the last events to the fixed counters, because the general counters are
 * taken.
 */
static struct vpmc_event_sel everything[VPMC_COUNTS_MAX];
static const uint32_t fixed_codes[] = { 0xc0, 0x3c, 0x300 };
static unsigned int general, counters;

/* Return the number by which RDPMC reads counter @i. */
static uint32_t number_of(unsigned int i)
{
	return i < general ? counter_here(i) : 1U << 30 | (i - general);
}

static _Noreturn void neighbour(unsigned int processor,
				const struct gate *ready)
{
	volatile uint32_t word = 0;
	struct vpmc *vpmc = open_handle();

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	stay_on(processor);
	must(vpmc_start(vpmc, everything, counters, VPMC_FORCE, &error),
	     "neighbour");
	gate_open(ready);
	for (;;)
		word++;
}

static void start_neighbours_in(unsigned int modes)
{
	struct gate ready = gate_new();
	long i, number = sysconf(_SC_NPROCESSORS_ONLN);
	unsigned int counter;

	for (counter = 0; counter < counters; counter++)
		everything[counter].modes = modes;
	for (i = 0; i < number; i++)
		if (!fork())
			neighbour((unsigned int)i, &ready);
	for (i = 0; i < number; i++)
		gate_wait(&ready);
}

static void start_neighbours(void)
{
	start_neighbours_in(VPMC_USER | VPMC_KERNEL);
}

static void move_on(unsigned int n)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(n % (unsigned int)sysconf(_SC_NPROCESSORS_ONLN), &set);
	if (sched_setaffinity(0, sizeof(set), &set))
		err(2, "sched_setaffinity");
	usleep((useconds_t)(NAP_SECONDS * 1000000));
}

static void check_little(const char *what)
{
	unsigned int i, counter, bad = 0;
	unsigned long long value, worst = 0;

	for (i = 0; i < looks; i++) {
		for (counter = 0; counter < counters; counter++) {
			value = rdpmc(number_of(counter));
			bad += value >= LITTLE;
			if (value > worst)
				worst = value;
		}
		move_on(i);
	}
	check(!bad, "%s: %u of %u looks show much, up to %llu", what, bad,
	      counters * looks, worst);
}

static void test_refused(void)
{
	struct vpmc *vpmc = started();

	start_neighbours();
	check(dies_of(SIGSEGV, rdpmc_0), "RDPMC of a process without a page");
	must(vpmc_map(vpmc, &error), "map");
	rdpmc_0();
	check(!dies_of(SIGSEGV, rdpmc_0),
	      "but not of one whose creator had one");
	munmap(vpmc_self, 1);
	check(dies_of(SIGSEGV, rdpmc_0), "when it is unmapped again");
}

static void rdpmc_behind_the_last(void)
{
	rdpmc(counter_here(general));
}

static void test_never_started(void)
{
	start_neighbours();
	must(vpmc_map(open_handle(), &error), "map");
	check(dies_of(SIGSEGV, rdpmc_behind_the_last),
	      "RDPMC of a counter that there is not");
	check_little("a process that maps and never starts");
}

static void test_stopped(void)
{
	struct vpmc *vpmc = mapped();

	start_neighbours();
	must(vpmc_stop(vpmc, &error), "stop");
	check_little("a process that has stopped");
}

static void test_unused(void)
{
	struct vpmc *vpmc = open_handle();
	unsigned int i, counter, bad = 0;

	start_neighbours();
	must(vpmc_start(vpmc, events_of(FIRST), 1, 0, &error), "start");
	must(vpmc_map(vpmc, &error), "map");
	for (i = 0; i < looks; i++) {
		for (counter = 1; counter < counters; counter++)
			bad += rdpmc(number_of(counter)) != 0;
		bad += (int64_t)rdpmc(number_of(0)) > vpmc_count(0);
		move_on(i);
	}
	check(!bad, "the counters that it does not use show zero");
}

static void test_used(void)
{
	unsigned int i, bad = 0;
	int64_t before, after;
	uint64_t raw;

	start_neighbours();
	mapped();
	for (i = 0; i < looks; i++) {
		before = vpmc_count(0);
		raw = rdpmc(number_of(0));
		after = vpmc_count(0);
		bad += (int64_t)raw < before || (int64_t)raw > after;
		move_on(i);
	}
	check(!bad, "a counter in use shows the thread's own count");
	check_spans(FIRST, "beside others");
}

static void test_fork(void)
{
	struct vpmc *vpmc = mapped();
	int status;
	pid_t pid;

	start_neighbours();
	span_is_exact(FIRST, 5000000);
	must(vpmc_stop(vpmc, &error), "stop");
	pid = child_fork();
	if (!pid) {
		check_failures = 0;
		check_little("the child of a process that has stopped");
		_exit(check_status());
	}
	if (waitpid(pid, &status, 0) != pid || status)
		check(false, "child");
}

static void *look(void *unused)
{
	(void)unused;
	check_little("a thread without page");
	return NULL;
}

/* Test a new thread. It inherits the count, but does not have a page. */
static void test_thread(void)
{
	pthread_t id;

	start_neighbours();
	mapped();
	if (pthread_create(&id, NULL, look, NULL) || pthread_join(id, NULL))
		errx(2, "thread");
}

static void *look_later(void *argument)
{
	const struct gate *gate = argument;

	gate_wait(gate);
	check_little(
		"a thread that was there before the page, and never counted");
	return NULL;
}

/*
 * Test a thread that existed before its process mapped a page, and that never counts. The driver
 * does not stop loaded counters that count only user mode. It must hide them from the thread.
 */
static void test_thread_before(void)
{
	struct gate gate = gate_new();
	pthread_t id;

	start_neighbours_in(VPMC_USER);
	if (pthread_create(&id, NULL, look_later, &gate))
		errx(2, "thread");
	must(vpmc_map(open_handle(), &error), "map");
	gate_open(&gate);
	if (pthread_join(id, NULL))
		errx(2, "thread");
}

static void test_system(void)
{
	struct vpmc *vpmc = open_handle();

	start_neighbours();
	must(vpmc_map(open_handle(), &error), "map");
	must(vpmc_system_start(vpmc, everything, counters, VPMC_FORCE, &error),
	     "system mode");
	usleep(100000);
	check_little("a process in system mode");
	must(vpmc_system_stop(vpmc, &error), "system mode's end");
	usleep(100000);
	check_little("and after it");
}

#define SWITCHES 5000

/* Let a process with a page and one without run in turn on one processor. */
static void switch_often(void)
{
	struct gate to = gate_new(), back = gate_new();
	unsigned int i;
	char byte;

	stay_on(0);
	if (!fork()) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		munmap(vpmc_self, 1);
		while (read(to.in, &byte, 1) == 1)
			gate_open(&back);
		_exit(0);
	}
	for (i = 0; i < SWITCHES; i++) {
		gate_open(&to);
		gate_wait(&back);
	}
}

/*
 * Test that system mode does not lose counts in switches between processes with and without a page.
 */
static void test_system_loses_nothing(void)
{
	struct vpmc *vpmc = open_handle();
	struct vpmc_system_counts counts;
	int64_t difference;

	must(vpmc_map(open_handle(), &error), "map");
	must(vpmc_system_start(vpmc, everything, 2, VPMC_FORCE, &error),
	     "system mode");
	switch_often();
	must(vpmc_system_stop(vpmc, &error), "system mode's end");
	must(vpmc_system_read(vpmc, VPMC_EVERY_CPU, &counts, &error), "read");
	difference = (int64_t)(counts.count[0] - counts.count[1]);
	check(counts.count[0] > 10ULL * SWITCHES && difference < SWITCHES &&
		      difference > -SWITCHES,
	      "two counters of the same event in system mode differ by %lld",
	      (long long)difference);
}

int main(int argc, char **argv)
{
	unsigned int i;

	if (argc > 1)
		looks = (unsigned int)strtoul(argv[1], NULL, 10);
	general = counters_here();
	counters = general + fixed_here();
	for (i = 0; i < counters; i++)
		everything[i] = (struct vpmc_event_sel){
			i < general ? code_here(0) : fixed_codes[i - general],
			i < general ? counter_here(i) : VPMC_ANY_COUNTER,
			VPMC_USER | VPMC_KERNEL
		};
	run(test_refused);
	run(test_never_started);
	run(test_stopped);
	run(test_unused);
	run(test_used);
	run(test_fork);
	run(test_thread);
	run(test_thread_before);
	run(test_system);
	run(test_system_loses_nothing);
	return check_status();
}
