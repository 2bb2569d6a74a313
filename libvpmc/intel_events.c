// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Events of Intel's processors with architectural counters: Intel 64 and IA-32
 * Architectures Software Developer's Manual, volume 3B, "Pre-defined Architectural
 * Performance Events", in its names. Any other event has a code alone.
 *
 * The generic names stand for these, and loads and stores for the events of each
 * microarchitecture in volume 3B, "Performance Monitoring Events": INST_RETIRED
 * (Core 2), MEM_INST_RETIRED (Nehalem, Westmere), MEM_UOPS_RETIRED (Sandy Bridge
 * to Broadwell), MEM_INST_RETIRED (since Skylake).
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

static const struct vpmcint_models core[] = { { 6, 0x0e, 0x0e } };
static const struct vpmcint_models core2[] = {
	{ 6, 0x0f, 0x0f }, { 6, 0x16, 0x17 }, { 6, 0x1d, 0x1d },
};
/* And Westmere. */
static const struct vpmcint_models nehalem[] = {
	{ 6, 0x1a, 0x1a }, { 6, 0x1e, 0x1f }, { 6, 0x2e, 0x2e },
	{ 6, 0x25, 0x25 }, { 6, 0x2c, 0x2c }, { 6, 0x2f, 0x2f },
};
/* And Ivy Bridge, Haswell, Broadwell. */
static const struct vpmcint_models sandybridge[] = {
	{ 6, 0x2a, 0x2a }, { 6, 0x2d, 0x2d }, { 6, 0x3a, 0x3a },
	{ 6, 0x3e, 0x3e }, { 6, 0x3c, 0x3d }, { 6, 0x3f, 0x3f },
	{ 6, 0x45, 0x47 }, { 6, 0x4f, 0x4f }, { 6, 0x56, 0x56 },
};
/* And its successors, Ice Lake, Tiger Lake, Rocket Lake. */
static const struct vpmcint_models skylake[] = {
	{ 6, 0x4e, 0x4e }, { 6, 0x5e, 0x5e }, { 6, 0x55, 0x55 },
	{ 6, 0x8e, 0x8e }, { 6, 0x9e, 0x9e }, { 6, 0xa5, 0xa6 },
	{ 6, 0x6a, 0x6a }, { 6, 0x6c, 0x6c }, { 6, 0x7d, 0x7e },
	{ 6, 0x8c, 0x8d }, { 6, 0xa7, 0xa7 },
};

/* Bits of CPUID leaf 0AH, EBX, from 1: set for events that there are not. */
enum { CYCLES = 1, INSTRUCTIONS, REF_CYCLES, REFERENCES, MISSES, BRANCHES,
       MISPREDICTED };

#define MISSING(name, description, instead)                            \
	{ VPMCINT_REFUSED(name, description,                           \
			  "CPUID (leaf 0AH) says that the processor"   \
			  " lacks this architectural event, so " instead) }
#define NO_MEMORY_EVENTS                                               \
	"the processor has no event for those that were completed, so" \
	" count instructions or cache-references"
#define UNKNOWN_MODEL                                                      \
	"its code is different from model to model and libvpmc does not"   \
	" know this one, so give the code that the manual has for it"

