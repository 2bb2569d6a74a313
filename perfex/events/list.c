// SPDX-License-Identifier: GPL-2.0-only
/* Print the list of events and the description of the machine. */
#include "events/list.h"

#include <inttypes.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "events/group_metric.h"
#include "util/columns.h"

/* Descriptions begin in this column, and lines end at this width. */
#define COLUMN 44
#define WIDTH  100

/* The longest description, with its mark, fits into this many bytes. */
#define DESCRIPTION_MAX 700

/* A list distinguishes at most this many reasons. */
#define REASONS_MAX 16

/**
 * struct left_out - number of events that cannot be counted for one reason
 * @reason: the reason
 * @nr: number of these events
 */
struct left_out {
	const char *reason;
	unsigned int nr;
};

/**
 * struct list - a list of events in progress
 * @out: stream to write to
 * @pmu: the family of events
 * @machine: the machine, which determines the events that cannot happen
 * @modes: the modes in which events are to be counted
 * @patterns: patterns, ended by NULL; an event must match one of them unless there are none
 * @listed: number of events that were listed
 * @left_out: number of events that cannot be counted
 * @reasons: events that cannot be counted, by reason; further reasons are dropped
 * @names: names of the events that were listed, a tree of tsearch(3)
 */
struct list {
	FILE *out;
	const struct vpmc_pmu *pmu;
	const struct vpmc_machine *machine;
	unsigned int modes;
	char *const *patterns;
	unsigned int listed;
	unsigned int left_out;
	struct left_out reasons[REASONS_MAX];
	void *names;
};

static bool is_wanted(const struct list *list,
		      const struct vpmc_event_info *info)
{
	char *const *pattern = list->patterns;

	for (; *pattern; pattern++) {
		if (strcasestr(info->name, *pattern) ||
		    strcasestr(info->description, *pattern))
			return true;
	}
	return !*list->patterns;
}

static int compare_names(const void *a, const void *b)
{
	return strcasecmp(a, b);
}

/*
 * Tell whether an event has to be printed, and remember its name. The library's tables and
 * libpfm4 have some names in common, and a name stands for its first event. If there is no memory
 * to remember a name, it may be printed twice.
 */
static bool begin_event(struct list *list, const struct vpmc_event_info *info)
{
	char *name;

	if (!is_wanted(list, info) ||
	    tfind(info->name, &list->names, compare_names))
		return false;
	name = strdup(info->name);
	if (name && !tsearch(name, &list->names, compare_names))
		free(name);
	list->listed++;
	return true;
}

/* Print counters. Returns the number of columns. */
static int print_counters(FILE *out, uint32_t counters)
{
	const char *separator = "";
	int width = 0;
	int counter;

	for (counter = 0; counter < VPMC_COUNTS_MAX; counter++) {
		if (counters & 1U << counter) {
			width += fprintf(out, "%s%d", separator, counter);
			separator = ",";
		}
	}
	return width + fprintf(out, "%*s", width < 3 ? 5 - width : 2, "");
}

/* Print a text from COLUMN on, with as many words as fit in each line. */
static void print_words(FILE *out, const char *text)
{
	size_t room = WIDTH - COLUMN, length;

	while (*text) {
		length = strcspn(text, " ");
		if (length > room) {
			fprintf(out, "\n%*s", COLUMN, "");
			room = WIDTH - COLUMN;
		}
		fprintf(out, "%.*s", (int)length, text);
		room = length < room ? room - length : 0;
		text += length;
		if (*text) {
			text++;
			/* Print a blank, but not at the end of a line. */
			length = strcspn(text, " ");
			if (length < room)
				fputc(' ', out);
			room = length < room ? room - 1 : 0;
		}
	}
	fputc('\n', out);
}

/* Print a name and its description after @width columns. */
static void print_description(FILE *out, int width, const char *name,
			      const char *description)
{
	fputs(name, out);
	width += (int)strlen(name);
	if (width + 2 > COLUMN)
		fprintf(out, "\n%*s", COLUMN, "");
	else
		fprintf(out, "%*s", COLUMN - width, "");
	print_words(out, description);
}

/*
 * Returns the only counter that can count an event, or VPMC_ANY_COUNTER if there are
 * several.
 */
static int only_counter(uint32_t counters)
{
	return counters && !(counters & (counters - 1))
		       ? __builtin_ctz(counters)
		       : VPMC_ANY_COUNTER;
}

/* Events whose counts by an emulator are not exact have these marks. */
static const char *const emulation_marks[] = {
	[VPMC_MODELLED] = "modelled",
	[VPMC_PER_INSTRUCTION] = "one per instruction",
};

/* Return the restriction on an event's count, or NULL. */
static const char *mark_of(const struct list *list,
			   const struct vpmc_event_sel *sel)
{
	const char *never = vpmc_event_never(list->pmu, list->machine, sel);

	return never ? never
		     : emulation_marks[vpmc_event_emulation(list->machine,
							    sel)];
}

/*
 * Print an event. The mark of an event that cannot happen, or is modelled, precedes the
 * description, so that it is noticed.
 */
