// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * List the events of the Pentium 4. The source of events, masks and metrics is Intel 64 and IA-32
 * Architectures Software Developer's Manual, volume 3B, "Performance-Monitoring Events", the tables
 * of processors based on the NetBurst microarchitecture. The generic names also stand for events of
 * these tables.
 *
 * A name without a mask has all masks of the event that count even if no other mask is set.
 */
#include "base/internal.h"

#include "../../vpmc/pmu/p4_events.h"

/* These are the groups of counters, from 1. */
enum { BPU = 1, MS, FLAME, IQ };

#define BPU_COUNTERS   0x0000f
#define MS_COUNTERS    0x000f0
#define FLAME_COUNTERS 0x00f00
#define IQ_COUNTERS    0x3f000

#define CODE(group, number, event, mask)            \
	((uint64_t)(group) << P4_CODE_GROUP_SHIFT | \
	 P4_CODE(event, mask, number))
#define REPLAY(tags)                                        \
	(CODE(IQ, P4_REPLAY_NUMBER, P4_REPLAY_EVENT, 0x1) | \
	 (uint64_t)(tags) << P4_CODE_TAGS_SHIFT)

/* clang-format off */
static const struct vpmc_event_info events[] = {
	{ CODE(BPU, 6, 0x13, 0x1), BPU_COUNTERS,
	  "global_power_events",
	  "clocks in which the processor is not halted" },
	{ CODE(BPU, 0, 0x03, 0x1), BPU_COUNTERS,
	  "bpu_fetch_request",
	  "fetches by the branch prediction unit that miss the trace cache" },
	{ CODE(MS, 0, 0x05, 0x1), MS_COUNTERS,
	  "tc_ms_xfer",
	  "transfers from the trace cache to the microcode" },
	{ CODE(MS, 0, 0x09, 0x7), MS_COUNTERS,
	  "uop_queue_writes",
	  "micro-operations written to the queue behind the trace cache" },
	{ CODE(MS, 1, 0x01, 0xff), MS_COUNTERS,
	  "tc_deliver_mode",
	  "clocks in which the trace cache delivers or builds a trace" },
	{ CODE(MS, 1, 0x06, 0x10), MS_COUNTERS,
	  "tc_misc",
	  "flushes of the trace cache" },
	{ CODE(FLAME, 1, 0x02, 0x8000), FLAME_COUNTERS,
	  "64bit_mmx_uop",
	  "integer operations on MMX registers" },
	{ CODE(FLAME, 1, 0x04, 0x8000), FLAME_COUNTERS,
	  "x87_fp_uop",
	  "x87 operations" },
	{ CODE(FLAME, 1, 0x08, 0x8000), FLAME_COUNTERS,
	  "packed_sp_uop",
	  "packed single-precision operations" },
	{ CODE(FLAME, 1, 0x0a, 0x8000), FLAME_COUNTERS,
	  "scalar_sp_uop",
	  "scalar single-precision operations" },
	{ CODE(FLAME, 1, 0x0c, 0x8000), FLAME_COUNTERS,
	  "packed_dp_uop",
	  "packed double-precision operations" },
	{ CODE(FLAME, 1, 0x0e, 0x8000), FLAME_COUNTERS,
	  "scalar_dp_uop",
	  "scalar double-precision operations" },
	{ CODE(FLAME, 1, 0x1a, 0x8000), FLAME_COUNTERS,
	  "128bit_mmx_uop",
	  "integer operations on SSE registers" },
	{ CODE(FLAME, 1, 0x2e, 0x18), FLAME_COUNTERS,
	  "x87_simd_moves_uop",
	  "moves, loads and stores of the x87, MMX and SSE" },
	{ CODE(FLAME, 1, 0x34, 0x8000), FLAME_COUNTERS,
	  "sse_input_assist",
	  "assists for denormal operands of SSE" },
	{ CODE(IQ, 1, 0x01, 0x20), IQ_COUNTERS,
	  "resource_stall",
	  "clocks with a stall because the store buffers are full" },
	{ CODE(BPU, 2, 0x03, 0x3a), BPU_COUNTERS,
	  "mob_load_replay",
	  "loads replayed because an earlier store was not ready or not aligned" },
	{ CODE(MS, 2, 0x04, 0x1e), MS_COUNTERS,
	  "retired_branch_type",
	  "branches retired: conditional ones, calls, returns and indirect ones" },
	{ CODE(MS, 2, 0x05, 0x1e), MS_COUNTERS,
	  "retired_mispred_branch_type",
	  "the same that were mispredicted" },
	{ CODE(FLAME, 2, 0x04, 0x2), FLAME_COUNTERS,
	  "load_port_replay",
	  "loads that cross a line of the cache" },
	{ CODE(FLAME, 2, 0x05, 0x2), FLAME_COUNTERS,
	  "store_port_replay",
	  "stores that cross a line of the cache" },
	{ CODE(FLAME, 2, 0x08, 0x3), FLAME_COUNTERS,
	  "memory_complete",
	  "accesses that cross a line of the cache, or are uncached, completed" },
	{ CODE(IQ, 2, 0x02, 0x2), IQ_COUNTERS,
	  "uop_type:tagloads",
	  "loads tagged, for front_end_event" },
	{ CODE(IQ, 2, 0x02, 0x4), IQ_COUNTERS,
	  "uop_type:tagstores",
	  "stores tagged, for front_end_event" },
	{ CODE(IQ, 2, 0x02, 0x6), IQ_COUNTERS,
	  "uop_type",
	  "loads and stores tagged, for front_end_event" },
	{ CODE(BPU, 3, 0x18, 0x2), BPU_COUNTERS,
	  "itlb_miss",
	  "translations of code addresses that miss the instruction TLB" },
	{ CODE(BPU, 3, 0x18, 0x7), BPU_COUNTERS,
	  "itlb_reference",
	  "translations of code addresses by the instruction TLB" },
	{ CODE(BPU, 4, 0x01, 0x1), BPU_COUNTERS,
	  "page_walk_type:dtmiss",
	  "page walks after a miss of the data TLB" },
	{ CODE(BPU, 4, 0x01, 0x2), BPU_COUNTERS,
	  "page_walk_type:itmiss",
	  "page walks after a miss of the instruction TLB" },
	{ CODE(BPU, 4, 0x01, 0x3), BPU_COUNTERS,
	  "page_walk_type",
	  "page walks after misses of the TLBs" },
	{ CODE(IQ, 4, 0x01, 0x1), IQ_COUNTERS,
	  "uops_retired",
	  "micro-operations retired" },
	{ CODE(IQ, 4, 0x02, 0x1), IQ_COUNTERS,
	  "instr_retired:nbogusntag",
	  "instructions retired without a tag" },
	{ CODE(IQ, 4, 0x02, 0x2), IQ_COUNTERS,
	  "instr_retired:nbogustag",
	  "instructions retired with a tag" },
	{ CODE(IQ, 4, 0x02, 0x3), IQ_COUNTERS,
	  "instr_retired",
	  "instructions retired" },
	{ CODE(IQ, 4, 0x03, 0x1), IQ_COUNTERS,
	  "mispred_branch_retired",
	  "branches retired that were mispredicted" },
	{ CODE(IQ, 4, 0x07, 0x1), IQ_COUNTERS,
	  "instr_completed",
	  "instructions completed; only models 3 and later have this" },
	{ CODE(FLAME, 5, 0x02, 0xc), FLAME_COUNTERS,
	  "memory_cancel",
	  "memory requests cancelled because of the store buffer or conflicts of 64 KB" },
	{ CODE(FLAME, 5, 0x05, 0x3), FLAME_COUNTERS,
	  "wc_buffer",
	  "evictions of the write-combining buffers" },
	{ CODE(IQ, 5, 0x02, 0x45), IQ_COUNTERS,
	  "machine_clear",
	  "clocks in which the pipeline is cleared" },
	{ CODE(IQ, 5, 0x03, 0x1f), IQ_COUNTERS,
	  "x87_assist",
	  "x87 instructions that needed an assist" },
	{ CODE(IQ, 5, 0x06, 0x3), IQ_COUNTERS,
	  "branch_retired:not_taken",
	  "branches retired that were not taken" },
	{ CODE(IQ, 5, 0x06, 0xc), IQ_COUNTERS,
	  "branch_retired:taken",
	  "branches retired that were taken" },
	{ CODE(IQ, 5, 0x06, 0xf), IQ_COUNTERS,
	  "branch_retired",
	  "branches retired" },
	{ CODE(IQ, 5, 0x08, 0x1), IQ_COUNTERS,
	  "front_end_event",
	  "micro-operations retired that uop_type tags" },
	{ CODE(IQ, 5, 0x0c, 0xf), IQ_COUNTERS,
	  "execution_event",
	  "micro-operations retired that a FIRM event with a tag value tags" },
	{ REPLAY(0x041), IQ_COUNTERS,
	  "replay_event:l1_ld_miss",
	  "loads retired that missed the first-level cache" },
	{ REPLAY(0x042), IQ_COUNTERS,
	  "replay_event:l2_ld_miss",
	  "loads retired that missed the second-level cache" },
	{ REPLAY(0x044), IQ_COUNTERS,
	  "replay_event:dtlb_ld_miss",
	  "loads retired that missed the data TLB" },
	{ REPLAY(0x048), IQ_COUNTERS,
	  "replay_event:mob_ld_replay",
	  "loads retired that mob_load_replay, to be counted too, tags" },
	{ REPLAY(0x050), IQ_COUNTERS,
	  "replay_event:sp_ld_ret",
	  "loads retired that load_port_replay, to be counted too, tags" },
	{ REPLAY(0x084), IQ_COUNTERS,
	  "replay_event:dtlb_st_miss",
	  "stores retired that missed the data TLB" },
	{ REPLAY(0x090), IQ_COUNTERS,
	  "replay_event:sp_st_ret",
	  "stores retired that store_port_replay, to be counted too, tags" },
	{ REPLAY(0x0c4), IQ_COUNTERS,
	  "replay_event:dtlb_all_miss",
	  "accesses retired that missed the data TLB" },
	{ REPLAY(0x120), IQ_COUNTERS,
	  "replay_event:br_msp",
	  "branches retired that were mispredicted, tagged" },
	{ CODE(BPU, 7, 0x0c, 0x500), BPU_COUNTERS,
	  "bsq_cache_reference:miss",
	  "accesses to the second-level cache that miss it" },
	{ CODE(BPU, 7, 0x0c, 0x507), BPU_COUNTERS,
	  "bsq_cache_reference",
	  "accesses to the second-level cache, with its misses" },
};

