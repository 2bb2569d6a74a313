// SPDX-License-Identifier: GPL-2.0-only
/*
 * Print perfex's tables of options, and of rules between options, for perfex-options. Each
 * option or trait has a line with its name, its letters and its argument. Each rule has a line
 * with its sets of options as hexadecimal numbers. Rules that have their own sentence are left
 * out.
 */
#include <stdio.h>

#include "cli/option_rules.h"

static const char *or_nothing(const char *text)
{
	return text ? text : "";
}

int main(void)
{
	const struct option_rule *rule = option_rules;
	size_t i;

	for (i = 0; i < NR_TRAITS; i++)
		printf("%s\t%s\t%s\t%s\n", i < NR_OPTIONS ? "option" : "trait",
		       option_table[i].name,
		       or_nothing(option_table[i].letters),
		       or_nothing(option_table[i].argument));
	for (; rule < option_rules + nr_option_rules; rule++) {
		if (!rule->sentence)
			printf("rule\t%llx\t%llx\t%llx\n",
			       (unsigned long long)rule->when,
			       (unsigned long long)rule->with,
			       (unsigned long long)rule->unless);
	}
	return 0;
}
