// SPDX-License-Identifier: GPL-2.0-only
/*
 * inline: test that a thread reads its exact counts without system calls, and that it
 * learns when it cannot.
 *
 * inline refused SIGNAL: test a processor on which programs may not execute RDPMC. RDPMC must raise
 * SIGNAL there.
 *
 * The test compares counts with the known cost of the code in inline-32.S and inline-64.S, and with
 * the result of VPMC_READ in the same thread.
 */
#include <err.h>
#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <x86intrin.h>

#include "inline.h"

/* This number of rounds takes several clock ticks. */
#define LONG 3000000U

/* Run @function in a child, which exits with the result of its checks. */
static pid_t in_child(void (*function)(void))
{
	pid_t pid;

	pid = child_fork();
	if (pid)
		return pid;
	check_failures = 0;
	function();
	_exit(check_status());
}

static void until_child_ends(pid_t pid)
{
	int status;

	if (pid < 0)
		err(2, "fork");
	if (waitpid(pid, &status, 0) != pid)
		err(2, "waitpid");
	if (status) {
		check(false, "child: wait status %#x", (unsigned int)status);
		check_failures++;
	}
}

static void test_exact(void)
{
	mapped();
	check_spans(FIRST, "of a thread that started and mapped");
}

static void test_map_first(void)
{
	struct vpmc *vpmc = open_handle();
	uint64_t count;

	must(vpmc_map(vpmc, &error), "map before the start");
	check_none("before the start");
	refused(vpmc_get(vpmc, 0, &count, &error), VPMC_E_NOT_STARTED,
		"vpmc_get() before the start");
	must(vpmc_start(vpmc, events_of(FIRST), 2, 0, &error), "start");
	check_spans(FIRST, "by the start alone");
}

static void test_map_again(void)
{
	struct vpmc *vpmc = mapped();
	const struct vpmc_own_page *before = vpmc_self;

	must(vpmc_map(vpmc, &error), "map again");
	check(vpmc_self == before, "mapped where it was");
	check_spans(FIRST, "mapped twice");
}

static void test_counts_of_one_event(void)
{
	struct vpmc *vpmc = open_handle();
	struct vpmc_snapshot mark;
	uint64_t count;

	must(vpmc_start(vpmc, &events_of(OTHER)[1], 1, 0, &error), "start");
	must(vpmc_map(vpmc, &error), "map");
	check(vpmc_self->count[0].counter == counter_here(1),
	      "the event is on the second counter");
	check(vpmc_count(0) > 0 && vpmc_count(1) < 0, "one count, not two");
	check(!vpmc_mark(&mark) && mark.nr == 1, "a mark has one count");
	refused(vpmc_get(vpmc, 1, &count, &error), VPMC_E_ARGUMENT,
		"vpmc_get() of an event that there is not");
}

/* Return a difference of two counts. Its value depends on the code that the compiler generates. */
static __attribute__((noinline)) int64_t between(unsigned int nops)
{
	int64_t before = vpmc_count(0);

	for (; nops; nops--)
		__asm__ __volatile__("nop");
	return vpmc_count(0) - before;
}

static void test_c(void)
{
	long long one, more;

	mapped();
	one = between(2) - between(1);
	more = between(1000001) - between(1);
	check(one > 1 && more == 1000000 * one,
	      "vpmc_count(): %lld instructions a round, %lld in 1000000", one,
	      more);
}

/* Test that vpmc_get() makes no system call, which would add to the difference of the counts. */
static void test_get(void)
{
	struct vpmc *vpmc = mapped();
	uint64_t before, after;
	struct vpmc_counts counts;

	must(vpmc_get(vpmc, 0, &before, &error), "get");
	must(vpmc_get(vpmc, 0, &after, &error), "get");
	check(after - before < 100, "%" PRIu64 " instructions from get to get",
	      after - before);
	must(vpmc_stop(vpmc, &error), "stop");
	must(vpmc_read(vpmc, VPMC_THREAD, &counts, &error), "read");
	must(vpmc_get(vpmc, 1, &after, &error), "get of what is stopped");
	check(after == counts.count[1], "which is what is read");
}

