// SPDX-License-Identifier: LGPL-2.1-or-later
/* See make_up.h. */
#include "make_up.h"

#include <stdbool.h>
#include <string.h>

#include "pcl.h"

static const struct pclint_make_up any[] = {
	PCLINT_COUNT(PCL_ELAPSED_CYCLES, PCLINT_TSC),
};

const struct pclint_table pclint_any = PCLINT_TABLE(any);

/*
 * Those of some models come before those of all. CPUID's families of AMD: 06h is the K7,
 * 0Fh the K8, 10h to 12h are its successors. Of Intel: Core and Core 2.
 */
static const struct pclint_family families[] = {
	{ "p5", 0, 0, 0, { &pclint_p5, &pclint_any } },
	{ "p5mmx", 0, 0, 0, { &pclint_p5mmx, &pclint_p5, &pclint_any } },
	{ "p6", 0, 0, 0, { &pclint_p6, &pclint_any } },
	{ "intel",
	  6,
	  0x0e,
	  0x0f,
	  { &pclint_intel_l2, &pclint_intel, &pclint_any } },
	{ "intel",
	  6,
	  0x16,
	  0x17,
	  { &pclint_intel_l2, &pclint_intel, &pclint_any } },
	{ "intel",
	  6,
	  0x1d,
	  0x1d,
	  { &pclint_intel_l2, &pclint_intel, &pclint_any } },
	{ "intel", 0, 0, 0, { &pclint_intel, &pclint_any } },
	{ "amd",
	  0x06,
	  0,
	  0,
	  { &pclint_amd_l1, &pclint_amd_tlb, &pclint_amd, &pclint_any } },
	{ "amd",
	  0x0f,
	  0,
	  0,
	  { &pclint_amd_l1, &pclint_amd_tlb, &pclint_amd, &pclint_any } },
	{ "amd",
	  0x10,
	  0,
	  0,
	  { &pclint_amd_l1, &pclint_amd_tlb_pages, &pclint_amd, &pclint_any } },
	{ "amd",
	  0x11,
	  0,
	  0,
	  { &pclint_amd_l1, &pclint_amd_tlb_pages, &pclint_amd, &pclint_any } },
	{ "amd",
	  0x12,
	  0,
	  0,
	  { &pclint_amd_l1, &pclint_amd_tlb_pages, &pclint_amd, &pclint_any } },
	{ "amd", 0, 0, 0, { &pclint_amd, &pclint_any } },
};

const struct pclint_family *pclint_family(size_t i)
{
	return i < sizeof(families) / sizeof(families[0]) ? &families[i] : NULL;
}

static bool is_of(const struct vpmc_machine *machine,
		  const struct pclint_family *family)
{
	if (strcmp(machine->pmu, family->name) != 0)
		return false;
	if (family->cpuid_family && family->cpuid_family != machine->family)
		return false;
	return !family->last || (machine->model >= family->first &&
				 machine->model <= family->last);
}

const struct pclint_family *pclint_family_of(const struct vpmc_machine *machine)
{
	const struct pclint_family *family;
	size_t i;

	for (i = 0; (family = pclint_family(i)); i++) {
		if (is_of(machine, family))
			break;
	}
	return family;
}

static const struct pclint_make_up *find_in(const struct pclint_table *table,
					    int event)
{
	size_t i;

	for (i = 0; i < table->nr; i++) {
		if (table->entry[i].event == event)
			return &table->entry[i];
	}
	return NULL;
}

const struct pclint_make_up *pclint_make_up(const struct pclint_family *family,
					    int event)
{
	const struct pclint_make_up *found = NULL;
	size_t i;

	for (i = 0; !found && i < PCLINT_TABLES && family->table[i]; i++)
		found = find_in(family->table[i], event);
	return found;
}
