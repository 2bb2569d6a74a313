// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * List the make-ups of PCL's events on AMD's processors. The sources of libvpmc's generic names
 * are in libvpmc/events/amd_events.c.
 *
 * The make-ups of the K7 follow tables 3.1 to 3.14 of the report, row Athlon, as far as the AMD
 * Athlon Processor x86 Code Optimization Guide (22007), table 11, has the events. Their codes are
 * the same in the BIOS and Kernel Developer's Guides of the K8 (26094) and of families 10h (31116),
 * 11h (41256), 12h (41131), 14h (43170), 15h (42301) and 16h (48751), "Performance Monitor Events".
 * From family 10h on, the events of TLBs have unit masks for the sizes of pages or for the levels
 * of the TLB.
 *
 * The make-ups of Zen are from the Processor Programming References of families 17h (54945), 19h
 * (56214) and 1Ah (57896), "Performance Monitor Counters". A miss of a TLB is a miss of all
 * its levels.
 */
#include "make_up.h"
#include "pcl.h"

/* clang-format off */
/*
 * Define accesses and misses of the L1 caches. The sources are tables 3.2 and 3.3, and
 * table 2.1 for data and instructions together. By table 2.1 "reads or writes" of
 * instructions are reads.
 */
#define L1_CACHES(dc, dc_misses, ic, ic_hits, ic_misses)                                   \
	PCLINT_COUNT(PCL_L1CACHE_READWRITE, dc " + " ic),                                  \
	PCLINT_COUNT(PCL_L1CACHE_HIT, dc " - " dc_misses " + " ic_hits),                   \
	PCLINT_COUNT(PCL_L1CACHE_MISS, dc_misses " + " ic_misses),                         \
	PCLINT_COUNT(PCL_L1DCACHE_READWRITE, dc),                                          \
	PCLINT_COUNT(PCL_L1DCACHE_HIT, dc " - " dc_misses),                                \
	PCLINT_COUNT(PCL_L1DCACHE_MISS, dc_misses),                                        \
	PCLINT_COUNT(PCL_L1ICACHE_READ, ic),                                               \
	PCLINT_COUNT(PCL_L1ICACHE_READWRITE, ic),                                          \
	PCLINT_COUNT(PCL_L1ICACHE_HIT, ic_hits),                                           \
	PCLINT_COUNT(PCL_L1ICACHE_MISS, ic_misses)

/* Define accesses and misses of the L2 cache: all, of data, and of instructions. */
#define L2_CACHE(all, misses, dc, dc_misses, ic, ic_misses)                                \
	PCLINT_COUNT(PCL_L2CACHE_READWRITE, all),                                          \
	PCLINT_COUNT(PCL_L2CACHE_HIT, all " - " misses),                                   \
	PCLINT_COUNT(PCL_L2CACHE_MISS, misses),                                            \
	PCLINT_COUNT(PCL_L2DCACHE_READWRITE, dc),                                          \
	PCLINT_COUNT(PCL_L2DCACHE_HIT, dc " - " dc_misses),                                \
	PCLINT_COUNT(PCL_L2DCACHE_MISS, dc_misses),                                        \
	PCLINT_COUNT(PCL_L2ICACHE_READ, ic),                                               \
	PCLINT_COUNT(PCL_L2ICACHE_READWRITE, ic),                                          \
	PCLINT_COUNT(PCL_L2ICACHE_HIT, ic " - " ic_misses),                                \
	PCLINT_COUNT(PCL_L2ICACHE_MISS, ic_misses)

#define DC_ACCESSES "data_cache_accesses=0x40"
#define DC_MISSES   "data_cache_misses=0x41"
#define IC_FETCHES  "instruction_cache_fetches=0x80"
#define IC_MISSES   "instruction_cache_misses=0x81"

static const struct pclint_make_up l1[] = {
	L1_CACHES(DC_ACCESSES, DC_MISSES, IC_FETCHES, IC_FETCHES " - " IC_MISSES, IC_MISSES),
	/* See table 3.14. */
	PCLINT_RATIO(PCL_L1DCACHE_MISSRATE, DC_MISSES, DC_ACCESSES),
};

/*
 * See table 2.2. Up to family 14h the processors count loads and stores only together, as accesses.
 */
static const struct pclint_make_up together[] = {
	PCLINT_COUNT(PCL_LOADSTORE_INSTR, DC_ACCESSES),
};

