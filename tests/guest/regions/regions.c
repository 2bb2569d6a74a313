// SPDX-License-Identifier: GPL-2.0-only
/*
 * regions: test the regions of libvpmc with the real driver. The test checks the counts of code
 * whose instructions are known, and the cost of the regions themselves.
 */
#include <err.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <vpmc_region.h>

#include "check.h"

/* This executes 2n + 1 instructions, of which n are branches. */
#define WORK(n)                                   \
	__asm__ __volatile__("movl %0, %%ecx\n"   \
			     "1:\tdecl %%ecx\n\t" \
			     "jnz 1b"             \
			     :                    \
			     : "i"(n)             \
			     : "ecx", "cc")
#define INSNS(n) (2ULL * (n) + 1)

/* These are the instructions of a begin and an end together, with RDPMC and one event. */
#define PAIR	  (sizeof(void *) == 8 ? 29U : 28U)
#define LESS_THAN 30

/* Instructions on counter 0, and branches on counter 1. */
static struct vpmc_event_sel events[2];

static struct vpmc_error error;
static struct vpmc *vpmc;
static struct vpmc_machine machine;

static void must(int result, const char *what)
{
	if (result)
		errx(2, "%s: %s", what, error.text);
}

static void choose_events(void)
{
	static const char *const names[2] = { "instructions", "branches" };
	unsigned int i;

	for (i = 0; i < 2; i++)
		must(vpmc_event_parse(vpmc_pmu_of(vpmc), names[i], VPMC_USER,
				      &events[i], &error),
		     names[i]);
}

static void begin_anew(size_t nr)
{
	must(vpmc_start(vpmc, events, nr, VPMC_FORCE, &error), "start");
}

static struct vpmc_regions *table(enum vpmc_whose whose, unsigned int flags)
{
	struct vpmc_regions *regions;

	must(vpmc_regions_read(&regions, whose, flags, &error), "read");
	return regions;
}

static const struct vpmc_region_counts *find(const struct vpmc_regions *regions,
					     const char *name)
{
	static const struct vpmc_region_counts none;
	size_t i;

	for (i = 0; i < regions->nr; i++) {
		if (!strcmp(regions->region[i].name, name))
			return &regions->region[i];
	}
	return &none;
}

/**
 * struct want - the expected counts of a region
 * @name: its name
 * @event: the index of the event
 * @calls: the number of its calls
 * @inclusive: inclusive count of event @event
 * @exclusive: exclusive count of event @event
 */
struct want {
	const char *name;
	unsigned int event;
	uint64_t calls;
	uint64_t inclusive;
	uint64_t exclusive;
};

static uint64_t difference(const uint64_t *after, const uint64_t *before,
			   unsigned int i)
{
	return after[i] - before[i];
}

/* Check the counts that a second pass adds. The first pass creates the regions. */
static void check_pass(const char *what, void (*pass)(void),
		       enum vpmc_whose whose, const struct want *want)
{
	const struct vpmc_region_counts *a, *b;
	struct vpmc_regions *before, *after;
	uint64_t inclusive, exclusive;

	pass();
	before = table(whose, VPMC_REGIONS_NET);
	pass();
	after = table(whose, VPMC_REGIONS_NET);
	for (; want->name; want++) {
		a = find(before, want->name);
		b = find(after, want->name);
		inclusive = difference(b->inclusive, a->inclusive, want->event);
		exclusive = difference(b->exclusive, a->exclusive, want->event);
		check(b->calls - a->calls == want->calls &&
			      inclusive == want->inclusive &&
			      exclusive == want->exclusive && !b->flags,
		      "%s: %s, event %u: %llu calls, %llu and %llu, want %llu,"
		      " %llu and %llu; flags %u",
		      what, want->name, want->event,
		      (unsigned long long)(b->calls - a->calls),
		      (unsigned long long)inclusive,
		      (unsigned long long)exclusive,
		      (unsigned long long)want->calls,
		      (unsigned long long)want->inclusive,
		      (unsigned long long)want->exclusive, b->flags);
	}
	check(after->mismatches == 0 && after->lost == 0 &&
		      after->other_events == 0,
	      "%s: nothing else to tell", what);
	vpmc_regions_free(before);
	vpmc_regions_free(after);
}

