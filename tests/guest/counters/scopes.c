// SPDX-License-Identifier: GPL-2.0-only
/*
 * scopes PROGRAM INSTRUCTIONS BRANCHES: test which threads and processes each scope contains, from
 * which moment to which moment their events are counted, and the results of the calls. Exact
 * numbers come from exact.h and from PROGRAM, whose counts are known.
 */
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "exact.h"
#include "follow.h"
#include "privileged_programs.h"

#define ROUNDS 1000

static const char *program;
static uint64_t program_counts[2];

/* Return a start of instructions on counter 0 and branches on counter 1, in user mode. */
static struct vpmc_start start_two(unsigned int flags)
{
	return (struct vpmc_start){
		.size = sizeof(struct vpmc_start),
		.flags = flags,
		.nr_events = 2,
		.event = { EVENT(code_here(INSTRUCTIONS), counter_here(0),
				 VPMC_MODE_USER),
			   EVENT(code_here(BRANCHES), counter_here(1),
				 VPMC_MODE_USER) },
	};
}

static struct vpmc_read read_of(unsigned int scope)
{
	return (struct vpmc_read){
		.size = sizeof(struct vpmc_read),
		.scope = scope,
	};
}

static struct vpmc_stop stop_of(void)
{
	return (struct vpmc_stop){ .size = sizeof(struct vpmc_stop) };
}

static void check_counts(const struct vpmc_read *read, uint64_t instructions,
			 uint64_t branches, const char *what)
{
	check(read->nr_counts == 2 && read->count[0] == instructions &&
		      read->count[1] == branches && !read->other_events &&
		      !read->revoked,
	      "%s: %llu %llu want %llu %llu", what, read->count[0],
	      read->count[1], (unsigned long long)instructions,
	      (unsigned long long)branches);
}

static void test_read(void)
{
	struct vpmc_read thread = read_of(VPMC_SCOPE_THREAD);
	struct vpmc_start start = start_two(0);
	struct vpmc_read self = read_of(VPMC_SCOPE_SELF);
	struct vpmc_stop stop = stop_of();
	int fd = open_device();

	check(!exact_run(fd, &start, ROUNDS, VPMC_READ, &thread),
	      "a read right after the code that is counted");
	check_counts(&thread, EXACT_RUN_INSTRUCTIONS(ROUNDS),
		     EXACT_RUN_BRANCHES(ROUNDS), "THREAD while it runs");
	check(thread.state == VPMC_STATE_RUNNING, "state is running");
	check(thread.generation == start.generation && start.generation,
	      "start and read give one generation");
	check(!request(fd, VPMC_STOP, &stop) &&
		      stop.generation == start.generation,
	      "stop gives the same generation");

	check(!exact_run(fd, &start, ROUNDS, VPMC_STOP, &stop),
	      "a second start counts from zero");
	check(!request(fd, VPMC_READ, &self), "SELF after the stop");
	check_counts(&self, EXACT_RUN_INSTRUCTIONS(ROUNDS),
		     EXACT_RUN_BRANCHES(ROUNDS), "SELF after the stop");
	check(self.state == VPMC_STATE_STOPPED, "state is stopped");
	check(self.generation == start.generation &&
		      self.generation != thread.generation,
	      "a new start is a new generation");
	check(thread.tsc && self.tsc, "the virtual time stamp runs");
}

/* Test that the clocks of a second start begin at zero. */
static void test_clocks_of_start(void)
{
	struct vpmc_read self = read_of(VPMC_SCOPE_SELF);
	struct vpmc_start start = start_two(0);
	struct vpmc_stop stop = stop_of();
	int fd = open_device();
	uint64_t clocks;

	exact_run(fd, &start, 1000 * ROUNDS, VPMC_STOP, &stop);
	clocks = __builtin_ia32_rdtsc();
	exact_run(fd, &start, ROUNDS, VPMC_STOP, &stop);
	clocks = __builtin_ia32_rdtsc() - clocks;
	if (request(fd, VPMC_READ, &self))
		check(false, "read");
	check(self.tsc && self.tsc <= clocks,
	      "a second start: %llu clocks, at most %llu", self.tsc,
	      (unsigned long long)clocks);
}

/*
 * struct sleep - a process that counts and sleeps
 * @gate: the gate at which it sleeps
 * @clocks: a number of clocks for which it has certainly slept
 */
struct sleep {
	struct gate gate;
	volatile uint64_t *clocks;
};

