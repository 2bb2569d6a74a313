// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * List the make-ups for caches, TLBs and stalls on Intel's processors with architectural counters,
 * by microarchitecture. The source of events and names is Intel 64 and IA-32 Architectures Software
 * Developer's Manual, volume 3B (325384), "Performance Monitoring Events". The make-ups follow the
 * definitions of tables 2.1 to 2.4 of the report on PCL 2.2. For similar events they follow its row
 * Pro, PII, PIII: a line that is brought in is a miss of the data cache, and memory references are
 * accesses of data.
 *
 * A miss of a TLB is a miss of all its levels. Accesses to the L2 cache are demand accesses of the
 * program, without hardware prefetches.
 *
 * The sources of libvpmc's generic names are in libvpmc/events/intel_events.c.
 */
#include "make_up.h"
#include "pcl.h"

/* clang-format off */

/* On models before Nehalem the L2 cache is the last level. */
static const struct pclint_make_up l2[] = {
	PCLINT_COUNT(PCL_L2CACHE_READWRITE, "llc_references"),
	PCLINT_COUNT(PCL_L2CACHE_HIT, "llc_references - llc_misses"),
	PCLINT_COUNT(PCL_L2CACHE_MISS, "llc_misses"),
};

/* Core 2 has two counters that are not fixed, so sums have two terms. */
static const struct pclint_make_up core2[] = {
	PCLINT_COUNT(PCL_L1CACHE_READ, "l1d_cache_ld=0x0f40 + l1i_reads=0x80"),
	PCLINT_COUNT(PCL_L1CACHE_WRITE, "l1d_cache_st=0x0f41"),
	PCLINT_COUNT(PCL_L1CACHE_MISS, "l1d_repl=0x0f45 + l1i_misses=0x81"),
	PCLINT_COUNT(PCL_L1DCACHE_READ, "l1d_cache_ld=0x0f40"),
	PCLINT_COUNT(PCL_L1DCACHE_WRITE, "l1d_cache_st=0x0f41"),
	PCLINT_COUNT(PCL_L1DCACHE_READWRITE, "l1d_cache_ld=0x0f40 + l1d_cache_st=0x0f41"),
	PCLINT_COUNT(PCL_L1DCACHE_MISS, "l1d_repl=0x0f45"),
	PCLINT_COUNT(PCL_L1ICACHE_READ, "l1i_reads=0x80"),
	PCLINT_COUNT(PCL_L1ICACHE_READWRITE, "l1i_reads=0x80"),
	PCLINT_COUNT(PCL_L1ICACHE_HIT, "l1i_reads=0x80 - l1i_misses=0x81"),
	PCLINT_COUNT(PCL_L1ICACHE_MISS, "l1i_misses=0x81"),
	/*
	 * These are demand requests of this core for lines in any state. A miss finds an
	 * invalid line.
	 */
	PCLINT_COUNT(PCL_L2CACHE_READ, "l2_ifetch=0x4f28 + l2_ld=0x4f29"),
	PCLINT_COUNT(PCL_L2CACHE_WRITE, "l2_st=0x4f2a"),
	PCLINT_COUNT(PCL_L2DCACHE_READ, "l2_ld=0x4f29"),
	PCLINT_COUNT(PCL_L2DCACHE_WRITE, "l2_st=0x4f2a"),
	PCLINT_COUNT(PCL_L2DCACHE_READWRITE, "l2_ld=0x4f29 + l2_st=0x4f2a"),
	PCLINT_COUNT(PCL_L2DCACHE_MISS, "l2_ld_i_state=0x4129 + l2_st_i_state=0x412a"),
	PCLINT_COUNT(PCL_L2ICACHE_READ, "l2_ifetch=0x4f28"),
	PCLINT_COUNT(PCL_L2ICACHE_READWRITE, "l2_ifetch=0x4f28"),
	PCLINT_COUNT(PCL_L2ICACHE_HIT, "l2_ifetch=0x4f28 - l2_ifetch_i_state=0x4128"),
	PCLINT_COUNT(PCL_L2ICACHE_MISS, "l2_ifetch_i_state=0x4128"),
	PCLINT_COUNT(PCL_TLB_MISS, "dtlb_misses_any=0x0108 + itlb_misses=0x1282"),
	PCLINT_COUNT(PCL_ITLB_HIT, "l1i_reads=0x80 - itlb_misses=0x1282"),
	PCLINT_COUNT(PCL_ITLB_MISS, "itlb_misses=0x1282"),
	PCLINT_COUNT(PCL_DTLB_MISS, "dtlb_misses_any=0x0108"),
	PCLINT_COUNT(PCL_STALL, "resource_stalls_any=0x1fdc"),
};