/*
 * Requests to the L2 cache have unit mask 1 for instructions, and 2 for data. Requests for page
 * tables and hardware prefetches are excluded, because they do not come from the program.
 */
static const struct pclint_make_up l2[] = {
	L2_CACHE("l2_requests=0x037d", "l2_misses=0x037e",
		 "l2_requests_of_data=0x027d", "l2_misses_of_data=0x027e",
		 "l2_requests_of_code=0x017d", "l2_misses_of_code=0x017e"),
	PCLINT_RATIO(PCL_L2DCACHE_MISSRATE, "l2_misses_of_data=0x027e",
		     "l2_requests_of_data=0x027d"),
};

/*
 * See table 2.3. The event counts clocks in which an operation cannot be dispatched because a
 * resource is full. It counts each such clock once, for any resource. The K7 and families 14h, 16h
 * and later do not have such an event.
 */
static const struct pclint_make_up dispatch[] = {
	PCLINT_COUNT(PCL_STALL, "dispatch_stalls=0xd1"),
};

/*
 * In family 15h only counters 0 to 2 count events of the decoder, of the instruction cache, of the
 * L2 cache and of the unified TLB, so each event names a counter here. Misses of the data cache
 * have a unit mask that excludes streaming stores.
 */
#define F15H_DC_MISSES	"data_cache_misses=0x0141"
#define F15H_IC_FETCHES "instruction_cache_fetches=0x80@0"
#define F15H_IC_MISSES	"instruction_cache_misses=0x81@1"
static const struct pclint_make_up f15h[] = {
	L1_CACHES(DC_ACCESSES, F15H_DC_MISSES, F15H_IC_FETCHES,
		  F15H_IC_FETCHES " - " F15H_IC_MISSES, F15H_IC_MISSES),
	L2_CACHE("l2_requests=0x037d@0", "l2_misses=0x037e@1",
		 "l2_requests_of_data=0x027d@0", "l2_misses_of_data=0x027e@1",
		 "l2_requests_of_code=0x017d@0", "l2_misses_of_code=0x017e@1"),
	PCLINT_COUNT(PCL_TLB_MISS, "unified_tlb_misses=0x7746@2"),
	PCLINT_COUNT(PCL_ITLB_MISS, "unified_tlb_misses_of_code=0x7046@2"),
	PCLINT_COUNT(PCL_DTLB_MISS, "unified_tlb_misses_of_data=0x0746@2"),
	PCLINT_COUNT(PCL_STALL, "dispatch_stalls=0xd1@2"),
	PCLINT_RATIO(PCL_L1DCACHE_MISSRATE, F15H_DC_MISSES, DC_ACCESSES),
	PCLINT_RATIO(PCL_L2DCACHE_MISSRATE, "l2_misses_of_data=0x027e@1",
		     "l2_requests_of_data=0x027d@0"),
};

/* See table 3.7, and table 2.1 for both TLBs. */
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

/* In families 14h and 16h these events are misses of stores and of loads, in both levels. */
static const struct pclint_make_up tlb_levels[] = {
	PCLINT_COUNT(PCL_TLB_MISS, "dtlb_misses=0x0c46 + itlb_misses=0x0385"),
	PCLINT_COUNT(PCL_ITLB_MISS, "itlb_misses=0x0385"),
	PCLINT_COUNT(PCL_DTLB_MISS, "dtlb_misses=0x0c46"),
};

/* The event is LS_DISPATCH: loads, stores, and operations that do both. */
#define ZEN_DC_ACCESSES "data_cache_accesses=0x0729"
/*
 * These are requests of the data cache to the L2 cache. Family 19h counts one additional kind of
 * request.
 */
#define F17H_DC_MISSES "l2_accesses_from_dc_misses=0xc860"
#define F19H_DC_MISSES "l2_accesses_from_dc_misses=0xe860"
#define F1AH_DC_MISSES "l2_accesses_from_dc_misses=0xe060"
#define ZEN_DTLB       "l2_dtlb_misses=0xf045"

