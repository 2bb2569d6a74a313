// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * List the events of Intel's processors with architectural counters. The source of events and names
 * is Intel 64 and IA-32 Architectures Software Developer's Manual, volume 3B, "Pre-defined
 * Architectural Performance Events". Any other event has only a code. The code of the third fixed
 * counter, CPU_CLK_UNHALTED.REF_TSC, is the same as in perf_event and libpfm4.
 *
 * The generic names stand for these events. Loads and stores are the events of each
 * microarchitecture in volume 3B, "Performance Monitoring Events": INST_RETIRED (Core 2),
 * MEM_INST_RETIRED (Nehalem, Westmere), MEM_UOPS_RETIRED (Sandy Bridge to Broadwell),
 * MEM_INST_RETIRED (since Skylake).
 */
#include "base/internal.h"

#include "../../vpmc/pmu/intel_events.h"

/* GENERAL has all counters except the fixed counters, and FIXED() has one fixed counter. */
#define GENERAL	   ((1U << VPMC_FIXED_COUNTERS) - 1)
/* The first four counters count MEM_UOPS_RETIRED and MEM_INST_RETIRED. */
#define FIRST_FOUR 0xf
#define FIXED(n)   (1U << (VPMC_FIXED_COUNTERS + (n)))

/* clang-format off */
static const struct vpmc_event_info events[] = {
	{ 0x003c, GENERAL | FIXED(1), "unhalted_core_cycles",
	  "clocks in which the core is not halted" },
	{ 0x00c0, GENERAL | FIXED(0), "instructions_retired",
	  "instructions retired" },
	{ 0x00c4, GENERAL, "branch_instructions_retired",
	  "branches retired" },
	{ 0x00c5, GENERAL, "branch_misses_retired",
	  "branches retired that were predicted wrongly" },
	{ 0x013c, GENERAL, "unhalted_reference_cycles",
	  "clocks of a fixed rate in which the core is not halted" },
	{ 0x412e, GENERAL, "llc_misses",
	  "accesses to the last level of the caches that miss it" },
	{ 0x4f2e, GENERAL, "llc_references",
	  "accesses to the last level of the caches" },
};

static const struct vpmcint_models core[] = { { 6, 0x0e, 0x0e } };
static const struct vpmcint_models core2[] = {
	{ 6, 0x0f, 0x0f }, { 6, 0x16, 0x17 }, { 6, 0x1d, 0x1d },
};
/* These are Nehalem and Westmere. */
static const struct vpmcint_models nehalem[] = {
	{ 6, 0x1a, 0x1a }, { 6, 0x1e, 0x1f }, { 6, 0x2e, 0x2e },
	{ 6, 0x25, 0x25 }, { 6, 0x2c, 0x2c }, { 6, 0x2f, 0x2f },
};
/* These are Sandy Bridge, Ivy Bridge, Haswell and Broadwell. */
static const struct vpmcint_models sandybridge[] = {
	{ 6, 0x2a, 0x2a }, { 6, 0x2d, 0x2d }, { 6, 0x3a, 0x3a },
	{ 6, 0x3e, 0x3e }, { 6, 0x3c, 0x3d }, { 6, 0x3f, 0x3f },
	{ 6, 0x45, 0x47 }, { 6, 0x4f, 0x4f }, { 6, 0x56, 0x56 },
};
/* These are Skylake and its successors, Ice Lake, Tiger Lake and Rocket Lake. */
static const struct vpmcint_models skylake[] = {
	{ 6, 0x4e, 0x4e }, { 6, 0x5e, 0x5e }, { 6, 0x55, 0x55 },
	{ 6, 0x8e, 0x8e }, { 6, 0x9e, 0x9e }, { 6, 0xa5, 0xa6 },
	{ 6, 0x6a, 0x6a }, { 6, 0x6c, 0x6c }, { 6, 0x7d, 0x7e },
	{ 6, 0x8c, 0x8d }, { 6, 0xa7, 0xa7 },
};

/*
 * These are bits of CPUID leaf 0AH, EBX, from 1. A bit is set if the processor lacks the
 * event.
 */