static void test_tsc(void)
{
	struct vpmc *vpmc = mapped();
	struct vpmc_counts first, second;
	struct vpmc_snapshot mark = { .nr = 0 }, since = { .nr = 0 };
	uint64_t start, clocks;
	int i;

	for (i = 0; i < 100; i++) {
		must(vpmc_read(vpmc, VPMC_THREAD, &first, &error), "read");
		if (vpmc_mark(&mark))
			check(false, "mark");
		must(vpmc_read(vpmc, VPMC_THREAD, &second, &error), "read");
		if (mark.tsc < first.tsc || mark.tsc > second.tsc)
			check(false,
			      "virtual TSC %" PRIu64 ", read %" PRIu64
			      " and %" PRIu64,
			      mark.tsc, first.tsc, second.tsc);
		usleep(1000);
	}
	check(i == 100, "the virtual TSC is between those read around it");

	start = __rdtsc();
	if (vpmc_mark(&mark))
		check(false, "mark");
	for (i = 0; i < 10; i++)
		usleep(10000);
	if (vpmc_since(&mark, &since))
		check(false, "since");
	clocks = __rdtsc() - start;
	check(since.tsc > 0 && since.tsc < clocks / 2,
	      "a thread that sleeps has no clocks: %" PRIu64 " of %" PRIu64,
	      since.tsc, clocks);
}

static void test_mark(void)
{
	struct vpmc *vpmc = mapped();
	struct vpmc_snapshot mark = { .nr = 0 }, since = { .nr = 0 };
	struct vpmc_counts counts;
	int64_t count;
	bool failed;

	must(vpmc_read(vpmc, VPMC_THREAD, &counts, &error), "read");
	check(!vpmc_mark(&mark) && mark.nr == 2 &&
		      mark.generation == vpmc_generation(vpmc) &&
		      mark.count[0] > counts.count[0] &&
		      mark.count[0] < counts.count[0] + 2000,
	      "a mark of the present counts");
	failed = vpmc_mark(&mark) || vpmc_since(&mark, &since);
	check(!failed && since.nr == 2 && since.count[0] > 0 &&
		      since.count[0] < 1000 && since.count[1] < 100,
	      "since then %" PRIu64 " %" PRIu64, since.count[0],
	      since.count[1]);
	must(vpmc_reset(vpmc, &error), "reset");
	count = vpmc_count(0);
	check(count >= 0 && count < 2000, "counts begin at zero");
	check(vpmc_generation(vpmc) != mark.generation,
	      "a reset has another generation");
	check(vpmc_since(&mark, &since) < 0, "which a mark notices");
	check_spans(FIRST, "after a reset");
}

static void test_stop(void)
{
	struct vpmc *vpmc = mapped();
	struct vpmc_counts counts;
	int64_t count;

	span_is_exact(FIRST, LONG);
	must(vpmc_stop(vpmc, &error), "stop");
	check_none("stopped");
	must(vpmc_read(vpmc, VPMC_THREAD, &counts, &error), "read");
	must(vpmc_start(vpmc, events_of(FIRST), 2, VPMC_RESUME, &error),
	     "resume");
	count = vpmc_count(0);
	check(counts.count[0] > 2 * (uint64_t)LONG &&
		      count > (int64_t)counts.count[0] &&
		      count < (int64_t)counts.count[0] + 200,
	      "resumed: %" PRId64 ", was %" PRIu64, count, counts.count[0]);
	check_spans(FIRST, "resumed");
}

static void test_restart(void)
{
	struct vpmc *vpmc = mapped();
	struct vpmc_snapshot mark = { .nr = 0 }, since = { .nr = 0 };

	if (vpmc_mark(&mark))
		check(false, "mark");
	must(vpmc_start(vpmc, events_of(OTHER), 2, VPMC_FORCE, &error),
	     "start by force");
	check(vpmc_since(&mark, &since) < 0, "restarted: nothing since before");
	check_spans(OTHER, "restarted by itself with other events");
	must(vpmc_stop(vpmc, &error), "stop");
	must(vpmc_start(vpmc, events_of(FIRST), 2, 0, &error), "start");
	check_spans(FIRST, "stopped and started");
}

