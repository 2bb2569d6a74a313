// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Events that all of AMD's processors since the K7 have in common: AMD64
 * Architecture Programmer's Manual, volume 2, "Performance Monitoring Counters",
 * and the lists of each family, in the words of these. Any other event has a code
 * alone.
 */
#include "internal.h"

#define ALL 0xffffffff

/* clang-format off */
static const struct vpmc_event_info events[] = {
	{ 0x0076, ALL, "cpu_clocks_not_halted",
	  "clocks in which the processor is not halted" },
	{ 0x00c0, ALL, "retired_instructions",
	  "instructions retired" },
	{ 0x00c2, ALL, "retired_branch_instructions",
	  "branches retired, and exceptions and interrupts" },
	{ 0x00c3, ALL, "retired_mispredicted_branch_instructions",
	  "branches retired that were predicted wrongly" },
};

/* clang-format on */

#define AMD(n)                                                    \
	{                                                         \
		.name = "amd", .counters = (n), .events = events, \
		.nr_events = ARRAY_SIZE(events), .any_code = 1,   \
	}

const struct vpmc_pmu vpmcint_amd[VPMCINT_NR_AMD] = {
	AMD(6),
	AMD(4),
};
