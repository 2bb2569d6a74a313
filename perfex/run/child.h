/* SPDX-License-Identifier: GPL-2.0-only */
/* This header declares how perfex starts the command and waits for it. */
#ifndef PERFEX_CHILD_H
#define PERFEX_CHILD_H

#include <sys/resource.h>
#include <time.h>

#include "run/signals.h"
#include "util/perfex.h"

struct control;

/**
 * struct command - a command that runs, and what its end says
 * @pid: its process, 0 if there is none
 * @begin: when it was started, in nanoseconds of now()
 * @control: whose orders end a wait for it, or NULL
 * @has_ended: it has run, and the members below are those of its end
 * @end: when it had ended, likewise
 * @status: of waitpid(2)
 * @time_is_over: it was told to end, as its time was over
 * @uncounted: why nothing of it was counted, an enum perfex_status, or 0
 * @usage: resources of it and of the processes that it waited for
 */
struct command {
	pid_t pid;
	uint64_t begin;
	const struct control *control;
	bool has_ended;
	uint64_t end;
	int status;
	bool time_is_over;
	int uncounted;
	struct rusage usage;
};

/**
 * start_command() - run a command
 * @command: receives its process, or 0 if that does not run
 * @vpmc: a handle that nothing was started on. If @events are counted it stands
 *	for the command's process afterwards. NULL if nothing can be counted.
 * @events: what to count in the command, with counters assigned; NULL for
 *	nothing
 * @flags: enum vpmc_start_flags bits besides VPMC_AT_EXEC
 * @argv: the command with its arguments, ends with NULL
 * @saved: from hold_signals(), for the command
 *
 * Counting begins with the command's first instruction: the child starts "at
 * exec".
 *
 * Return: 0, or an enum perfex_status after a complaint.
 */
int start_command(struct command *command, struct vpmc *vpmc,
		  const struct events *events, unsigned int flags, char **argv,
		  const struct signals *saved);

/**
 * counts_already() - whether what a handle stands for is being counted
 * @vpmc: the handle. One that nothing was started on stands for perfex.
 *
 * Return: whether it is.
 */
bool counts_already(struct vpmc *vpmc);

/**
 * wait_for_command() - wait until a command has ended, or some time has passed
 * @command: from start_command()
 * @time: how long at most, NULL for any time
 *
 * Signals that would have ended perfex are passed on to the command meanwhile,
 * unless they come from the terminal, which sends them to the command by itself,
 * from the command, or from perfex, which does as the terminal. The wait ends early if
 * the command's control has orders.
 *
 * Return: whether it has ended.
 */
bool wait_for_command(const struct command *command,
		      const struct timespec *time);

/**
 * finish_command() - wait until a command has ended
 * @command: from start_command(); its end is filled in
 *
 * Return: 0, or an enum perfex_status after a complaint.
 */
int finish_command(struct command *command);

/* elapsed_us() - how long a command that has ended has run, in microseconds */
uint64_t elapsed_us(const struct command *command);

/**
 * exit_status() - the exit status of perfex for that of a command
 * @command: from finish_command()
 *
 * Return: the command's own, 128 + n after signal n.
 */
int exit_status(const struct command *command);

#endif /* PERFEX_CHILD_H */