/* L2_CACHE_REQ_STAT counts hits and misses of requests of the L1 caches to the L2 cache. */
static const struct pclint_make_up zen[] = {
	PCLINT_COUNT(PCL_L2CACHE_READWRITE, "l2_cache_req_stat_all=0xff64"),
	PCLINT_COUNT(PCL_L2CACHE_HIT, "l2_cache_req_stat_hit=0xf664"),
	PCLINT_COUNT(PCL_L2CACHE_MISS, "l2_cache_req_stat_miss=0x0964"),
	PCLINT_COUNT(PCL_L2DCACHE_READWRITE, "l2_cache_req_stat_dc=0xf864"),
	PCLINT_COUNT(PCL_L2DCACHE_HIT, "l2_cache_req_stat_dc_hit=0xf064"),
	PCLINT_COUNT(PCL_L2DCACHE_MISS, "l2_cache_req_stat_dc_miss=0x0864"),
	PCLINT_COUNT(PCL_L2ICACHE_READ, "l2_cache_req_stat_ic=0x0764"),
	PCLINT_COUNT(PCL_L2ICACHE_READWRITE, "l2_cache_req_stat_ic=0x0764"),
	PCLINT_COUNT(PCL_L2ICACHE_HIT, "l2_cache_req_stat_ic_hit=0x0664"),
	PCLINT_COUNT(PCL_L2ICACHE_MISS, "l2_cache_req_stat_ic_miss=0x0164"),
	PCLINT_COUNT(PCL_DTLB_MISS, ZEN_DTLB),
	PCLINT_RATIO(PCL_L2DCACHE_MISSRATE, "l2_cache_req_stat_dc_miss=0x0864",
		     "l2_cache_req_stat_dc=0xf864"),
};

/* These are fetches of windows of 32 bytes. */
#define IC_FW32	     "ic_fw32=0x80"
#define IC_FW32_MISS "ic_fw32_miss=0x81"
static const struct pclint_make_up f17h[] = {
	L1_CACHES(ZEN_DC_ACCESSES, F17H_DC_MISSES, IC_FW32, IC_FW32 " - " IC_FW32_MISS,
		  IC_FW32_MISS),
	PCLINT_COUNT(PCL_TLB_MISS, ZEN_DTLB " + l2_itlb_misses=0x0785"),
	PCLINT_COUNT(PCL_ITLB_MISS, "l2_itlb_misses=0x0785"),
	PCLINT_RATIO(PCL_L1DCACHE_MISSRATE, F17H_DC_MISSES, ZEN_DC_ACCESSES),
};

/* This is event 18EH, IC_TAG_HIT_MISS. */
#define IC_TAG	    "ic_tag_all=0x100001f8e"
#define IC_TAG_HIT  "ic_tag_hit=0x10000078e"
#define IC_TAG_MISS "ic_tag_miss=0x10000188e"
static const struct pclint_make_up f19h[] = {
	L1_CACHES(ZEN_DC_ACCESSES, F19H_DC_MISSES, IC_TAG, IC_TAG_HIT, IC_TAG_MISS),
	PCLINT_COUNT(PCL_TLB_MISS, ZEN_DTLB " + l2_itlb_misses=0x0f85"),
	PCLINT_COUNT(PCL_ITLB_MISS, "l2_itlb_misses=0x0f85"),
	PCLINT_RATIO(PCL_L1DCACHE_MISSRATE, F19H_DC_MISSES, ZEN_DC_ACCESSES),
};

/* Family 1Ah is like family 19h, except for misses of the data cache. */
static const struct pclint_make_up f1ah[] = {
	L1_CACHES(ZEN_DC_ACCESSES, F1AH_DC_MISSES, IC_TAG, IC_TAG_HIT, IC_TAG_MISS),
	PCLINT_RATIO(PCL_L1DCACHE_MISSRATE, F1AH_DC_MISSES, ZEN_DC_ACCESSES),
};
/* clang-format on */

const struct pclint_table pclint_amd_l1 = PCLINT_TABLE(l1);
const struct pclint_table pclint_amd_together = PCLINT_TABLE(together);
const struct pclint_table pclint_amd_l2 = PCLINT_TABLE(l2);
const struct pclint_table pclint_amd_dispatch = PCLINT_TABLE(dispatch);
const struct pclint_table pclint_amd_f15h = PCLINT_TABLE(f15h);
const struct pclint_table pclint_amd_tlb_levels = PCLINT_TABLE(tlb_levels);
const struct pclint_table pclint_amd_zen = PCLINT_TABLE(zen);
const struct pclint_table pclint_amd_f17h = PCLINT_TABLE(f17h);
const struct pclint_table pclint_amd_f19h = PCLINT_TABLE(f19h);
const struct pclint_table pclint_amd_f1ah = PCLINT_TABLE(f1ah);
const struct pclint_table pclint_amd_tlb = PCLINT_TABLE(tlb);
const struct pclint_table pclint_amd_tlb_pages = PCLINT_TABLE(tlb_pages);