static void print_event(struct list *list, const struct vpmc_event_info *info)
{
	const uint32_t counters =
		vpmc_event_accepted(list->pmu, list->machine, info);
	const struct vpmc_event_sel sel = { .code = info->code,
					    .counter = only_counter(counters),
					    .modes = list->modes };
	const char *mark = mark_of(list, &sel);
	char description[DESCRIPTION_MAX];
	int width;

	if (!begin_event(list, info))
		return;
	width = print_code(list->out, info->code) +
		print_counters(list->out, counters);
	snprintf(description, sizeof(description), "%s%s%s%s", mark ? "(" : "",
		 mark ? mark : "", mark ? ") " : "", info->description);
	print_description(list->out, width, info->name, description);
}

static void print_generic_event(struct list *list,
				const struct vpmc_named_event *event)
{
	const struct vpmc_event_info *info = &event->info;
	char description[DESCRIPTION_MAX];
	int width;

	if (!event->refusal) {
		print_event(list, info);
		return;
	}
	if (!begin_event(list, info))
		return;
	snprintf(description, sizeof(description), "%s (cannot be counted: %s)",
		 info->description, event->refusal);
	width = fprintf(list->out, "%-5s  %-3s  ", NO_COUNT, NO_COUNT);
	print_description(list->out, width, info->name, description);
}

static void leave_out(struct list *list, const char *reason)
{
	size_t i = 0;

	list->left_out++;
	while (i < REASONS_MAX && list->reasons[i].nr &&
	       strcmp(list->reasons[i].reason, reason) != 0)
		i++;
	if (i == REASONS_MAX)
		return;
	list->reasons[i].reason = reason;
	list->reasons[i].nr++;
}

/* Print one line for each reason, without the remedy. */
static void print_left_out(const struct list *list)
{
	const char *reason, *hint;
	size_t i;

	if (!list->left_out)
		return;
	fprintf(list->out,
		"# %u %s not listed, because vpmc cannot count %s:\n",
		list->left_out,
		list->left_out == 1 ? "event of libpfm4 is"
				    : "events of libpfm4 are",
		list->left_out == 1 ? "it" : "them");
	for (i = 0; i < REASONS_MAX && list->reasons[i].nr; i++) {
		reason = list->reasons[i].reason;
		hint = strstr(reason, ", so ");
		fprintf(list->out, "#   %u: %.*s\n", list->reasons[i].nr,
			(int)(hint ? (size_t)(hint - reason) : strlen(reason)),
			reason);
	}
}

static void print_pfm_event(const struct vpmc_named_event *event, void *arg)
{
	struct list *list = arg;

	if (event->refusal)
		leave_out(list, event->refusal);
	else
		print_event(list, &event->info);
}

static void print_pfm_events(struct list *list)
{
	struct vpmc_error err;

	if (vpmc_pfm_events(list->pmu, print_pfm_event, list, &err))
		fprintf(list->out, "# %s\n", err.text);
	print_left_out(list);
}

/* Print a metric like an event, with its formula. */
static void print_metric(const struct metric *metric, const char *group,
			 void *arg)
{
	struct list *list = arg;
	char description[DESCRIPTION_MAX];
	struct vpmc_event_info info = { .name = metric->name,
					.description = description };
	int width;

	snprintf(description, sizeof(description), "%s = %s (group %s)",
		 metric->unit, metric->text, group);
	if (!begin_event(list, &info))
		return;
	width = fprintf(list->out, "%-5s  %-3s  ", NO_COUNT, NO_COUNT);
	print_description(list->out, width, info.name, description);
}

unsigned int print_events(FILE *out, const struct vpmc_pmu *pmu,
			  const struct vpmc_machine *machine,
			  unsigned int modes, char *const *patterns)
{
	struct list list = { .out = out,
			     .pmu = pmu,
			     .machine = machine,
			     .modes = modes,
			     .patterns = patterns };
	const struct vpmc_named_event *generic;
	const struct vpmc_event_info *info;
	unsigned int i;
	size_t nr;

	for (i = 0; (generic = vpmc_generic_event(pmu, i)); i++)
		print_generic_event(&list, generic);
	for (info = vpmc_event_table(pmu, &nr); nr; info++, nr--)
		print_event(&list, info);
	visit_metrics(pmu, print_metric, &list);
	print_pfm_events(&list);
	tdestroy(list.names, free);
	return list.listed;
}

void print_processor(char text[PROCESSOR_MAX],
		     const struct vpmc_machine *machine)
{
	char vendor[4 * sizeof(machine->vendor)];

	vpmc_escape(machine->vendor, vendor, sizeof(vendor));
	snprintf(text, PROCESSOR_MAX, "%s family %u model %u",
		 *vendor ? vendor : "unknown", machine->family, machine->model);
}

void print_machine(FILE *out, const struct vpmc_machine *machine)
{
	char processor[PROCESSOR_MAX];

	print_processor(processor, machine);
	fprintf(out, "processor   %s stepping %u\n", processor,
		machine->stepping);
	fprintf(out, "pmu         %s\n", machine->pmu);
	fprintf(out, "counters    %u\n", machine->counters);
	fprintf(out, "fixed       %u\n", machine->fixed);
	fprintf(out, "bits        %u\n", machine->counter_bits);
	fprintf(out, "rdpmc       %s\n", machine->rdpmc ? "yes" : "no");
	fprintf(out, "abi         %u\n", machine->abi);
	fprintf(out, "generation  %" PRIu64 "\n", machine->generation);
	fprintf(out, "system      %s\n", machine->system ? "yes" : "no");
	fprintf(out, "machine     %s\n",
		machine->emulated ? "emulated" : "hardware");
}
