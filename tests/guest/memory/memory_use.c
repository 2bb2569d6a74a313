// SPDX-License-Identifier: GPL-2.0-only
/*
 * memory_use {EVENTS COUNTERS BYTES}...: test how much memory a process takes that counts EVENTS
 * events on COUNTERS counters. It must take BYTES bytes of kernel objects more than a process that
 * does not count. A deviation of a twentieth is allowed.
 */
#include <err.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "hold.h"
#include "memory.h"

#define PROCESSES 1000

static pid_t pids[PROCESSES];

static void start_events(int fd, unsigned int nr, unsigned int nr_counters)
{
	struct vpmc_start arg = { .size = sizeof(arg),
				  .flags = VPMC_START_MULTIPLEX,
				  .nr_events = nr };
	unsigned int i;

	for (i = 0; i < nr; i++)
		arg.event[i] = (struct vpmc_event)EVENT(
			code_here(i % 2 ? BRANCHES : INSTRUCTIONS),
			counter_here(i % nr_counters), VPMC_MODE_USER);
	if (request(fd, VPMC_START, &arg))
		errx(2, "cannot count %u events", nr);
}

/* Create processes that open the device and count @nr events, or do not count if @nr is 0. */
static void create(unsigned int nr, unsigned int nr_counters)
{
	int i, status, fd;

	for (i = 0; i < PROCESSES; i++) {
		pids[i] = child_fork();
		if (pids[i])
			continue;
		fd = open_device();
		if (nr)
			start_events(fd, nr, nr_counters);
		close(fd);
		raise(SIGSTOP);
		_exit(0);
	}
	for (i = 0; i < PROCESSES; i++) {
		if (waitpid(pids[i], &status, WUNTRACED) != pids[i] ||
		    !WIFSTOPPED(status))
			errx(2, "a process has ended");
	}
}

/* Return the memory of kernel objects with such processes, in KB. */
static long objects_with(unsigned int nr, unsigned int nr_counters)
{
	long objects;
	int i;

	create(nr, nr_counters);
	memory_settle();
	objects = memory_objects();
	for (i = 0; i < PROCESSES; i++) {
		kill(pids[i], SIGKILL);
		waitpid(pids[i], NULL, 0);
	}
	return objects;
}

static long number(const char *word)
{
	return strtol(word, NULL, 10);
}

int main(int argc, char **argv)
{
	long idle, bytes, want;
	int i;

	/*
	 * Run this once before the measurement, because the first processes leave memory in the
	 * kernel's caches.
	 */
	objects_with(1, 1);
	objects_with(0, 1);
	for (i = 1; i + 2 < argc; i += 3) {
		idle = objects_with(0, 1);
		bytes = objects_with((unsigned int)number(argv[i]),
				     (unsigned int)number(argv[i + 1])) -
			idle;
		bytes = bytes * 1024 / PROCESSES;
		want = number(argv[i + 2]);
		check(labs(bytes - want) <= want / 20,
		      "who counts %s events on %s counters takes %ld bytes, want %ld",
		      argv[i], argv[i + 1], bytes, want);
	}
	return check_status();
}
