/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This header declares how perfex handles its signals: no signal may end it before the
 * report.
 */
#ifndef PERFEX_SIGNALS_H
#define PERFEX_SIGNALS_H

#include <signal.h>

/**
 * struct signals - what perfex was called with, for the command
 * @mask: the signals that were blocked
 * @child: what was done with SIGCHLD
 */
struct signals {
	sigset_t mask;
	struct sigaction child;
};

/**
 * hold_signals() - block all that would end perfex, and SIGCHLD
 * @saved: receives what was before the first call
 *
 * The first call decides what there is to hold. Signals that are ignored, as
 * nohup(1) has it, stay so.
 */
void hold_signals(struct signals *saved);

/* restore_signals() - for the command, in the child: as it was before */
void restore_signals(const struct signals *saved);

/* ending_signals() - those that would end perfex */
sigset_t ending_signals(void);

/**
 * command_signals() - those that a wait for a command takes, and hold_signals() blocks
 *
 * Return: ending_signals() and SIGCHLD; in the first process of a PID namespace also
 * those that only stop or continue a process, or that are ignored by default.
 */
sigset_t command_signals(void);

/**
 * await_signal() - wait for a signal, or for something else
 * @signals: those to wait for, all of them blocked
 * @info: receives the one that has come
 * @time: how long to wait at most, NULL for any time
 * @fd: a descriptor that can be read if one of @signals has come, or if there is
 *	something else to do; -1 for signals alone
 *
 * Return: its number, 0 if there is something else, or -1 with errno as
 * sigtimedwait(2).
 */
int await_signal(const sigset_t *signals, siginfo_t *info,
		 const struct timespec *time, int fd);

#endif /* PERFEX_SIGNALS_H */