/* Only counters 0 and 1 count L1D.REPL. */
#define L1D_REPL "l1d_repl=0x0151@0"

/* These are Nehalem and Westmere. */
static const struct pclint_make_up nehalem[] = {
	PCLINT_COUNT(PCL_L1CACHE_MISS, L1D_REPL " + l1i_misses=0x0280"),
	PCLINT_COUNT(PCL_L1DCACHE_MISS, L1D_REPL),
	PCLINT_COUNT(PCL_L1ICACHE_READ, "l1i_reads=0x0380"),
	PCLINT_COUNT(PCL_L1ICACHE_READWRITE, "l1i_reads=0x0380"),
	PCLINT_COUNT(PCL_L1ICACHE_HIT, "l1i_hits=0x0180"),
	PCLINT_COUNT(PCL_L1ICACHE_MISS, "l1i_misses=0x0280"),
	PCLINT_COUNT(PCL_TLB_MISS, "dtlb_walks=0x0249 + itlb_walks=0x0285"),
	PCLINT_COUNT(PCL_ITLB_HIT, "l1i_reads=0x0380 - itlb_walks=0x0285"),
	PCLINT_COUNT(PCL_ITLB_MISS, "itlb_walks=0x0285"),
	PCLINT_COUNT(PCL_DTLB_MISS, "dtlb_walks=0x0249"),
	PCLINT_COUNT(PCL_STALL_STORE, "resource_stalls_store=0x08a2"),
	PCLINT_COUNT(PCL_STALL, "resource_stalls_any=0x01a2"),
	PCLINT_RATIO(PCL_L1DCACHE_MISSRATE, L1D_REPL, "loads + stores"),
};

/*
 * The event is L2_RQSTS from Nehalem to Ivy Bridge. The unit masks are 3 for loads, 0CH
 * for RFO and 30H for code. The bits 1, 4 and 10H of these are hits.
 */
static const struct pclint_make_up rqsts[] = {
	PCLINT_COUNT(PCL_L2CACHE_READ, "l2_rqsts_loads=0x0324 + l2_rqsts_code=0x3024"),
	PCLINT_COUNT(PCL_L2CACHE_WRITE, "l2_rqsts_rfo=0x0c24"),
	PCLINT_COUNT(PCL_L2CACHE_READWRITE,
		     "l2_rqsts_loads=0x0324 + l2_rqsts_rfo=0x0c24 + l2_rqsts_code=0x3024"),
	PCLINT_COUNT(PCL_L2CACHE_HIT,
		     "l2_rqsts_load_hit=0x0124 + l2_rqsts_rfo_hit=0x0424"
		     " + l2_rqsts_code_hit=0x1024"),
	PCLINT_COUNT(PCL_L2CACHE_MISS,
		     "l2_rqsts_loads=0x0324 - l2_rqsts_load_hit=0x0124"
		     " + l2_rqsts_rfo_miss=0x0824 + l2_rqsts_code_miss=0x2024"),
	PCLINT_COUNT(PCL_L2DCACHE_READ, "l2_rqsts_loads=0x0324"),
	PCLINT_COUNT(PCL_L2DCACHE_WRITE, "l2_rqsts_rfo=0x0c24"),
	PCLINT_COUNT(PCL_L2DCACHE_READWRITE, "l2_rqsts_loads=0x0324 + l2_rqsts_rfo=0x0c24"),
	PCLINT_COUNT(PCL_L2DCACHE_HIT, "l2_rqsts_load_hit=0x0124 + l2_rqsts_rfo_hit=0x0424"),
	PCLINT_COUNT(PCL_L2DCACHE_MISS,
		     "l2_rqsts_loads=0x0324 - l2_rqsts_load_hit=0x0124"
		     " + l2_rqsts_rfo_miss=0x0824"),
	PCLINT_COUNT(PCL_L2ICACHE_READ, "l2_rqsts_code=0x3024"),
	PCLINT_COUNT(PCL_L2ICACHE_READWRITE, "l2_rqsts_code=0x3024"),
	PCLINT_COUNT(PCL_L2ICACHE_HIT, "l2_rqsts_code_hit=0x1024"),
	PCLINT_COUNT(PCL_L2ICACHE_MISS, "l2_rqsts_code_miss=0x2024"),
	PCLINT_RATIO(PCL_L2DCACHE_MISSRATE,
		     "l2_rqsts_loads=0x0324 - l2_rqsts_load_hit=0x0124"
		     " + l2_rqsts_rfo_miss=0x0824",
		     "l2_rqsts_loads=0x0324 + l2_rqsts_rfo=0x0c24"),
};

