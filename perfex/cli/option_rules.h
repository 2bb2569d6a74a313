/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The table of options that exclude or need each other.
 */
#ifndef PERFEX_OPTION_RULES_H
#define PERFEX_OPTION_RULES_H

#include "cli/option_table.h"

/**
 * struct option_rule - a command line that is refused
 * @when: it has one of these, or this is 0
 * @with: and one of these, or this is 0
 * @unless: and none of these: @when needs one if @with is 0
 * @more: what the message adds to the names of the options, or NULL
 * @sentence: the whole message if it does not follow from the names, or NULL
 */
struct option_rule {
	uint64_t when;
	uint64_t with;
	uint64_t unless;
	const char *more;
	const char *sentence;
};

/* A message names the first rule that applies. */
extern const struct option_rule option_rules[];
extern const size_t nr_option_rules;

#endif /* PERFEX_OPTION_RULES_H */
