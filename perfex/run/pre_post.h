/* SPDX-License-Identifier: GPL-2.0-only */
/* This header declares the commands that run, uncounted, before and after the counted command. */
#ifndef PERFEX_PRE_POST_H
#define PERFEX_PRE_POST_H

#include "run/signals.h"

struct vpmc;

/**
 * run_around() - run a line in a shell, and wait until it has ended
 * @vpmc: any handle; the line is not counted on it
 * @option: name of the line's option
 * @line: the line, for sh -c; NULL for none. Its standard input is /dev/null, because the counted
 *	command reads the standard input of perfex.
 * @saved: from hold_signals()
 *
 * Signals are forwarded to the shell as to the command.
 *
 * Return: 0, or an enum perfex_status after a complaint: PERFEX_AROUND if the shell has not
 * ended with status 0.
 */
int run_around(struct vpmc *vpmc, const char *option, const char *line,
	       const struct signals *saved);

#endif /* PERFEX_PRE_POST_H */
