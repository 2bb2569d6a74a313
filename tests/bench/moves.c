// SPDX-License-Identifier: GPL-2.0-only
/*
 * moves WHAT: measure the costs for a process to move to another cgroup, and to create a child that
 * enters a cgroup for the first time.
 *
 * WHAT says which cgroup a handle collects: "nothing" (none), "other" (the process does not move to
 * it), or "one" (the process is measured in it).
 */
#include <err.h>
#include <fcntl.h>
#include <linux/vpmc.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "count.h"
#include "measure.h"

#define REPEAT 40
#define ROOT   "/tmp/cgroup"
#define PROCS  "/cgroup.procs"

static const char *const groups[] = { "one", "other" };

static struct totals *totals;

static void make_groups(void)
{
	mkdir(ROOT, 0700);
	/*
	 * Without this option, each move would wait until all processors have noticed the previous
	 * move.
	 */
	if (mount("none", ROOT, "cgroup2", 0, "favordynmods") ||
	    mkdir(ROOT "/one", 0700) || mkdir(ROOT "/one/below", 0700) ||
	    mkdir(ROOT "/other", 0700))
		err(2, ROOT);
}

static int open_file(const char *path, int flags)
{
	int fd = open(path, flags | O_CLOEXEC);

	if (fd < 0)
		err(2, "%s", path);
	return fd;
}

/* Collect one of the groups, without counting this process. */
static void collect(const char *name)
{
	static struct vpmc_cgroup cgroup = { .size = sizeof(cgroup) };
	char path[64];

	snprintf(path, sizeof(path), ROOT "/%s", name);
	cgroup.fd = open_file(path, O_RDONLY | O_DIRECTORY);
	count_set_start(COUNT_ONE, VPMC_START_AT_EXEC | VPMC_START_COLLECT);
	if (measured_call())
		errx(2, "cannot start to collect");
	count_set_cgroup(&cgroup);
	if (measured_call())
		errx(2, "cannot collect %s", path);
	close(cgroup.fd);
}

static void set_move(int procs)
{
	measured_set(SYS_write, procs, (long)"0", 1);
}

static void cost_move(const char *name, int procs)
{
	set_move(procs);
	cost_of(name, measured_call, 1);
}

/* Be the child of cost_first(), and enter the cgroup. */
static _Noreturn void enter(int procs)
{
	measure_touch(totals, 2 * sizeof(*totals));
	set_move(procs);
	_exit(measure(measured_call, &totals[0], &totals[1]) != 1);
}

static void cost_first(int procs)
{
	pid_t child = fork();
	int status;

	if (child < 0)
		err(2, "fork");
	if (!child)
		enter(procs);
	if (waitpid(child, &status, 0) != child || status)
		errx(2, "the child did not enter");
	cost_print("first", &totals[0], &totals[1]);
}

/* Move a child back and forth, because this process itself must not count. */
static void cost_moves(int outside, int inside, int below)
{
	pid_t child = fork();
	int i, status;

	if (child < 0)
		err(2, "fork");
	for (i = 0; !child && i < REPEAT; i++) {
		cost_move("enter", inside);
		cost_move("within", below);
		cost_move("leave", outside);
	}
	if (!child) {
		fflush(stdout);
		_exit(0);
	}
	if (waitpid(child, &status, 0) != child || status)
		errx(2, "the child did not move");
}

int main(int argc, char **argv)
{
	int outside, inside, below, i;

	if (argc != 2)
		errx(2, "usage: moves nothing|other|one");
	make_groups();
	outside = open_file(ROOT PROCS, O_WRONLY);
	inside = open_file(ROOT "/one" PROCS, O_WRONLY);
	below = open_file(ROOT "/one/below" PROCS, O_WRONLY);
	totals = measure_memory(2 * sizeof(*totals));
	measure_start();
	for (i = 0; i < 2; i++) {
		if (!strcmp(argv[1], groups[i]))
			collect(groups[i]);
	}
	for (i = 0; i < REPEAT; i++)
		cost_first(inside);
	fflush(stdout);
	cost_moves(outside, inside, below);
	return 0;
}
