// SPDX-License-Identifier: LGPL-2.1-or-later
/* Find families of counters and their event tables. */
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/internal.h"

static const struct {
	const struct vpmc_pmu *pmu;
	size_t nr;
} families[] = {
	{ &vpmcint_p5, 1 },
	{ &vpmcint_p5mmx, 1 },
	{ &vpmcint_p6, 1 },
	{ &vpmcint_p4, 1 },
	{ vpmcint_intel, VPMCINT_NR_INTEL },
	{ vpmcint_amd, VPMCINT_NR_AMD },
};

/* All events without their own entry share this one, if a family counts any code. */
static const struct vpmc_event_info raw = {
	.counters = 0xffffffff,
	.name = "raw",
	.description = "an event that has no name here",
};

const struct vpmc_pmu *vpmc_pmu_find(const char *name)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(families); i++) {
		if (!strcmp(families[i].pmu->name, name))
			return families[i].pmu;
	}
	return NULL;
}

const struct vpmc_pmu *vpmcint_pmu_find(const char *name, unsigned int counters,
					unsigned int fixed)
{
	size_t i, j;

	for (i = 0; i < ARRAY_SIZE(families); i++) {
		for (j = 0; j < families[i].nr; j++) {
			const struct vpmc_pmu *pmu = &families[i].pmu[j];

			if (!strcmp(pmu->name, name) &&
			    pmu->counters == counters && pmu->fixed == fixed)
				return pmu;
		}
	}
	return NULL;
}

const char *vpmc_pmu_name(const struct vpmc_pmu *pmu)
{
	return pmu->name;
}

const struct vpmc_event_info *vpmc_event_table(const struct vpmc_pmu *pmu,
					       size_t *nr)
{
	*nr = pmu->nr_events;
	return pmu->events;
}

uint32_t vpmc_event_counters(const struct vpmc_pmu *pmu,
			     const struct vpmc_event_info *info)
{
	const unsigned int general = pmu->counters - pmu->fixed;
	const uint32_t fixed = info->counters >> VPMC_FIXED_COUNTERS &
			       ((1U << pmu->fixed) - 1);

	return (info->counters & ((1U << general) - 1)) | fixed << general;
}

const struct vpmc_event_info *
vpmc_event_lookup(const struct vpmc_pmu *pmu, const struct vpmc_event_sel *sel)
{
	const struct vpmc_event_info *info;

	if (vpmcint_event_find(pmu, sel, NULL, &info, NULL) ||
	    vpmcint_check_open(pmu, sel, NULL, NULL))
		return NULL;
	return info;
}

static const struct vpmc_event_info *first_of_code(const struct vpmc_pmu *pmu,
						   uint64_t code)
{
	const struct vpmc_event_info *events = pmu->events;
	size_t last = pmu->nr_events - 1;
	size_t i = code < last ? (size_t)code + 1 : last;

	/*
	 * Clocks come first. The codes of the other events ascend, so search near the index that
	 * equals the code.
	 */
	if (events[0].code == code)
		return &events[0];
	while (i < last && events[i].code < code)
		i++;
	while (i > 1 && events[i - 1].code >= code)
		i--;
	return events[i].code == code ? &events[i] : NULL;
}

/*
 * Name a code in an error. If the user's number is too large for a code, @code is
 * UINT64_MAX, which must not be shown.
 */
static void call_code(char phrase[VPMCINT_CALL_MAX], const char *text,
		      uint64_t code)
{
	if (!text)
		snprintf(phrase, VPMCINT_CALL_MAX, "0x%02" PRIx64, code);
	else if ((text[0] == '0' && vpmcint_lower(text[1]) == 'x') ||
		 code == UINT64_MAX)
		snprintf(phrase, VPMCINT_CALL_MAX, VPMCINT_TEXT, text);
	else
		snprintf(phrase, VPMCINT_CALL_MAX,
			 VPMCINT_TEXT " (0x%02" PRIx64 ")", text, code);
}

/* Name an event in an error. A code says less than a name, so add the name to a code. */
static void call_event(char phrase[VPMCINT_CALL_MAX], const char *text,
		       const struct vpmc_event_info *info)
{
	const bool is_code = text && text[0] >= '0' && text[0] <= '9';

	if (is_code && info != &raw)
		snprintf(phrase, VPMCINT_CALL_MAX, VPMCINT_TEXT " (%s)", text,
			 info->name);
	else
		snprintf(phrase, VPMCINT_CALL_MAX, VPMCINT_TEXT,
			 text ? text : info->name);
}