enum { CYCLES = 1, INSTRUCTIONS, REF_CYCLES, REFERENCES, MISSES, BRANCHES,
       MISPREDICTED };

#define MISSING(name, description, instead)                            \
	{ VPMCINT_REFUSED(name, description,                           \
			  "CPUID (leaf 0AH) says that the processor"   \
			  " lacks this architectural event, so " instead) }
#define NO_MEMORY_EVENTS                                               \
	"the processor has no event for those that were completed, so" \
	" count instructions or cache-references"
#define OTHER_THREAD                                                   \
	"with Hyper-Threading the processor counts those of the other" \
	" thread of the core, too, so count instructions"
#define UNKNOWN_MODEL                                                      \
	"its code is different from model to model and libvpmc does not"   \
	" know this one, so give the code that the manual has for it"

static const struct vpmcint_generic generic[] = {
	{ VPMCINT_COUNTED(0x00c0, GENERAL | FIXED(0), "instructions",
			  "instructions retired"),
	  .feature = INSTRUCTIONS },
	MISSING("instructions", "instructions retired", "count cycles"),
	{ VPMCINT_COUNTED(0x003c, GENERAL | FIXED(1), "cycles",
			  "clocks in which the core is not halted"),
	  .feature = CYCLES },
	MISSING("cycles", "clocks in which the core is not halted",
		"count instructions"),
	{ VPMCINT_COUNTED(0x0300, FIXED(2), "ref-cycles",
			  "clocks at the TSC's rate in which the core is not halted"),
	  .fixed = true },
	{ VPMCINT_COUNTED(0x013c, GENERAL, "ref-cycles",
			  "clocks of a fixed rate, not the TSC's, in which it is not halted"),
	  .feature = REF_CYCLES },
	MISSING("ref-cycles", "clocks of a fixed rate", "count cycles"),
	{ VPMCINT_COUNTED(0x00c4, GENERAL, "branches",
			  "branches retired"),
	  .feature = BRANCHES },
	MISSING("branches", "branches retired", "count instructions"),
	{ VPMCINT_COUNTED(0x00c5, GENERAL, "branch-misses",
			  "branches retired that were predicted wrongly"),
	  .feature = MISPREDICTED },
	MISSING("branch-misses", "branches that were predicted wrongly",
		"give the code of another one in the manual"),
	{ VPMCINT_COUNTED(0x4f2e, GENERAL, "cache-references",
			  "accesses to the last level of the caches"),
	  .feature = REFERENCES },
	MISSING("cache-references", "accesses to the last level of the caches",
		"give the code of another one in the manual"),
	{ VPMCINT_COUNTED(0x412e, GENERAL, "cache-misses",
			  "accesses to the last level of the caches that miss it"),
	  .feature = MISSES },
	MISSING("cache-misses", "misses of the last level of the caches",
		"give the code of another one in the manual"),
	{ VPMCINT_COUNTED(0x01c0, GENERAL, "loads",
			  "instructions retired that load"),
	  VPMCINT_MODELS(core2) },
	{ VPMCINT_COUNTED(0x02c0, GENERAL, "stores",
			  "instructions retired that store"),
	  VPMCINT_MODELS(core2) },
	{ VPMCINT_COUNTED(0x010b, GENERAL, "loads",
			  "instructions retired that load"),
	  VPMCINT_MODELS(nehalem) },
	{ VPMCINT_COUNTED(0x020b, GENERAL, "stores",
			  "instructions retired that store"),
	  VPMCINT_MODELS(nehalem) },
	{ VPMCINT_COUNTED(0x81d0, FIRST_FOUR, "loads",
			  "micro-operations retired that load"),
	  VPMCINT_MODELS(sandybridge) },
	{ VPMCINT_COUNTED(0x82d0, FIRST_FOUR, "stores",
			  "micro-operations retired that store"),
	  VPMCINT_MODELS(sandybridge) },
	{ VPMCINT_COUNTED(0x81d0, FIRST_FOUR, "loads",
			  "instructions retired that load"),
	  VPMCINT_MODELS(skylake) },
	{ VPMCINT_COUNTED(0x82d0, FIRST_FOUR, "stores",
			  "instructions retired that store"),
	  VPMCINT_MODELS(skylake) },
	{ VPMCINT_REFUSED("loads", "loads",
			  OTHER_THREAD),
	  VPMCINT_MODELS(sandybridge) },
	{ VPMCINT_REFUSED("stores", "stores",
			  OTHER_THREAD),
	  VPMCINT_MODELS(sandybridge) },
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

/*
 * libpfm4 gives the first name to the fixed counter of clocks at the TSC's rate, 0x300. On
 * Sandy Bridge it gives the second name to BR_INST_RETIRED:ALL_BRANCHES_PEBS, 0x4c4.
 */
static const char *const homonyms[] = { "unhalted_reference_cycles",
					"branch_instructions_retired", NULL };

#define LEAF 0x0a
enum { EAX, EBX };

/*
 * Return whether the processor has an architectural event. Bits 31:24 of EAX are the
 * number of bits of EBX that are defined.
 */
static bool has_architectural(unsigned int feature)
{
	uint32_t regs[4];

	if (!vpmcint_cpuid(LEAF, 0, regs))
		return true;
	return feature <= regs[EAX] >> 24 && !(regs[EBX] >> (feature - 1) & 1);
}

/* These are the architectural events by their codes. */
static const struct {
	uint64_t code;
	unsigned int feature;
} architectural[] = {
	{ 0x003c, CYCLES },	  { 0x00c0, INSTRUCTIONS },
	{ 0x013c, REF_CYCLES },	  { 0x4f2e, REFERENCES },
	{ 0x412e, MISSES },	  { 0x00c4, BRANCHES },
	{ 0x00c5, MISPREDICTED },
};

static bool lacks(uint64_t code)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(architectural); i++) {
		if (architectural[i].code == code)
			return !has_architectural(architectural[i].feature);
	}
	return false;
}

