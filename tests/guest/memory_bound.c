// SPDX-License-Identifier: GPL-2.0-only
/*
 * memory_bound: what any user may ask for takes no more memory the more often it
 * is asked for, and none when the process has gone.
 */
#include <err.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "hold.h"
#include "memory.h"

#define FEW  100
#define MANY 10000

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
		arg.event[i] = (struct vpmc_event)EVENT(i, (uint16_t)(i % 2),
							VPMC_MODE_USER);
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

/* Blocked, they stay pending. */
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
		for (;;)
			pause();
	process = hold(pid, 0);
	thread = hold(pid, VPMC_ATTACH_THREAD);
	must_start(process, FIRST, 0);
	read_scope(thread, VPMC_SCOPE_THREAD);
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	close(process);
	close(thread);
}

/* @part: what takes long is called FEW / part and MANY / part times. */
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
	{ "children that count", fork_counting, 3 },
	{ "children whose events take turns", fork_taking_turns, 5 },
	{ "children that are held", hold_child, 1 },
};

static unsigned int number;

static void repeat(unsigned int times)
{
	for (times /= calls[number].part; times; times--)
		calls[number].call();
}

static void be_user(void)
{
	long few, many;

	memory_become_nobody();
	signal(SIGRTMIN + 1, SIG_IGN);
	target = fork();
	if (!target)
		for (;;)
			pause();
	fd = open_device();
	repeat(FEW);
	few = memory_free();
	repeat(MANY);
	many = memory_free();
	check(few - many < MEMORY_NOISE, "%s: %ld KB more", calls[number].what,
	      few - many);
	kill(target, SIGKILL);
	waitpid(target, NULL, 0);
}

static void test(void)
{
	long before = memory_free(), after;

	run(be_user);
	after = memory_free();
	check(before - after < MEMORY_NOISE, "%s: %ld KB are left",
	      calls[number].what, before - after);
}

int main(void)
{
	/* What the first one leaves in the kernel's caches. */
	run(be_user);
	for (number = 0; number < sizeof(calls) / sizeof(calls[0]); number++)
		run(test);
	return check_status();
}
