// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Find out from CPUID which counters this processor has. The driver may still not count on
 * them.
 */
#include <string.h>

#include "base/internal.h"

enum { EAX, EBX, ECX, EDX };

/* These are fields of leaf 0AH. */
#define ARCHITECTURAL		 0x0a
#define VERSION(regs)		 ((regs)[EAX] & 0xff)
#define GENERAL_COUNTERS(regs)	 ((regs)[EAX] >> 8 & 0xff)
#define FIXED_COUNTERS(regs)	 ((regs)[EDX] & 0x1f)
#define FIRST_VERSION_WITH_FIXED 2
#define NR_KNOWN_FIXED		 3U
#define NR_KNOWN_GENERAL	 8U

/* Leaf 1 has this bit in EDX. */
#define MMX_BIT (1U << 23)

/* Leaf 80000001H has this bit in ECX if the processor has six counters instead of four. */
#define EXTENDED	 0x80000001
#define PERFCTR_CORE_BIT (1U << 23)

static unsigned int at_most(unsigned int number, unsigned int limit)
{
	return number < limit ? number : limit;
}

static const struct vpmc_pmu *find_architectural(const uint32_t regs[4])
{
	unsigned int fixed = VERSION(regs) < FIRST_VERSION_WITH_FIXED
				     ? 0
				     : FIXED_COUNTERS(regs);

	/* The driver uses either all three fixed counters or none. */
	fixed = fixed < NR_KNOWN_FIXED ? 0 : NR_KNOWN_FIXED;
	return vpmcint_pmu_find(
		"intel",
		at_most(GENERAL_COUNTERS(regs), NR_KNOWN_GENERAL) + fixed,
		fixed);
}

/*
 * Return whether this is a P6, up to the Pentium III (AP-485, "Intel Processor Identification and
 * the CPUID Instruction"). Later models of family 6 have leaf 0AH, unless a hypervisor hides their
 * counters. The earlier Pentium M has counters that the driver does not know.
 */
static bool is_p6(const struct vpmc_machine *here)
{
	static const uint16_t models = 1U << 1 | 1U << 3 | 1U << 5 | 1U << 6 |
				       1U << 7 | 1U << 8 | 1U << 10 | 1U << 11;

	return here->family == 6 && here->model < 16 &&
	       models >> here->model & 1;
}

static const struct vpmc_pmu *find_intel(const struct vpmc_machine *here)
{
	uint32_t regs[4];

	if (vpmcint_cpuid(ARCHITECTURAL, 0, regs) && VERSION(regs))
		return find_architectural(regs);
	if (is_p6(here))
		return &vpmcint_p6;
	if (here->family == 15)
		return &vpmcint_p4;
	if (here->family != 5 || !vpmcint_cpuid(1, 0, regs))
		return NULL;
	return regs[EDX] & MMX_BIT ? &vpmcint_p5mmx : &vpmcint_p5;
}

static const struct vpmc_pmu *find_amd(unsigned int family)
{
	uint32_t regs[4];

	if (family < 6)
		return NULL;
	return vpmcint_cpuid(EXTENDED, 0, regs) && regs[ECX] & PERFCTR_CORE_BIT
		       ? vpmcint_pmu_find("amd", 6, 0)
		       : vpmcint_pmu_find("amd", 4, 0);
}

const struct vpmc_pmu *vpmc_pmu_here_sized(struct vpmc_machine *machine,
					   size_t size)
{
	const struct vpmc_pmu *pmu = NULL;
	struct vpmc_machine here = { .abi = 0 };

	vpmcint_identify(&here);
	if (!strcmp(here.vendor, vpmcint_intel[0].vendor))
		pmu = find_intel(&here);
	else if (!strcmp(here.vendor, vpmcint_amd[0].vendor))
		pmu = find_amd(here.family);
	if (!pmu)
		return NULL;
	strncpy(here.pmu, pmu->name, sizeof(here.pmu) - 1);
	here.counters = pmu->counters - pmu->fixed;
	here.fixed = pmu->fixed;
	vpmcint_hand_over(machine, size, &here, sizeof(here));
	return pmu;
}
