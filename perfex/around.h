/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What runs before and after the command, and is not counted.
 */
#ifndef PERFEX_AROUND_H
#define PERFEX_AROUND_H

#include "signals.h"

/**
 * run_around() - run a line in a shell, and wait until it has ended
 * @option: that gave it
 * @line: for sh -c; NULL for nothing. It has no standard input: that is the command's.
 * @saved: from hold_signals()
 *
 * Return: 0, or PERFEX_AROUND after a complaint: it must end with status 0.
 */
int run_around(const char *option, const char *line,
	       const struct signals *saved);

#endif /* PERFEX_AROUND_H */