/*
 * Return whether microcode forces transactions to abort, which takes a counter (CPUID leaf 7, EDX).
 */
static bool forces_abort(void)
{
	uint32_t regs[4];

	return vpmcint_cpuid(7, 0, regs) && regs[3] >> 13 & 1;
}

static int constrain_intel(const struct vpmc_pmu *pmu,
			   const struct vpmc_machine *machine, uint64_t code,
			   uint32_t *counters)
{
	const struct intel_uarch *uarch =
		machine && machine->family == 6
			? intel_find_uarch(machine->model)
			: NULL;
	const uint32_t fixed = intel_fixed_of(code, pmu->fixed)
			       << VPMC_FIXED_COUNTERS;
	int reason = 0;

	if (code == intel_fixed[INTEL_REF_CLOCKS]) {
		*counters = fixed;
		return 0;
	}
	if (machine && forces_abort())
		*counters &= ~INTEL_ABORT_COUNTER;
	/* The library does not set an extra register. */
	if (uarch)
		reason = intel_constrain(
			uarch, code, pmu->counters - pmu->fixed, 0, counters);
	*counters |= fixed;
	return reason;
}

#define INTEL(general, nr_fixed)                                             \
	{                                                                    \
		.name = "intel", .vendor = "GenuineIntel",                   \
		.counters = (general) + (nr_fixed), .fixed = (nr_fixed),     \
		.events = events, .nr_events = ARRAY_SIZE(events),           \
		.any_code = 1, .generic = generic,                           \
		.nr_generic = ARRAY_SIZE(generic), .has = has_architectural, \
		.lacks = lacks, .pfm = PFM_CODES_NO_ZERO,                    \
		.homonyms = homonyms, .constrain = constrain_intel,          \
	}

/*
 * Some processors have fewer counters, because two hardware threads share the counters of
 * a core with Hyper-Threading.
 */
const struct vpmc_pmu vpmcint_intel[VPMCINT_NR_INTEL] = {
	INTEL(8, 3), INTEL(7, 3), INTEL(6, 3), INTEL(5, 3),
	INTEL(4, 3), INTEL(3, 3), INTEL(2, 3), INTEL(1, 3),
	INTEL(8, 0), INTEL(7, 0), INTEL(6, 0), INTEL(5, 0),
	INTEL(4, 0), INTEL(3, 0), INTEL(2, 0), INTEL(1, 0),
};