static void pass_nested(void)
{
	vpmc_region_begin("outer");
	WORK(10);
	vpmc_region_begin("inner");
	WORK(1000);
	vpmc_region_end("inner");
	vpmc_region_begin("inner");
	vpmc_region_begin("empty");
	vpmc_region_end("empty");
	vpmc_region_end("inner");
	vpmc_region_end("outer");
}

static void test_nested(void)
{
	const struct want want[] = {
		{ "outer", 0, 1, INSNS(10) + INSNS(1000), INSNS(10) },
		{ "inner", 0, 2, INSNS(1000), INSNS(1000) },
		{ "empty", 0, 1, 0, 0 },
		{ NULL, 0, 0, 0, 0 },
	};

	begin_anew(1);
	check_pass("nested", pass_nested, VPMC_THREAD, want);
}

static void test_two_events(void)
{
	const struct want want[] = {
		{ "outer", 0, 1, INSNS(10) + INSNS(1000), INSNS(10) },
		{ "inner", 0, 2, INSNS(1000), INSNS(1000) },
		{ "empty", 0, 1, 0, 0 },
		{ "outer", 1, 1, 1010, 10 },
		{ "inner", 1, 2, 1000, 1000 },
		{ "empty", 1, 1, 0, 0 },
		{ NULL, 0, 0, 0, 0 },
	};

	begin_anew(2);
	check_pass("two events", pass_nested, VPMC_THREAD, want);
}

/* Pass a region that begins itself, directly and within another region. */
static void pass_recursive(void)
{
	vpmc_region_begin("f");
	WORK(10);
	vpmc_region_begin("f");
	WORK(100);
	vpmc_region_begin("g");
	WORK(1000);
	vpmc_region_begin("f");
	WORK(10000);
	vpmc_region_end("f");
	vpmc_region_end("g");
	vpmc_region_end("f");
	vpmc_region_end("f");
}

static void test_recursive(void)
{
	const uint64_t all =
		INSNS(10) + INSNS(100) + INSNS(1000) + INSNS(10000);
	const struct want want[] = {
		{ "f", 0, 3, all, all - INSNS(1000) },
		{ "g", 0, 1, INSNS(1000) + INSNS(10000), INSNS(1000) },
		{ NULL, 0, 0, 0, 0 },
	};

	begin_anew(1);
	check_pass("recursive", pass_recursive, VPMC_THREAD, want);
}

/* Be a thread that passes once. The second pass has other threads. */
static void *thread(void *unused)
{
	vpmc_region_begin("thread");
	WORK(100);
	vpmc_region_end("thread");
	return unused;
}

#define NR_THREADS 8U

static void pass_threads(void)
{
	pthread_t threads[NR_THREADS];
	unsigned int i;

	for (i = 0; i < NR_THREADS; i++) {
		if (pthread_create(&threads[i], NULL, thread, NULL))
			errx(2, "pthread_create");
	}
	for (i = 0; i < NR_THREADS; i++)
		pthread_join(threads[i], NULL);
}

static void test_threads(void)
{
	const struct want want[] = {
		{ "thread", 0, NR_THREADS, NR_THREADS * INSNS(100),
		  NR_THREADS * INSNS(100) },
		{ NULL, 0, 0, 0, 0 },
	};

	begin_anew(1);
	check_pass("threads", pass_threads, VPMC_SELF, want);
}

static inline void empty(void)
{
	vpmc_region_begin("budget");
	vpmc_region_end("budget");
}

/* Each measurement contains the same part of two reads. */
#define MEASURE(instructions, ...)                                   \
	do {                                                         \
		const int64_t before = vpmc_count(0);                \
		__VA_ARGS__;                                         \
		(instructions) = (uint64_t)(vpmc_count(0) - before); \
	} while (0)

