// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * List the events of the P6 family. The source of events and names is Intel Architecture
 * Software Developer's Manual, volume 3 (1999), appendix A, table A-1. Events that need a
 * unit mask are not listed. The generic names also stand for events of this table.
 */
#include "base/internal.h"

#include "../../vpmc/pmu/p6_events.h"

#define CTR0 0x1
#define CTR1 0x2
#define BOTH (CTR0 | CTR1)

/* clang-format off */
static const struct vpmc_event_info events[] = {
	{ 0x79, BOTH, "cpu_clk_unhalted",
	  "clocks in which the processor is not halted" },
	{ 0x03, BOTH, "ld_blocks",
	  "loads delayed by stores whose data or address was not known" },
	{ 0x04, BOTH, "sb_drains",
	  "clocks in which the store buffer drains" },
	{ 0x05, BOTH, "misalign_mem_ref",
	  "memory accesses that are not aligned" },
	{ 0x06, BOTH, "segment_reg_loads",
	  "loads of segment registers" },
	{ 0x10, CTR0, "fp_comp_ops_exe",
	  "floating-point operations executed, completed or not" },
	{ 0x11, CTR1, "fp_assist",
	  "floating-point instructions that needed microcode" },
	{ 0x12, CTR1, "mul",
	  "multiplications, integer and floating-point" },
	{ 0x13, CTR1, "div",
	  "divisions, integer and floating-point" },
	{ 0x14, CTR0, "cycles_div_busy",
	  "clocks in which the divider is busy" },
	{ 0x21, BOTH, "l2_ads",
	  "address strobes of the L2 cache" },
	{ 0x22, BOTH, "l2_dbus_busy",
	  "clocks in which the L2 cache's data bus is busy" },
	{ 0x23, BOTH, "l2_dbus_busy_rd",
	  "clocks in which it is busy with data for the processor" },
	{ 0x24, BOTH, "l2_lines_in",
	  "lines brought into the L2 cache" },
	{ 0x25, BOTH, "l2_m_lines_inm",
	  "lines of the L2 cache that become modified" },
	{ 0x26, BOTH, "l2_lines_out",
	  "lines that leave the L2 cache" },
	{ 0x27, BOTH, "l2_m_lines_outm",
	  "modified lines that leave the L2 cache" },
	{ 0x43, BOTH, "data_mem_refs",
	  "loads and stores of any memory" },
	{ 0x45, BOTH, "dcu_lines_in",
	  "lines brought into the data cache" },
	{ 0x46, BOTH, "dcu_m_lines_in",
	  "modified lines brought into the data cache" },
	{ 0x47, BOTH, "dcu_m_lines_out",
	  "modified lines that leave the data cache" },
	{ 0x48, BOTH, "dcu_miss_outstanding",
	  "clocks times misses of the data cache under way" },
	{ 0x62, BOTH, "bus_drdy_clocks",
	  "clocks in which DRDY is asserted on the bus" },
	{ 0x63, BOTH, "bus_lock_clocks",
	  "clocks in which LOCK is asserted on the bus" },
	{ 0x80, BOTH, "ifu_ifetch",
	  "instruction fetches, cached or not" },
	{ 0x81, BOTH, "ifu_ifetch_miss",
	  "instruction fetches that miss the code cache" },
	{ 0x85, BOTH, "itlb_miss",
	  "misses of the instruction TLB" },
	{ 0x86, BOTH, "ifu_mem_stall",
	  "clocks in which the fetch of instructions is stalled" },
	{ 0x87, BOTH, "ild_stall",
	  "clocks in which the decoder of lengths is stalled" },
	{ 0xa2, BOTH, "resource_stalls",
	  "clocks with a stall for want of a resource" },
	{ 0xc0, BOTH, "inst_retired",
	  "instructions retired" },
	{ 0xc1, CTR0, "flops",
	  "floating-point operations retired" },
	{ 0xc2, BOTH, "uops_retired",
	  "micro-operations retired" },
	{ 0xc4, BOTH, "br_inst_retired",
	  "branches retired" },
	{ 0xc5, BOTH, "br_miss_pred_retired",
	  "branches retired that were mispredicted" },
	{ 0xc6, BOTH, "cycles_int_masked",
	  "clocks in which interrupts are disabled" },
	{ 0xc7, BOTH, "cycles_int_pending_and_masked",
	  "the same while an interrupt is pending" },
	{ 0xc8, BOTH, "hw_int_rx",
	  "hardware interrupts received" },
	{ 0xc9, BOTH, "br_taken_retired",
	  "branches retired that were taken" },
	{ 0xca, BOTH, "br_miss_pred_taken_ret",
	  "branches taken that were mispredicted" },
	{ 0xd0, BOTH, "inst_decoded",
	  "instructions decoded" },
	{ 0xd2, BOTH, "partial_rat_stalls",
	  "clocks or events of stalls for partial registers" },
	{ 0xe0, BOTH, "br_inst_decoded",
	  "branches decoded" },
	{ 0xe2, BOTH, "btb_misses",
	  "branches that are not in the branch target buffer" },
	{ 0xe4, BOTH, "br_bogus",
	  "bogus branches" },
	{ 0xe6, BOTH, "baclears",
	  "branches that the decoder predicts in place of the buffer" },
};

#define NOT_APART                                                    \
	"the processor counts loads and stores together alone, so count" \
	" data_mem_refs"

static const struct vpmcint_generic generic[] = {
	{ VPMCINT_COUNTED(0xc0, BOTH, "instructions",
			  "instructions retired") },
	{ VPMCINT_COUNTED(0x79, BOTH, "cycles",
			  "clocks in which the processor is not halted") },
	{ VPMCINT_REFUSED("ref-cycles", "clocks of a fixed rate",
			  "the processor counts no other clock than its own, so count"
	    " cycles") },
	{ VPMCINT_COUNTED(0xc4, BOTH, "branches",
			  "branches retired") },
	{ VPMCINT_COUNTED(0xc5, BOTH, "branch-misses",
			  "branches retired that were mispredicted") },
	/* The event is L2_RQSTS with lines in any state, and with invalid lines. */
	{ VPMCINT_COUNTED(0x0f2e, BOTH, "cache-references",
			  "requests to the L2 cache") },
	{ VPMCINT_COUNTED(0x012e, BOTH, "cache-misses",
			  "requests to the L2 cache that miss it") },
	{ VPMCINT_REFUSED("loads", "loads",
			  NOT_APART) },
	{ VPMCINT_REFUSED("stores", "stores",
			  NOT_APART) },
};
/* clang-format on */

static int constrain_p6(const struct vpmc_pmu *pmu,
			const struct vpmc_machine *machine, uint64_t code,
			uint32_t *counters)
{
	(void)pmu;
	(void)machine;
	return p6_constrain(code, counters);
}

const struct vpmc_pmu vpmcint_p6 = {
	.name = "p6",
	.vendor = "GenuineIntel",
	.counters = 2,
	.any_code = 1,
	.generic = generic,
	.nr_generic = ARRAY_SIZE(generic),
	.pfm = PFM_CODES_ALL,
	.constrain = constrain_p6,
	.events = events,
	.nr_events = ARRAY_SIZE(events),
};
