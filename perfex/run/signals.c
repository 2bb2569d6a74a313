// SPDX-License-Identifier: GPL-2.0-only
/*
 * Block the signals that would end perfex. Waiting functions receive them with sigtimedwait(2) or
 * signalfd(2).
 */
#include "run/signals.h"

#include <errno.h>
#include <poll.h>
#include <stdbool.h>
#include <stddef.h>
#include <unistd.h>

/* These signals do not end a process. */
static const int harmless[] = { SIGCHLD, SIGCONT, SIGTSTP, SIGTTIN,
				SIGTTOU, SIGURG,  SIGWINCH };

#define NR_HARMLESS (sizeof(harmless) / sizeof(harmless[0]))

/*
 * Find the signals that end a process. Leave out ignored signals, which would become
 * pending while they are blocked.
 */
static sigset_t find_ending_signals(void)
{
	struct sigaction action;
	sigset_t signals;
	size_t i;
	int number;

	sigfillset(&signals);
	for (i = 0; i < NR_HARMLESS; i++)
		sigdelset(&signals, harmless[i]);
	for (number = 1; number <= SIGRTMAX; number++) {
		if (sigaction(number, NULL, &action) ||
		    action.sa_handler == SIG_IGN)
			sigdelset(&signals, number);
	}
	return signals;
}

/*
 * Remember the signals. Finding them takes a system call for each signal, and system mode would
 * count these calls at each wait.
 */
sigset_t ending_signals(void)
{
	static sigset_t signals;
	static bool are_known;

	if (!are_known)
		signals = find_ending_signals();
	are_known = true;
	return signals;
}

/*
 * Add the signals that do not end perfex. If perfex is the first process of a PID namespace, for
 * example the entry point of a container, it forwards these signals to the command. They neither
 * stop nor end such a process.
 */
static void add_harmless(sigset_t *signals)
{
	struct sigaction action;
	size_t i;

	for (i = 0; getpid() == 1 && i < NR_HARMLESS; i++) {
		if (!sigaction(harmless[i], NULL, &action) &&
		    action.sa_handler != SIG_IGN)
			sigaddset(signals, harmless[i]);
	}
}

sigset_t command_signals(void)
{
	static sigset_t signals;
	static bool are_known;

	if (are_known)
		return signals;
	signals = ending_signals();
	add_harmless(&signals);
	sigaddset(&signals, SIGCHLD);
	are_known = true;
	return signals;
}

/* Reset SIGCHLD. If perfex had inherited SIG_IGN for it, it could not wait for a status. */
void hold_signals(struct signals *saved)
{
	const struct sigaction action = { .sa_handler = SIG_DFL };
	sigset_t held = command_signals();
	static struct signals before;
	static bool are_held;

	if (!are_held) {
		sigprocmask(SIG_BLOCK, &held, &before.mask);
		sigaction(SIGCHLD, &action, &before.child);
	}
	are_held = true;
	*saved = before;
}

void restore_signals(const struct signals *saved)
{
	sigaction(SIGCHLD, &saved->child, NULL);
	sigprocmask(SIG_SETMASK, &saved->mask, NULL);
}

int await_signal(const sigset_t *signals, siginfo_t *info,
		 const struct timespec *time, int fd)
{
	static const struct timespec at_once;
	struct pollfd polled = { .fd = fd, .events = POLLIN };
	int ret;

	if (fd < 0)
		return sigtimedwait(signals, info, time);
	ret = ppoll(&polled, 1, time, NULL);
	if (!ret)
		errno = EAGAIN;
	if (ret <= 0)
		return -1;
	ret = sigtimedwait(signals, info, &at_once);
	return ret > 0 ? ret : 0;
}
