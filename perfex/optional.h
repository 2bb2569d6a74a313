/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * perfex --optional: run the command although there are no counters.
 */
#ifndef PERFEX_OPTIONAL_H
#define PERFEX_OPTIONAL_H

#include "options.h"
#include "output.h"

/* lacks_counters() - whether this enum perfex_status is that of counters nobody can use */
bool lacks_counters(int status);

/**
 * run_uncounted() - run a command without counts, and write a report that says so
 * @options: the command line
 * @beside: another output, where the status goes; or NULL
 * @command: receives how it has ended
 * @why: why nothing can be counted, an enum perfex_status that was complained of
 *
 * Return: 0, or an enum perfex_status after a complaint.
 */
int run_uncounted(const struct options *options, const struct output *beside,
		  struct command *command, int why);

#endif /* PERFEX_OPTIONAL_H */
