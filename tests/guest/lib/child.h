/* SPDX-License-Identifier: GPL-2.0-only */
/* This file creates children of a test program, and waits for them. */
#ifndef CHILD_H
#define CHILD_H

#include <err.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

/*
 * Flush the output, because otherwise both processes would print it, and call fork(2).
 * Exits if it fails.
 */
static inline pid_t child_fork(void)
{
	pid_t pid;

	fflush(stdout);
	pid = fork();
	if (pid < 0)
		err(2, "fork");
	return pid;
}

/* Sleep until a signal ends the process. */
static inline _Noreturn void pause_forever(void)
{
	for (;;)
		pause();
}

/*
 * Create a child. Returns true in the child, which is to exit with check_status(), and
 * false in the parent after the child's end. A child that fails is a failure of the parent.
 */
static inline bool is_child(void)
{
	int status;
	pid_t pid = child_fork();

	if (!pid)
		return true;
	if (waitpid(pid, &status, 0) != pid || status)
		check_failures++;
	return false;
}

/* Create @nr children one after the other. Each one exits at once. */
static inline void child_run(unsigned int nr)
{
	pid_t pid;

	while (nr--) {
		pid = child_fork();
		if (!pid)
			_exit(0);
		if (waitpid(pid, NULL, 0) != pid)
			err(2, "waitpid");
	}
}

#endif /* CHILD_H */
