/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * This header declares the format of the file in which regions of processes count, for libvpmc and
 * perfex. It is not installed. Perfex creates the file and names it in the environment. Each
 * process maps pages of the file, and its regions add to them. So perfex has the counts even if a
 * process is killed. Numbers have the machine's byte order, and the same offsets with 32 and with
 * 64 bits.
 *
 * The first page has struct vpmc_sums_file. Each other page begins with struct
 * vpmc_sums_page. If the page belongs to a tree, struct vpmc_sums_region follow, each at a
 * multiple of VPMC_SUMS_UNIT.
 */
#ifndef VPMC_REGION_SUMS_H
#define VPMC_REGION_SUMS_H

#include <stdint.h>

#define VPMC_SUMS_VARIABLE "VPMC_REGIONS_SUMS"
#define VPMC_SUMS_MAGIC	   UINT64_C(0x316d7573636d7076)
#define VPMC_SUMS_PAGE	   4096U
#define VPMC_SUMS_UNIT	   16U

/*
 * The file has at most this number of pages, so that all offsets have 31 bits. Pages that are not
 * needed any more become holes.
 */
#define VPMC_SUMS_PAGES 524287U

/* A region has up to this number of events (VPMC_REGION_EVENTS). */
#define VPMC_SUMS_EVENTS 4

/**
 * struct vpmc_sums_file - the head of the file, which all processes share
 * @magic: VPMC_SUMS_MAGIC
 * @pages: number of pages that are taken, including this page
 * @processes: number of processes that have had pages
 * @missing: number of processes with regions that could not write to any of perfex's
 *	files because of RLIMIT_FSIZE
 */
struct vpmc_sums_file {
	uint64_t magic;
	uint32_t pages;
	uint32_t processes;
	uint32_t missing;
};

/**
 * struct vpmc_sums_event - an event that is counted, as in struct vpmc_event_sel
 * @code: the event's code
 * @counter: number of the counter that counts it
 * @modes: enum vpmc_modes bits
 */
struct vpmc_sums_event {
	uint64_t code;
	int32_t counter;
	uint32_t modes;
};

/**
 * struct vpmc_sums_page - the head of a page
 * @process: number of the process, from 1. It is written last, and is 0 in an invalid
 *	page.
 * @pid: number of the process in the kernel
 * @tree: number of the thread's first page; 0 if this page belongs to the whole process,
 *	and has no regions
 * @counts: number of counts of a region
 * @events: number of these counts that count events
 * @lost: for a whole process: number of times that there was no page for regions
 * @taken: for a whole process: number of its pages, including this page
 * @event: the events
 * @own: for each count, the part of a region's cost that the region itself counts
 * @pair: for each count, the whole cost of a region, including @own
 * @command: name of the process; it is not terminated if it fills the field
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
 * The first region of a page has this offset. In the page of a whole process, this is the
 * offset of the numbers of its pages, so that a process has at most VPMC_SUMS_MOST pages.
 */
#define VPMC_SUMS_FIRST 192U
#define VPMC_SUMS_MOST	((VPMC_SUMS_PAGE - VPMC_SUMS_FIRST) / sizeof(uint32_t))

_Static_assert(sizeof(struct vpmc_sums_page) == 176,
	       "with 32 and with 64 bits");

/**
 * struct vpmc_sums_region - a region in one place of a thread's calls
 * @calls: number of calls
 * @sum: counts at all ends of the region minus the counts at all its beginnings. While
 *	the region runs, at least one sum is negative.
 * @parent: position, in the file, of the region in which it was begun; or 0. The parent precedes
 *	this region.
 * @is_broken: not 0 if a count was missing at a beginning or an end
 * @size: bytes up to the next region. It is written last, and is 0 after the last region.
 * @name: name of the region, with its terminating zero
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
 * If a signal handler has interrupted vpmc_region_begin() or vpmc_region_end(), the upper
 * two bits of the region's first sum differ. The uppermost bit is right.
 */
#define VPMC_SUMS_INTERRUPTED (UINT64_C(1) << 62)

#endif /* VPMC_REGION_SUMS_H */
