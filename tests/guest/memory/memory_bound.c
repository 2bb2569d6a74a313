// SPDX-License-Identifier: GPL-2.0-only
/*
 * memory_bound: test that repeated requests of an unprivileged user do not take more and more
 * memory. No memory may remain allocated after the process has exited.
 */
#include <err.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "hold.h"
#include "memory.h"

#define FEW  100
#define MANY 10000L

/*
 * This is the number of bytes of the driver's smallest allocation, vpmc_user_page on 32 bits.
 */
#define SMALLEST 64

static int fd;
static pid_t target;

static void start_and_stop(void)
{
	must_start(fd, FIRST, 0);
	must_stop(fd);
}

static void start_by_force(void)
{
	must_start(fd, FIRST, VPMC_START_FORCE);
	must_start(fd, OTHER, VPMC_START_FORCE);
}

static void start_at_exec(void)
{
	must_start(fd, FIRST, VPMC_START_FORCE | VPMC_START_AT_EXEC);
}

static void start_events(unsigned int nr)
{
	struct vpmc_start arg = { .size = sizeof(arg),
				  .flags = VPMC_START_FORCE |
					   VPMC_START_MULTIPLEX,
				  .nr_events = nr };
	unsigned int i;

	for (i = 0; i < nr; i++)
		arg.event[i] = (struct vpmc_event)EVENT(
			code_here(i % 2 ? BRANCHES : INSTRUCTIONS),
			counter_here(i % 2), VPMC_MODE_USER);
	if (request(fd, VPMC_START, &arg))
		check(false, "turns");
}

static void start_turns(void)
{
	static unsigned int number;

	start_events(2 + number++ % 8);
}

static void start_collecting(void)
{
	int own = open_device();

	must_start(own, FIRST,
		   VPMC_START_FORCE | VPMC_START_COLLECT | VPMC_START_RECORDS);
	close(own);
}

static void ask_for_signals(void)
{
	struct vpmc_signal arg = { .size = sizeof(arg),
				   .signo = (unsigned int)SIGRTMIN + 1,
				   .period = 50 };

	must_start(fd, FIRST, VPMC_START_FORCE);
	if (request(fd, VPMC_SIGNAL, &arg))
		check(false, "VPMC_SIGNAL");
	arg.signo = 0;
	request(fd, VPMC_SIGNAL, &arg);
}

/* Request signals that stay pending, because they are blocked. */
static void let_signals_pend(void)
{
	struct vpmc_signal arg = { .size = sizeof(arg),
				   .signo = (unsigned int)SIGRTMIN + 2,
				   .period = 50 };
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGRTMIN + 2);
	sigprocmask(SIG_BLOCK, &set, NULL);
	must_start(fd, FIRST, VPMC_START_FORCE);
	request(fd, VPMC_SIGNAL, &arg);
	read_scope(fd, VPMC_SCOPE_THREAD);
}

static void map_and_unmap(void)
{
	struct vpmc_map arg = { .size = sizeof(arg) };

	if (!request(fd, VPMC_MAP, &arg))
		munmap(pointer_to(arg.address), 4096);
}

static void open_and_close(void)
{
	close(open_device());
}

static void attach_and_close(void)
{
	close(hold(target, 0));
	close(hold(target, VPMC_ATTACH_THREAD));
}

static void count_another(void)
{
	int own = hold(target, 0);

	must_start(own, FIRST, VPMC_START_FORCE);
	read_scope(own, VPMC_SCOPE_SELF);
	must_stop(own);
	close(own);
}

static void attach_to_gone(void)
{
	if (!attach(fd, 30000, 0, NULL))
		check(false, "attach to nobody");
}

static void fork_counting(void)
{
	pid_t pid = fork();

	if (!pid) {
		must_start(open_device(), FIRST, VPMC_START_FORCE);
		_exit(0);
	}
	waitpid(pid, NULL, 0);
}

/* Fork a child that counts, has a child itself, and waits for it. */
static void fork_counting_twice(void)
{
	pid_t pid = fork();

	if (!pid) {
		must_start(open_device(), FIRST, VPMC_START_FORCE);
		pid = fork();
		if (pid)
			waitpid(pid, NULL, 0);
		_exit(0);
	}
	waitpid(pid, NULL, 0);
}

