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
 * struct command - a command that runs or has ended
 * @pid: its process, 0 if it does not run
 * @begin: time of its start, in nanoseconds of now()
 * @control: control whose requests interrupt the wait for the command, or NULL
 * @has_ended: true if it has ended, so that the following members are valid
 * @end: time of its end, in nanoseconds of now()
 * @status: status of waitpid(2)
 * @time_is_over: true if perfex told it to end because its time was over
 * @uncounted: reason why it was not counted, as an enum perfex_status, or 0
 * @usage: resources of the command and of the processes that it waited for
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
 * start_command() - start a command
 * @command: receives the command's process, or 0 if it does not run
 * @vpmc: a handle without a start. If @events are counted, the handle stands for the command's
 *	process afterwards. NULL if counting is not possible.
 * @events: the events to count in the command, with counters assigned; NULL for none
 * @flags: enum vpmc_start_flags bits in addition to VPMC_AT_EXEC
 * @argv: the command with its arguments, ended by NULL
 * @saved: signal settings of the command, from hold_signals()
 *
 * Counting begins with the command's first instruction, because the child starts the count
 * with VPMC_AT_EXEC.
 *
 * Return: 0, or an enum perfex_status after a complaint.
 */
int start_command(struct command *command, struct vpmc *vpmc,
		  const struct events *events, unsigned int flags, char **argv,
		  const struct signals *saved);

/**
 * counts_already() - tell whether a handle's process or thread is being counted
 * @vpmc: the handle, which stands for perfex if it has no start
 *
 * Return: true if it is.
 */
bool counts_already(struct vpmc *vpmc);

/**
 * wait_for_command() - wait until a command has ended, or some time has passed
 * @command: from start_command()
 * @time: maximum time to wait, NULL for no limit
 *
 * During the wait, perfex forwards the signals that would have ended it to the command. It does
 * not forward signals from the command, from perfex itself or from the terminal, because the
 * terminal also signals the command. The wait ends early if the command's control has a request.
 *
 * Return: true if the command has ended.
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

/* elapsed_us() - compute the duration of a command that has ended, in microseconds */
uint64_t elapsed_us(const struct command *command);

/**
 * exit_status() - compute the exit status of perfex from the status of a command
 * @command: from finish_command()
 *
 * Return: the exit status of the command, or 128 + n after signal n.
 */
int exit_status(const struct command *command);

#endif /* PERFEX_CHILD_H */
