// SPDX-License-Identifier: LGPL-2.1-or-later
/* Find out which events cannot happen in the modes in which they are to be counted. */
#include <string.h>

#include "base/internal.h"

static bool is_kernel_only(const struct vpmc_pmu *pmu, uint64_t code)
{
	size_t i;

	for (i = 0; i < pmu->nr_kernel_only; i++) {
		if (pmu->kernel_only[i] == code)
			return true;
	}
	return false;
}

/* The emulator does not count such an event, but another event needs its tags. */
static bool is_tag_event(const struct vpmc_pmu *pmu, uint64_t code)
{
	return pmu->registers && pmu->registers->sets_tags(code);
}

const char *vpmc_event_never(const struct vpmc_pmu *pmu,
			     const struct vpmc_machine *machine,
			     const struct vpmc_event_sel *sel)
{
	/* CPUID does not describe another vendor's processors. */
	const bool native = !strcmp(machine->vendor, pmu->vendor);

	if (!vpmc_event_emulation(machine, sel) &&
	    !is_tag_event(pmu, sel->code))
		return "not emulated here";
	if (native && pmu->lacks && pmu->lacks(sel->code))
		return "not on this processor";
	if (!(sel->modes & VPMC_KERNEL) && is_kernel_only(pmu, sel->code))
		return "never in user mode";
	return NULL;
}