static void start_one(int fd, uint16_t counter)
{
	struct vpmc_start start = {
		.size = sizeof(start),
		.nr_events = 1,
		.event = { EVENT(code_here(INSTRUCTIONS), counter,
				 VPMC_MODE_USER) },
	};

	if (request(fd, VPMC_START, &start))
		errx(2, "start");
}

static _Noreturn void count_and_sleep(const struct sleep *s, const char *what)
{
	struct vpmc_read thread = read_of(VPMC_SCOPE_THREAD);
	int fd = open_device();
	uint64_t clocks = __builtin_ia32_rdtsc();

	start_one(fd, counter_here(0));
	gate_wait(&s->gate);
	request(fd, VPMC_READ, &thread);
	clocks = __builtin_ia32_rdtsc() - clocks;
	check(thread.tsc && thread.tsc <= clocks - *s->clocks,
	      "%s: %llu clocks in %llu, of which it slept %llu", what,
	      thread.tsc, (unsigned long long)clocks,
	      (unsigned long long)*s->clocks);
	exit(check_status());
}

/*
 * Test that a sleeping thread does not count clocks. If @fd is not -1, this process counts on @fd
 * when the thread wakes up.
 */
static void check_sleep(int fd, const char *what)
{
	struct sleep s = { gate_new(), shared(sizeof(*s.clocks)) };
	uint64_t clocks;
	int status;
	pid_t pid;

	stay_on(0);
	pid = fork();
	if (!pid)
		count_and_sleep(&s, what);
	if (fd >= 0)
		start_one(fd, counter_here(1));
	until_asleep((uint32_t)pid);
	clocks = __builtin_ia32_rdtsc();
	usleep(100000);
	*s.clocks = __builtin_ia32_rdtsc() - clocks;
	gate_open(&s.gate);
	if (waitpid(pid, &status, 0) != pid || status)
		check_failures++;
}

static void test_sleep(void)
{
	check_sleep(-1, "a thread that wakes up where nobody counts");
}

/*
 * Test a thread that wakes up where another process counts. The thread and the process use
 * different counters.
 */
static void test_sleep_beside(void)
{
	check_sleep(open_device(), "one that wakes up where another counts");
}

static void test_resume(void)
{
	struct vpmc_read read = read_of(VPMC_SCOPE_THREAD);
	struct vpmc_start start = start_two(0);
	struct vpmc_stop stop = stop_of();
	uint64_t generation;
	int fd = open_device();
	unsigned int i;

	exact_run(fd, &start, ROUNDS, VPMC_STOP, &stop);
	generation = start.generation;
	start = start_two(VPMC_START_RESUME);
	for (i = 1; i <= 10; i++) {
		if (exact_run(fd, &start, ROUNDS + i, VPMC_STOP, &stop))
			check(false, "resume %u", i);
		if (start.generation != generation ||
		    stop.generation != generation)
			check(false, "resume %u keeps the generation", i);
	}
	check(!request(fd, VPMC_READ, &read), "read after ten resumes");
	/* The first loop had ROUNDS rounds, and the ten others had 1 to 10 rounds more. */
	check_counts(&read, EXACT_RUN_INSTRUCTIONS(ROUNDS) * 11 + 2 * 55,
		     EXACT_RUN_BRANCHES(ROUNDS) * 11 + 55,
		     "ten resumes add to the first count");
}

static void test_threads(unsigned int k)
{
	static char stacks[16 * EXACT_STACK] __attribute__((aligned(16)));
	struct vpmc_read thread = read_of(VPMC_SCOPE_THREAD);
	struct vpmc_read self = read_of(VPMC_SCOPE_SELF);
	struct vpmc_start start = start_two(0);
	struct vpmc_stop stop = stop_of();
	int fd = open_device();

	check(!exact_threads(fd, &start, k, ROUNDS * 100, &stop, stacks),
	      "%u threads", k);
	until_threads((uint32_t)getpid(), 1);
	check(!request(fd, VPMC_READ, &self), "SELF after the threads' end");
	check_counts(&self, EXACT_THREADS_INSTRUCTIONS(k, ROUNDS * 100),
		     EXACT_THREADS_BRANCHES(k, ROUNDS * 100),
		     "SELF has the threads that are gone");
	check(!request(fd, VPMC_READ, &thread), "THREAD");
	check_counts(&thread, EXACT_CALLER_INSTRUCTIONS(k),
		     EXACT_CALLER_BRANCHES(k), "THREAD has its own");
	check(self.generation == start.generation &&
		      thread.generation == start.generation &&
		      stop.generation == start.generation,
	      "one generation in every answer");
}

