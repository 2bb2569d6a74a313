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

/* Return the number of events. */
unsigned int count_events(enum count what);

/* Begin and end; a page stays mapped, but perf_event's. COUNT_NOTHING needs no driver. */
void count_start(enum count what);
void count_stop(enum count what);

/*
 * Close the device. Counting continues. Otherwise each child would inherit the
 * descriptor, whose cost in fork, exec and exit is not part of the cost of counting.
 */
void count_close(void);

/*
 * Declare that this process, which may have started to count, does not create one that
 * counts. From here on, preparations make no system call, so they can be measured
 * together with the prepared call.
 */
void count_keep(void);

/*
 * Another process begins, and sleeps until this one ends. There is one also
 * for COUNT_NOTHING, so that all is alike but the counting.
 */
void count_elsewhere(enum count what);

/*
 * Prepare measured_call() to start with flags of the driver, to stop, to read a scope
 * of @what, to call read(2), and to map the page of counts.
 */
void count_set_start(enum count what, unsigned int flags);
void count_set_stop(void);
void count_set_read(enum count what, unsigned int scope);
void count_set_plain_read(void);
void count_set_map(void);

/* Return a count of the last count_set_read(). */
uint64_t count_gotten(unsigned int i);

#endif /* COUNT_H */
