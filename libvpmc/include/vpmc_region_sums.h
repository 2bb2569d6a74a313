/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The file in which regions of processes count, for libvpmc and perfex; it is not
 * installed. Perfex makes it, and names it in the environment. Each process maps pages of
 * it, and begins and ends of regions add to these, so that perfex has what was counted
 * whatever ends a process. Numbers are those of the machine; they lie in the same places
 * with 32 and with 64 bits.
 *
 * The first page has struct vpmc_sums_file. Each other one begins with struct
 * vpmc_sums_page. If that is of a tree, struct vpmc_sums_region follow, each at a multiple
 * of VPMC_SUMS_UNIT.
 */
#ifndef VPMC_REGION_SUMS_H
#define VPMC_REGION_SUMS_H

#include <stdint.h>

#define VPMC_SUMS_VARIABLE "VPMC_REGIONS_SUMS"
#define VPMC_SUMS_MAGIC	   UINT64_C(0x316d7573636d7076)
#define VPMC_SUMS_PAGE	   4096U
#define VPMC_SUMS_UNIT	   16U

/* The most pages: all places are of 31 bits. Pages that are not needed any more are holes. */
#define VPMC_SUMS_PAGES 524287U

/* The most events of a region: VPMC_REGION_EVENTS. */
#define VPMC_SUMS_EVENTS 4

/**
 * struct vpmc_sums_file - what is of all processes
 * @magic: VPMC_SUMS_MAGIC
 * @pages: how many are taken, this one included
 * @processes: how many processes have had pages
 */
struct vpmc_sums_file {
	uint64_t magic;
	uint32_t pages;
	uint32_t processes;
};

/**
 * struct vpmc_sums_event - an event that is counted, as in struct vpmc_event_sel
 * @code: of it
 * @counter: that counts it
 * @modes: enum vpmc_modes bits
 */
struct vpmc_sums_event {
	uint64_t code;
	int32_t counter;
	uint32_t modes;
};

/**
 * struct vpmc_sums_page - what a page begins with
 * @process: the number of the process, from 1. It is written last, and 0 in a page that
 *	means nothing.
 * @pid: of the process
 * @tree: the number of the thread's first page; 0 if this page is of the whole process,
 *	and has no regions
 * @counts: how many counts a region has
 * @events: how many of these are of events
 * @lost: of a whole process: how often there was no page for regions
 * @taken: of a whole process: how many pages it has, this one included
 * @event: the events
 * @own: of each count, what begin and end of a region cost in its own counts
 * @pair: what they cost altogether
 * @command: of the process, not terminated if it is so long
 */
struct vpmc_sums_page {
	uint32_t process;
	int32_t pid;
	uint32_t tree;
	uint32_t counts;
	uint32_t events;
	uint32_t lost;
	uint32_t taken;
	uint32_t reserved;
	struct vpmc_sums_event event[VPMC_SUMS_EVENTS];
	uint64_t own[VPMC_SUMS_EVENTS];
	uint64_t pair[VPMC_SUMS_EVENTS];
	char command[16];
};

/*
 * Where the first region of a page is. In that of a whole process the numbers of all
 * its pages are there, of which it has no more than fit.
 */
#define VPMC_SUMS_FIRST 192U
#define VPMC_SUMS_MOST	((VPMC_SUMS_PAGE - VPMC_SUMS_FIRST) / sizeof(uint32_t))

_Static_assert(sizeof(struct vpmc_sums_page) == 176,
	       "with 32 and with 64 bits");

/**
 * struct vpmc_sums_region - a region in one place of a thread's calls
 * @calls: how often it was begun
 * @sum: counts at all ends, less those at all begins. While the region runs at least one
 *	is negative.
 * @parent: where in the file the region is from which it was begun, or 0. That one comes
 *	before it.
 * @is_broken: not 0 if there was no count at a begin or an end
 * @size: bytes up to the next region. It is written last, and 0 where there is none.
 * @name: of the region, with its terminating zero
 */
struct vpmc_sums_region {
	uint64_t calls;
	uint64_t sum[VPMC_SUMS_EVENTS];
	uint64_t parent;
	uint32_t is_broken;
	uint32_t size;
	char name[];
};

_Static_assert(sizeof(struct vpmc_sums_region) == 56,
	       "with 32 and with 64 bits");

/*
 * What a begin or an end that a signal handler has interrupted has in the upper two bits of
 * its first sum: they differ. The upper bit is the right one.
 */
#define VPMC_SUMS_INTERRUPTED (UINT64_C(1) << 62)

#endif /* VPMC_REGION_SUMS_H */