static void *count_alone(void *arg)
{
	struct vpmc_read thread = read_of(VPMC_SCOPE_THREAD);
	struct vpmc_start start = start_two(0);
	struct vpmc_stop stop = stop_of();
	int fd = *(int *)arg;

	check(!exact_run(fd, &start, ROUNDS, VPMC_STOP, &stop),
	      "a thread that counts for itself");
	check(!request(fd, VPMC_READ, &thread), "reads THREAD");
	check_counts(&thread, EXACT_RUN_INSTRUCTIONS(ROUNDS),
		     EXACT_RUN_BRANCHES(ROUNDS), "its own THREAD");
	return NULL;
}

static void test_other_thread(void)
{
	struct vpmc_read thread = read_of(VPMC_SCOPE_THREAD);
	struct vpmc_read self = read_of(VPMC_SCOPE_SELF);
	int fd = open_device();
	pthread_t other;

	if (pthread_create(&other, NULL, count_alone, &fd) ||
	    pthread_join(other, NULL))
		errx(2, "no thread");
	check(!request(fd, VPMC_READ, &self), "SELF of another thread's count");
	check_counts(&self, EXACT_RUN_INSTRUCTIONS(ROUNDS),
		     EXACT_RUN_BRANCHES(ROUNDS), "SELF has it");
	check(request(fd, VPMC_READ, &thread) == -ENODATA,
	      "THREAD of one that never started: ENODATA");
}

/*
 * Test a child of a process that counts. It counts from zero, and does not add to its parent's
 * SELF.
 */
static void test_fork(void)
{
	struct vpmc_read read = read_of(VPMC_SCOPE_SELF);
	struct vpmc_start start = start_two(0);
	struct vpmc_stop stop = stop_of();
	struct vpmc_info info = { .size = sizeof(info) };
	int fd = open_device(), own;

	if (request(fd, VPMC_START, &start))
		check(false, "start before a fork");
	if (is_child()) {
		own = open_device();
		check(!request(own, VPMC_READ, &read) && read.nr_counts == 2 &&
			      read.state == VPMC_STATE_RUNNING,
		      "a child of a counting process counts");
		check(request(fd, VPMC_STOP, &stop) == -EXDEV &&
			      request(fd, VPMC_START, &start) == -EXDEV,
		      "the inherited handle is bound to the parent: EXDEV");
		request(own, VPMC_STOP, &stop);
		check(!exact_run(own, &start, ROUNDS, VPMC_STOP, &stop) &&
			      !request(own, VPMC_READ, &read),
		      "a count in the child");
		check_counts(&read, EXACT_RUN_INSTRUCTIONS(ROUNDS),
			     EXACT_RUN_BRANCHES(ROUNDS), "child's own count");
		exit(check_status());
	}
	check(!request(fd, VPMC_INFO, &info) &&
		      info.generation == start.generation,
	      "the child's starts do not change the parent's generation");
	check(!request(fd, VPMC_STOP, &stop), "stop after a fork");
}

/*
 * Fork a process that executes a program, which is counted from its exec on. Returns the process
 * ID.
 */
static pid_t launch(int fd, bool traced, const char *path)
{
	struct vpmc_start start = start_two(VPMC_START_AT_EXEC);
	struct vpmc_read read = read_of(VPMC_SCOPE_THREAD);
	pid_t pid = child_fork();

	if (pid)
		return pid;
	if (traced && ptrace(PTRACE_TRACEME, 0, NULL, NULL))
		err(2, "ptrace");
	if (request(fd, VPMC_START, &start) || request(fd, VPMC_READ, &read) ||
	    read.state != VPMC_STATE_ARMED || read.count[0] ||
	    read.generation != start.generation)
		errx(2, "not armed as asked");
	execlp(path, path, (char *)NULL);
	err(2, "%s", path);
}

static void check_program(int fd, const char *what)
{
	struct vpmc_read read = read_of(VPMC_SCOPE_SELF);

	check(!request(fd, VPMC_READ, &read) && read.state == VPMC_STATE_EXITED,
	      "%s: read after its end", what);
	check_counts(&read, program_counts[0], program_counts[1], what);
}

static void test_exec(void)
{
	struct vpmc_read read = read_of(VPMC_SCOPE_THREAD);
	struct vpmc_start start = start_two(0);
	int fd = open_device(), status;
	pid_t pid = launch(fd, false, program);

	if (waitpid(pid, &status, 0) != pid || status)
		check(false, "%s: wait status %#x", program, status);
	check_program(fd, "a program counted from its exec");
	check(request(fd, VPMC_READ, &read) == -EXDEV,
	      "THREAD of another process: EXDEV");
	check(request(fd, VPMC_START, &start) == -EXDEV,
	      "starting on another process's handle: EXDEV");
}

