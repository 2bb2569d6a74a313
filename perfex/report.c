// SPDX-License-Identifier: GPL-2.0-only
/*
 * What perfex prints: counts, events, the machine. Columns are separated by
 * at least two spaces, and only the last one may contain spaces.
 */
#include <inttypes.h>

#include "perfex.h"

/* Digits of the largest count, 2^64 - 1. */
#define COUNT_WIDTH 20

static const char *modes_text(unsigned int modes)
{
	if (modes == VPMC_USER)
		return "u";
	return modes == VPMC_KERNEL ? "k" : "uk";
}

static void print_code(FILE *out, uint32_t code)
{
	/* 0x00 to 0x3b, and 0x100 for clocks. */
	fprintf(out, "0x%02" PRIx32 "%s", code, code < 0x100 ? "   " : "  ");
}

void print_report(FILE *out, const struct events *events,
		  const struct vpmc_counts *counts)
{
	size_t i;

	for (i = 0; i < events->nr; i++) {
		const struct vpmc_event_sel *sel = &events->sel[i];
		const struct vpmc_event_info *info =
			vpmc_event_lookup(events->pmu, sel);

		fprintf(out, "%*" PRIu64 "  ", COUNT_WIDTH, counts->count[i]);
		print_code(out, sel->code);
		fprintf(out, "%s:%s\n", info->name, modes_text(sel->modes));
	}
	if (counts->not_added)
		fprintf(out,
			"# %u threads are missing in these counts because"
			" their events differ\n",
			counts->not_added);
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

void print_events(FILE *out, const struct vpmc_pmu *pmu,
		  const struct vpmc_machine *machine)
{
	const struct vpmc_event_info *info;
	size_t nr;

	for (info = vpmc_event_table(pmu, &nr); nr; info++, nr--) {
		print_code(out, info->code);
		print_counters(out, info->counters);
		fprintf(out, "%-30s  %s%s\n", info->name, info->description,
			vpmc_event_emulated(machine, info->code)
				? ""
				: " (not emulated: reads zero)");
	}
}

void print_machine(FILE *out, const struct vpmc_machine *machine)
{
	fprintf(out, "processor   %s family %u model %u stepping %u\n",
		machine->vendor[0] ? machine->vendor : "unknown",
		machine->family, machine->model, machine->stepping);
	fprintf(out, "pmu         %s\n", machine->pmu);
	fprintf(out, "counters    %u\n", machine->counters);
	fprintf(out, "bits        %u\n", machine->counter_bits);
	fprintf(out, "rdpmc       %s\n", machine->rdpmc ? "yes" : "no");
	fprintf(out, "abi         %u\n", machine->abi);
	fprintf(out, "generation  %" PRIu64 "\n", machine->generation);
	fprintf(out, "machine     %s\n",
		machine->emulated ? "emulated" : "hardware");
}
