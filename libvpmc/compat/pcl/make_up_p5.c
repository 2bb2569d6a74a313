// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The Pentium. Its events: Pentium Processor Family Developer's Manual, volume 3,
 * chapter 26; those with MMX: Intel Architecture MMX Technology Developer's Manual,
 * chapter 6. What belongs to which: tables 3.1 to 3.14 of the report on PCL 2.2, column
 * Pentium MMX; and, where that has nothing, the definitions of its tables 2.1 to 2.4.
 * It has two counters, so that sums of more events cannot be had.
 */
#include "make_up.h"
#include "pcl.h"

/* clang-format off */
static const struct pclint_make_up mmx[] = {
	/* Table 2.2. The report's cell, event 4 or 16 less 4, counts no branches. */
	PCLINT_COUNT(PCL_JUMP_SUCCESS, "branches - flushes_wrong_prediction"),
	PCLINT_COUNT(PCL_JUMP_UNSUCCESS, "flushes_wrong_prediction"),
	/* Table 3.13. */
	PCLINT_COUNT(PCL_STALL_FP, "fp_stalls"),
};

static const struct pclint_make_up p5[] = {
	/* Table 2.1: data and instructions together. */
	PCLINT_COUNT(PCL_L1CACHE_READ, "data_read + code_read"),
	PCLINT_COUNT(PCL_L1CACHE_WRITE, "data_write"),
	PCLINT_COUNT(PCL_L1CACHE_READWRITE, "data_read_or_write + code_read"),
	PCLINT_COUNT(PCL_L1CACHE_MISS, "data_read_or_write_miss + code_cache_miss"),
	/* Table 3.2; hits by table 2.1. One event in place of the report's two. */
	PCLINT_COUNT(PCL_L1DCACHE_READ, "data_read"),
	PCLINT_COUNT(PCL_L1DCACHE_WRITE, "data_write"),
	PCLINT_COUNT(PCL_L1DCACHE_READWRITE, "data_read_or_write"),
	PCLINT_COUNT(PCL_L1DCACHE_HIT, "data_read_or_write - data_read_or_write_miss"),
	PCLINT_COUNT(PCL_L1DCACHE_MISS, "data_read_or_write_miss"),
	/* Table 3.3; by table 2.1 what is read or written is read, and hits. */
	PCLINT_COUNT(PCL_L1ICACHE_READ, "code_read"),
	PCLINT_COUNT(PCL_L1ICACHE_READWRITE, "code_read"),
	PCLINT_COUNT(PCL_L1ICACHE_HIT, "code_read - code_cache_miss"),
	PCLINT_COUNT(PCL_L1ICACHE_MISS, "code_cache_miss"),
	/* Table 3.7; hits and both TLBs by table 2.1. */
	PCLINT_COUNT(PCL_TLB_MISS, "data_tlb_miss + code_tlb_miss"),
	PCLINT_COUNT(PCL_ITLB_HIT, "code_read - code_tlb_miss"),
	PCLINT_COUNT(PCL_ITLB_MISS, "code_tlb_miss"),
	PCLINT_COUNT(PCL_DTLB_HIT, "data_read_or_write - data_tlb_miss"),
	PCLINT_COUNT(PCL_DTLB_MISS, "data_tlb_miss"),
	/* Table 3.8. That has cycles_not_in_halt; a thread that counts does not halt. */
	PCLINT_COUNT(PCL_CYCLES, "clocks"),
	/* Tables 3.9 and 3.10; loads and stores apart by table 2.2. */
	PCLINT_COUNT(PCL_FP_INSTR, "flops"),
	PCLINT_COUNT(PCL_LOAD_INSTR, "data_read"),
	PCLINT_COUNT(PCL_STORE_INSTR, "data_write"),
	PCLINT_COUNT(PCL_LOADSTORE_INSTR, "data_read_or_write"),
	PCLINT_COUNT(PCL_INSTR, "instructions_executed"),
	/* Table 3.11. */
	PCLINT_COUNT(PCL_JUMP, "branches"),
	/* Table 2.2: what is atomic is a locked read and write. */
	PCLINT_COUNT(PCL_ATOMIC, "locked_bus_cycles"),
	/* Table 3.13. */
	PCLINT_COUNT(PCL_STALL_LOAD, "data_read_stall"),
	PCLINT_COUNT(PCL_STALL_STORE, "write_buffer_full_stall"),
	/* Table 3.14. */
	PCLINT_RATIO(PCL_MFLOPS, "flops", "clocks"),
	PCLINT_RATIO(PCL_IPC, "instructions_executed", "clocks"),
	PCLINT_RATIO(PCL_L1DCACHE_MISSRATE, "data_read_or_write_miss", "data_read_or_write"),
	PCLINT_RATIO(PCL_MEM_FP_RATIO, "data_read_or_write", "flops"),
};
/* clang-format on */

const struct pclint_table pclint_p5mmx = PCLINT_TABLE(mmx);
const struct pclint_table pclint_p5 = PCLINT_TABLE(p5);
