// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Events of Intel's processors with architectural counters: Intel 64 and IA-32
 * Architectures Software Developer's Manual, volume 3B, "Pre-defined Architectural
 * Performance Events", in its names. Any other event has a code alone.
 */
#include "internal.h"

#define ALL 0xffffffff

/* clang-format off */
static const struct vpmc_event_info events[] = {
	{ 0x003c, ALL, "unhalted_core_cycles",
	  "clocks in which the core is not halted" },
	{ 0x00c0, ALL, "instructions_retired",
	  "instructions retired" },
	{ 0x00c4, ALL, "branch_instructions_retired",
	  "branches retired" },
	{ 0x00c5, ALL, "branch_misses_retired",
	  "branches retired that were predicted wrongly" },
	{ 0x013c, ALL, "unhalted_reference_cycles",
	  "clocks of a fixed rate in which the core is not halted" },
	{ 0x412e, ALL, "llc_misses",
	  "accesses to the last level of the caches that miss it" },
	{ 0x4f2e, ALL, "llc_references",
	  "accesses to the last level of the caches" },
};

/* clang-format on */

#define INTEL(n)                                                    \
	{                                                           \
		.name = "intel", .counters = (n), .events = events, \
		.nr_events = ARRAY_SIZE(events), .any_code = 1,     \
	}

/* With Hyper-Threading, each of two processors has half of them. */
const struct vpmc_pmu vpmcint_intel[VPMCINT_NR_INTEL] = {
	INTEL(8), INTEL(7), INTEL(6), INTEL(5),
	INTEL(4), INTEL(3), INTEL(2), INTEL(1),
};
