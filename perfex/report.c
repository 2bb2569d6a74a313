// SPDX-License-Identifier: GPL-2.0-only
/*
 * What perfex prints: counts, events, the machine. Columns are separated by
 * at least two spaces, and only the last one may contain spaces.
 */
#include <inttypes.h>

#include "perfex.h"

static const char *modes_text(unsigned int modes)
{
	if (modes == VPMC_USER)
		return "u";
	return modes == VPMC_KERNEL ? "k" : "uk";
}

static void print_code(FILE *out, uint64_t code)
{
	/* 0x00 to 0x3b, and 0x100 for clocks. */
	fprintf(out, "0x%02" PRIx64 "%s", code, code < 0x100 ? "   " : "  ");
}

void event_name(const struct events *events, size_t nr,
		char name[EVENT_NAME_MAX])
{
	const struct vpmc_event_sel *sel = &events->sel[nr];
	const char *given = events->name[nr];

	snprintf(name, EVENT_NAME_MAX, "%s:%s",
		 *given ? given : vpmc_event_lookup(events->pmu, sel)->name,
		 modes_text(sel->modes));
}

void print_note(FILE *out, unsigned int nr, const char *one, const char *many,
		const char *rest)
{
	if (nr)
		fprintf(out, "# %u %s %s\n", nr, nr == 1 ? one : many, rest);
}

/* 0 to 999 per mille: a part is never rounded to the whole. */
static unsigned int permille(uint64_t part, uint64_t whole)
{
	unsigned int share =
		(unsigned int)((double)part / (double)whole * 1000);

	return share < 999 ? share : 999;
}

static void print_count(FILE *out, const struct events *events,
			const struct vpmc_counts *counts, unsigned int i)
{
	const bool projected = events->shared && vpmc_is_projected(counts, i);
	const uint64_t time = counts->time[i];
	char name[EVENT_NAME_MAX];

	if (projected && !time)
		fprintf(out, "%*s  ", COUNT_WIDTH, NO_COUNT);
	else
		fprintf(out, "%*" PRIu64 "  ", COUNT_WIDTH,
			projected ? vpmc_project(counts->count[i], time,
						 counts->tsc)
				  : counts->count[i]);
	print_code(out, events->sel[i].code);
	event_name(events, i, name);
	fputs(name, out);
	if (projected && !time)
		fputs("  # not counted", out);
	else if (projected)
		fprintf(out, "  # projected from %u.%u%% of the time",
			permille(time, counts->tsc) / 10,
			permille(time, counts->tsc) % 10);
	fputc('\n', out);
}

void print_report(FILE *out, const struct events *events,
		  const struct vpmc_counts *counts)
{
	unsigned int i;

	for (i = 0; i < events->nr; i++)
		print_count(out, events, counts, i);
	print_note(out, counts->other_events, "thread is", "threads are",
		   "missing in these counts: other events were counted there");
	print_note(out, counts->revoked, "thread is", "threads are",
		   "missing in these counts: a privileged program was executed"
		   " there");
	print_note(out, counts->running, "process is", "processes are",
		   "still running: these counts contain what was counted there"
		   " so far");
}

static void print_counters(FILE *out, uint32_t counters)
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
	fprintf(out, "%*s", width < 3 ? 5 - width : 2, "");
}

/**
 * struct list - a list of events under way
 * @out: where to
 * @pmu: of the events
 * @machine: to mark the events that are not emulated
 * @left_out: events that cannot be counted
 */
struct list {
	FILE *out;
	const struct vpmc_pmu *pmu;
	const struct vpmc_machine *machine;
	unsigned int left_out;
};

static void print_event(const struct list *list,
			const struct vpmc_event_info *info)
{
	print_code(list->out, info->code);
	print_counters(list->out, vpmc_event_counters(list->pmu, info));
	fprintf(list->out, "%-30s  %s%s\n", info->name, info->description,
		vpmc_event_emulated(list->machine, info->code)
			? ""
			: " (not emulated: reads zero)");
}

static void print_generic_event(const struct list *list,
				const struct vpmc_named_event *event)
{
	const struct vpmc_event_info *info = &event->info;

	if (event->refusal)
		fprintf(list->out,
			"%-5s  %-3s  %-30s  %s (cannot be counted: %s)\n",
			NO_COUNT, NO_COUNT, info->name, info->description,
			event->refusal);
	else
		print_event(list, info);
}

static void print_pfm_event(const struct vpmc_named_event *event, void *arg)
{
	struct list *list = arg;

	if (event->refusal)
		list->left_out++;
	else
		print_event(list, &event->info);
}

static void print_pfm_events(struct list *list)
{
	struct vpmc_error err;

	if (vpmc_pfm_events(list->pmu, print_pfm_event, list, &err))
		fprintf(list->out, "# %s\n", err.text);
	print_note(list->out, list->left_out, "event of libpfm4 is",
		   "events of libpfm4 are",
		   "not listed: vpmc cannot count them");
}

void print_events(FILE *out, const struct vpmc_pmu *pmu,
		  const struct vpmc_machine *machine)
{
	struct list list = { .out = out, .pmu = pmu, .machine = machine };
	const struct vpmc_named_event *generic;
	const struct vpmc_event_info *info;
	unsigned int i;
	size_t nr;

	for (i = 0; (generic = vpmc_generic_event(pmu, i)); i++)
		print_generic_event(&list, generic);
	for (info = vpmc_event_table(pmu, &nr); nr; info++, nr--)
		print_event(&list, info);
	print_pfm_events(&list);
}

void print_machine(FILE *out, const struct vpmc_machine *machine)
{
	fprintf(out, "processor   %s family %u model %u stepping %u\n",
		machine->vendor[0] ? machine->vendor : "unknown",
		machine->family, machine->model, machine->stepping);
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
