// SPDX-License-Identifier: GPL-2.0-only
/*
 * wide PROGRAM NOTHING CONFIG=COUNT...: test how much more of an event of user mode happens on
 * processor 0 if PROGRAM is executed there than if NOTHING is.
 *
 * perf_event of Linux 6.12 starts a counter of the Pentium 4 with the value with which it had
 * started before. An event of a processor starts once, and the first one makes all others
 * start with the same value. Another process may run now and then, which only adds events, so
 * the least of several counts is the program's.
 */
#include <err.h>
#include <inttypes.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../../../guest/lib/check.h"
#include "counter.h"

static uint64_t count(uint64_t config, char *program)
{
	struct perf_event_attr attr = counter_raw(config);
	uint64_t before, after;
	int fd;
	pid_t pid;

	attr.disabled = 0;
	fd = syscall(SYS_perf_event_open, &attr, -1, 0, -1, 0);
	if (fd < 0)
		err(2, "perf_event_open");
	before = counter_read(fd);
	pid = fork();
	if (!pid) {
		execl(program, program, (char *)NULL);
		_exit(127);
	}
	if (waitpid(pid, NULL, 0) != pid)
		err(2, "waitpid");
	after = counter_read(fd);
	close(fd);
	return after - before;
}

#define ROUNDS 7

static uint64_t least(uint64_t config, char *program)
{
	uint64_t min = UINT64_MAX;

	for (int i = 0; i < ROUNDS; i++) {
		uint64_t n = count(config, program);

		if (n < min)
			min = n;
	}
	return min;
}

static void check_event(char *program, char *nothing, const char *text)
{
	char *end;
	uint64_t config = strtoull(text, &end, 0), want, more;

	if (*end != '=')
		errx(2, "%s is not CONFIG=COUNT", text);
	want = strtoull(end + 1, NULL, 0);
	count(config, nothing);
	more = least(config, program) - least(config, nothing);
	check(more == want, "%#" PRIx64 " counts %" PRIu64 ", want %" PRIu64,
	      config, more, want);
}

int main(int argc, char **argv)
{
	if (argc < 4)
		errx(2, "usage: wide PROGRAM NOTHING CONFIG=COUNT...");
	for (int i = 3; i < argc; i++)
		check_event(argv[1], argv[2], argv[i]);
	return check_status();
}