/* Test one event more than there are counters, so that events share counters. */
static void test_turns(void)
{
	struct vpmc_event_sel many[VPMC_COUNTS_MAX];
	struct vpmc *vpmc = mapped();
	unsigned int i, nr = counters_here() + fixed_here() + 1;
	struct vpmc_counts counts;

	for (i = 0; i < nr; i++)
		many[i] =
			(struct vpmc_event_sel){ code_here(i % 2),
						 VPMC_ANY_COUNTER, VPMC_USER };
	must(vpmc_start(vpmc, many, nr, VPMC_MULTIPLEX | VPMC_FORCE, &error),
	     "start");
	check_none("events that take turns");
	must(vpmc_map(vpmc, &error), "map");
	check_none("and mapped");
	must(vpmc_read(vpmc, VPMC_THREAD, &counts, &error), "read of turns");
	must(vpmc_start(vpmc, events_of(FIRST), 2, VPMC_FORCE, &error),
	     "start");
	check_spans(FIRST, "after turns");
}

/* This is the page of the process that tests fork. */
static struct vpmc_own_page *page;

/* Check in a child that it does not see the parent's counts. */
static void child_of_fork(void)
{
	int64_t count = vpmc_count(0);

	check(count >= 0 && count < 5000, "a child counts from zero");
	check(vpmc_self == page, "the child's page is where it was");
	check_spans(FIRST, "a child");
}

static void test_fork(void)
{
	pid_t pid;

	mapped();
	page = vpmc_self;
	span_is_exact(FIRST, LONG);
	pid = in_child(child_of_fork);
	check_spans(FIRST, "a parent");
	until_child_ends(pid);
	check(vpmc_count(0) > 2 * (int64_t)LONG, "the parent goes on");
}

static void child_that_starts(void)
{
	struct vpmc *vpmc = open_handle();

	check_none("a child of a parent that does not count");
	must(vpmc_start(vpmc, events_of(OTHER), 2, 0, &error), "start");
	check_spans(OTHER, "which starts");
}

static void test_fork_before_start(void)
{
	must(vpmc_map(open_handle(), &error), "map");
	until_child_ends(in_child(child_that_starts));
}

static int64_t found[2];

static int read_both(void *unused)
{
	(void)unused;
	found[0] = vpmc_count(0);
	found[1] = vpmc_count(1);
	return 0;
}

/* Test a child that runs in the parent's memory, with the parent's thread-local variables. */
static void test_vfork(void)
{
	static char stack[65536];

	mapped();
	page = vpmc_self;
	until_child_ends(clone(read_both, stack + sizeof(stack),
			       CLONE_VM | CLONE_VFORK | SIGCHLD, NULL));
	check(found[0] < 0 && found[1] < 0,
	      "a vfork child has no count to read");
	check(vpmc_self == page, "nor does it take the parent's page");
	check_spans(FIRST, "after a vfork");
}

struct thread {
	struct vpmc *vpmc;
	struct vpmc_own_page *page;
	pthread_barrier_t *barrier;
	bool found_none, exact;
};

static void *run_thread(void *argument)
{
	struct thread *t = argument;
	unsigned int i;

	t->found_none = vpmc_count(0) < 0 && vpmc_count(1) < 0;
	t->vpmc = open_handle();
	if (vpmc_map(t->vpmc, NULL))
		return NULL;
	t->page = vpmc_self;
	pthread_barrier_wait(t->barrier);
	t->exact = vpmc_count(0) < 100000;
	for (i = 0; i < 200; i++)
		t->exact &= span_is_exact(FIRST, i % 10 ? i + 1 : LONG / 20);
	pthread_barrier_wait(t->barrier);
	/* Sleep, so that the first thread can look at the page of a thread that sleeps. */
	pthread_barrier_wait(t->barrier);
	return NULL;
}

#define THREADS 4

static bool shows_nothing(const struct vpmc_own_page *shown)
{
	return shown->count[0].high[0] & shown->count[0].high[1] &
	       shown->count[1].high[0] & shown->count[1].high[1] &
	       VPMC_PAGE_INVALID;
}

static void judge_threads(const struct thread *t)
{
	unsigned int i, j;
	bool apart = true;

	for (i = 0; i < THREADS; i++) {
		check(t[i].found_none, "a thread without page reads nothing");
		check(t[i].exact, "thread %u: its own counts, from zero", i);
		for (j = 0; j < i; j++)
			apart &= t[i].page != t[j].page;
	}
	check(apart, "each thread has a page of its own");
}

