// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * List the events that all AMD processors since the K7 share. The sources are AMD64
 * Architecture Programmer's Manual, volume 2, "Performance Monitoring Counters", and the
 * lists of each family. The names are the names of these lists. Any other event has only
 * a code.
 *
 * The generic names of caches, loads and stores are from the lists of each family: AMD
 * Athlon Processor x86 Code Optimization Guide (22007), table 11 (K7); BIOS and Kernel
 * Developer's Guides, "Performance Monitor Events" (K8 to 16h); Processor Programming
 * References, "Performance Monitor Counters", with the sums of "Guidance for Common
 * Performance Statistics with Complex Event Selects" (Zen).
 */
#include "base/internal.h"

#include "../../vpmc/pmu/amd_events.h"

/* No AMD counter is fixed. */
#define ALL ((1U << VPMC_FIXED_COUNTERS) - 1)

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

/* The cache events of these models count the data cache, or the L2 cache. */
static const struct vpmcint_models data_cache[] = {
	{ 0x06, 0, 0xff }, { 0x16, 0, 0xff },
};
static const struct vpmcint_models f15h[] = { { 0x15, 0, 0xff } };
static const struct vpmcint_models k8[] = {
	{ 0x0f, 0, 0xff }, { 0x10, 0, 0xff }, { 0x11, 0, 0xff },
	{ 0x12, 0, 0xff },
};
static const struct vpmcint_models bobcat[] = { { 0x14, 0, 0xff } };
static const struct vpmcint_models zen[] = {
	{ 0x17, 0, 0xff }, { 0x19, 0, 0xff }, { 0x1a, 0, 0xff },
};
/* The load and store events of these models count dispatched, not retired, operations. */
static const struct vpmcint_models dispatching[] = {
	{ 0x15, 0, 0xff }, { 0x16, 0, 0xff }, { 0x17, 0, 0xff },
	{ 0x19, 0, 0xff }, { 0x1a, 0, 0xff },
};
/* The models from K7 to Bobcat have one event for loads and stores together. */
static const struct vpmcint_models together[] = {
	{ 0x06, 0, 0xff }, { 0x0f, 0, 0xff }, { 0x10, 0, 0xff },
	{ 0x11, 0, 0xff }, { 0x12, 0, 0xff }, { 0x14, 0, 0xff },
};
/* These are Zen 4 and its successors. */
static const struct vpmcint_models fixed_rate[] = {
	{ 0x19, 0x10, 0x1f }, { 0x19, 0x60, 0xaf }, { 0x1a, 0, 0xff },
};

#define NOT_APART                                                           \
	"the processor counts loads and stores together alone, so count the" \
	" accesses to the data cache, 0x40"
#define UNKNOWN_FAMILY                                                       \
	"its code is different from family to family and libvpmc does not"   \
	" know this one, so give the code that the manual has for it"

