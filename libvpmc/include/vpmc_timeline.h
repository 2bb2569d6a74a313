/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The file in which processes leave the timeline of their regions, for libvpmc and
 * perfex; it is not installed. Perfex makes it, and names it in the environment. All
 * processes map it, so that it has everything whatever ends them. Numbers are those of
 * the machine; they lie in the same places with 32 and with 64 bits.
 *
 * The first window has struct vpmc_timeline_file alone. Each other one is of a thread,
 * begins with struct vpmc_timeline_window, and has entries after that, as many as there
 * is room for. A thread maps one window. When that is full, the
 * thread writes a copy of it to the end of the file and empties it: mapping another one
 * would take more instructions for each page.
 *
 * Entries come in the order in which they are taken. The stamp is read after that: where
 * a signal handler has interrupted a begin or an end between these, the begins and ends
 * after that entry are earlier than its stamp.
 */
#ifndef VPMC_TIMELINE_H
#define VPMC_TIMELINE_H

#include <stdint.h>
#include <string.h>
#include <time.h>

#define VPMC_TIMELINE_VARIABLE "VPMC_TIMELINE_FILE"
#define VPMC_TIMELINE_MAGIC    UINT64_C(0x32656c696d706d76)
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
 * @used: entries to look at; those that nothing was written to are void
 * @pid: of the process
 * @tid: of the thread
 * @anew: the thread's regions begin anew: none is open
 * @events: how many events are counted
 * @turn: how many windows the thread had filled before it. Where two have the same one,
 *	the later one in the file is the copy, and the other one was not empty yet.
 * @reserved: 0
 * @event: these
 * @own: what a region costs, in its own counts
 * @pair: what it costs in all, in the counts of the regions around it
 * @since: when the room of the turn before had been used up
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
	uint32_t turn;
	uint32_t reserved;
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
	VPMC_TIMELINE_APART, /* not to be counted: in it, and in those around it */
	VPMC_TIMELINE_APART_ONE, /* the same, in it alone, or else in its next call */
};

/**
 * struct vpmc_timeline_entry - what an entry of a window says: vpmc_timeline_read()
 * @kind: enum vpmc_timeline_kind
 * @region: a number that the thread gives the region in this place, from 1
 * @stamp: the time, as vpmc_timeline_stamp()
 * @count: for each event, of a begin and of an end: a region has counted the difference;
 *	of what is apart: how much. Sums and differences of them are 56 bits wide.
 * @around: of a name the number of the region around it, 0 for none
 * @more: of a name how many of the following ones have its text, with a zero at its end
 */
struct vpmc_timeline_entry {
	enum vpmc_timeline_kind kind;
	uint32_t region;
	uint64_t stamp;
	uint64_t count[VPMC_TIMELINE_EVENTS];
	uint32_t around;
	uint32_t more;
};

/* The greatest number of a region. */
#define VPMC_TIMELINE_REGIONS ((1U << 24) - 1)

/*
 * A window has for each entry the low 7 bytes of each count and of the stamp, and then what it
 * is, which is written last, in 4 bytes: vpmc_timeline_what(). With a name @around and @more
 * are the first 8 bytes. Begins and ends of <vpmc_region.h> write this, too.
 */
#define VPMC_TIMELINE_FIELD 7U

/* vpmc_timeline_what() - what an entry is, and of which region */
static inline uint32_t vpmc_timeline_what(enum vpmc_timeline_kind kind,
					  uint32_t region)
{
	return (uint32_t)kind | region << 8;
}

/*
 * vpmc_timeline_narrow() - a difference of counts or stamps that have 56 bits
 *
 * By halves, which takes fewer instructions where registers have 32 bits.
 */
static inline uint64_t vpmc_timeline_narrow(uint64_t difference)
{
	const uint32_t high = (uint32_t)(difference >> 32) << 8;

	return (uint64_t)(uint32_t)((int32_t)high >> 8) << 32 |
	       (uint32_t)difference;
}

/* The longest name: others are cut off. */
#define VPMC_TIMELINE_NAME_MAX 271U

/* The most entries that such a name takes after its first one. */
#define VPMC_TIMELINE_MORE 16U

/* vpmc_timeline_size() - bytes of an entry with so many events, whatever a window has */
static inline uint32_t vpmc_timeline_size(uint32_t events)
{
	const uint32_t counts = events > VPMC_TIMELINE_EVENTS
					? VPMC_TIMELINE_EVENTS
					: events + !events;

	return VPMC_TIMELINE_FIELD * (counts + 1) + (uint32_t)sizeof(uint32_t);
}

/* vpmc_timeline_room() - how many entries of a size a window has */
static inline uint32_t vpmc_timeline_room(uint32_t size)
{
	return (uint32_t)(VPMC_TIMELINE_WINDOW -
			  sizeof(struct vpmc_timeline_window)) /
	       size;
}

/* vpmc_timeline_at() - where a window has an entry, of so many bytes each */
static inline char *vpmc_timeline_at(const struct vpmc_timeline_window *window,
				     uint32_t nr, uint32_t size)
{
	return (char *)(window + 1) + (size_t)nr * size;
}

/* vpmc_timeline_store() - write a field of 7 bytes; the byte after it is lost */
static inline void vpmc_timeline_store(char *to, uint64_t field)
{
	memcpy(to, &field, sizeof(field));
	__asm__ __volatile__("" : : : "memory");
}

/**
 * vpmc_timeline_write() - write an entry that is no name
 * @to: where
 * @what: vpmc_timeline_what()
 * @stamp: the time
 * @count: for each event
 * @events: how many; at least 1
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

/* With the byte after it, which vpmc_timeline_narrow() drops. */
static inline uint64_t vpmc_timeline_load(const char *from)
{
	uint64_t field;

	memcpy(&field, from, sizeof(field));
	return field;
}

/**
 * vpmc_timeline_read() - read an entry, whatever it says
 * @entry: receives it, with as many counts as there is room for
 * @from: where it is
 * @size: of its window, vpmc_timeline_size()
 * @near: a time within 2^55 clocks of it, which says what its stamp does not have
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
