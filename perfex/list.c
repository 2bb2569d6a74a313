// SPDX-License-Identifier: GPL-2.0-only
/* See list.h. */
#include "list.h"

#include <inttypes.h>

#include "text.h"

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
 * @machine: to mark the events that cannot happen there
 * @modes: in which they are to be counted
 * @left_out: events that cannot be counted
 */
struct list {
	FILE *out;
	const struct vpmc_pmu *pmu;
	const struct vpmc_machine *machine;
	unsigned int modes;
	unsigned int left_out;
};

/* What cannot happen is said in front, where no line ends. */
static void print_event(const struct list *list,
			const struct vpmc_event_info *info)
{
	const struct vpmc_event_sel sel = { .code = info->code,
					    .modes = list->modes };
	const char *never = vpmc_event_never(list->pmu, list->machine, &sel);

	print_code(list->out, info->code);
	print_counters(list->out, vpmc_event_counters(list->pmu, info));
	fprintf(list->out, "%-30s  %s%s%s%s\n", info->name, never ? "(" : "",
		never ? never : "", never ? ") " : "", info->description);
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
		  const struct vpmc_machine *machine, unsigned int modes)
{
	struct list list = {
		.out = out, .pmu = pmu, .machine = machine, .modes = modes
	};
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
