// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Parse the text of an event, EVENT[@COUNTER][:MODES][:after=N], into its selection.
 *
 * A copy in lower case is divided from right to left. Errors quote the text as the user wrote it.
 * If the text after a colon is not modes, it belongs to EVENT, because libpfm4 has such names.
 */
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/internal.h"

/* This is longer than any event name with its suffixes. */
#define TEXT_MAX VPMC_EVENT_NAME_MAX

static bool copy_lower(char *copy, const char *text)
{
	size_t length = strlen(text);
	size_t i;

	if (length >= TEXT_MAX)
		return false;
	for (i = 0; i <= length; i++)
		copy[i] = vpmcint_lower(text[i]);
	return true;
}

static bool parse_modes(const char *text, unsigned int *modes)
{
	unsigned int seen = 0;

	for (; *text; text++) {
		unsigned int mode = *text == 'u'   ? VPMC_USER
				    : *text == 'k' ? VPMC_KERNEL
						   : 0;

		if (text[0] == 'p' && text[1] == 'p') {
			mode = VPMC_PRECISE;
			text++;
		}
		if (!mode || seen & mode)
			return false;
		seen |= mode;
	}
	if (seen == VPMC_PRECISE)
		seen |= *modes;
	if (seen)
		*modes = seen;
	return seen != 0;
}

/* Parse a number without other characters. strtoul() alone would accept "-1" and " 1". */
static bool parse_number(const char *text, uint64_t *number)
{
	bool hexadecimal = text[0] == '0' && text[1] == 'x';
	const char *digits = hexadecimal ? text + 2 : text;
	const char *allowed = hexadecimal ? "0123456789abcdef" : "0123456789";
	size_t length = strlen(digits);

	if (!length || strspn(digits, allowed) != length)
		return false;

	/*
	 * A number with too many digits is accepted here, but it is not the number of an event or a
	 * counter.
	 */
	while (*digits == '0' && length > 1) {
		digits++;
		length--;
	}
	if (length > 16)
		*number = UINT64_MAX;
	else
		*number = strtoull(digits, NULL, hexadecimal ? 16 : 10);
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
				    "unknown event " VPMCINT_QUOTE ": only %s"
				    " processors have it and this one is %s",
				    text, pmu->extended->name, pmu->name);
	return vpmcint_fail(err, VPMC_E_UNKNOWN_EVENT,
			    "unknown event " VPMCINT_QUOTE
			    ": this processor (%s) has"
			    " no event of that name",
			    text, pmu->name);
}

/*
 * Select the event of a name. A name stands for one event, even if its code means a
 * different event on other counters.
 */
static int select_info(const struct vpmc_pmu *pmu,
		       const struct vpmc_event_info *info, const char *text,
		       struct vpmc_event_sel *sel, struct vpmc_error *err)
{
	const uint32_t counters = vpmc_event_counters(pmu, info);

	sel->code = info->code;
	if (sel->counter != VPMC_ANY_COUNTER)
		return vpmcint_check_counter(pmu, info, text,
					     (unsigned int)sel->counter, err);

	if (!(counters & (counters - 1)))
		sel->counter = __builtin_ctz(counters);
	return 0;
}

static int select_generic(const struct vpmc_pmu *pmu,
			  const struct vpmc_named_event *event,
			  const char *text, struct vpmc_event_sel *sel,
			  struct vpmc_error *err)
{
	if (event->refusal)
		return vpmcint_fail(err, VPMC_E_UNKNOWN_EVENT,
				    "event " VPMCINT_TEXT
				    " cannot be counted on this"
				    " processor (%s): %s",
				    text, pmu->name, event->refusal);
	return select_info(pmu, &event->info, text, sel, err);
}

static int select_pfm(const struct vpmc_pmu *pmu, const char *name,
		      const char *text, struct vpmc_event_sel *sel,
		      struct vpmc_error *err)
{
	struct vpmc_event_info info = { .name = name };
	int ret = vpmcint_pfm_encode(pmu, name, text, &sel->code,
				     &info.counters, err);

	if (ret || sel->counter == VPMC_ANY_COUNTER)
		return ret;
	return vpmcint_check_counter(pmu, &info, text,
				     (unsigned int)sel->counter, err);
}

static int select_name(const struct vpmc_pmu *pmu, const char *name,
		       const char *text, struct vpmc_event_sel *sel,
		       struct vpmc_error *err)
{
	const struct vpmc_event_info *info = find_name(pmu, name);
	const struct vpmc_named_event *generic;

