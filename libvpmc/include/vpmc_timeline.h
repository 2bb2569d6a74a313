/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * This header declares the format of the file in which processes leave the timeline of their
 * regions, for libvpmc and perfex. It is not installed. Perfex creates the file and names it in the
 * environment. All processes map the file, so that it is complete even if they are killed. Numbers
 * have the machine's byte order, and the same offsets with 32 and with 64 bits.
 *
 * The first window has only struct vpmc_timeline_file. Each other window belongs to a thread. It
 * begins with struct vpmc_timeline_window, and then has as many entries as fit. A thread maps one
 * window. When the window is full, the thread appends a copy of it to the file and empties it,
 * because mapping another window would take more instructions for each page.
 *
 * Entries are in the order in which they are taken. The stamp is read later. If a signal handler
 * interrupts a function in between, the handler's entries come after the interrupted entry but have
 * earlier stamps.
 */
#ifndef VPMC_TIMELINE_H
#define VPMC_TIMELINE_H

#include <stdint.h>
#include <string.h>
#include <time.h>

#define VPMC_TIMELINE_VARIABLE "VPMC_TIMELINE_FILE"
#define VPMC_TIMELINE_MAGIC    UINT64_C(0x33656c696d706d76)
#define VPMC_TIMELINE_WINDOW   65536U

/* A region has up to this number of events (VPMC_REGION_EVENTS). */
#define VPMC_TIMELINE_EVENTS 4

/**
 * struct vpmc_timeline_file - the head of the file, which all processes share
 * @magic: VPMC_TIMELINE_MAGIC
 * @windows: number of windows that are taken, including this window
 * @threads: number of threads that have had windows
 * @lost: number of entries for which there was no room
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
 * @code: the event's code
 * @counter: number of the counter that counts it
 * @modes: enum vpmc_modes bits
 */
struct vpmc_timeline_event {
	uint64_t code;
	int32_t counter;
	uint32_t modes;
};

/**
 * struct vpmc_timeline_window - the head of a window
 * @thread: number of the window's thread, from 1; each thread of each program has a different
 *	number; 0 if the window could not be written
 * @used: number of entries to read; entries that have not been written are void
 * @pid: the process
 * @tid: the thread
 * @anew: 1 if the thread's regions begin again, so that none is open
 * @events: number of events that are counted
 * @turn: number of windows that the thread had filled before this window. If two windows have the
 *	same number, the later one in the file is the copy, and the earlier one had not been emptied
 *	yet.
 * @reserved: 0
 * @event: the events
 * @own: the part of a region's cost that the region itself counts
 * @pair: the whole cost of a region, which the regions around it count
 * @since: time at which the previous window was full
 * @ready: time at which this window could be used
 * @left: time at which the thread exited, or called exit(3) for its process; otherwise 0
 * @command: name of the thread, which is the name of the process unless the thread has changed it
 */
struct vpmc_timeline_window {
	uint32_t thread;
	uint32_t used;
	int32_t pid;
	int32_t tid;
	uint32_t anew;
	uint32_t events;
	uint32_t turn;
	uint32_t reserved;
	struct vpmc_timeline_event event[VPMC_TIMELINE_EVENTS];
	uint64_t own[VPMC_TIMELINE_EVENTS];
	uint64_t pair[VPMC_TIMELINE_EVENTS];
	uint64_t since;
	uint64_t ready;
	uint64_t left;
	char command[16];
};

/* These are the kinds of an entry. */
enum vpmc_timeline_kind {
	VPMC_TIMELINE_VOID,  /* not an entry */
	VPMC_TIMELINE_NAME,  /* the name of a region in a place */
	VPMC_TIMELINE_BEGIN, /* the region begins */
	VPMC_TIMELINE_END,   /* the region ends */
	VPMC_TIMELINE_UNCOUNTED, /* the region ends, and was not counted all the time */
	VPMC_TIMELINE_APART, /* like APART_ONE, also for the regions around it */
	VPMC_TIMELINE_APART_ONE, /* exclude counts from the region, or from its next call */
};

/**
 * struct vpmc_timeline_entry - the contents of an entry, from vpmc_timeline_read()
 * @kind: enum vpmc_timeline_kind
 * @region: number of the region in this place, from 1, which the thread has chosen
 * @stamp: the time, from vpmc_timeline_stamp()
 * @count: for each event, the count at the beginning or the end of the region, or the count to
 *	exclude. Sums and differences of counts have 56 bits.
 * @around: for a name: the number of the region around it, or 0 if there is none
 * @more: for a name: number of the following entries that have its zero-terminated text
 */
struct vpmc_timeline_entry {
	enum vpmc_timeline_kind kind;
	uint32_t region;
	uint64_t stamp;
	uint64_t count[VPMC_TIMELINE_EVENTS];
	uint32_t around;
	uint32_t more;
};

/* The largest number of a region. */
#define VPMC_TIMELINE_REGIONS ((1U << 24) - 1)

