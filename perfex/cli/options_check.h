/* SPDX-License-Identifier: GPL-2.0-only */
/* This header declares the check that options can be combined. */
#ifndef PERFEX_OPTIONS_CHECK_H
#define PERFEX_OPTIONS_CHECK_H

#include "cli/option_table.h"
#include "cli/options.h"

/* describes_only() - tell whether an option prints a description instead of counting */
bool describes_only(const struct options *options);

/**
 * check_options() - refuse options that cannot be combined
 * @options: the command line. Receives the members that follow from the given options.
 * @given: set of its options and traits
 *
 * Return: 0, or an enum perfex_status after a complaint.
 */
int check_options(struct options *options, const struct option_set *given);

#endif /* PERFEX_OPTIONS_CHECK_H */