static void test_budget(void)
{
	uint64_t one, four;

	if (!machine.map)
		return;
	begin_anew(1);
	empty();
	MEASURE(one, empty());
	MEASURE(four, empty(); empty(); empty(); empty());
	check(four - one == 3ULL * PAIR && PAIR < LESS_THAN,
	      "three empty regions execute %llu instructions, want %llu",
	      (unsigned long long)(four - one), 3ULL * PAIR);
}

static uint64_t calls_of(const char *name, unsigned int *flags)
{
	struct vpmc_regions *regions = table(VPMC_THREAD, 0);
	uint64_t calls = find(regions, name)->calls;

	*flags = find(regions, name)->flags;
	vpmc_regions_free(regions);
	return calls;
}

static unsigned int gaps(void)
{
	struct vpmc_regions *regions = table(VPMC_THREAD, 0);
	const unsigned int stopped = regions->stopped;

	vpmc_regions_free(regions);
	return stopped;
}

/* Test regions that begin or end while the thread is stopped. They do not have counts. */
static void test_stopped(void)
{
	unsigned int flags;
	uint64_t calls;

	begin_anew(1);
	vpmc_region_begin("stopped");
	must(vpmc_stop(vpmc, &error), "stop");
	vpmc_region_end("stopped");
	must(vpmc_start(vpmc, events, 1, VPMC_RESUME, &error), "resume");
	vpmc_region_begin("counted");
	vpmc_region_end("counted");
	calls = calls_of("stopped", &flags);
	check(calls == 1 && flags == (VPMC_REGION_NO_INCLUSIVE |
				      VPMC_REGION_NO_EXCLUSIVE),
	      "ended when stopped: flags %u", flags);
	calls = calls_of("counted", &flags);
	check(calls == 1 && !flags, "after the resume: flags %u", flags);

	must(vpmc_stop(vpmc, &error), "stop");
	vpmc_region_begin("resumed");
	must(vpmc_start(vpmc, events, 1, VPMC_RESUME, &error), "resume");
	vpmc_region_end("resumed");
	calls = calls_of("resumed", &flags);
	check(calls == 1 && flags == (VPMC_REGION_NO_INCLUSIVE |
				      VPMC_REGION_NO_EXCLUSIVE),
	      "begun when stopped: flags %u", flags);
	check(gaps() == 2, "two gaps");

	vpmc_region_begin("around");
	must(vpmc_stop(vpmc, &error), "stop");
	must(vpmc_start(vpmc, events, 1, VPMC_RESUME, &error), "resume");
	vpmc_region_end("around");
	check(gaps() == 3, "a gap within a region");
}

/* Test that a new start from zero drops the counts of the previous start. */
static void test_restarted(void)
{
	struct vpmc_regions *regions;

	begin_anew(1);
	vpmc_region_begin("old");
	vpmc_region_begin("open");
	begin_anew(1);
	vpmc_region_begin("new");
	vpmc_region_end("new");
	vpmc_region_end("open");
	vpmc_region_end("old");
	regions = table(VPMC_THREAD, 0);
	check(regions->nr == 1 && find(regions, "new")->calls == 1 &&
		      regions->restarts == 1 && !regions->mismatches,
	      "after a start: %zu regions, %u restarts, %u mismatches",
	      regions->nr, regions->restarts, regions->mismatches);
	vpmc_regions_free(regions);
}

static void test_mismatched(void)
{
	struct vpmc_regions *regions;

	begin_anew(1);
	vpmc_region_begin("a");
	vpmc_region_begin("b");
	vpmc_region_begin("forgotten");
	vpmc_region_end("b");
	vpmc_region_end("never begun");
	vpmc_region_end("a");
	regions = table(VPMC_THREAD, 0);
	check(regions->mismatches == 2 && regions->nr == 3 &&
		      !find(regions, "a")->flags &&
		      !find(regions, "forgotten")->flags,
	      "%u mismatches, %zu regions", regions->mismatches, regions->nr);
	vpmc_regions_free(regions);
}

