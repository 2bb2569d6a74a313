/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This header declares how the count is started and stopped while it runs: --control,
 * --signals and --delay.
 */
#ifndef PERFEX_CONTROL_H
#define PERFEX_CONTROL_H

#include <signal.h>

#include "events/count_spec.h"

/* The longest valid line has fewer characters. */
#define CONTROL_LINE_MAX 64

/**
 * struct control - the lines and signals that start and stop the count
 * @fd: descriptor that can be read if a line or signal has come, or a signal that the caller
 *	waits for; -1 if only @start_at can start the count
 * @lines: descriptor to read lines from, or -1
 * @acks: descriptor to write answers to, or -1
 * @is_own: true if perfex has opened @lines and @acks
 * @signals: descriptor to read the signals of --signals from, or -1
 * @waking: descriptor that can be read if a signal that the caller waits for has come, or -1
 * @start_at: time at which to start the count, in nanoseconds of now(), or NEVER
 * @name: argument of --control
 * @line: beginning of a line that is being read
 * @length: length of @line, CONTROL_LINE_MAX if it is too long
 */
struct control {
	int fd;
	int lines;
	int acks;
	bool is_own;
	int signals;
	int waking;
	uint64_t start_at;
	const char *name;
	char line[CONTROL_LINE_MAX];
	size_t length;
};

/**
 * open_control() - prepare for control lines and signals
 * @control: receives the control; close_control() must close it even after a failure
 * @spec: the options of counting
 * @waking: blocked signals that also make @control->fd readable; or NULL
 *
 * Blocks the signals of --signals. Call it after hold_signals(), so that the command does not
 * inherit the block.
 *
 * Return: 0, or an enum perfex_status after a complaint.
 */
int open_control(struct control *control, const struct count_spec *spec,
		 const sigset_t *waking);

/* begins_stopped() - return whether the count begins stopped */
bool begins_stopped(const struct count_spec *spec);

/* begin_control() - begin the time of --delay at @time, a value of now() */
void begin_control(struct control *control, const struct count_spec *spec,
		   uint64_t time);

/* leave_control_signals() - remove the signals of --signals from @signals */
void leave_control_signals(const struct control *control, sigset_t *signals);

/**
 * obey_control() - carry out the control lines and signals that were received
 * @control: from open_control()
 * @set: function that starts or stops the count, if necessary, and returns an enum
 *	perfex_status
 * @arg: second argument of @set
 *
 * A line is acknowledged after it has been carried out. An unknown line has no effect except for
 * an error message.
 *
 * Return: 0, or the status that @set has returned.
 */
int obey_control(struct control *control, int (*set)(bool counting, void *arg),
		 void *arg);

/* close_control() - close the descriptors that open_control() has opened */
void close_control(struct control *control);

#endif /* PERFEX_CONTROL_H */