/* Test that a tracer that stops the program at each instruction does not change the counts. */
static void test_ptrace(void)
{
	int fd = open_device(), status;
	pid_t pid = launch(fd, true, program);
	unsigned long stops = 0;

	while (waitpid(pid, &status, 0) == pid && WIFSTOPPED(status)) {
		stops++;
		if (ptrace(PTRACE_SINGLESTEP, pid, NULL, NULL))
			break;
	}
	check(!status, "the traced program's end");
	check(stops >= program_counts[0] / 2, "it was stepped, %lu stops",
	      stops);
	check_program(fd, "a program stepped by a tracer");
}

/* Test that a start at exec that is cancelled counts nothing. */
static void test_cancel(void)
{
	struct vpmc_start start = start_two(VPMC_START_AT_EXEC);
	struct vpmc_read read = read_of(VPMC_SCOPE_THREAD);
	struct vpmc_stop stop = stop_of();
	int fd = open_device();

	check(!request(fd, VPMC_START, &start) &&
		      request(fd, VPMC_START, &start) == -EBUSY,
	      "a second start while one waits for exec: EBUSY");
	check(!request(fd, VPMC_STOP, &stop) &&
		      !request(fd, VPMC_READ, &read) &&
		      read.state == VPMC_STATE_STOPPED && !read.count[0],
	      "a start at exec that was cancelled counts nothing");
}

/* Become user "nobody", start at exec, and execute a program. This runs in a child. */
static _Noreturn void launch_as_nobody(int fd, int out, const char *path)
{
	struct vpmc_start start = start_two(VPMC_START_AT_EXEC);

	if (setgid(65534) || setuid(65534) || request(fd, VPMC_START, &start))
		err(2, "start as nobody");
	if (write(out, &start.generation, sizeof(start.generation)) < 0)
		err(2, "pipe");
	execl(path, path, (char *)NULL);
	err(2, "%s", path);
}

/* Copy the program with a mode, run it as user "nobody" and read its counts. */
static void read_as_nobody(mode_t mode, struct vpmc_read *counts,
			   uint64_t *generation)
{
	static const char path[] = "/tmp/copy";
	int fd = open_device(), pipes[2], status;
	pid_t pid;

	copy(program, path);
	if (chmod(path, mode))
		err(2, "%s", path);
	if (pipe2(pipes, O_CLOEXEC))
		err(2, "pipe2");
	pid = fork();
	if (!pid)
		launch_as_nobody(fd, pipes[1], path);
	if (read(pipes[0], generation, sizeof(*generation)) < 0)
		err(2, "pipe");
	if (waitpid(pid, &status, 0) != pid || status)
		errx(2, "%s failed", path);
	check(!request(fd, VPMC_READ, counts), "read after mode %o",
	      (unsigned int)mode);
	unlink(path);
}

/*
 * Test a program that its user may not watch. It is not counted, and the changed generation shows
 * this.
 */
static void test_set_uid(void)
{
	struct vpmc_read counts = read_of(VPMC_SCOPE_SELF);
	uint64_t generation;

	read_as_nobody(0755, &counts, &generation);
	check_counts(&counts, program_counts[0], program_counts[1],
		     "a program that nobody may watch");
	check(counts.generation == generation, "its generation is the start's");

	counts = read_of(VPMC_SCOPE_SELF);
	read_as_nobody(04755, &counts, &generation);
	check(!counts.count[0] && !counts.count[1],
	      "nothing of a set-uid program is counted");
	check(counts.generation != generation,
	      "the set-uid exec has changed the generation");
}

static void test_one_thread(void)
{
	test_threads(1);
}

static void test_many_threads(void)
{
	test_threads(16);
}

int main(int argc, char **argv)
{
	if (argc != 4)
		errx(2, "usage: scopes PROGRAM INSTRUCTIONS BRANCHES");
	program = argv[1];
	program_counts[0] = strtoull(argv[2], NULL, 10);
	program_counts[1] = strtoull(argv[3], NULL, 10);

	run(test_read);
	run(test_clocks_of_start);
	run(test_sleep);
	run(test_sleep_beside);
	run(test_resume);
	run(test_one_thread);
	run(test_many_threads);
	run(test_other_thread);
	run(test_fork);
	run(test_exec);
	run(test_ptrace);
	run(test_cancel);
	run(test_set_uid);
	return check_status();
}