static const struct vpmcint_generic generic[] = {
	{ VPMCINT_COUNTED(0x00c0, ALL, "instructions",
			  "instructions retired"),
	  .feature = INSTRUCTIONS },
	MISSING("instructions", "instructions retired", "count cycles"),
	{ VPMCINT_COUNTED(0x003c, ALL, "cycles",
			  "clocks in which the core is not halted"),
	  .feature = CYCLES },
	MISSING("cycles", "clocks in which the core is not halted",
		"count instructions"),
	{ VPMCINT_COUNTED(0x013c, ALL, "ref-cycles",
			  "clocks of a fixed rate, not the TSC's, in which it is not halted"),
	  .feature = REF_CYCLES },
	MISSING("ref-cycles", "clocks of a fixed rate", "count cycles"),
	{ VPMCINT_COUNTED(0x00c4, ALL, "branches",
			  "branches retired"),
	  .feature = BRANCHES },
	MISSING("branches", "branches retired", "count instructions"),
	{ VPMCINT_COUNTED(0x00c5, ALL, "branch-misses",
			  "branches retired that were predicted wrongly"),
	  .feature = MISPREDICTED },
	MISSING("branch-misses", "branches that were predicted wrongly",
		"give the code of another one in the manual"),
	{ VPMCINT_COUNTED(0x4f2e, ALL, "cache-references",
			  "accesses to the last level of the caches"),
	  .feature = REFERENCES },
	MISSING("cache-references", "accesses to the last level of the caches",
		"give the code of another one in the manual"),
	{ VPMCINT_COUNTED(0x412e, ALL, "cache-misses",
			  "accesses to the last level of the caches that miss it"),
	  .feature = MISSES },
	MISSING("cache-misses", "misses of the last level of the caches",
		"give the code of another one in the manual"),
	{ VPMCINT_COUNTED(0x01c0, ALL, "loads",
			  "instructions retired that load"),
	  VPMCINT_MODELS(core2) },
	{ VPMCINT_COUNTED(0x02c0, ALL, "stores",
			  "instructions retired that store"),
	  VPMCINT_MODELS(core2) },
	{ VPMCINT_COUNTED(0x010b, ALL, "loads",
			  "instructions retired that load"),
	  VPMCINT_MODELS(nehalem) },
	{ VPMCINT_COUNTED(0x020b, ALL, "stores",
			  "instructions retired that store"),
	  VPMCINT_MODELS(nehalem) },
	{ VPMCINT_COUNTED(0x81d0, ALL, "loads",
			  "micro-operations retired that load"),
	  VPMCINT_MODELS(sandybridge) },
	{ VPMCINT_COUNTED(0x82d0, ALL, "stores",
			  "micro-operations retired that store"),
	  VPMCINT_MODELS(sandybridge) },
	{ VPMCINT_COUNTED(0x81d0, ALL, "loads",
			  "instructions retired that load"),
	  VPMCINT_MODELS(skylake) },
	{ VPMCINT_COUNTED(0x82d0, ALL, "stores",
			  "instructions retired that store"),
	  VPMCINT_MODELS(skylake) },
	{ VPMCINT_REFUSED("loads", "loads",
			  NO_MEMORY_EVENTS),
	  VPMCINT_MODELS(core) },
	{ VPMCINT_REFUSED("stores", "stores",
			  NO_MEMORY_EVENTS),
	  VPMCINT_MODELS(core) },
	{ VPMCINT_REFUSED("loads", "loads",
			  UNKNOWN_MODEL) },
	{ VPMCINT_REFUSED("stores", "stores",
			  UNKNOWN_MODEL) },
};

/* clang-format on */

#define LEAF 0x0a
enum { EAX, EBX };

/* Bits 31:24 of EAX are how many bits of EBX have a meaning. */
static bool has_architectural(unsigned int feature)
{
	uint32_t regs[4];

	if (!vpmcint_cpuid(LEAF, 0, regs))
		return true;
	return feature <= regs[EAX] >> 24 && !(regs[EBX] >> (feature - 1) & 1);
}

#define INTEL(n)                                                             \
	{                                                                    \
		.name = "intel", .vendor = "GenuineIntel", .counters = (n),  \
		.events = events, .nr_events = ARRAY_SIZE(events),           \
		.any_code = 1, .generic = generic,                           \
		.nr_generic = ARRAY_SIZE(generic), .has = has_architectural, \
		.pfm = PFM_CODES_NO_ZERO,                                    \
	}

/* With Hyper-Threading, each of two processors has half of them. */
const struct vpmc_pmu vpmcint_intel[VPMCINT_NR_INTEL] = {
	INTEL(8), INTEL(7), INTEL(6), INTEL(5),
	INTEL(4), INTEL(3), INTEL(2), INTEL(1),
};