static void test_threads(void)
{
	struct thread t[THREADS] = { { .vpmc = NULL } };
	pthread_barrier_t barrier;
	pthread_t id[THREADS];
	unsigned int i;

	pthread_barrier_init(&barrier, NULL, THREADS + 1);
	mapped();
	span_is_exact(FIRST, LONG);
	for (i = 0; i < THREADS; i++) {
		t[i].barrier = &barrier;
		if (pthread_create(&id[i], NULL, run_thread, &t[i]))
			errx(2, "pthread_create");
	}
	pthread_barrier_wait(&barrier);
	check_spans(FIRST, "with other threads");
	pthread_barrier_wait(&barrier);
	judge_threads(t);
	usleep(100000);
	for (i = 0; i < THREADS; i++)
		check(shows_nothing(t[i].page),
		      "a page shows nothing while its thread sleeps");
	pthread_barrier_wait(&barrier);
	for (i = 0; i < THREADS; i++)
		pthread_join(id[i], NULL);
	check_spans(FIRST, "when the other threads are gone");
}

static void *map_and_exit(void *argument)
{
	must(vpmc_map(argument, &error), "map");
	return vpmc_self;
}

static void *only_read(void *argument)
{
	(void)argument;
	check_none("a thread where the one that mapped has gone");
	return NULL;
}

static void in_thread(void *(*function)(void *), void *argument)
{
	pthread_t id;

	if (pthread_create(&id, NULL, function, argument) ||
	    pthread_join(id, NULL))
		errx(2, "thread");
}

static void *reset_in_thread(void *unused)
{
	struct vpmc_snapshot mark = { .nr = 0 }, since = { .nr = 0 };
	struct vpmc *vpmc = open_handle();

	(void)unused;
	must(vpmc_start(vpmc, events_of(FIRST), 2, VPMC_FORCE, &error),
	     "start");
	must(vpmc_map(vpmc, &error), "map");
	if (vpmc_mark(&mark))
		check(false, "mark");
	must(vpmc_reset(vpmc, &error), "reset");
	span_is_exact(FIRST, LONG);
	check(vpmc_since(&mark, &since) < 0 &&
		      vpmc_generation(vpmc) == mark.generation,
	      "a reset is noticed though the generation stays");
	check_spans(FIRST, "a thread beside one that counts");
	return NULL;
}

/*
 * Test that RDPMC does not fault in other threads after the first thread that mapped a page has
 * exited.
 */
static void test_first_page(void)
{
	struct vpmc *vpmc = started();

	in_thread(map_and_exit, vpmc);
	check_none("when the first thread that mapped has gone");
	in_thread(only_read, NULL);
	must(vpmc_map(vpmc, &error), "map");
	check_spans(FIRST, "mapped then");
}

static void child_of_thread(void)
{
	int64_t count = vpmc_count(0);

	check(count >= 0 && count < 5000, "a thread's child counts from zero");
	check(vpmc_self == page, "the child has its creator's page");
	check_spans(FIRST, "a thread's child");
}

static void *fork_in_thread(void *argument)
{
	must(vpmc_map(argument, &error), "map");
	page = vpmc_self;
	until_child_ends(in_child(child_of_thread));
	check_spans(FIRST, "a thread that forked");
	return NULL;
}

static struct vpmc_own_page *first_page;

static void touch_first_page(void)
{
	(void)*(const volatile uint32_t *)&first_page->sequence;
}

static void child_of_unmapped(void)
{
	check_none("the child of a thread without page");
	must(vpmc_map(open_handle(), &error), "map");
	check_spans(FIRST, "which maps");
}

static void *fork_unmapped(void *unused)
{
	(void)unused;
	until_child_ends(in_child(child_of_unmapped));
	check(dies_of(SIGBUS, touch_first_page),
	      "a page of a thread that the child has not cannot be touched");
	return NULL;
}

static void test_fork_of_threads(void)
{
	struct vpmc *vpmc = mapped();

	first_page = vpmc_self;
	in_thread(reset_in_thread, NULL);
	in_thread(fork_in_thread, vpmc);
	in_thread(fork_unmapped, vpmc);
	check_spans(FIRST, "whose threads have forked");
}

#define MOVES 2000

/* This is the process that another one moves, starts or stops. */
static pid_t target;

