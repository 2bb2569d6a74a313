// SPDX-License-Identifier: GPL-2.0-only
/* Build the table of options from options.def, and name options in messages. */
#include "cli/option_table.h"

#include <stdio.h>
#include <string.h>

const struct option_entry option_table[NR_TRAITS] = {
#define OPTION(id, long_name, short_form, value, kinds, part, line) \
	[OPTION_##id] = { .name = (long_name),                      \
			  .letters = (short_form),                  \
			  .argument = (value),                      \
			  .kind = OPTION_##kinds,                   \
			  .section = SECTION_##part,                \
			  .help = (line) },
#define TRAIT(id, text) [OPTION_##id] = { .name = (text) },
#include "cli/options.def"
};

bool has_optional_argument(const struct option_entry *entry)
{
	return entry->argument && !strncmp(entry->argument, "[=", 2);
}

void name_option(char name[OPTION_NAME_MAX], enum option_id id)
{
	const struct option_entry *entry = &option_table[id];

	if (entry->letters)
		snprintf(name, OPTION_NAME_MAX, "-%s", entry->letters);
	else
		snprintf(name, OPTION_NAME_MAX, "%s%s",
			 id < NR_OPTIONS ? "--" : "", entry->name);
}

void name_options(char names[OPTION_NAMES_MAX], const struct option_set *set)
{
	char name[OPTION_NAME_MAX];
	size_t length = 0, left = 0, id;

	*names = '\0';
	for (id = 0; id < NR_TRAITS; id++)
		left += set->has[id];
	for (id = 0; left && length < OPTION_NAMES_MAX; id++) {
		if (!set->has[id])
			continue;
		left--;
		name_option(name, (enum option_id)id);
		length += (size_t)snprintf(names + length,
					   OPTION_NAMES_MAX - length, "%s%s",
					   !length ? ""
					   : left  ? ", "
						   : " or ",
					   name);
	}
}

enum option_id first_common(const struct option_set *one,
			    const struct option_set *other)
{
	size_t id = 0;

	while (id < NR_TRAITS && !(one->has[id] && other->has[id]))
		id++;
	return (enum option_id)id;
}
