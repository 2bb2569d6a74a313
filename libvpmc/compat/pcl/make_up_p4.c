// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * List the make-ups of PCL's events on the Pentium 4. Its events and masks are from Intel 64 and
 * IA-32 Architectures Software Developer's Manual, volume 3B, "Performance-Monitoring Events", the
 * tables of processors based on the NetBurst microarchitecture. The make-ups follow tables 3.1 to
 * 3.14 of the report on PCL 2.2, row Pentium 4, or else the definitions of its tables 2.1 to 2.4.
 */
#include "make_up.h"
#include "pcl.h"

/*
 * These codes are values of the ESCR and the CCCR, as perfex -l shows them. The masks of the second
 * cache are hits in the states shared, exclusive and modified, and misses of reads.
 */
#define L2_READS    "l2_reads=0xe00118020e00"
#define L2_HITS	    "l2_hits=0xe00118000e00"
#define L2_MISSES   "l2_misses=0xe00118020000"
#define L1_MISSES   "l1_load_misses=0xa20c12000200"
#define ITLB_HITS   "itlb_hits=0x600130000a00"
#define DTLB_WALKS  "dtlb_walks=0x800102000200"
#define PREDICTED   "predicted_branches=0xa0040c000a00"
#define UNPREDICTED "mispredicted_branches=0xa0040c001400"

/* clang-format off */
static const struct pclint_make_up p4[] = {
	/* See table 3.2. Only loads are tagged. */
	PCLINT_COUNT(PCL_L1DCACHE_MISS, L1_MISSES),
	/* See table 2.1 for misses of the trace cache, which replaces an instruction cache. */
	PCLINT_COUNT(PCL_L1ICACHE_MISS, "bpu_fetch_request"),
	/* See table 3.4. */
	PCLINT_COUNT(PCL_L2CACHE_READ, L2_READS),
	PCLINT_COUNT(PCL_L2CACHE_HIT, L2_HITS),
	PCLINT_COUNT(PCL_L2CACHE_MISS, L2_MISSES),
	/* See table 3.7, and table 2.1 for both TLBs and for hits. */
	PCLINT_COUNT(PCL_TLB_MISS, "page_walk_type"),
	PCLINT_COUNT(PCL_ITLB_HIT, ITLB_HITS),
	PCLINT_COUNT(PCL_ITLB_MISS, "itlb_miss"),
	PCLINT_COUNT(PCL_DTLB_MISS, DTLB_WALKS),
	/* See tables 3.8 and 3.10. */
	PCLINT_COUNT(PCL_CYCLES, "global_power_events"),
	PCLINT_COUNT(PCL_INSTR, "instr_retired"),
	/* See table 2.2, as for the P6. */
	PCLINT_COUNT(PCL_JUMP_SUCCESS, PREDICTED),
	PCLINT_COUNT(PCL_JUMP_UNSUCCESS, UNPREDICTED),
	PCLINT_COUNT(PCL_JUMP, "branch_retired"),
	/* See table 2.3 for stalls because the store buffers are full. */
	PCLINT_COUNT(PCL_STALL_STORE, "resource_stall"),
	/* See table 3.14. */
	PCLINT_RATIO(PCL_IPC, "instr_retired", "global_power_events"),
	PCLINT_RATIO(PCL_L2DCACHE_MISSRATE, L2_MISSES, L2_READS),
};
/* clang-format on */

const struct pclint_table pclint_p4 = PCLINT_TABLE(p4);
