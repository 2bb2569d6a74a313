// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * List the costs of the Pentium's events. The manuals do not give a cost for the events that are
 * missing here. They do not give a penalty for misses of the TLBs, snoops and interrupts. For
 * instructions and branches they give only a number. A letter before a comment names its source:
 *
 *	A	AP-500, Optimizations for Intel's 32-Bit Processors (241799)
 *	D1	Pentium Processor Family Developer's Manual, volume 1 (241428)
 *	D3	the same manual, volume 3 (241430), clocks of each instruction
 *	M	Intel Architecture MMX Technology Developer's Manual (243006), chapter 6
 *	S	82430FX PCIset data sheet (290518)
 *	V	Intel 64 and IA-32 Architectures Software Developer's Manual, volume 3B
 *		(325384), events of the Pentium
 *
 * Times of the bus are in nanoseconds, because they do not depend on the processor's clock. A clock
 * of the bus is 15 ns, at 66 MHz.
 *
 * The columns are the typical, the minimum and the maximum cost.
 */
#include "libperfex_costs.h"

#define ARRAY_SIZE(array) (sizeof(array) / sizeof((array)[0]))

/*
 * D1, bus cycles: the four words of a burst take 2, 1, 1 and 1 clocks of the bus. The word for
 * which the processor waits comes first.
 */
#define BURST	     75
#define BURST_FIRST  30
/* S: a burst takes 7, 2, 2 and 2 clocks if it hits an open page of EDO memory. */
#define BURST_MEMORY 195
/* D1, bus cycles: a single transfer takes 2 clocks of the bus. */
#define SINGLE	     30
#define BUS	     PERFEXINT_NSEC

/* This is the cost of events that count clocks. */
#define EACH_CLOCK      \
	{               \
		1, 1, 1 \
	}

/* clang-format off */
const struct perfexint_cost perfexint_p5_costs[] = {
	/* V: at most two of these events happen in a clock. */
	{ "data_read", { 1, 0.5, 1 }, PERFEXINT_CLKS },
	{ "data_write", { 1, 0.5, 1 }, PERFEXINT_CLKS },
	{ "data_read_miss", { BURST, BURST_FIRST, BURST_MEMORY }, BUS },
	/* D1, data cache: a write that misses does not fetch a line. */
	{ "data_write_miss", { SINGLE, SINGLE, SINGLE }, BUS },
	{ "data_lines_written_back", { BURST, BURST, BURST }, BUS },
	/* A, caches: the access of the V pipe comes one clock later. */
	{ "bank_conflicts", { 1, 1, 1 }, PERFEXINT_CLKS },
	/* A, alignment: a misaligned access takes at least three additional clocks. */
	{ "misaligned_references", { 3, 3, 3 }, PERFEXINT_CLKS },
	{ "code_cache_miss", { BURST, BURST_FIRST, BURST_MEMORY }, BUS },
	/* D3: MOV takes 2 or 3 clocks, and LTR takes 10. */
	{ "segment_register_loads", { 3, 2, 10 }, PERFEXINT_CLKS },
	/*
	 * A, branch target buffer: a flush takes 3 clocks in the U pipe, and 4 in the V
	 * pipe. M: it takes one additional clock with MMX.
	 */
	{ "pipeline_flushes", { 4, 3, 5 }, PERFEXINT_CLKS },
	{ "write_buffer_full_stall", EACH_CLOCK, PERFEXINT_CLKS },
	{ "data_read_stall", EACH_CLOCK, PERFEXINT_CLKS },
	{ "stall_on_write_to_e_or_m", EACH_CLOCK, PERFEXINT_CLKS },
	/* D1, locked operations: each operation is a read and a write. V: the read is counted. */
	{ "locked_bus_cycles", { 2 * SINGLE, 2 * SINGLE, 2 * SINGLE }, BUS },
	/*
	 * D3: IN takes at least 4 clocks. With the permission bitmap, IN takes 21 clocks and OUT
	 * takes 26.
	 */
	{ "io_cycles", { 21, 4, 26 }, PERFEXINT_CLKS },
	{ "noncacheable_reads", { SINGLE, SINGLE, SINGLE }, BUS },
	/*
	 * A, address generation: an interlock takes one clock. V: an interlock in which both pipes
	 * wait counts twice.
	 */
	{ "agi_stall", { 1, 0.5, 1 }, PERFEXINT_CLKS },
	/*
	 * D3: FADD takes 3 clocks, or 1 if the next instruction does not wait for it. FSQRT takes
	 * 70.
	 */
	{ "flops", { 3, 1, 70 }, PERFEXINT_CLKS },

	/* The following events need MMX. */
	{ "bus_ownership_latency", EACH_CLOCK, PERFEXINT_CLKS },
	{ "data_tlb_miss_stall", EACH_CLOCK, PERFEXINT_CLKS },
	{ "mmx_data_read_misses", { BURST, BURST_FIRST, BURST_MEMORY }, BUS },
	{ "fp_stalls", EACH_CLOCK, PERFEXINT_CLKS },
	{ "d1_starvation_fifo_empty", EACH_CLOCK, PERFEXINT_CLKS },
	{ "mmx_data_write_misses", { SINGLE, SINGLE, SINGLE }, BUS },
	/* The cost is the same as for pipeline_flushes with MMX. */
	{ "flushes_wrong_prediction", { 4, 4, 5 }, PERFEXINT_CLKS },
	{ "misaligned_mmx_references", { 3, 3, 3 }, PERFEXINT_CLKS },
	{ "mmx_data_read_stall", EACH_CLOCK, PERFEXINT_CLKS },
	{ "mispredicted_returns", { 4, 4, 5 }, PERFEXINT_CLKS },
	{ "mmx_multiply_interlock", EACH_CLOCK, PERFEXINT_CLKS },
	{ "movd_movq_store_stall", EACH_CLOCK, PERFEXINT_CLKS },
	{ "mmx_write_buffer_stall", EACH_CLOCK, PERFEXINT_CLKS },
	{ "mmx_stall_on_write_to_e_or_m", EACH_CLOCK, PERFEXINT_CLKS },
};
/* clang-format on */

const size_t perfexint_nr_p5_costs = ARRAY_SIZE(perfexint_p5_costs);
