// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * List the make-ups of PCL's events on Intel's processors with architectural counters,
 * which the report on PCL 2.2 does not cover. They follow the definitions of its tables 2.1
 * to 2.4 and use libvpmc's generic names, whose sources are in
 * libvpmc/events/intel_events.c. Events that a model lacks are refused.
 */
#include "make_up.h"
#include "pcl.h"

/* clang-format off */
static const struct pclint_make_up intel[] = {
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

/* On these models the last level of the caches is the second one. */
static const struct pclint_make_up l2[] = {
	PCLINT_COUNT(PCL_L2CACHE_READWRITE, "llc_references"),
	PCLINT_COUNT(PCL_L2CACHE_HIT, "llc_references - llc_misses"),
	PCLINT_COUNT(PCL_L2CACHE_MISS, "llc_misses"),
};
/* clang-format on */

const struct pclint_table pclint_intel_l2 = PCLINT_TABLE(l2);
const struct pclint_table pclint_intel = PCLINT_TABLE(intel);