/*
 * For each entry, a window has the low 7 bytes of each count and of the time stamp, and then the 4
 * bytes of vpmc_timeline_what(), which are written last. The first 8 bytes of a name are @around
 * and @more. The functions of <vpmc_region.h> also write entries.
 */
#define VPMC_TIMELINE_FIELD 7U

/* vpmc_timeline_what() - compose the last word of an entry, which has its kind and region */
static inline uint32_t vpmc_timeline_what(enum vpmc_timeline_kind kind,
					  uint32_t region)
{
	return (uint32_t)kind | region << 8;
}

/*
 * vpmc_timeline_narrow() - sign-extend a difference of counts or stamps that has 56 bits
 *
 * The halves are computed separately, which takes fewer instructions if registers have 32
 * bits.
 */
static inline uint64_t vpmc_timeline_narrow(uint64_t difference)
{
	const uint32_t high = (uint32_t)(difference >> 32) << 8;

	return (uint64_t)(uint32_t)((int32_t)high >> 8) << 32 |
	       (uint32_t)difference;
}

/* Longer names are cut off. */
#define VPMC_TIMELINE_NAME_MAX 271U

/* A name of the largest length takes up to this number of entries after its first entry. */
#define VPMC_TIMELINE_MORE 16U

/* vpmc_timeline_size() - compute the bytes of an entry with @events events */
static inline uint32_t vpmc_timeline_size(uint32_t events)
{
	const uint32_t counts = events > VPMC_TIMELINE_EVENTS
					? VPMC_TIMELINE_EVENTS
					: events + !events;

	return VPMC_TIMELINE_FIELD * (counts + 1) + (uint32_t)sizeof(uint32_t);
}

/* vpmc_timeline_room() - compute how many entries of a size fit into a window */
static inline uint32_t vpmc_timeline_room(uint32_t size)
{
	return (uint32_t)(VPMC_TIMELINE_WINDOW -
			  sizeof(struct vpmc_timeline_window)) /
	       size;
}

/* vpmc_timeline_at() - find an entry of a window whose entries have the same size */
static inline char *vpmc_timeline_at(const struct vpmc_timeline_window *window,
				     uint32_t nr, uint32_t size)
{
	return (char *)(window + 1) + (size_t)nr * size;
}

/* vpmc_timeline_store() - write a field of 7 bytes, and overwrite the byte after it */
static inline void vpmc_timeline_store(char *to, uint64_t field)
{
	memcpy(to, &field, sizeof(field));
	__asm__ __volatile__("" : : : "memory");
}

/**
 * vpmc_timeline_write() - write an entry that is not a name
 * @to: address of the entry
 * @what: its last word, from vpmc_timeline_what()
 * @stamp: the time
 * @count: count of each event
 * @events: number of events; at least 1
 */
static inline void vpmc_timeline_write(char *to, uint32_t what, uint64_t stamp,
				       const uint64_t *count, uint32_t events)
{
	uint32_t i;

	for (i = 0; i < events; i++, to += VPMC_TIMELINE_FIELD)
		vpmc_timeline_store(to, count[i]);
	vpmc_timeline_store(to, stamp);
	memcpy(to + VPMC_TIMELINE_FIELD, &what, sizeof(what));
	__asm__ __volatile__("" : : : "memory");
}

/* Returns a field with the byte after it, which vpmc_timeline_narrow() drops. */
static inline uint64_t vpmc_timeline_load(const char *from)
{
	uint64_t field;

	memcpy(&field, from, sizeof(field));
	return field;
}

/**
 * vpmc_timeline_read() - read an entry of any kind
 * @entry: receives the entry, with the counts that fit into @size
 * @from: address of the entry
 * @size: bytes of an entry of the window, from vpmc_timeline_size()
 * @near: a time within 2^55 clocks of the entry's stamp; it supplies the upper bits of
 *	the stamp
 */
static inline void vpmc_timeline_read(struct vpmc_timeline_entry *entry,
				      const char *from, uint32_t size,
				      uint64_t near)
{
	const char *end = from + size - sizeof(uint32_t) - VPMC_TIMELINE_FIELD;
	uint64_t *count = entry->count;
	uint32_t what;

	memcpy(&what, end + VPMC_TIMELINE_FIELD, sizeof(what));
	entry->kind = (enum vpmc_timeline_kind)(what & 0xff);
	entry->region = what >> 8;
	memcpy(&entry->around, from, sizeof(entry->around));
	memcpy(&entry->more, from + sizeof(entry->around), sizeof(entry->more));
	entry->stamp =
		near + vpmc_timeline_narrow(vpmc_timeline_load(end) - near);
	for (; from < end; from += VPMC_TIMELINE_FIELD)
		*count++ = vpmc_timeline_narrow(vpmc_timeline_load(from));
}

/* vpmc_timeline_stamp() - read the time, in units whose rate perfex measures */
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
