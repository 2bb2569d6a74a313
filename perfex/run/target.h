/* SPDX-License-Identifier: GPL-2.0-only */
/* This header declares a process, or a thread, that already runs and is counted. */
#ifndef PERFEX_TARGET_H
#define PERFEX_TARGET_H

#include "events/count_spec.h"
#include "run/result.h"

/**
 * struct target - a process or a thread
 * @id: number of the process or thread
 * @spec: the options of counting @vpmc: a handle that is attached to the target
 * @fd: descriptor that can be read when the target has ended; -1 if the kernel does not have
 *	pidfds of threads
 * @command: its command name
 * @result: its counts
 * @stop_error: reason why the count could not be stopped; the code is 0 if it was stopped or the
 *	target had ended
 * @printed: the part of @result that was reported
 */
struct target {
	int id;
	const struct count_spec *spec;
	struct vpmc *vpmc;
	int fd;
	char command[16];
	struct result result;
	struct vpmc_error stop_error;
	struct counted printed;
};

/**
 * name_targets() - describe the targets of -p or -t
 * @text: receives the description
 * @size: size of @text
 * @spec: the options of counting
 */
void name_targets(char *text, size_t size, const struct count_spec *spec);

/**
 * open_target() - open a handle for a target
 * @target: has the number and @spec; receives the other members. close_target() must close it
 *	even after a failure.
 *
 * Return: 0, or an enum perfex_status after a complaint, which names the target.
 */
int open_target(struct target *target);

/* attach_target() - attach the handle to the target; returns like open_target() */
int attach_target(struct target *target);

/* start_target() - start to count a target; returns like open_target() */
int start_target(struct target *target, const struct events *events);

/**
 * target_has_ended() - tell whether a target without a descriptor has ended
 * @target: a thread whose @fd is -1
 *
 * Return: true if it has.
 */
bool target_has_ended(struct target *target);

/* finish_target() - stop the count and read it; returns like open_target() */
int finish_target(struct target *target);

/**
 * check_stopped() - complain if finish_target() could not stop the count
 * @target: the target; its counts are correct, but it may still count
 *
 * Return: 0, or an enum perfex_status after a complaint.
 */
int check_stopped(const struct target *target);

/* list_target() - put the counts since @printed into a list, and update @printed */
void list_target(struct target *target, struct records *list);

/* close_target() - close the descriptors that open_target() has opened */
void close_target(struct target *target);

#endif /* PERFEX_TARGET_H */
