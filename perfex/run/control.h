/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This header declares how the count is started and stopped while it runs: --control,
 * --signals and --delay.
 */
#ifndef PERFEX_CONTROL_H
#define PERFEX_CONTROL_H

#include <signal.h>

#include "events/count_spec.h"

/* The longest line that means something has fewer characters. */
#define CONTROL_LINE_MAX 64

/**
 * struct control - where orders come from
 * @fd: can be read if there are orders, or signals that the caller waits for; -1 if none
 *	can come but by @start_at
 * @lines: where lines are read, or -1
 * @acks: where they are answered, or -1
 * @is_own: both were opened by perfex
 * @signals: where signals that are orders are read, or -1
 * @waking: where it is noticed that other signals have come, or -1
 * @start_at: when the count is to be started, in nanoseconds of now(), or NEVER
 * @name: what --control was given
 * @line: what has been read of a line
 * @length: how much, CONTROL_LINE_MAX if that was too much
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
 * open_control() - be ready for orders
 * @control: is initialised, and closed by close_control() also if that fails
 * @spec: what to count
 * @waking: signals, all of them blocked, that are to be noticed by @control->fd; or NULL
 *
 * Blocks the signals that are orders: call it behind hold_signals(), so that the command
 * does not inherit that.
 *
 * Return: 0, or an enum perfex_status after a complaint.
 */
int open_control(struct control *control, const struct count_spec *spec,
		 const sigset_t *waking);

/* begins_stopped() - whether the count is started by an order */
bool begins_stopped(const struct count_spec *spec);

/* begin_control() - the count begins, at @time of now(): --delay is from then on */
void begin_control(struct control *control, const struct count_spec *spec,
		   uint64_t time);

/* leave_orders() - take signals that are orders out of those that mean something else */
void leave_orders(const struct control *control, sigset_t *signals);

/**
 * take_orders() - carry out the orders that have come
 * @control: from open_control()
 * @set: starts or stops the count, if it is not as it is to be, and returns an enum
 *	perfex_status
 * @arg: for it
 *
 * A line is acknowledged when it has been carried out. One that is no order is complained
 * of, and changes nothing.
 *
 * Return: 0, or what @set has returned.
 */
int take_orders(struct control *control, int (*set)(bool counting, void *arg),
		void *arg);

/* close_control() - close what open_control() has opened */
void close_control(struct control *control);

#endif /* PERFEX_CONTROL_H */
