// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * List the make-ups of PCL's events on the Pentium. The Pentium's events are from Pentium
 * Processor Family Developer's Manual, volume 3, chapter 26. The events of MMX are from
 * Intel Architecture MMX Technology Developer's Manual, chapter 6. The make-ups follow
 * tables 3.1 to 3.14 of the report on PCL 2.2, column Pentium MMX, or else the
 * definitions of its tables 2.1 to 2.4. The Pentium has two counters, so sums have at
 * most two events.
 */
#include "make_up.h"
#include "pcl.h"

/* clang-format off */
static const struct pclint_make_up mmx[] = {
	/*
	 * See table 2.2. The report's entry, event 4 or 16 minus event 4, does not count branches.
	 */
	PCLINT_COUNT(PCL_JUMP_SUCCESS, "branches - flushes_wrong_prediction"),
	PCLINT_COUNT(PCL_JUMP_UNSUCCESS, "flushes_wrong_prediction"),
	/* See table 3.13. */
	PCLINT_COUNT(PCL_STALL_FP, "fp_stalls"),
};

static const struct pclint_make_up p5[] = {
	/* See table 2.1 for data and instructions together. */
	PCLINT_COUNT(PCL_L1CACHE_READ, "data_read + code_read"),
	PCLINT_COUNT(PCL_L1CACHE_WRITE, "data_write"),
	PCLINT_COUNT(PCL_L1CACHE_READWRITE, "data_read_or_write + code_read"),
	PCLINT_COUNT(PCL_L1CACHE_MISS, "data_read_or_write_miss + code_cache_miss"),
	/* See table 3.2, and table 2.1 for hits. One event replaces two events of the report. */
	PCLINT_COUNT(PCL_L1DCACHE_READ, "data_read"),
	PCLINT_COUNT(PCL_L1DCACHE_WRITE, "data_write"),
	PCLINT_COUNT(PCL_L1DCACHE_READWRITE, "data_read_or_write"),
	PCLINT_COUNT(PCL_L1DCACHE_HIT, "data_read_or_write - data_read_or_write_miss"),
	PCLINT_COUNT(PCL_L1DCACHE_MISS, "data_read_or_write_miss"),
	/*
	 * See table 3.3. By table 2.1 "reads or writes" are reads, and reads that do not miss are
	 * hits.
	 */
	PCLINT_COUNT(PCL_L1ICACHE_READ, "code_read"),
	PCLINT_COUNT(PCL_L1ICACHE_READWRITE, "code_read"),
	PCLINT_COUNT(PCL_L1ICACHE_HIT, "code_read - code_cache_miss"),
	PCLINT_COUNT(PCL_L1ICACHE_MISS, "code_cache_miss"),
	/* See table 3.7, and table 2.1 for hits and for both TLBs. */
	PCLINT_COUNT(PCL_TLB_MISS, "data_tlb_miss + code_tlb_miss"),
	PCLINT_COUNT(PCL_ITLB_HIT, "code_read - code_tlb_miss"),
	PCLINT_COUNT(PCL_ITLB_MISS, "code_tlb_miss"),
	PCLINT_COUNT(PCL_DTLB_HIT, "data_read_or_write - data_tlb_miss"),
	PCLINT_COUNT(PCL_DTLB_MISS, "data_tlb_miss"),
	/*
	 * See table 3.8. The table has cycles_not_in_halt, but a thread that counts does not halt.
	 */
	PCLINT_COUNT(PCL_CYCLES, "clocks"),
	/* See tables 3.9 and 3.10, and table 2.2 for separate loads and stores. */
	PCLINT_COUNT(PCL_FP_INSTR, "flops"),
	PCLINT_COUNT(PCL_LOAD_INSTR, "data_read"),
	PCLINT_COUNT(PCL_STORE_INSTR, "data_write"),
	PCLINT_COUNT(PCL_LOADSTORE_INSTR, "data_read_or_write"),
	PCLINT_COUNT(PCL_INSTR, "instructions_executed"),
	/* See table 3.11. */
	PCLINT_COUNT(PCL_JUMP, "branches"),
	/* See table 2.2: an atomic access is a locked read and write. */
	PCLINT_COUNT(PCL_ATOMIC, "locked_bus_cycles"),
	/* See table 3.13. */
	PCLINT_COUNT(PCL_STALL_LOAD, "data_read_stall"),
	PCLINT_COUNT(PCL_STALL_STORE, "write_buffer_full_stall"),
	/* See table 3.14. */
	PCLINT_RATIO(PCL_MFLOPS, "flops", "clocks"),
	PCLINT_RATIO(PCL_IPC, "instructions_executed", "clocks"),
	PCLINT_RATIO(PCL_L1DCACHE_MISSRATE, "data_read_or_write_miss", "data_read_or_write"),
	PCLINT_RATIO(PCL_MEM_FP_RATIO, "data_read_or_write", "flops"),
};
/* clang-format on */

const struct pclint_table pclint_p5mmx = PCLINT_TABLE(mmx);
const struct pclint_table pclint_p5 = PCLINT_TABLE(p5);
