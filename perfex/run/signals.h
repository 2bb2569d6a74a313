/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This header declares how perfex handles signals. No signal may end perfex before it has printed
 * the report.
 */
#ifndef PERFEX_SIGNALS_H
#define PERFEX_SIGNALS_H

#include <signal.h>

/**
 * struct signals - signal settings at the start of perfex, to restore for the command
 * @mask: the signals that were blocked
 * @child: action of SIGCHLD
 */
struct signals {
	sigset_t mask;
	struct sigaction child;
};

/**
 * hold_signals() - block the signals that would end perfex, and SIGCHLD
 * @saved: receives the settings before the first call
 *
 * The first call determines the signals to block. Ignored signals stay ignored, for example after
 * nohup(1).
 */
void hold_signals(struct signals *saved);

/* restore_signals() - restore the settings for the command, in the child */
void restore_signals(const struct signals *saved);

/* ending_signals() - get the signals that would end perfex */
sigset_t ending_signals(void);

/**
 * command_signals() - get the signals that hold_signals() blocks and a wait for a command
 * receives
 *
 * Return: ending_signals() and SIGCHLD; in the first process of a PID namespace also the signals
 * that stop or continue a process or are ignored by default.
 */
sigset_t command_signals(void);

/**
 * await_signal() - wait for a signal, or for a descriptor
 * @signals: the signals to wait for, all of them blocked
 * @info: receives the signal
 * @time: maximum time to wait, NULL for no limit
 * @fd: a descriptor that can be read if one of @signals has come, or for a different reason; -1
 *	to wait for signals only
 *
 * Return: number of the signal, 0 if @fd can be read for a different reason, or -1 with errno as
 * for sigtimedwait(2).
 */
int await_signal(const sigset_t *signals, siginfo_t *info,
		 const struct timespec *time, int fd);

#endif /* PERFEX_SIGNALS_H */