	if (info)
		return select_info(pmu, info, text, sel, err);
	generic = vpmcint_generic_find(pmu, name);
	if (generic)
		return select_generic(pmu, generic, text, sel, err);
	if (pmu->pfm)
		return select_pfm(pmu, name, text, sel, err);
	return fail_unknown_name(pmu, name, text, err);
}

/* Return whether the text before the colon is an event by itself. */
static bool is_complete(const struct vpmc_pmu *pmu, const char *event,
			size_t length)
{
	char name[TEXT_MAX] = "";
	uint64_t number;

	memcpy(name, event, length);
	return !length || parse_number(name, &number) || find_name(pmu, name) ||
	       vpmcint_generic_find(pmu, name);
}

static int fail_modes(const char *text, struct vpmc_error *err)
{
	return vpmcint_fail(err, VPMC_E_SYNTAX,
			    "unknown modes in " VPMCINT_QUOTE
			    ": :u (user), :k (kernel) or :uk may follow the"
			    " event",
			    text);
}

static int fail_order(const char *text, struct vpmc_error *err)
{
	return vpmcint_fail(err, VPMC_E_SYNTAX,
			    "unknown modes in " VPMCINT_QUOTE
			    ": :u (user), :k (kernel) or :uk may follow the"
			    " counter, and other modifiers stand before the @",
			    text);
}

/*
 * Return whether libpfm4 uses @event, a name of the table, for a different event.
 * Modifiers after the name then select libpfm4's event.
 */
static bool is_homonym(const struct vpmc_pmu *pmu, const char *event,
		       size_t length)
{
	const char *const *homonym = pmu->homonyms;

	while (homonym && *homonym &&
	       (strlen(*homonym) != length ||
		memcmp(*homonym, event, length) != 0))
		homonym++;
	return homonym && *homonym;
}

/* Return whether only a fixed counter can count the event before the colon. */
static bool is_fixed(const struct vpmc_pmu *pmu, const char *event)
{
	const unsigned int general = pmu->counters - pmu->fixed;
	const struct vpmc_named_event *generic;
	const struct vpmc_event_info *info;
	char name[TEXT_MAX] = "";

	memcpy(name, event, strcspn(event, ":"));
	info = find_name(pmu, name);
	generic = info ? NULL : vpmcint_generic_find(pmu, name);
	if (generic && !generic->refusal)
		info = &generic->info;
	return info &&
	       !(vpmc_event_counters(pmu, info) & ((1U << general) - 1));
}

static int fail_fixed(const char *text, struct vpmc_error *err)
{
	return vpmcint_fail(err, VPMC_E_SYNTAX,
			    "unknown modes in " VPMCINT_QUOTE
			    ": :u (user), :k (kernel) or :uk alone may follow"
			    " an event that only a fixed counter has, because"
			    " that has no edges and counter masks",
			    text);
}

/* Return whether the text before the colon is a code. Names may also begin with a digit. */
static bool is_code(const char *event, size_t length)
{
	char name[TEXT_MAX] = "";
	uint64_t number;

	memcpy(name, event, length);
	return parse_number(name, &number);
}

/* Select an EVENT with a colon, which only libpfm4 can know. */
static int select_units(const struct vpmc_pmu *pmu, const char *event,
			const char *text, struct vpmc_event_sel *sel,
			struct vpmc_error *err)
{
	const size_t length = strcspn(event, ":");

	if (pmu->pfm && !is_code(event, length)) {
		if (!select_pfm(pmu, event, text, sel, NULL))
			return 0;
		if (!is_complete(pmu, event, length) ||
		    is_homonym(pmu, event, length))
			return select_pfm(pmu, event, text, sel, err);
	}
	return is_fixed(pmu, event) ? fail_fixed(text, err)
				    : fail_modes(text, err);
}

/*
 * Find the event of a code. A code with the values of several registers need not select its
 * counters.
 */
static int find_code(const struct vpmc_pmu *pmu, const char *text,
		     struct vpmc_event_sel *sel, struct vpmc_error *err)
{
	const struct vpmc_event_info *info;
	int ret;

	if (pmu->registers)
		pmu->registers->complete(&sel->code, sel->counter);
	ret = vpmcint_event_find(pmu, sel, text, &info, err);
	return ret ? ret : vpmcint_check_open(pmu, sel, text, err);
}