static int in_child(void)
{
	struct vpmc_regions *regions;
	int good;

	vpmc_region_begin("child");
	WORK(10);
	vpmc_region_end("child");
	vpmc_region_end("parent");
	regions = table(VPMC_SELF, VPMC_REGIONS_NET);
	good = regions->nr == 1 && !regions->mismatches &&
	       !find(regions, "child")->flags &&
	       find(regions, "child")->inclusive[0] == INSNS(10);
	vpmc_regions_free(regions);
	return good;
}

static void test_fork(void)
{
	struct vpmc_regions *regions;
	int status;
	pid_t pid;

	begin_anew(1);
	vpmc_region_begin("parent");
	pid = fork();
	if (!pid)
		_exit(in_child() ? 0 : 1);
	if (waitpid(pid, &status, 0) != pid)
		err(2, "waitpid");
	check(status == 0, "a forked process has regions of its own: status %d",
	      status);
	vpmc_region_end("parent");
	regions = table(VPMC_THREAD, 0);
	check(regions->nr == 1 && !find(regions, "parent")->flags,
	      "and its parent has its own");
	vpmc_regions_free(regions);
}

#define NR_TURNS   8
#define MANY_CALLS 20000

static _Noreturn void take_turns(void)
{
	const struct vpmc_region_counts *region;
	struct vpmc_regions *regions;
	int i;

	for (i = 0; i < MANY_CALLS; i++) {
		vpmc_region_begin("turn");
		WORK(100);
		vpmc_region_end("turn");
	}
	regions = table(VPMC_SELF, VPMC_REGIONS_NET);
	region = find(regions, "turn");
	_exit(region->flags || region->calls != MANY_CALLS ||
	      region->inclusive[0] != MANY_CALLS * INSNS(100) ||
	      region->exclusive[0] != region->inclusive[0]);
}

/* Test regions while several processes take turns on the processors. */
static void test_preempted(void)
{
	int i, status;

	begin_anew(1);
	for (i = 0; i < NR_TURNS; i++) {
		if (!fork())
			take_turns();
	}
	for (i = 0; i < NR_TURNS; i++) {
		if (wait(&status) < 0)
			err(2, "wait");
		check(status == 0, "regions of processes that take turns");
	}
}

/* Run a test in a new process, without state from the previous test. */
static void run_test(void (*test)(void))
{
	int status;
	pid_t pid = fork();

	if (!pid) {
		check_failures = 0;
		must(vpmc_open(&vpmc, &error), "open");
		must(vpmc_info(vpmc, &machine, &error), "info");
		choose_events();
		test();
		_exit(check_status());
	}
	if (waitpid(pid, &status, 0) != pid)
		err(2, "waitpid");
	if (status && !(WIFEXITED(status) && WEXITSTATUS(status) == 1))
		check(false, "a test ends with status %#x", (unsigned)status);
	else if (status)
		check_failures++;
}

static void (*const tests[])(void) = {
	test_nested, test_two_events, test_recursive, test_threads,
	test_budget, test_stopped,    test_restarted, test_mismatched,
	test_fork,   test_preempted,
};

/* Pass through @nr regions. */
static void pass_names(unsigned int nr)
{
	static char names[10000][6];
	unsigned int i;

	for (i = 0; i < nr && i < sizeof(names) / sizeof(names[0]); i++) {
		snprintf(names[i], sizeof(names[i]), "n%u", i);
		vpmc_region_begin(names[i]);
		vpmc_region_end(names[i]);
	}
}

#define PAGES 37

static void touch(unsigned char *pages, size_t size, size_t nr)
{
	size_t i;

	for (i = 0; i < nr; i++)
		*(volatile unsigned char *)(pages + i * size) = 1;
}

/*
 * Touch new pages in the region "outer", and other new pages in "inner", which also sleeps. In
 * "old", touch only pages that are present already.
 */