/* Move the process from processor to processor while it reads. */
static void test_migration(void)
{
	/*
	 * Read this now. The C library may derive the number from the processors on which this
	 * process may run, and these change below.
	 */
	long processors = sysconf(_SC_NPROCESSORS_ONLN);
	unsigned int i, inexact = 0;
	pid_t pid;

	target = getpid();
	mapped();
	pid = fork();
	if (!pid) {
		for (i = 0;; i++) {
			cpu_set_t set;

			CPU_ZERO(&set);
			CPU_SET(i % 2, &set);
			/* With one processor, this call fails with EINVAL. */
			sched_setaffinity(target, sizeof(set), &set);
			sched_yield();
		}
	}
	for (i = 0; i < MOVES; i++)
		inexact += !span_is_exact(FIRST, i % 100 ? i : LONG / 10);
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	check(!inexact, "%u of %u spans inexact while it is moved", inexact,
	      MOVES);
	if (processors > 1) {
		stay_on(1);
		check_spans(FIRST, "on the second processor");
	}
}

static struct vpmc *attached_target(void)
{
	struct vpmc *vpmc = open_handle();

	must(vpmc_attach(vpmc, target, 0, &error), "attach");
	return vpmc;
}

static void start_target(void)
{
	must(vpmc_start(attached_target(), events_of(OTHER), 2, VPMC_FORCE,
			&error),
	     "start of another");
}

static void resume_target(void)
{
	must(vpmc_start(attached_target(), events_of(OTHER), 2, VPMC_RESUME,
			&error),
	     "resume of another");
}

static void stop_target(void)
{
	must(vpmc_stop(attached_target(), &error), "stop of another");
}

static void child_of_started(void)
{
	check_none("the child of who was started by another process");
}

static void test_attach(void)
{
	struct vpmc *vpmc = mapped(), *second = open_handle();

	target = getpid();
	until_child_ends(in_child(start_target));
	check_none("started by another process");
	until_child_ends(in_child(child_of_started));
	refused(vpmc_map(vpmc, &error), VPMC_E_GENERATION,
		"map on the handle that knows of the former start");
	check_none("and refused");
	must(vpmc_map(second, &error), "map on another handle");
	check_spans(OTHER, "started by another process, and mapped");
	until_child_ends(in_child(stop_target));
	check_none("stopped by another process");
	until_child_ends(in_child(resume_target));
	check_none("and resumed");
	must(vpmc_map(second, &error), "map");
	check_spans(OTHER, "resumed by another process, and mapped");
}

static void system_mode(void (*meanwhile)(void))
{
	struct vpmc *vpmc = open_handle();

	must(vpmc_system_start(vpmc, events_of(FIRST), 2, VPMC_FORCE, &error),
	     "system mode");
	meanwhile();
	must(vpmc_system_stop(vpmc, &error), "system mode's end");
	vpmc_close(vpmc);
}

static void in_system(void)
{
	check_none("in system mode");
	usleep(50000);
	check_none("and behind a switch");
}

static void test_revoked(void)
{
	struct vpmc *vpmc = mapped();
	uint64_t count;

	system_mode(in_system);
	check_none("when the counters have been taken");
	refused(vpmc_get(vpmc, 0, &count, &error), VPMC_E_GENERATION,
		"vpmc_get()");
	must(vpmc_start(vpmc, events_of(FIRST), 2, 0, &error), "start");
	check_spans(FIRST, "started again");
}

static char *self;

static void test_exec(void)
{
	mapped();
	span_is_exact(FIRST, LONG);
	fflush(stdout);
	execl(self, self, "executed", (char *)NULL);
	err(2, "%s", self);
}

/* Be the program that test_exec() executes. */
static void executed(void)
{
	check(dies_of(SIGSEGV, rdpmc_0), "exec takes the right to RDPMC");
	must(vpmc_map(open_handle(), &error), "map");
	check(vpmc_count(0) > 2 * (int64_t)LONG, "the counts go on over exec");
	check_spans(FIRST, "inherited over exec");
}

