// SPDX-License-Identifier: GPL-2.0-only
/* Suggest similar names for a mistyped one. */
#include "util/suggest.h"

#include <ctype.h>
#include <limits.h>
#include <stdbool.h>
#include <string.h>

/* Names longer than this are not compared. */
#define NAME_MAX_LENGTH 40

/**
 * struct search - the search for the best name
 * @name: the wanted name, in lower case
 * @length: length of @name
 * @found: the best name so far, or NULL
 * @distance: distance between @name and @found
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

/* Compute how many characters have to be added, removed or changed (Levenshtein). */
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

static bool is_separator(char c)
{
	return c == '-' || c == '_' || c == '.';
}

static size_t word_length(const char *text)
{
	size_t length = 0;

	while (text[length] && !is_separator(text[length]))
		length++;
	return length;
}

/* Copy a name without the separators of its words. */
static void join_words(const char *name, char joined[NAME_MAX_LENGTH + 1])
{
	size_t length = 0;

	for (; *name && length < NAME_MAX_LENGTH; name++) {
		if (!is_separator(*name))
			joined[length++] = *name;
	}
	joined[length] = '\0';
}

/* Tell whether two names have the same digits. For example, L1 is not a misspelling of L2. */
static bool have_same_digits(const char *a, const char *b)
{
	static const char digits[] = "0123456789";

	do {
		a += strcspn(a, digits);
		b += strcspn(b, digits);
		if (*a != *b)
			return false;
	} while (*a++ && *b++);
	return true;
}

/* Tell whether two words have the same letters in another order. */
static bool is_reordered(const char *a, const char *b, size_t length)
{
	int letters[UCHAR_MAX + 1] = { 0 };
	size_t i;

	for (i = 0; i < length; i++) {
		letters[(unsigned char)a[i]]++;
		letters[(unsigned char)b[i]]--;
	}
	for (i = 0; i <= UCHAR_MAX; i++) {
		if (letters[i])
			return false;
	}
	return true;
}

/*
 * Tell whether @b is a misspelling of @a. They are different words if their first letters differ,
 * or more than one letter in four. For example, cpu-cycles is not a misspelling of ref-cycles.
 */
static bool is_misspelt_word(const char *a, size_t length, const char *b,
			     size_t other)
{
	char word[NAME_MAX_LENGTH + 1];

	if (other > NAME_MAX_LENGTH || *a != *b)
		return false;
	if (length == other && is_reordered(a, b, length))
		return true;
	memcpy(word, b, other);
	word[other] = '\0';
	return distance(a, length, word) <= (length + 3) / 4;
}

/* Tell whether two names have the same words, except for misspellings. */
static bool is_misspelt(const char *a, const char *b)
{
	char first[NAME_MAX_LENGTH + 1], second[NAME_MAX_LENGTH + 1];
	size_t length, other;

	if (!have_same_digits(a, b))
		return false;
	join_words(a, first);
	join_words(b, second);
	if (!strcmp(first, second))
		return true;
	for (;;) {
		length = word_length(a);
		other = word_length(b);
		if (!is_misspelt_word(a, length, b, other))
			return false;
		a += length;
		b += other;
		if (!*a || !*b)
			return !*a && !*b;
		a++;
		b++;
	}
}

static void consider(struct search *search, const char *name)
{
	const size_t found = distance(search->name, search->length, name);

	if (found >= search->distance || !is_misspelt(search->name, name))
		return;
	search->distance = found;
	search->found = name;
}

/* Begin a search for the name in an event's text, without counter, modes and unit masks. */
static void begin(struct search *search, const char *text)
{
	size_t i;

	search->length = strcspn(text, "@:");
	if (search->length > NAME_MAX_LENGTH)
		search->length = NAME_MAX_LENGTH;
	for (i = 0; i < search->length; i++)
		search->name[i] = (char)tolower((unsigned char)text[i]);
	search->name[i] = '\0';
	/* One character may be wrong, and one more for every four characters. */
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