#define TAGS                                                              \
	"the processor tags them, so count uop_type:tagloads or"          \
	" uop_type:tagstores together with front_end_event"

static const struct vpmcint_generic generic[] = {
	{ VPMCINT_COUNTED(CODE(IQ, 4, 0x02, 0x3), IQ_COUNTERS, "instructions",
			  "instructions retired") },
	{ VPMCINT_COUNTED(CODE(BPU, 6, 0x13, 0x1), BPU_COUNTERS, "cycles",
			  "clocks in which the processor is not halted") },
	{ VPMCINT_REFUSED("ref-cycles", "clocks of a fixed rate",
			  "the processor counts no other clock than its own, so count"
			  " cycles") },
	{ VPMCINT_COUNTED(CODE(IQ, 5, 0x06, 0xf), IQ_COUNTERS, "branches",
			  "branches retired") },
	{ VPMCINT_COUNTED(CODE(IQ, 4, 0x03, 0x1), IQ_COUNTERS, "branch-misses",
			  "branches retired that were mispredicted") },
	{ VPMCINT_COUNTED(CODE(BPU, 7, 0x0c, 0x507), BPU_COUNTERS, "cache-references",
			  "accesses to the second-level cache, with its misses") },
	{ VPMCINT_COUNTED(CODE(BPU, 7, 0x0c, 0x500), BPU_COUNTERS, "cache-misses",
			  "accesses to the second-level cache that miss it") },
	{ VPMCINT_REFUSED("loads", "loads", TAGS) },
	{ VPMCINT_REFUSED("stores", "stores", TAGS) },
};
/* clang-format on */

/* Model 2 has all ESCRs. It stands for processors of other families, too. */
static unsigned int model_of(const struct vpmc_machine *machine)
{
	return machine && machine->family == 15 ? machine->model : 2;
}

static int constrain_p4(const struct vpmc_pmu *pmu,
			const struct vpmc_machine *machine, uint64_t code,
			uint32_t *counters)
{
	int reason =
		p4_constrain(code & ~P4_CODE_TAGS, model_of(machine), counters);

	(void)pmu;
	if (!reason &&
	    !p4_needs_replays(code, *counters) != !(code & P4_CODE_TAGS))
		reason = VPMC_REASON_MORE_REGISTERS;
	return reason;
}

const struct vpmc_pmu vpmcint_p4 = {
	.name = "p4",
	.vendor = "GenuineIntel",
	.counters = P4_NR_COUNTERS,
	.any_code = 1,
	.generic = generic,
	.nr_generic = ARRAY_SIZE(generic),
	.pfm = PFM_CODES_REGISTERS,
	.constrain = constrain_p4,
	.registers = &vpmcint_p4_registers,
	.events = events,
	.nr_events = ARRAY_SIZE(events),
};
