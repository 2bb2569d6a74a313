// SPDX-License-Identifier: GPL-2.0-only
/* Choose labels that distinguish the samples of an exposition. */
#include "report/sample_labels.h"

#include <inttypes.h>
#include <string.h>

#include "events/group.h"

static void add(struct distinct *distinct, const char *name, const char *value)
{
	distinct->label[distinct->nr++] = (struct label){ name, value };
}

static char *next_text(struct distinct *distinct)
{
	return distinct->text[distinct->nr];
}

static void add_number(struct distinct *distinct, const char *name,
		       size_t number)
{
	char *text = next_text(distinct);

	snprintf(text, sizeof(distinct->text[0]), "%zu", number);
	add(distinct, name, text);
}

static void add_code(struct distinct *distinct, uint64_t code)
{
	char *text = next_text(distinct);

	snprintf(text, sizeof(distinct->text[0]), "0x%02" PRIx64, code);
	add(distinct, "code", text);
}

/*
 * Add the counter. If the driver chooses it, add "any", because the driver may change its choice.
 */
static void add_counter(struct distinct *distinct, int counter)
{
	if (counter == VPMC_ANY_COUNTER)
		add(distinct, "counter", "any");
	else
		add_number(distinct, "counter", (size_t)counter);
}

/*
 * Tell whether an event has no name of its own: libvpmc gives all codes that it does not
 * know the same name.
 */
static bool has_no_name(const struct events *events, size_t i)
{
	return !strcmp(event_title(events, i), "raw");
}

static bool have_same_name(const struct events *events, size_t i, size_t j)
{
	return events->sel[i].modes == events->sel[j].modes &&
	       !strcmp(event_title(events, i), event_title(events, j));
}

void distinguish_event(const struct events *events, size_t i,
		       struct distinct *distinct)
{
	const struct vpmc_event_sel *sel = events->sel;
	bool code = has_no_name(events, i), counter = false, number = false;
	size_t j;

	*distinct = (struct distinct){ .nr = 0 };
	for (j = 0; j < events->nr; j++) {
		if (j == i || !have_same_name(events, i, j))
			continue;
		if (sel[j].code != sel[i].code)
			code = true;
		else if (sel[j].counter != sel[i].counter)
			counter = true;
		else
			number = true;
	}
	if (code)
		add_code(distinct, sel[i].code);
	if (counter)
		add_counter(distinct, sel[i].counter);
	if (number)
		add_number(distinct, "number", i + 1);
}

/* Return the group's name without the directory of its file. */
static const char *group_title(const struct metric *metric)
{
	const char *slash = strrchr(metric->group, '/');

	return slash ? slash + 1 : metric->group;
}

void distinguish_metric(const struct events *events, size_t i,
			struct distinct *distinct)
{
	const struct metrics *metrics = events->metrics;
	const struct metric *metric = &metrics->metric[i], *other;
	const char *title = group_title(metric);
	bool group = false, number = false;
	size_t j;

	*distinct = (struct distinct){ .nr = 0 };
	for (j = 0; j < metrics->nr; j++) {
		other = &metrics->metric[j];
		if (j == i || strcmp(other->name, metric->name) != 0)
			continue;
		if (strcmp(group_title(other), title) != 0)
			group = true;
		else if (!strcmp(other->unit, metric->unit))
			number = true;
	}
	if (group)
		add(distinct, "group", title);
	if (number)
		add_number(distinct, "number", i + 1);
}