/* Return whether the text of an event consists of values of registers. */
static bool is_registers(const struct vpmc_pmu *pmu, const char *event)
{
	return pmu->registers && !strncmp(event, pmu->registers->prefix,
					  strlen(pmu->registers->prefix));
}

static int select_registers(const struct vpmc_pmu *pmu, const char *event,
			    const char *text, struct vpmc_event_sel *sel,
			    struct vpmc_error *err)
{
	int ret = pmu->registers->parse(event, text, &sel->code, err);

	return ret ? ret : find_code(pmu, text, sel, err);
}

static int select_event(const struct vpmc_pmu *pmu, const char *event,
			const char *text, struct vpmc_event_sel *sel,
			struct vpmc_error *err)
{
	const struct vpmc_event_info *info;

	if (!*event)
		return vpmcint_fail(err, VPMC_E_SYNTAX,
				    "no event in " VPMCINT_QUOTE
				    ": give a name or a code",
				    text);
	if (parse_number(event, &sel->code))
		return find_code(pmu, text, sel, err);
	if (is_registers(pmu, event))
		return select_registers(pmu, event, text, sel, err);
	info = strchr(event, ':') ? find_name(pmu, event) : NULL;
	if (info)
		return select_info(pmu, info, text, sel, err);
	if (strchr(event, ':'))
		return select_units(pmu, event, text, sel, err);
	return select_name(pmu, event, text, sel, err);
}

/* Cut off the modes, if the text has modes. */
static void cut_modes(char *copy, struct vpmc_event_sel *sel)
{
	char *colon = strrchr(copy, ':');

	if (colon && parse_modes(colon + 1, &sel->modes))
		*colon = '\0';
}

/* Cut off the number of events of the event before this one, if the text has it. */
static int cut_after(const struct vpmc_pmu *pmu, char *copy, const char *text,
		     unsigned int *after, struct vpmc_error *err)
{
	char *colon = strstr(copy, ":after=");
	uint64_t number;

	if (!colon)
		return 0;
	if (!parse_number(colon + strlen(":after="), &number) || !number ||
	    number > VPMC_AFTER_MAX)
		return vpmcint_fail(
			err, VPMC_E_SYNTAX,
			"no number of events after \"after=\" in " VPMCINT_QUOTE
			": write, at the end, a number"
			" from 1 to %d",
			text, VPMC_AFTER_MAX);
	if (!pmu->registers)
		return vpmcint_fail(err, VPMC_E_UNSUPPORTED,
				    "no cascade for " VPMCINT_QUOTE
				    ": on this processor (%s) no counter starts"
				    " another, so leave :after out",
				    text, pmu->name);
	*colon = '\0';
	*after = VPMC_AFTER(number);
	return 0;
}

static int cut_counter(char *copy, const char *text, struct vpmc_event_sel *sel,
		       struct vpmc_error *err)
{
	char *at = strchr(copy, '@');
	uint64_t number;

	if (!at)
		return 0;
	if (strchr(at, ':'))
		return fail_order(text, err);
	if (!parse_number(at + 1, &number))
		return vpmcint_fail(
			err, VPMC_E_SYNTAX,
			"no counter number after @ in " VPMCINT_QUOTE
			": write, for example, @0",
			text);
	*at = '\0';
	sel->counter = number > INT32_MAX ? INT32_MAX : (int)number;
	return 0;
}

/* Check that the processor takes precise samples of an event that asks for them. */
static int check_precise(const struct vpmc_pmu *pmu, const char *text,
			 const struct vpmc_event_sel *sel,
			 struct vpmc_error *err)
{
	if (!(sel->modes & VPMC_PRECISE))
		return 0;
	if (!pmu->registers)
		return vpmcint_fail(err, VPMC_E_UNSUPPORTED,
				    "no precise samples of " VPMCINT_QUOTE
				    ": vpmc takes none on this processor (%s),"
				    " so leave :pp out",
				    text, pmu->name);
	if (!pmu->registers->precise(sel->code))
		return vpmcint_fail(err, VPMC_E_UNSUPPORTED,
				    "no precise samples of " VPMCINT_QUOTE
				    ": this processor (%s) takes them only of"
				    " %s, so choose one of these or leave :pp"
				    " out",
				    text, pmu->name,
				    pmu->registers->precise_events);
	if (sel->modes & VPMC_KERNEL)
		return vpmcint_fail(err, VPMC_E_UNSUPPORTED,
				    "no precise samples of " VPMCINT_QUOTE
				    " in kernel mode: give :upp",
				    text);
	return 0;
}

