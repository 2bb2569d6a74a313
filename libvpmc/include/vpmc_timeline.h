/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The file in which processes leave the timeline of their regions, for libvpmc and
 * perfex; it is not installed. Perfex makes it, and names it in the environment. All
 * processes map it, so that it has everything whatever ends them. Numbers are those of
 * the machine; they lie in the same places with 32 and with 64 bits.
 *
 * The first window has struct vpmc_timeline_file alone. Each other one is of a thread,
 * begins with struct vpmc_timeline_window, and has struct vpmc_timeline_entry behind
 * that, as many as there is room for.
 */
#ifndef VPMC_TIMELINE_H
#define VPMC_TIMELINE_H

#include <stdint.h>
#include <time.h>

#define VPMC_TIMELINE_VARIABLE "VPMC_TIMELINE_FILE"
#define VPMC_TIMELINE_MAGIC    UINT64_C(0x31656c696d706d76)
#define VPMC_TIMELINE_WINDOW   65536U

/* The most events of a region: VPMC_REGION_EVENTS. */
#define VPMC_TIMELINE_EVENTS 4

/**
 * struct vpmc_timeline_file - what is of all processes
 * @magic: VPMC_TIMELINE_MAGIC
 * @windows: how many are taken, this one included
 * @threads: how many threads have had windows
 * @lost: entries that there was no room for
 * @reserved: 0
 */
struct vpmc_timeline_file {
	uint64_t magic;
	uint32_t windows;
	uint32_t threads;
	uint32_t lost;
	uint32_t reserved;
};

/**
 * struct vpmc_timeline_event - an event that is counted, as in struct vpmc_event_sel
 * @code: of it
 * @counter: that counts it
 * @modes: enum vpmc_modes bits
 */
struct vpmc_timeline_event {
	uint64_t code;
	int32_t counter;
	uint32_t modes;
};

/**
 * struct vpmc_timeline_window - what a window begins with
 * @thread: of which it is, from 1: another one for each thread of each program; or 0 if
 *	nothing could be written
 * @used: entries that are taken; can be more than it has
 * @pid: of the process
 * @tid: of the thread
 * @anew: the thread's regions begin anew: none is open
 * @events: how many events are counted
 * @event: these
 * @own: what a region costs, in its own counts
 * @pair: what it costs in all, in the counts of the regions around it
 * @since: when the room of the window before had been used up
 * @ready: when this one could be used
 * @command: name of the thread, and of the process unless it has changed it
 */
struct vpmc_timeline_window {
	uint32_t thread;
	uint32_t used;
	int32_t pid;
	int32_t tid;
	uint32_t anew;
	uint32_t events;
	struct vpmc_timeline_event event[VPMC_TIMELINE_EVENTS];
	uint64_t own[VPMC_TIMELINE_EVENTS];
	uint64_t pair[VPMC_TIMELINE_EVENTS];
	uint64_t since;
	uint64_t ready;
	char command[16];
};

/* What an entry is. */
enum vpmc_timeline_kind {
	VPMC_TIMELINE_VOID,	 /* nothing */
	VPMC_TIMELINE_NAME,	 /* a region in a place, with its name */
	VPMC_TIMELINE_BEGIN,	 /* that region begins */
	VPMC_TIMELINE_END,	 /* it ends */
	VPMC_TIMELINE_UNCOUNTED, /* it ends, and was not counted all the time */
};

/**
 * struct vpmc_timeline_entry - an entry
 * @kind: enum vpmc_timeline_kind
 * @more: how many of the following ones have the rest of a name
 * @region: a number that the thread gives the region in this place, from 1
 * @value: the time stamp; of a name the number of the region around it, 0 for none
 * @count: of an end, for each event, from begin to end
 * @text: of a name, with a zero at its end, across the following ones
 */
struct vpmc_timeline_entry {
	uint16_t kind;
	uint16_t more;
	uint32_t region;
	uint64_t value;
	union {
		uint64_t count[VPMC_TIMELINE_EVENTS];
		char text[VPMC_TIMELINE_EVENTS * sizeof(uint64_t)];
	};
};

/* How many entries a window has. */
#define VPMC_TIMELINE_ENTRIES                                           \
	((VPMC_TIMELINE_WINDOW - sizeof(struct vpmc_timeline_window)) / \
	 sizeof(struct vpmc_timeline_entry))

/* Names are cut off where they would take more entries behind the first one. */
#define VPMC_TIMELINE_MORE 5U

/* vpmc_timeline_entries() - those of a window */
static inline struct vpmc_timeline_entry *
vpmc_timeline_entries(struct vpmc_timeline_window *window)
{
	return (struct vpmc_timeline_entry *)(void *)(window + 1);
}

/* vpmc_timeline_stamp() - the time, in units that perfex finds the rate of */
static inline uint64_t vpmc_timeline_stamp(void)
{
#if defined(__i386__) || defined(__x86_64__)
	return __builtin_ia32_rdtsc();
#else
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
#endif
}

#endif /* VPMC_TIMELINE_H */