static int fail_unknown(const struct vpmc_pmu *pmu, uint64_t code,
			const char *text, struct vpmc_error *err)
{
	char phrase[VPMCINT_CALL_MAX];

	call_code(phrase, text, code);
	if (pmu->extended && first_of_code(pmu->extended, code))
		return vpmcint_fail(err, VPMC_E_UNKNOWN_EVENT,
				    "unknown event %s: only %s processors"
				    " have it and this one is %s",
				    phrase, pmu->extended->name, pmu->name);
	return vpmcint_fail(err, VPMC_E_UNKNOWN_EVENT,
			    "unknown event %s: this processor (%s) has no"
			    " such event code",
			    phrase, pmu->name);
}

static int fail_counter(const struct vpmc_pmu *pmu,
			const struct vpmc_event_info *info, const char *text,
			unsigned int counter, struct vpmc_error *err)
{
	char phrase[VPMCINT_CALL_MAX];

	call_event(phrase, text, info);
	if (counter >= pmu->counters)
		return vpmcint_fail(err, VPMC_E_NO_COUNTER,
				    "no counter %u for event %s: this processor"
				    " (%s) has counters 0 to %u",
				    counter, phrase, pmu->name,
				    pmu->counters - 1);
	return vpmcint_fail(err, VPMC_E_WRONG_COUNTER,
			    "event %s cannot be counted on counter %u:"
			    " choose counter %d or leave the choice"
			    " open",
			    phrase, counter,
			    __builtin_ctz(vpmc_event_counters(pmu, info)));
}

int vpmcint_check_counter(const struct vpmc_pmu *pmu,
			  const struct vpmc_event_info *info, const char *text,
			  unsigned int counter, struct vpmc_error *err)
{
	if (counter < pmu->counters &&
	    vpmc_event_counters(pmu, info) & 1U << counter)
		return 0;
	return fail_counter(pmu, info, text, counter, err);
}

static int fail_ambiguous(const struct vpmc_event_info *one,
			  const struct vpmc_event_info *other, const char *text,
			  struct vpmc_error *err)
{
	char phrase[VPMCINT_CALL_MAX];

	call_code(phrase, text, one->code);
	return vpmcint_fail(err, VPMC_E_AMBIGUOUS,
			    "ambiguous event %s: give a counter (0x%02" PRIx64
			    "@%d is %s, 0x%02" PRIx64 "@%d is %s)",
			    phrase, one->code, __builtin_ctz(one->counters),
			    one->name, other->code,
			    __builtin_ctz(other->counters), other->name);
}

int vpmcint_check_open(const struct vpmc_pmu *pmu,
		       const struct vpmc_event_sel *sel, const char *text,
		       struct vpmc_error *err)
{
	char phrase[VPMCINT_CALL_MAX];

	if (sel->counter != VPMC_ANY_COUNTER || !pmu->registers ||
	    !pmu->registers->ambiguous(sel->code))
		return 0;
	call_code(phrase, text, sel->code);
	return vpmcint_fail(err, VPMC_E_AMBIGUOUS,
			    "ambiguous event %s: it means another event on"
			    " other counters, so give a counter, as in @12",
			    phrase);
}

int vpmcint_event_find(const struct vpmc_pmu *pmu,
		       const struct vpmc_event_sel *sel, const char *text,
		       const struct vpmc_event_info **info,
		       struct vpmc_error *err)
{
	const struct vpmc_event_info *end = pmu->events + pmu->nr_events;
	const struct vpmc_event_info *entry = first_of_code(pmu, sel->code);
	unsigned int counter = (unsigned int)sel->counter;

	if (!entry && !pmu->any_code)
		return fail_unknown(pmu, sel->code, text, err);
	*info = entry ? entry : &raw;

	/* Entries with the same code are adjacent, and each has its own counters. */
	for (; entry && entry < end && entry->code == sel->code; entry++) {
		if (sel->counter == VPMC_ANY_COUNTER && entry != *info)
			return fail_ambiguous(*info, entry, text, err);
		if (counter < pmu->counters &&
		    vpmc_event_counters(pmu, entry) >> counter & 1)
			*info = entry;
	}
	if (sel->counter == VPMC_ANY_COUNTER)
		return 0;
	return vpmcint_check_counter(pmu, *info, text, counter, err);
}