static void fork_mapping(void)
{
	struct vpmc_map arg = { .size = sizeof(arg) };
	pid_t pid = fork();

	if (!pid) {
		fd = open_device();
		must_start(fd, FIRST, VPMC_START_FORCE);
		_exit(request(fd, VPMC_MAP, &arg) != 0);
	}
	waitpid(pid, NULL, 0);
}

static void fork_taking_turns(void)
{
	pid_t pid = fork();

	if (!pid) {
		fd = open_device();
		start_events(16);
		_exit(0);
	}
	waitpid(pid, NULL, 0);
}

static void hold_child(void)
{
	pid_t pid = fork();
	int process, thread;

	if (!pid)
		pause_forever();
	process = hold(pid, 0);
	thread = hold(pid, VPMC_ATTACH_THREAD);
	must_start(process, FIRST, 0);
	read_scope(thread, VPMC_SCOPE_THREAD);
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	close(process);
	close(thread);
}

/*
 * These are the operations. Each is called FEW / @part and then MANY / @part times. @part is
 * greater for slow operations.
 */
static const struct {
	const char *what;
	void (*call)(void);
	unsigned int part;
} calls[] = {
	{ "start and stop", start_and_stop, 1 },
	{ "start by force", start_by_force, 1 },
	{ "start at exec", start_at_exec, 1 },
	{ "start of turns", start_turns, 1 },
	{ "start of a collection", start_collecting, 1 },
	{ "signals", ask_for_signals, 1 },
	{ "signals that pend", let_signals_pend, 1 },
	{ "map and unmap", map_and_unmap, 1 },
	{ "open and close", open_and_close, 1 },
	{ "attach and close", attach_and_close, 1 },
	{ "start of another process", count_another, 1 },
	{ "attach to who has gone", attach_to_gone, 1 },
	{ "children that count", fork_counting, 5 },
	{ "children that count and have children", fork_counting_twice, 5 },
	{ "children that have a page", fork_mapping, 5 },
	{ "children whose events take turns", fork_taking_turns, 5 },
	{ "children that are held", hold_child, 5 },
};

static unsigned int number;

static void repeat(long times)
{
	for (times /= calls[number].part; times; times--)
		calls[number].call();
}

/* Stop until the test has measured the memory. */
static void be_measured(void)
{
	raise(SIGSTOP);
}

static void be_user(void)
{
	memory_become_nobody();
	signal(SIGRTMIN + 1, SIG_IGN);
	target = fork();
	if (!target)
		pause_forever();
	fd = open_device();
	repeat(FEW);
	be_measured();
	repeat(MANY);
	be_measured();
	kill(target, SIGKILL);
	waitpid(target, NULL, 0);
}

/* This is memory in use, in KB. */
struct memory {
	long objects, all;
};

static struct memory measure(void)
{
	struct memory m;

	memory_settle();
	m.objects = memory_objects();
	m.all = -memory_free();
	return m;
}

static struct memory measure_user(pid_t pid)
{
	struct memory m;
	int status;

	if (waitpid(pid, &status, WUNTRACED) != pid || !WIFSTOPPED(status))
		errx(2, "%s: the user has ended", calls[number].what);
	m = measure();
	kill(pid, SIGCONT);
	return m;
}

/*
 * Compare memory before and after the calls. The bound is half of the memory that the smallest
 * object would take if each call left an object.
 */
static void check_memory(struct memory before, struct memory after,
			 const char *what)
{
	long bound = SMALLEST * MANY / calls[number].part / 2 / 1024;
	long objects = after.objects - before.objects;
	long all = after.all - before.all;

	check(objects < bound && all < bound,
	      "%s: %ld KB of objects %s, %ld KB in all, want less than %ld",
	      calls[number].what, objects, what, all, bound);
}

static void test(void)
{
	struct memory before = measure(), few, many;
	int status;
	pid_t pid = child_fork();

	if (!pid) {
		check_failures = 0;
		be_user();
		exit(check_status());
	}
	few = measure_user(pid);
	many = measure_user(pid);
	check_memory(few, many, "more");
	if (waitpid(pid, &status, 0) != pid || status)
		check(false, "%s: the user has failed", calls[number].what);
	check_memory(before, measure(), "are left");
}

int main(void)
{
	for (number = 0; number < sizeof(calls) / sizeof(calls[0]); number++)
		test();
	return check_status();
}
