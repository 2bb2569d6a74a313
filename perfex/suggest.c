// SPDX-License-Identifier: GPL-2.0-only
/* See suggest.h. */
#include "suggest.h"

#include <ctype.h>
#include <string.h>

/* Longer names are not compared. */
#define NAME_MAX_LENGTH 40

/**
 * struct search - the best name so far
 * @name: what is sought, in lower case
 * @length: of it
 * @found: the best one, or NULL
 * @distance: from it
 */
struct search {
	char name[NAME_MAX_LENGTH + 1];
	size_t length;
	const char *found;
	size_t distance;
};

static size_t min(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* How many characters have to be added, left out or changed (Levenshtein). */
static size_t distance(const char *a, size_t length, const char *b)
{
	size_t row[NAME_MAX_LENGTH + 1];
	size_t i, corner, above;

	for (i = 0; i <= length; i++)
		row[i] = i;
	for (; *b; b++) {
		corner = row[0]++;
		for (i = 1; i <= length; i++) {
			above = row[i];
			row[i] = min(min(above, row[i - 1]) + 1,
				     corner + (a[i - 1] != *b));
			corner = above;
		}
	}
	return row[length];
}

static void consider(struct search *search, const char *name)
{
	const size_t found = distance(search->name, search->length, name);

	if (found >= search->distance)
		return;
	search->distance = found;
	search->found = name;
}

/* The name in an event's text: without counter, modes and unit masks. */
static void begin(struct search *search, const char *text)
{
	size_t i;

	search->length = strcspn(text, "@:");
	if (search->length > NAME_MAX_LENGTH)
		search->length = NAME_MAX_LENGTH;
	for (i = 0; i < search->length; i++)
		search->name[i] = (char)tolower((unsigned char)text[i]);
	/* One character may be wrong, and one more in four. */
	search->distance = 2 + search->length / 4;
}

const char *suggest_event(const struct vpmc_pmu *pmu, const char *text)
{
	struct search search = { .found = NULL };
	const struct vpmc_named_event *generic;
	const struct vpmc_event_info *info;
	unsigned int i;
	size_t nr;

	begin(&search, text);
	if (search.length < 2 || isdigit((unsigned char)*text))
		return NULL;
	for (i = 0; (generic = vpmc_generic_event(pmu, i)); i++) {
		if (!generic->refusal)
			consider(&search, generic->info.name);
	}
	for (info = vpmc_event_table(pmu, &nr); nr; info++, nr--)
		consider(&search, info->name);
	return search.found;
}
