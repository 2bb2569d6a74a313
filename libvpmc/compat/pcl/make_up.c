// SPDX-License-Identifier: LGPL-2.1-or-later
/* Find the events of this processor that make up one of PCL's events. */
#include "make_up.h"

#include <stdbool.h>
#include <string.h>

#include "pcl.h"

static const struct pclint_make_up any[] = {
	PCLINT_COUNT(PCL_ELAPSED_CYCLES, PCLINT_TSC),
};

static const struct pclint_table pclint_any = PCLINT_TABLE(any);

/*
 * These make-ups are for Intel's processors with architectural counters and for AMD's processors.
 * The report on PCL 2.2 does not cover most of these processors. The make-ups follow the
 * definitions of its tables 2.1 to 2.4 and use libvpmc's generic names. Events that a model lacks
 * are refused.
 */
static const struct pclint_make_up generic[] = {
	PCLINT_COUNT(PCL_CYCLES, "cycles"),
	PCLINT_COUNT(PCL_LOAD_INSTR, "loads"),
	PCLINT_COUNT(PCL_STORE_INSTR, "stores"),
	PCLINT_COUNT(PCL_LOADSTORE_INSTR, "loads + stores"),
	PCLINT_COUNT(PCL_INSTR, "instructions"),
	PCLINT_COUNT(PCL_JUMP_SUCCESS, "branches - branch-misses"),
	PCLINT_COUNT(PCL_JUMP_UNSUCCESS, "branch-misses"),
	PCLINT_COUNT(PCL_JUMP, "branches"),
	PCLINT_RATIO(PCL_IPC, "instructions", "cycles"),
};

static const struct pclint_table pclint_generic = PCLINT_TABLE(generic);

/* Name Intel's families by models of CPUID's family 6, and AMD's by CPUID's family. */
#define INTEL(first, last, ...)                                   \
	{                                                         \
		"intel", 6, (first), (last),                      \
		{                                                 \
			__VA_ARGS__, &pclint_generic, &pclint_any \
		}                                                 \
	}
#define AMD(cpuid_family, ...)                                    \
	{                                                         \
		"amd", (cpuid_family), 0, 0,                      \
		{                                                 \
			__VA_ARGS__, &pclint_generic, &pclint_any \
		}                                                 \
	}

#define CORE2	&pclint_core2, &pclint_intel_l2
#define NEHALEM &pclint_nehalem, &pclint_rqsts
#define SANDYBRIDGE \
	&pclint_sandybridge, &pclint_icache, &pclint_walks, &pclint_rqsts
#define IVYBRIDGE &pclint_ivybridge, SANDYBRIDGE
#define HASWELL \
	&pclint_sandybridge, &pclint_icache, &pclint_walks, &pclint_demand
#define SKYLAKE \
	&pclint_sandybridge, &pclint_icache_64b, &pclint_walks, &pclint_demand
#define ICELAKE \
	&pclint_sandybridge, &pclint_icache_64b, &pclint_icelake, &pclint_demand

#define K7 &pclint_amd_l1, &pclint_amd_together, &pclint_amd_tlb
#define K8 K7, &pclint_amd_l2, &pclint_amd_dispatch
#define FAM10H                                                       \
	&pclint_amd_l1, &pclint_amd_together, &pclint_amd_tlb_pages, \
		&pclint_amd_l2, &pclint_amd_dispatch
#define BOBCAT                                                        \
	&pclint_amd_l1, &pclint_amd_together, &pclint_amd_tlb_levels, \
		&pclint_amd_l2

/* Entries for some models precede entries for all models. */
/* clang-format off */
static const struct pclint_family families[] = {
	{ "p5", 0, 0, 0, { &pclint_p5, &pclint_any } },
	{ "p5mmx", 0, 0, 0, { &pclint_p5mmx, &pclint_p5, &pclint_any } },
	{ "p6", 0, 0, 0, { &pclint_p6, &pclint_any } },
	{ "p4", 0, 0, 0, { &pclint_p4, &pclint_any } },

	INTEL(0x0e, 0x0e, &pclint_intel_l2),
	INTEL(0x0f, 0x0f, CORE2), INTEL(0x16, 0x17, CORE2), INTEL(0x1d, 0x1d, CORE2),
	INTEL(0x1a, 0x1a, NEHALEM), INTEL(0x1e, 0x1f, NEHALEM), INTEL(0x2e, 0x2e, NEHALEM),
	INTEL(0x25, 0x25, NEHALEM), INTEL(0x2c, 0x2c, NEHALEM), INTEL(0x2f, 0x2f, NEHALEM),
	INTEL(0x2a, 0x2a, SANDYBRIDGE), INTEL(0x2d, 0x2d, SANDYBRIDGE),
	INTEL(0x3a, 0x3a, IVYBRIDGE), INTEL(0x3e, 0x3e, IVYBRIDGE),
	/* These are Haswell and Broadwell. */
	INTEL(0x3c, 0x3d, HASWELL), INTEL(0x3f, 0x3f, HASWELL), INTEL(0x45, 0x47, HASWELL),
	INTEL(0x4f, 0x4f, HASWELL), INTEL(0x56, 0x56, HASWELL),
	/* These are Skylake and its successors. */
	INTEL(0x4e, 0x4e, SKYLAKE), INTEL(0x5e, 0x5e, SKYLAKE), INTEL(0x55, 0x55, SKYLAKE),
	INTEL(0x8e, 0x8e, SKYLAKE), INTEL(0x9e, 0x9e, SKYLAKE), INTEL(0xa5, 0xa6, SKYLAKE),
	/* These are Ice Lake, Tiger Lake and Rocket Lake. */
	INTEL(0x6a, 0x6a, ICELAKE), INTEL(0x6c, 0x6c, ICELAKE), INTEL(0x7d, 0x7e, ICELAKE),
	INTEL(0x8c, 0x8d, ICELAKE), INTEL(0xa7, 0xa7, ICELAKE),
	{ "intel", 0, 0, 0, { &pclint_generic, &pclint_any } },

	AMD(0x06, K7),
	AMD(0x0f, K8),
	AMD(0x10, FAM10H), AMD(0x11, FAM10H), AMD(0x12, FAM10H),
	AMD(0x14, BOBCAT),
	AMD(0x15, &pclint_amd_f15h),
	AMD(0x16, &pclint_amd_l1, &pclint_amd_tlb_levels),
	AMD(0x17, &pclint_amd_f17h, &pclint_amd_zen),
	AMD(0x19, &pclint_amd_f19h, &pclint_amd_zen),
	AMD(0x1a, &pclint_amd_f1ah, &pclint_amd_f19h, &pclint_amd_zen),
	{ "amd", 0, 0, 0, { &pclint_generic, &pclint_any } },
};
/* clang-format on */

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