#define DATA_RD	     "l2_rqsts_all_demand_data_rd=0xe124"
#define DATA_RD_MISS "l2_rqsts_demand_data_rd_miss=0x2124"
#define RFO	     "l2_rqsts_all_rfo=0xe224"
#define RFO_MISS     "l2_rqsts_rfo_miss=0x2224"
#define CODE_RD	     "l2_rqsts_all_code_rd=0xe424"
#define CODE_RD_MISS "l2_rqsts_code_rd_miss=0x2424"
#define DEMAND	     "l2_rqsts_all_demand_references=0xe724"
#define DEMAND_MISS  "l2_rqsts_all_demand_miss=0x2724"

/* The event is L2_RQSTS since Haswell. */
static const struct pclint_make_up demand[] = {
	PCLINT_COUNT(PCL_L2CACHE_READ, DATA_RD " + " CODE_RD),
	PCLINT_COUNT(PCL_L2CACHE_WRITE, RFO),
	PCLINT_COUNT(PCL_L2CACHE_READWRITE, DEMAND),
	PCLINT_COUNT(PCL_L2CACHE_HIT, DEMAND " - " DEMAND_MISS),
	PCLINT_COUNT(PCL_L2CACHE_MISS, DEMAND_MISS),
	PCLINT_COUNT(PCL_L2DCACHE_READ, DATA_RD),
	PCLINT_COUNT(PCL_L2DCACHE_WRITE, RFO),
	PCLINT_COUNT(PCL_L2DCACHE_READWRITE, DATA_RD " + " RFO),
	PCLINT_COUNT(PCL_L2DCACHE_HIT,
		     DATA_RD " + " RFO " - " DATA_RD_MISS " - " RFO_MISS),
	PCLINT_COUNT(PCL_L2DCACHE_MISS, DATA_RD_MISS " + " RFO_MISS),
	PCLINT_COUNT(PCL_L2ICACHE_READ, CODE_RD),
	PCLINT_COUNT(PCL_L2ICACHE_READWRITE, CODE_RD),
	PCLINT_COUNT(PCL_L2ICACHE_HIT, CODE_RD " - " CODE_RD_MISS),
	PCLINT_COUNT(PCL_L2ICACHE_MISS, CODE_RD_MISS),
	PCLINT_RATIO(PCL_L2DCACHE_MISSRATE, DATA_RD_MISS " + " RFO_MISS,
		     DATA_RD " + " RFO),
};

#define L1D_REPLACEMENT "l1d_replacement=0x0151"

/* These make-ups hold since Sandy Bridge. */
static const struct pclint_make_up sandybridge[] = {
	PCLINT_COUNT(PCL_L1DCACHE_MISS, L1D_REPLACEMENT),
	PCLINT_COUNT(PCL_ATOMIC, "lock_loads=0x21d0"),
	PCLINT_COUNT(PCL_STALL_STORE, "resource_stalls_sb=0x08a2"),
	PCLINT_RATIO(PCL_L1DCACHE_MISSRATE, L1D_REPLACEMENT, "loads + stores"),
};

/*
 * These are the make-ups of the instruction cache up to Broadwell. The next table is for later
 * models.
 */
