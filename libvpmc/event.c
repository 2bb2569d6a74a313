// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * From the text of an event to its selection:
 *
 *	EVENT[@COUNTER][:MODES]
 *
 * The text is taken apart into a copy in lower case, from the right to the
 * left, and errors quote it as the user wrote it.
 */
#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"

/* Longer than any event name with its suffixes. */
#define TEXT_MAX 80

/* Errors quote this much of a text. */
#define QUOTE "\"%.60s\""

static bool copy_lower(char *copy, const char *text)
{
	size_t length = strlen(text);
	size_t i;

	if (length >= TEXT_MAX)
		return false;
	for (i = 0; i <= length; i++)
		copy[i] = (char)tolower((unsigned char)text[i]);
	return true;
}

/* Cuts off what follows @separator. NULL if there is none. */
static char *cut_suffix(char *text, char separator)
{
	char *suffix = strchr(text, separator);

	if (!suffix)
		return NULL;
	*suffix = '\0';
	return suffix + 1;
}

static bool parse_modes(const char *text, unsigned int *modes)
{
	unsigned int seen = 0;

	for (; *text; text++) {
		unsigned int mode = *text == 'u'   ? VPMC_USER
				    : *text == 'k' ? VPMC_KERNEL
						   : 0;

		if (!mode || seen & mode)
			return false;
		seen |= mode;
	}
	*modes = seen;
	return seen != 0;
}

/* A number and nothing else: strtoul() alone would take "-1" and " 1". */
static bool parse_number(const char *text, uint32_t *number)
{
	bool hexadecimal = text[0] == '0' && text[1] == 'x';
	const char *digits = hexadecimal ? text + 2 : text;
	const char *allowed = hexadecimal ? "0123456789abcdef" : "0123456789";
	size_t length = strlen(digits);

	if (!length || strspn(digits, allowed) != length)
		return false;

	/* Too many digits are a number too, but of no event or counter. */
	while (*digits == '0' && length > 1) {
		digits++;
		length--;
	}
	if (length > 8)
		*number = UINT32_MAX;
	else
		*number =
			(uint32_t)strtoul(digits, NULL, hexadecimal ? 16 : 10);
	return true;
}

static const struct vpmc_event_info *find_name(const struct vpmc_pmu *pmu,
					       const char *name)
{
	size_t i;

	for (i = 0; i < pmu->nr_events; i++) {
		if (!strcmp(pmu->events[i].name, name))
			return &pmu->events[i];
	}
	return NULL;
}

static int fail_unknown_name(const struct vpmc_pmu *pmu, const char *name,
			     const char *text, struct vpmc_error *err)
{
	if (pmu->extended && find_name(pmu->extended, name))
		return vpmcint_fail(err, VPMC_E_UNKNOWN_EVENT,
				    "unknown event " QUOTE ": only %s"
				    " processors have it and this one is %s",
				    text, pmu->extended->name, pmu->name);
	return vpmcint_fail(err, VPMC_E_UNKNOWN_EVENT,
			    "unknown event " QUOTE ": this processor (%s) has"
			    " no event of that name",
			    text, pmu->name);
}

/* A name stands for one event, whatever its code means on other counters. */
static int select_name(const struct vpmc_pmu *pmu, const char *name,
		       const char *text, struct vpmc_event_sel *sel,
		       struct vpmc_error *err)
{
	const struct vpmc_event_info *info = find_name(pmu, name);

	if (!info)
		return fail_unknown_name(pmu, name, text, err);

	sel->code = info->code;
	if (sel->counter != VPMC_ANY_COUNTER)
		return vpmcint_check_counter(pmu, info,
					     (unsigned int)sel->counter, err);

	if (!(info->counters & (info->counters - 1)))
		sel->counter = __builtin_ctz(info->counters);
	return 0;
}

static int select_event(const struct vpmc_pmu *pmu, const char *event,
			const char *text, struct vpmc_event_sel *sel,
			struct vpmc_error *err)
{
	const struct vpmc_event_info *info;

	if (!*event)
		return vpmcint_fail(err, VPMC_E_SYNTAX,
				    "no event in " QUOTE
				    ": give a name or a code",
				    text);
	if (parse_number(event, &sel->code))
		return vpmcint_event_find(pmu, sel, &info, err);
	return select_name(pmu, event, text, sel, err);
}

static int parse_suffixes(char *copy, const char *text,
			  struct vpmc_event_sel *sel, struct vpmc_error *err)
{
	char *modes = cut_suffix(copy, ':');
	char *counter = cut_suffix(copy, '@');
	uint32_t number;

	if (modes && !parse_modes(modes, &sel->modes))
		return vpmcint_fail(err, VPMC_E_SYNTAX,
				    "unknown modes in " QUOTE
				    ": :u (user), :k (kernel) or :uk may"
				    " follow the event",
				    text);
	if (!counter)
		return 0;
	if (!parse_number(counter, &number))
		return vpmcint_fail(err, VPMC_E_SYNTAX,
				    "no counter number after @ in " QUOTE
				    ": write, for example, @0",
				    text);
	sel->counter = number > INT32_MAX ? INT32_MAX : (int)number;
	return 0;
}

int vpmc_event_parse(const struct vpmc_pmu *pmu, const char *text,
		     unsigned int modes, struct vpmc_event_sel *sel,
		     struct vpmc_error *err)
{
	struct vpmc_event_sel parsed = {
		.counter = VPMC_ANY_COUNTER,
		.modes = modes,
	};
	char copy[TEXT_MAX] = "";
	int ret;

	if (!copy_lower(copy, text))
		return vpmcint_fail(err, VPMC_E_UNKNOWN_EVENT,
				    "unknown event " QUOTE
				    "...: no event has so long a name",
				    text);

	ret = parse_suffixes(copy, text, &parsed, err);
	if (!ret)
		ret = select_event(pmu, copy, text, &parsed, err);
	if (!ret)
		*sel = parsed;
	return ret;
}
