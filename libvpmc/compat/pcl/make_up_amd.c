// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * AMD's processors. Of all of them: the definitions of tables 2.1 to 2.4 of the report on
 * PCL 2.2, with libvpmc's generic names, whose sources libvpmc/amd_events.c has.
 *
 * Of the K7: tables 3.1 to 3.14 of the report, row Athlon, as far as the AMD Athlon
 * Processor x86 Code Optimization Guide (22007), table 11, has the events. Their codes are
 * the same in the BIOS and Kernel Developer's Guides of the K8 (26094) and of families 10h
 * (31116), 11h (41256) and 12h (41131), "Performance Monitor Events"; from family 10h on
 * those of TLBs have unit masks with the sizes of pages.
 */
#include "make_up.h"
#include "pcl.h"

#define DC_ACCESSES "data_cache_accesses=0x40"
#define DC_MISSES   "data_cache_misses=0x41"
#define IC_FETCHES  "instruction_cache_fetches=0x80"
#define IC_MISSES   "instruction_cache_misses=0x81"

/* clang-format off */
static const struct pclint_make_up l1[] = {
	/* Table 2.1: data and instructions together. */
	PCLINT_COUNT(PCL_L1CACHE_READWRITE, DC_ACCESSES " + " IC_FETCHES),
	PCLINT_COUNT(PCL_L1CACHE_HIT,
		     DC_ACCESSES " - " DC_MISSES " + " IC_FETCHES " - " IC_MISSES),
	PCLINT_COUNT(PCL_L1CACHE_MISS, DC_MISSES " + " IC_MISSES),
	/* Table 3.2. */
	PCLINT_COUNT(PCL_L1DCACHE_READWRITE, DC_ACCESSES),
	PCLINT_COUNT(PCL_L1DCACHE_HIT, DC_ACCESSES " - " DC_MISSES),
	PCLINT_COUNT(PCL_L1DCACHE_MISS, DC_MISSES),
	/* Table 3.3; by table 2.1 what is read or written is read. */
	PCLINT_COUNT(PCL_L1ICACHE_READ, IC_FETCHES),
	PCLINT_COUNT(PCL_L1ICACHE_READWRITE, IC_FETCHES),
	PCLINT_COUNT(PCL_L1ICACHE_HIT, IC_FETCHES " - " IC_MISSES),
	PCLINT_COUNT(PCL_L1ICACHE_MISS, IC_MISSES),
	/* Table 2.2: these processors count loads and stores as accesses alone. */
	PCLINT_COUNT(PCL_LOADSTORE_INSTR, DC_ACCESSES),
	/* Table 3.14. */
	PCLINT_RATIO(PCL_L1DCACHE_MISSRATE, DC_MISSES, DC_ACCESSES),
};

/* Table 3.7; both TLBs by table 2.1. */
static const struct pclint_make_up tlb[] = {
	PCLINT_COUNT(PCL_TLB_MISS, "dtlb_misses=0x46 + itlb_misses=0x85"),
	PCLINT_COUNT(PCL_ITLB_MISS, "itlb_misses=0x85"),
	PCLINT_COUNT(PCL_DTLB_MISS, "dtlb_misses=0x46"),
};

static const struct pclint_make_up tlb_pages[] = {
	PCLINT_COUNT(PCL_TLB_MISS, "dtlb_misses=0x0746 + itlb_misses=0x0385"),
	PCLINT_COUNT(PCL_ITLB_MISS, "itlb_misses=0x0385"),
	PCLINT_COUNT(PCL_DTLB_MISS, "dtlb_misses=0x0746"),
};

static const struct pclint_make_up amd[] = {
	PCLINT_COUNT(PCL_CYCLES, "cycles"),
	PCLINT_COUNT(PCL_LOAD_INSTR, "loads"),
	PCLINT_COUNT(PCL_STORE_INSTR, "stores"),
	PCLINT_COUNT(PCL_LOADSTORE_INSTR, "loads + stores"),
	PCLINT_COUNT(PCL_INSTR, "instructions"),
	PCLINT_COUNT(PCL_JUMP_SUCCESS, "branches - branch-misses"),
	PCLINT_COUNT(PCL_JUMP_UNSUCCESS, "branch-misses"),
	PCLINT_COUNT(PCL_JUMP, "branches"),
	PCLINT_RATIO(PCL_IPC, "instructions", "cycles"),
};
/* clang-format on */

const struct pclint_table pclint_amd_l1 = PCLINT_TABLE(l1);
const struct pclint_table pclint_amd_tlb = PCLINT_TABLE(tlb);
const struct pclint_table pclint_amd_tlb_pages = PCLINT_TABLE(tlb_pages);
const struct pclint_table pclint_amd = PCLINT_TABLE(amd);
