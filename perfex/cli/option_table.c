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

void name_options(char names[OPTION_NAMES_MAX], uint64_t set)
{
	char name[OPTION_NAME_MAX];
	size_t length = 0, id;

	*names = '\0';
	for (id = 0; id < NR_TRAITS && length < OPTION_NAMES_MAX; id++) {
		if (!(set & 1ULL << id))
			continue;
		set &= ~(1ULL << id);
		name_option(name, (enum option_id)id);
		length += (size_t)snprintf(names + length,
					   OPTION_NAMES_MAX - length, "%s%s",
					   !length ? ""
					   : set   ? ", "
						   : " or ",
					   name);
	}
}
