// SPDX-License-Identifier: GPL-2.0-only
/*
 * Print perfex's tables of options, and of rules between options, for perfex-options. Each
 * option or trait has a line with its name, its letters and its argument. Each rule has a line
 * with its sets of options as binary numbers, whose lowest digit is the first option. Rules that
 * have their own sentence are left out.
 */
#include <stdio.h>

#include "cli/option_rules.h"

static const char *or_nothing(const char *text)
{
	return text ? text : "";
}

static void print_set(const struct option_set *set, bool inverted)
{
	size_t i;

	putchar('\t');
	for (i = NR_TRAITS; i > 0; i--)
		putchar(set->has[i - 1] != inverted ? '1' : '0');
}

static void print_rule(const struct option_rule *rule)
{
	const bool inverted =
		first_common(&rule->all_but, &rule->all_but) != NR_TRAITS;

	printf("rule");
	print_set(&rule->when, false);
	print_set(inverted ? &rule->all_but : &rule->with, inverted);
	print_set(&rule->unless, false);
	putchar('\n');
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
			print_rule(rule);
	}
	return 0;
}