static void pass_faults(void)
{
	const struct timespec time = { .tv_nsec = 1000000 };
	const size_t size = (size_t)sysconf(_SC_PAGESIZE);
	const size_t all = 2 * size * PAGES;
	unsigned char *pages = mmap(NULL, all, PROT_READ | PROT_WRITE,
				    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	unsigned int i;

	/* Do this twice. Only the second time no region is created. */
	for (i = 0; i < 2; i++) {
		if (pages == MAP_FAILED || madvise(pages, all, MADV_DONTNEED))
			err(2, "no pages");
		vpmc_region_begin("outer");
		touch(pages, size, PAGES);
		vpmc_region_begin("inner");
		touch(pages + size * PAGES, size, PAGES);
		nanosleep(&time, NULL);
		vpmc_region_end("inner");
		vpmc_region_begin("old");
		touch(pages, size, PAGES);
		vpmc_region_end("old");
		vpmc_region_end("outer");
	}
}

static void worker(void)
{
	vpmc_region_begin("worker");
	WORK(10);
	vpmc_region_begin("inner");
	WORK(1000);
	vpmc_region_end("inner");
	vpmc_region_end("worker");
}

static void leave_by_exit(void)
{
	exit(0);
}

static void leave_by_underscore(void)
{
	_exit(0);
}

static void leave_by_quick_exit(void)
{
	quick_exit(0);
}

static void leave_by_kill(void)
{
	kill(getpid(), SIGKILL);
}

static void leave_by_abort(void)
{
	abort();
}

static void leave_by_exec(void)
{
	execlp("regions", "regions", "1", NULL);
}

/*
 * Exit within a region. The unfinished region does not have counts, but the regions that have ended
 * within it do.
 */
static void leave_unfinished(void)
{
	vpmc_region_begin("open");
	worker();
	_exit(0);
}

/* Work in a thread that exits before its process does. */
static void *work_in_thread(void *unused)
{
	worker();
	return unused;
}

static void leave_with_thread(void)
{
	pthread_t id;

	if (pthread_create(&id, NULL, work_in_thread, NULL))
		errx(2, "no thread");
	pthread_join(id, NULL);
	_exit(0);
}

/*
 * Create a child with _Fork(). The child has a copy of its parent's memory, but the library is not
 * notified of the child.
 */
static void leave_with_child(void)
{
	const pid_t pid = _Fork();

	if (!pid) {
		worker();
		worker();
		_exit(0);
	}
	waitpid(pid, NULL, 0);
	_exit(0);
}

/* Run workers, each of which exits in another way. */
static void pass_workers(void)
{
	static void (*const leave[])(void) = {
		leave_by_exit,	  leave_by_underscore, leave_by_quick_exit,
		leave_by_kill,	  leave_by_abort,      leave_by_exec,
		leave_unfinished, leave_with_thread,   leave_with_child,
	};
	size_t i;
	pid_t pid;

	worker();
	for (i = 0; i < sizeof(leave) / sizeof(leave[0]); i++) {
		pid = fork();
		if (!pid) {
			worker();
			leave[i]();
			_exit(2);
		}
		waitpid(pid, NULL, 0);
	}
	worker();
}

/*
 * Pass regions once, for tests of perfex. @name is "nested", "threads", "faults", "workers" or a
 * number of regions.
 */
static int pass_once(const char *name)
{
	if (!strcmp(name, "nested"))
		pass_nested();
	else if (!strcmp(name, "threads"))
		pass_threads();
	else if (!strcmp(name, "workers"))
		pass_workers();
	else if (!strcmp(name, "faults"))
		pass_faults();
	else
		pass_names((unsigned int)strtoul(name, NULL, 10));
	return 0;
}

int main(int argc, char **argv)
{
	size_t i;

	if (argc > 1)
		return pass_once(argv[1]);

	for (i = 0; i < sizeof(tests) / sizeof(tests[0]); i++)
		run_test(tests[i]);
	return check_status();
}