/* Test that a page cannot get other access rights, another address or another size. */
static void test_mapping(void)
{
	struct vpmc *vpmc = mapped();
	size_t size = (size_t)sysconf(_SC_PAGESIZE);
	int fd = open_device();

	page = vpmc_self;
	check(mprotect(page, size, PROT_READ | PROT_WRITE) && errno == EACCES,
	      "mprotect to write");
	check(mprotect(page, size, PROT_READ | PROT_EXEC) && errno == EACCES,
	      "mprotect to execute");
	check(mremap(page, size, size, MREMAP_MAYMOVE | MREMAP_FIXED,
		     (char *)page - 64 * size) == MAP_FAILED,
	      "mremap elsewhere");
	check(mremap(page, size, 2 * size, MREMAP_MAYMOVE) == MAP_FAILED,
	      "mremap to more");
	check(mmap(NULL, size, PROT_READ, MAP_SHARED, fd, 0) == MAP_FAILED,
	      "mmap of the device");
	check_spans(FIRST, "after these");

	vpmc_self = NULL;
	check(!munmap(page, size), "munmap");
	check(dies_of(SIGSEGV, rdpmc_0), "and RDPMC faults");
	must(vpmc_map(vpmc, &error), "map");
	check_spans(FIRST, "mapped again");
}

/* Test a process with the personality of a program whose stack is executable. */
static void test_executable(void)
{
	size_t size = (size_t)sysconf(_SC_PAGESIZE);

	if (personality(READ_IMPLIES_EXEC) < 0)
		err(2, "personality");
	mapped();
	check_spans(FIRST, "where all that can be read can be executed");
	check(mprotect(vpmc_self, size, PROT_READ | PROT_EXEC) &&
		      errno == EACCES,
	      "but not the page");
}

#define TICKS 50000 /* microseconds, several clock ticks */

static void pass_ticks(void)
{
	struct timespec begin, now;

	clock_gettime(CLOCK_MONOTONIC, &begin);
	do {
		clock_gettime(CLOCK_MONOTONIC, &now);
	} while ((now.tv_sec - begin.tv_sec) * 1000000 +
			 (now.tv_nsec - begin.tv_nsec) / 1000 <
		 TICKS);
}

/* Test that a page that is mapped again does not show counts from before the mapping. */
static void test_unmapped(void)
{
	struct vpmc *vpmc = mapped();

	page = vpmc_self;
	vpmc_self = NULL;
	munmap(page, 1);
	pass_ticks();
	must(vpmc_stop(vpmc, &error), "stop");
	must(vpmc_map(vpmc, &error), "map");
	check_none("stopped without a page, then mapped");
	must(vpmc_start(vpmc, events_of(FIRST), 2, 0, &error), "start");
	check_spans(FIRST, "and started");
}

/* Test a processor on which programs may not execute RDPMC. */
static void test_unsupported(int signo)
{
	struct vpmc_map map = { .size = sizeof(map) };
	struct vpmc *vpmc = started();
	struct vpmc_machine machine;
	struct vpmc_counts counts;
	uint64_t count;

	must(vpmc_info(vpmc, &machine, &error), "info");
	check(!machine.map, "vpmc_info() says so");
	check(request(open_device(), VPMC_MAP, &map) == -EOPNOTSUPP,
	      "VPMC_MAP says so");
	refused(vpmc_map(vpmc, &error), VPMC_E_UNSUPPORTED, "and vpmc_map()");
	check(dies_of(signo, rdpmc_0), "RDPMC ends by signal %d", signo);
	must(vpmc_get(vpmc, 0, &count, &error), "get");
	must(vpmc_stop(vpmc, &error), "stop");
	must(vpmc_read(vpmc, VPMC_THREAD, &counts, &error), "read");
	check(count > 0 && count < counts.count[0], "vpmc_get() reads %" PRIu64,
	      count);
	must(vpmc_get(vpmc, 1, &count, &error), "get");
	check(count == counts.count[1], "and what is read otherwise");
}

static void test_all(void)
{
	run(test_exact);
	run(test_map_first);
	run(test_map_again);
	run(test_counts_of_one_event);
	run(test_c);
	run(test_get);
	run(test_tsc);
	run(test_mark);
	run(test_stop);
	run(test_restart);
	run(test_turns);
	run(test_fork);
	run(test_fork_before_start);
	run(test_vfork);
	run(test_threads);
	run(test_first_page);
	run(test_fork_of_threads);
	run(test_migration);
	run(test_attach);
	run(test_revoked);
	run(test_unmapped);
	run(test_exec);
	run(test_mapping);
	run(test_executable);
}

int main(int argc, char **argv)
{
	self = argv[0];
	if (argc == 3)
		test_unsupported((int)strtol(argv[2], NULL, 10));
	else if (argc == 2)
		executed();
	else
		test_all();
	return check_status();
}
