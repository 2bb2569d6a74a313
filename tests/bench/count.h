/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This file declares how to count in the calling process, directly through the driver
 * or by perf_event.
 */
#ifndef COUNT_H
#define COUNT_H

#include <stdint.h>

enum count {
	COUNT_NOTHING,
	COUNT_ONE,
	COUNT_TWO,
	COUNT_OTHERS, /* the same two, each on the other counter */
	COUNT_KERNEL, /* one event of kernel mode; all the above: user mode */
	COUNT_KERNEL_OTHER,
	COUNT_TURNS, /* four events, two of which take turns on each counter */
	COUNT_ONE_MAPPED, /* as COUNT_ONE, read by RDPMC in user mode */
	COUNT_TWO_MAPPED,
	COUNT_NOTHING_MAPPED, /* may execute RDPMC, does not count */
	COUNT_PERF_ONE,	      /* by perf_event, on a processor that it knows */
	COUNT_PERF_TWO,
	COUNT_PERF_ONE_MAPPED,
	COUNT_PERF_TWO_MAPPED,
};

/*
 * The one that @word names: "nothing", "one", "two", "others", "kernel",
 * "kernel-other", "turns", "one-mapped", "two-mapped", "nothing-mapped", and
 * "perf-" with "one", "two", "one-mapped" or "two-mapped".
 */
enum count count_named(const char *word);

/* How many events that is. */
unsigned int count_events(enum count what);

/* Begin and end; a page stays mapped, but perf_event's. COUNT_NOTHING needs no driver. */
void count_start(enum count what);
void count_stop(enum count what);

/*
 * Close the device, which goes on counting without: else each child inherits the
 * descriptor, and what that costs a fork, an exec and an exit is not counting's.
 */
void count_close(void);

/*
 * This process, which may have started to count, creates none that does. So preparations
 * make no system call from here on, and can be measured with what they prepare.
 */
void count_keep(void);

/*
 * Another process begins, and sleeps until this one ends. There is one also
 * for COUNT_NOTHING, so that all is alike but the counting.
 */
void count_elsewhere(enum count what);

/*
 * Prepare measured_call() to begin, with flags of the driver's, to end, to
 * read a scope of @what, to read(2), and to map the page of counts.
 */
void count_set_start(enum count what, unsigned int flags);
void count_set_stop(void);
void count_set_read(enum count what, unsigned int scope);
void count_set_plain_read(void);
void count_set_map(void);

/* A count of what count_set_read() has read. */
uint64_t count_gotten(unsigned int i);

#endif /* COUNT_H */
