// SPDX-License-Identifier: GPL-2.0-only
/*
 * events PROGRAM CONFIG=COUNT...: test the counts of events in a program, with and without its
 * children.
 */
#include <err.h>
#include <inttypes.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../../../guest/lib/check.h"
#include "counter.h"

#define CHILDREN 3

static void check_event(char *program, const char *text)
{
	char *end, *argv[] = { program, NULL };
	uint64_t config = strtoull(text, &end, 0), want, count;

	if (*end != '=')
		errx(2, "%s is not CONFIG=COUNT", text);
	want = strtoull(end + 1, NULL, 0);
	count = counter_of_program(counter_raw(config), argv);
	check(count == want, "%#" PRIx64 " counts %" PRIu64 ", want %" PRIu64,
	      config, count, want);
}

/* An inherited counter includes the counts of children that have exited. */
static uint64_t count_children(char *program, unsigned int children)
{
	struct perf_event_attr attr = counter_instructions();
	uint64_t before, after;
	int fd;

	attr.inherit = 1;
	attr.disabled = 0;
	fd = counter_open(&attr, 0);
	before = counter_read(fd);
	for (unsigned int i = 0; i < children; i++) {
		pid_t pid = fork();

		if (!pid) {
			execl(program, program, (char *)NULL);
			_exit(127);
		}
		waitpid(pid, NULL, 0);
	}
	after = counter_read(fd);
	close(fd);
	return after - before;
}

/* Each child after the first one must add the same count: its own, and one round of its parent. */
static void check_inherit(char *program)
{
	uint64_t one = count_children(program, 1);
	uint64_t two = count_children(program, 2);
	uint64_t more = count_children(program, CHILDREN);
	char *argv[] = { program, NULL };
	uint64_t alone = counter_of_program(counter_instructions(), argv);

	check(more - two == (CHILDREN - 2) * (two - one),
	      "each child adds the same: %" PRIu64 ", %" PRIu64 ", %" PRIu64,
	      one, two, more);
	check(two - one > alone && two - one < alone + 2000,
	      "namely %" PRIu64 " and what creating it takes: %" PRIu64, alone,
	      two - one);
}

int main(int argc, char **argv)
{
	if (argc < 3)
		errx(2, "usage: events PROGRAM CONFIG=COUNT...");
	for (int i = 2; i < argc; i++)
		check_event(argv[1], argv[i]);
	check_inherit(argv[1]);
	return check_status();
}
