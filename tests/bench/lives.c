// SPDX-License-Identifier: GPL-2.0-only
/*
 * lives WHAT: measure the costs of creating a child and waiting for it, for a process that
 * counts WHAT, a word of count.h. The child inherits the events. In "fork" the child exits; in
 * "exec" it executes another program, which exits. One pair of snapshots of the parent contains
 * all of this: fork, the switch to the child, the child's life, the switch back, and wait.
 */
#include <err.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "count.h"
#include "measure.h"

#define REPEAT	 300
#define EXECUTED "./exits"

struct life {
	struct totals before, after;
};

static void exiting(void)
{
	measured_set(SYS_exit_group, 0, 0, 0);
	measured_call();
}

static void executing(void)
{
	static char *const argv[] = { EXECUTED, NULL };

	measured_set(SYS_execve, (long)EXECUTED, (long)argv, (long)&argv[1]);
	measured_call();
	measured_set(SYS_exit_group, 1, 0, 0);
	measured_call();
}

static int live(void)
{
	static int status;
	int child = measured_fork();

	measured_set(SYS_wait4, child, (long)&status, 0);
	return measured_call() == child && !status ? 0 : -1;
}

static void cost_lives(const char *name, void (*child)(void),
		       struct life *lives)
{
	int i;

	measured_child = child;
	for (i = 0; i < REPEAT; i++) {
		if (measure(live, &lives[i].before, &lives[i].after))
			errx(2, "%s failed", name);
	}
	for (i = 0; i < REPEAT; i++)
		cost_print(name, &lives[i].before, &lives[i].after);
}

int main(int argc, char **argv)
{
	struct life *lives;

	if (argc != 2)
		errx(2, "usage: lives WHAT");
	lives = measure_memory(REPEAT * sizeof(*lives));
	measure_start();
	count_start(count_named(argv[1]));
	count_close();
	cost_lives("fork", exiting, lives);
	cost_lives("exec", executing, lives);
	return 0;
}