/* Parse a text. Leaves EVENT in @event, which has room for TEXT_MAX characters. */
static int parse(const struct vpmc_pmu *pmu, const char *text, char *event,
		 struct vpmc_event_sel *sel, struct vpmc_error *err)
{
	unsigned int after = 0;
	int ret;

	if (!copy_lower(event, text))
		return vpmcint_fail(err, VPMC_E_UNKNOWN_EVENT,
				    "unknown event " VPMCINT_QUOTE
				    "...: no event has so long a name",
				    text);
	ret = cut_after(pmu, event, text, &after, err);
	cut_modes(event, sel);
	sel->modes |= after;
	if (!ret)
		ret = cut_counter(event, text, sel, err);
	if (!ret)
		ret = select_event(pmu, event, text, sel, err);
	return ret ? ret : check_precise(pmu, text, sel, err);
}

int vpmc_event_parse(const struct vpmc_pmu *pmu, const char *text,
		     unsigned int modes, struct vpmc_event_sel *sel,
		     struct vpmc_error *err)
{
	struct vpmc_event_sel parsed = {
		.counter = VPMC_ANY_COUNTER,
		.modes = modes,
	};
	char event[TEXT_MAX] = "";
	int ret = parse(pmu, text, event, &parsed, err);

	if (!ret)
		*sel = parsed;
	return ret;
}

/*
 * Libpfm4 and the table encode the event and the unit mask in the same bits. The other
 * bits are modifiers.
 */
#define EVENT_AND_UNIT 0xffffULL

/*
 * Find the table's event for a name with modifiers, although the name selects libpfm4's
 * event. The result has the code of the table's event with the same modifiers. @code is
 * libpfm4's event without modifiers. Returns 0 if @counted has another unit mask.
 */
static uint64_t own_event(const struct vpmc_pmu *pmu, const char *name,
			  uint64_t code, uint64_t counted)
{
	if ((code ^ counted) & EVENT_AND_UNIT)
		return 0;
	return (counted & ~EVENT_AND_UNIT) | find_name(pmu, name)->code;
}

/*
 * Return whether a suffix has a unit mask. A unit mask is a word. A modifier has a value
 * or is a letter, except for intx and intxcp.
 */
static bool has_unit(const char *suffix)
{
	size_t length;

	for (; *suffix; suffix += length) {
		suffix++;
		length = strcspn(suffix, ":");
		if (length > 1 && !memchr(suffix, '=', length))
			return true;
	}
	return false;
}

/*
 * Look for a homonym. libpfm4 is large, so use it only for the few names that are known to differ.
 */
uint64_t vpmc_event_homonym(const struct vpmc_pmu *pmu, const char *text,
			    char *name)
{
	struct vpmc_event_sel sel = { .counter = VPMC_ANY_COUNTER };
	char event[TEXT_MAX] = "";
	char *suffix;
	bool modified;
	uint64_t code;

	if (parse(pmu, text, event, &sel, NULL))
		return 0;
	suffix = event + strcspn(event, ":");
	modified = *suffix;
	/* No name of the table has a unit mask. */
	if (has_unit(suffix))
		return 0;
	*suffix = '\0';
	if (!is_homonym(pmu, event, strlen(event)) ||
	    !vpmcint_pfm_homonym(pmu, event, name, &code))
		return 0;
	if (modified) {
		code = own_event(pmu, event, code, sel.code);
		snprintf(name, VPMC_EVENT_NAME_MAX, "0x%02" PRIx64, code);
	}
	return code == sel.code ? 0 : code;
}

int vpmc_event_name(const struct vpmc_pmu *pmu, const char *text, char *name,
		    struct vpmc_error *err)
{
	struct vpmc_event_sel sel = { .counter = VPMC_ANY_COUNTER };
	const struct vpmc_event_info *info;
	char event[TEXT_MAX] = "";
	int ret = parse(pmu, text, event, &sel, err);

	if (ret)
		return ret;
	info = vpmc_event_lookup(pmu, &sel);
	snprintf(name, VPMC_EVENT_NAME_MAX, "%s",
		 is_code(event, strlen(event)) ? info->name : event);
	return 0;
}