static const struct pclint_make_up icache[] = {
	PCLINT_COUNT(PCL_L1CACHE_MISS, L1D_REPLACEMENT " + icache_misses=0x0280"),
	PCLINT_COUNT(PCL_L1ICACHE_READ, "icache_hit=0x0180 + icache_misses=0x0280"),
	PCLINT_COUNT(PCL_L1ICACHE_READWRITE, "icache_hit=0x0180 + icache_misses=0x0280"),
	PCLINT_COUNT(PCL_L1ICACHE_HIT, "icache_hit=0x0180"),
	PCLINT_COUNT(PCL_L1ICACHE_MISS, "icache_misses=0x0280"),
};

static const struct pclint_make_up icache_64b[] = {
	PCLINT_COUNT(PCL_L1CACHE_MISS, L1D_REPLACEMENT " + icache_64b_iftag_miss=0x0283"),
	PCLINT_COUNT(PCL_L1ICACHE_READ,
		     "icache_64b_iftag_hit=0x0183 + icache_64b_iftag_miss=0x0283"),
	PCLINT_COUNT(PCL_L1ICACHE_READWRITE,
		     "icache_64b_iftag_hit=0x0183 + icache_64b_iftag_miss=0x0283"),
	PCLINT_COUNT(PCL_L1ICACHE_HIT, "icache_64b_iftag_hit=0x0183"),
	PCLINT_COUNT(PCL_L1ICACHE_MISS, "icache_64b_iftag_miss=0x0283"),
};

#define ITLB_WALKS  "itlb_walks=0x0185"
#define STORE_WALKS "dtlb_store_walks=0x0149"

/* The events are MISS_CAUSES_A_WALK, and all stalls because a resource is full. */
static const struct pclint_make_up walks[] = {
	PCLINT_COUNT(PCL_TLB_MISS,
		     "dtlb_load_walks=0x0108 + " STORE_WALKS " + " ITLB_WALKS),
	PCLINT_COUNT(PCL_ITLB_MISS, ITLB_WALKS),
	PCLINT_COUNT(PCL_DTLB_MISS, "dtlb_load_walks=0x0108 + " STORE_WALKS),
	PCLINT_COUNT(PCL_STALL, "resource_stalls_any=0x01a2"),
};

/* Ivy Bridge has another unit mask for loads. */
static const struct pclint_make_up ivybridge[] = {
	PCLINT_COUNT(PCL_TLB_MISS,
		     "dtlb_load_walks=0x8108 + " STORE_WALKS " + " ITLB_WALKS),
	PCLINT_COUNT(PCL_DTLB_MISS, "dtlb_load_walks=0x8108 + " STORE_WALKS),
};

/* Since Ice Lake only WALK_COMPLETED is documented, and only stalls for the store buffer. */
static const struct pclint_make_up icelake[] = {
	PCLINT_COUNT(PCL_TLB_MISS,
		     "dtlb_load_walks=0x0e08 + dtlb_store_walks=0x0e49 + itlb_walks=0x0e85"),
	PCLINT_COUNT(PCL_ITLB_MISS, "itlb_walks=0x0e85"),
	PCLINT_COUNT(PCL_DTLB_MISS, "dtlb_load_walks=0x0e08 + dtlb_store_walks=0x0e49"),
};
/* clang-format on */

const struct pclint_table pclint_intel_l2 = PCLINT_TABLE(l2);
const struct pclint_table pclint_core2 = PCLINT_TABLE(core2);
const struct pclint_table pclint_nehalem = PCLINT_TABLE(nehalem);
const struct pclint_table pclint_rqsts = PCLINT_TABLE(rqsts);
const struct pclint_table pclint_demand = PCLINT_TABLE(demand);
const struct pclint_table pclint_sandybridge = PCLINT_TABLE(sandybridge);
const struct pclint_table pclint_icache = PCLINT_TABLE(icache);
const struct pclint_table pclint_icache_64b = PCLINT_TABLE(icache_64b);
const struct pclint_table pclint_walks = PCLINT_TABLE(walks);
const struct pclint_table pclint_ivybridge = PCLINT_TABLE(ivybridge);
const struct pclint_table pclint_icelake = PCLINT_TABLE(icelake);
