// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Find the counters on which the driver accepts an event. The library and the driver
 * include the same headers with the rules, such as vpmc/pmu/amd_events.h.
 */
#include <linux/vpmc.h>

#include "base/internal.h"

/*
 * These texts are the reasons why the driver refuses an event on all counters. They follow the
 * event's name.
 */
static const char *const refusals[] = {
	[VPMC_REASON_UNKNOWN_EVENT] = "no counter of this processor has it",
	[VPMC_REASON_RESERVED_BITS] = "its code has bits that this processor"
				      " reserves",
	[VPMC_REASON_SHARED] = "it counts what other processors do, too, and"
			       " not a process alone",
	[VPMC_REASON_MORE_REGISTERS] = "it needs more registers than one event"
				       " select, which vpmc does not set",
};

static bool counts_somewhere(const struct vpmc_pmu *pmu, uint32_t counters)
{
	const struct vpmc_event_info info = { .counters = counters };

	return vpmc_event_counters(pmu, &info) != 0;
}

const char *vpmcint_constrain(const struct vpmc_pmu *pmu,
			      const struct vpmc_machine *machine, uint64_t code,
			      uint32_t *counters)
{
	const bool native = !strcmp(machine->vendor, pmu->vendor);
	int reason;

	*counters = (1U << VPMC_FIXED_COUNTERS) - 1;
	if (!pmu->constrain)
		return NULL;
	reason = pmu->constrain(pmu, native ? machine : NULL, code, counters);
	if (!reason && !counts_somewhere(pmu, *counters))
		reason = VPMC_REASON_UNKNOWN_EVENT;
	return reason ? refusals[reason] : NULL;
}

uint32_t vpmc_event_accepted(const struct vpmc_pmu *pmu,
			     const struct vpmc_machine *machine,
			     const struct vpmc_event_info *info)
{
	struct vpmc_event_info accepted = *info;
	uint32_t counters;

	if (vpmcint_constrain(pmu, machine, info->code, &counters))
		return 0;
	if (pmu->constrain)
		accepted.counters &= counters;
	return vpmc_event_counters(pmu, &accepted);
}
