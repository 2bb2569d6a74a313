// SPDX-License-Identifier: GPL-2.0-only
/*
 * tasks WHAT ELSEWHERE: measure the costs of fork, exec, exit and wait.
 *
 * The parent counts WHAT when it forks, so its child inherits the count. Another process, which
 * does not run, counts ELSEWHERE. Both are words of count.h. The exit ends with the switch to the
 * parent.
 */
#include <err.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "count.h"
#include "measure.h"

#define REPEAT	 300
#define RESULT	 3 /* "executed" writes to this descriptor */
#define EXECUTED "./executed"
#define WAITPID	 7 /* i386 has this in addition to wait4(2) */

enum operation { FORK, EXEC, EXIT, WAIT, NR_OPERATIONS };

static const char *const names[] = {
	[FORK] = "fork",
	[EXEC] = "exec",
	[EXIT] = "exit",
	[WAIT] = "wait",
};

/* Parent and child share this memory, and use it in turn. */
static struct {
	struct totals before[NR_OPERATIONS];
	struct totals after[NR_OPERATIONS];
	struct totals unused;
} * shared;

static void print(enum operation operation)
{
	cost_print(names[operation], &shared->before[operation],
		   &shared->after[operation]);
}

/* Fork a child that exits at once. The fork is measured together with this exit. */
static void exiting(void)
{
	measure_touch(shared, sizeof(*shared));
	measured_set(SYS_exit_group, 0, 0, 0);
	measure(measured_call, &shared->before[EXIT], &shared->unused);
}

/* Measure fork, the child's exit up to the return to its parent, and wait. */
static void measure_life(enum count what)
{
	pid_t child;

	measured_child = exiting;
	count_start(what);
	count_close();
	child = measure(measured_fork, &shared->before[FORK],
			&shared->after[FORK]);
	/*
	 * The parent must not count any more. The switch from the child would then start its
	 * counters.
	 */
	count_stop(what);
	measured_set(SYS_sched_yield, 0, 0, 0);
	measure(measured_call, &shared->unused, &shared->after[EXIT]);
	measured_set(WAITPID, child, 0, 0);
	if (measure(measured_call, &shared->before[WAIT],
		    &shared->after[WAIT]) != child)
		errx(2, "wait failed");
	print(FORK);
	print(EXIT);
	print(WAIT);
}

static void executing(void)
{
	static char *const argv[] = { EXECUTED, NULL };

	measure_touch(shared, sizeof(*shared));
	measured_set(SYS_execve, (long)EXECUTED, (long)argv, (long)&argv[1]);
	measure(measured_call, &shared->before[EXEC], &shared->unused);
	err(2, EXECUTED);
}

static void measure_exec(enum count what, int in)
{
	pid_t child;
	int status;

	count_start(what);
	count_close();
	child = fork();
	if (child < 0)
		err(2, "fork");
	if (!child)
		executing();
	count_stop(what);
	if (waitpid(child, &status, 0) != child || status)
		errx(2, "%s failed", EXECUTED);
	if (read(in, &shared->after[EXEC], sizeof(struct totals)) !=
	    sizeof(struct totals))
		errx(2, "%s wrote no totals", EXECUTED);
	print(EXEC);
}

/* Return the end of the pipe to which "executed" writes its totals. */
static int open_result(void)
{
	int ends[2];

	/* "executed" writes to descriptor 3, so the pipe must have this number. */
	if (dup2(STDERR_FILENO, RESULT) != RESULT || pipe(ends) ||
	    dup2(ends[1], RESULT) != RESULT)
		err(2, "pipe");
	close(ends[1]);
	return ends[0];
}

int main(int argc, char **argv)
{
	enum count what;
	int in;
	int i;

	if (argc != 3)
		errx(2, "usage: tasks WHAT ELSEWHERE");
	what = count_named(argv[1]);
	in = open_result();
	shared = measure_memory(sizeof(*shared));
	measure_start();
	count_elsewhere(count_named(argv[2]));
	for (i = 0; i < REPEAT; i++) {
		measure_settle();
		measure_life(what);
		measure_settle();
		measure_exec(what, in);
	}
	return 0;
}
