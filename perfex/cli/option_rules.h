/* SPDX-License-Identifier: GPL-2.0-only */
/* This header declares the table of options that exclude or need each other. */
#ifndef PERFEX_OPTION_RULES_H
#define PERFEX_OPTION_RULES_H

#include "cli/option_table.h"

/**
 * struct option_rule - a rule by which a command line is refused
 * @when: the rule applies only with one of these, unless this is 0
 * @with: and only with one of these, unless this is 0
 * @unless: and only without all of these. If @with is 0, @when needs one of these.
 * @more: text that the message adds to the names of the options, or NULL
 * @sentence: the whole message if it cannot be composed from the names, or NULL
 */
struct option_rule {
	uint64_t when;
	uint64_t with;
	uint64_t unless;
	const char *more;
	const char *sentence;
};

/* The message is that of the first rule that applies. */
extern const struct option_rule option_rules[];
extern const size_t nr_option_rules;

#endif /* PERFEX_OPTION_RULES_H */
