/* SPDX-License-Identifier: GPL-2.0-only */
/* This header declares the table of options that exclude or need each other. */
#ifndef PERFEX_OPTION_RULES_H
#define PERFEX_OPTION_RULES_H

#include "cli/option_table.h"

/**
 * struct option_rule - a rule that refuses a command line
 * @when: the rule applies only if one of these options is given, unless the set is empty
 * @with: the rule also applies only if one of these options is given, unless the set is empty
 * @all_but: the rule also applies only if an option is given that is not in this set, unless the
 *	set is empty
 * @unless: the rule applies only if none of these options is given. If @with and @all_but are
 *	empty, @when needs one of them.
 * @more: text that the message adds to the names of the options, or NULL
 * @sentence: the whole message if it cannot be composed from the names, or NULL
 */
struct option_rule {
	struct option_set when;
	struct option_set with;
	struct option_set all_but;
	struct option_set unless;
	const char *more;
	const char *sentence;
};

/* The first rule that applies determines the message. */
extern const struct option_rule option_rules[];
extern const size_t nr_option_rules;

#endif /* PERFEX_OPTION_RULES_H */
