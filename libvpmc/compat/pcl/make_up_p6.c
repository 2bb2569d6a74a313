// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * List the make-ups of PCL's events on Pentium Pro, II and III. Their events are from Intel
 * Architecture Software Developer's Manual, volume 3 (1999), appendix A, table A-1. The
 * make-ups follow tables 3.1 to 3.14 of the report on PCL 2.2, row Pro, PII, PIII, or else
 * the definitions of its tables 2.1 to 2.4. These processors have two counters.
 */
#include "make_up.h"
#include "pcl.h"

/* These events have a unit mask for lines in any state. */
#define L2_IFETCH "l2_ifetch=0x0f28"
#define L2_LD	  "l2_ld=0x0f29"
#define L2_ST	  "l2_st=0x0f2a"
#define L2_RQSTS  "l2_rqsts=0x0f2e"

/* clang-format off */
static const struct pclint_make_up p6[] = {
	/* See table 2.1 for data and instructions together. */
	PCLINT_COUNT(PCL_L1CACHE_MISS, "dcu_lines_in + ifu_ifetch_miss"),
	/* See table 3.2. */
	PCLINT_COUNT(PCL_L1DCACHE_MISS, "dcu_lines_in"),
	/*
	 * See table 3.3. By table 2.1 "reads or writes" are reads, and reads that do not miss are
	 * hits.
	 */
	PCLINT_COUNT(PCL_L1ICACHE_READ, "ifu_ifetch"),
	PCLINT_COUNT(PCL_L1ICACHE_READWRITE, "ifu_ifetch"),
	PCLINT_COUNT(PCL_L1ICACHE_HIT, "ifu_ifetch - ifu_ifetch_miss"),
	PCLINT_COUNT(PCL_L1ICACHE_MISS, "ifu_ifetch_miss"),
	/* See table 3.4, and table 2.1 for the rest. */
	PCLINT_COUNT(PCL_L2CACHE_READ, L2_IFETCH " + " L2_LD),
	PCLINT_COUNT(PCL_L2CACHE_WRITE, L2_ST),
	PCLINT_COUNT(PCL_L2CACHE_READWRITE, L2_RQSTS),
	PCLINT_COUNT(PCL_L2CACHE_HIT, L2_RQSTS " - l2_lines_in"),
	PCLINT_COUNT(PCL_L2CACHE_MISS, "l2_lines_in"),
	/* See table 3.5. */
	PCLINT_COUNT(PCL_L2DCACHE_READ, L2_LD),
	PCLINT_COUNT(PCL_L2DCACHE_WRITE, L2_ST),
	PCLINT_COUNT(PCL_L2DCACHE_READWRITE, L2_LD " + " L2_ST),
	/* See table 2.1 for fetches of instructions. */
	PCLINT_COUNT(PCL_L2ICACHE_READ, L2_IFETCH),
	PCLINT_COUNT(PCL_L2ICACHE_READWRITE, L2_IFETCH),
	/* See table 3.7, and table 2.1 for hits. */
	PCLINT_COUNT(PCL_ITLB_HIT, "ifu_ifetch - itlb_miss"),
	PCLINT_COUNT(PCL_ITLB_MISS, "itlb_miss"),
	/* See tables 3.8 to 3.10. */
	PCLINT_COUNT(PCL_CYCLES, "cycles"),
	PCLINT_COUNT(PCL_FP_INSTR, "flops"),
	PCLINT_COUNT(PCL_LOADSTORE_INSTR, "data_mem_refs"),
	PCLINT_COUNT(PCL_INSTR, "inst_retired"),
	/* See table 2.2. The predicted branches of table 3.11 would be taken branches. */
	PCLINT_COUNT(PCL_JUMP_SUCCESS, "br_inst_retired - br_miss_pred_retired"),
	PCLINT_COUNT(PCL_JUMP_UNSUCCESS, "br_miss_pred_retired"),
	PCLINT_COUNT(PCL_JUMP, "br_inst_retired"),
	/* See table 3.13. */
	PCLINT_COUNT(PCL_STALL, "resource_stalls"),
	/* See table 3.14. PCL_MEM_FP_RATIO is composed as for the Pentium. */
	PCLINT_RATIO(PCL_MFLOPS, "flops", "cycles"),
	PCLINT_RATIO(PCL_IPC, "inst_retired", "cycles"),
	PCLINT_RATIO(PCL_L1DCACHE_MISSRATE, "dcu_lines_in", "data_mem_refs"),
	PCLINT_RATIO(PCL_MEM_FP_RATIO, "data_mem_refs", "flops"),
};
/* clang-format on */

const struct pclint_table pclint_p6 = PCLINT_TABLE(p6);