static const struct vpmcint_generic generic[] = {
	{ VPMCINT_COUNTED(0x00c0, ALL, "instructions",
			  "instructions retired") },
	{ VPMCINT_COUNTED(0x0076, ALL, "cycles",
			  "clocks in which the processor is not halted") },
	{ VPMCINT_COUNTED(0x100000120, ALL, "ref-cycles",
			  "clocks of the P0 state's rate in which it is not halted"),
	  VPMCINT_MODELS(fixed_rate) },
	{ VPMCINT_REFUSED("ref-cycles", "clocks of a fixed rate",
			  "the processor counts no other clock than its own, so count"
	    " cycles") },
	{ VPMCINT_COUNTED(0x00c2, ALL, "branches",
			  "branches retired, and exceptions and interrupts") },
	{ VPMCINT_COUNTED(0x00c3, ALL, "branch-misses",
			  "branches retired that were predicted wrongly") },
	{ VPMCINT_COUNTED(0x0040, ALL, "cache-references",
			  "accesses to the data cache"),
	  VPMCINT_MODELS(data_cache) },
	{ VPMCINT_COUNTED(0x0041, ALL, "cache-misses",
			  "accesses to the data cache that miss it"),
	  VPMCINT_MODELS(data_cache) },
	{ VPMCINT_COUNTED(0x0040, ALL, "cache-references",
			  "accesses to the data cache"),
	  VPMCINT_MODELS(f15h) },
	{ VPMCINT_COUNTED(0x0141, ALL, "cache-misses",
			  "accesses to the data cache that miss it, and streaming stores"),
	  VPMCINT_MODELS(f15h) },
	/* These are requests for instructions, for data, and for page tables. */
	{ VPMCINT_COUNTED(0x077d, ALL, "cache-references",
			  "requests to the L2 cache without its own prefetches"),
	  VPMCINT_MODELS(k8) },
	{ VPMCINT_COUNTED(0x077e, ALL, "cache-misses",
			  "requests to the L2 cache that miss it, without its own prefetches"),
	  VPMCINT_MODELS(k8) },
	{ VPMCINT_COUNTED(0x037d, ALL, "cache-references",
			  "requests to the L2 cache without its own prefetches"),
	  VPMCINT_MODELS(bobcat) },
	{ VPMCINT_COUNTED(0x037e, ALL, "cache-misses",
			  "requests to the L2 cache that miss it, without its own prefetches"),
	  VPMCINT_MODELS(bobcat) },
	{ VPMCINT_COUNTED(0xf960, ALL, "cache-references",
			  "requests to the L2 cache without its own prefetches"),
	  VPMCINT_MODELS(zen) },
	{ VPMCINT_COUNTED(0x0964, ALL, "cache-misses",
			  "requests to the L2 cache that miss it, without its own prefetches"),
	  VPMCINT_MODELS(zen) },
	{ VPMCINT_REFUSED("cache-references", "accesses to a cache",
			  UNKNOWN_FAMILY) },
	{ VPMCINT_REFUSED("cache-misses", "accesses to a cache that miss it",
			  UNKNOWN_FAMILY) },
	/*
	 * The event is LS_DISPATCH, with the bits for loads or for stores, and for operations that
	 * do both.
	 */
	{ VPMCINT_COUNTED(0x0529, ALL, "loads",
			  "loads dispatched, wrongly predicted ones too"),
	  VPMCINT_MODELS(dispatching) },
	{ VPMCINT_COUNTED(0x0629, ALL, "stores",
			  "stores dispatched, wrongly predicted ones too"),
	  VPMCINT_MODELS(dispatching) },
	{ VPMCINT_REFUSED("loads", "loads",
			  NOT_APART), VPMCINT_MODELS(together) },
	{ VPMCINT_REFUSED("stores", "stores",
			  NOT_APART),
	  VPMCINT_MODELS(together) },
	{ VPMCINT_REFUSED("loads", "loads",
			  UNKNOWN_FAMILY) },
	{ VPMCINT_REFUSED("stores", "stores",
			  UNKNOWN_FAMILY) },
};

/* clang-format on */

static int constrain_amd(const struct vpmc_pmu *pmu,
			 const struct vpmc_machine *machine, uint64_t code,
			 uint32_t *counters)
{
	(void)pmu;
	return machine ? amd_constrain(machine->family, code, counters) : 0;
}

#define AMD(n)                                                            \
	{                                                                 \
		.name = "amd", .vendor = "AuthenticAMD", .counters = (n), \
		.events = events, .nr_events = ARRAY_SIZE(events),        \
		.any_code = 1, .generic = generic,                        \
		.nr_generic = ARRAY_SIZE(generic), .pfm = PFM_CODES_ALL,  \
		.constrain = constrain_amd,                               \
	}

const struct vpmc_pmu vpmcint_amd[VPMCINT_NR_AMD] = {
	AMD(6),
	AMD(4),
};
