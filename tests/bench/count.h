/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This file declares how to count in the calling process, directly through the driver
 * or by perf_event.
 */
#ifndef COUNT_H
#define COUNT_H

#include <stdint.h>

struct vpmc_cgroup;

enum count {
	COUNT_NOTHING,
	COUNT_ONE,
	COUNT_TWO,
	COUNT_TWO_ANY, /* the same two, on counters that the driver chooses */
	COUNT_OTHERS,  /* the same two, with their counters exchanged */
	COUNT_KERNEL, /* one event of kernel mode; all words above mean user mode */
	COUNT_KERNEL_OTHER,
	COUNT_TURNS, /* four events, two of which take turns on each counter */
	COUNT_ONE_MAPPED, /* like COUNT_ONE, but RDPMC reads in user mode */
	COUNT_TWO_MAPPED,
	COUNT_NOTHING_MAPPED, /* may execute RDPMC, but does not count */
	COUNT_PERF_ONE,	      /* by perf_event, on a processor that it knows */
	COUNT_PERF_TWO,
	COUNT_PERF_ONE_MAPPED,
	COUNT_PERF_TWO_MAPPED,
	COUNT_SAMPLED, /* one event that leaves samples, on a processor that can interrupt */
	COUNT_PERF_SAMPLED,
	COUNT_P4_ONE, /* one, four and all counters of a Pentium 4 */
	COUNT_P4_FOUR,
	COUNT_P4_ALL,
	COUNT_P4_ONE_MAPPED,
	COUNT_P4_SAMPLED,
};

/* A sample is left at each event whose number is a multiple of this number. */
#define COUNT_PERIOD 20000

/*
 * Return the value that @word names: "nothing", "one", "two", "two-any", "others",
 * "kernel", "kernel-other", "turns", "one-mapped", "two-mapped", "nothing-mapped", "sampled",
 * "perf-" with "one", "two", "one-mapped", "two-mapped" or "sampled", and "p4-" with "one", "four",
 * "all", "one-mapped" or "sampled".
 */
enum count count_named(const char *word);

/* Return the number of events. */
unsigned int count_events(enum count what);

/*
 * Begin or end counting. The driver's page stays mapped afterwards, but that of perf_event does
 * not. COUNT_NOTHING does not need the driver.
 */
void count_start(enum count what);
void count_stop(enum count what);

/*
 * Close the device. Counting continues. If the descriptor stayed open, each child would inherit it.
 * The costs of a descriptor in fork, exec and exit are not costs of counting.
 */
void count_close(void);

/*
 * Declare that this process, which may count, does not create a process that counts. From here
 * on, preparations make no system call, so they can be measured together with the prepared
 * call.
 */
void count_keep(void);

/*
 * Start another process that counts, and sleeps until this process ends. COUNT_NOTHING starts a
 * process, too, so that the runs differ only in counting.
 */
void count_elsewhere(enum count what);

/*
 * Prepare measured_call() to start with flags of the driver, to stop, to read a scope
 * of @what, to call read(2), to map the page of counts, and to collect a cgroup.
 */
void count_set_start(enum count what, unsigned int flags);
void count_set_stop(void);
void count_set_read(enum count what, unsigned int scope);
void count_set_plain_read(void);
void count_set_map(void);
void count_set_cgroup(struct vpmc_cgroup *cgroup);

/*
 * Return how many bytes of samples the kernel has written for this process, which counts @what, and
 * how many bytes a sample has.
 */
uint32_t count_written(enum count what);
uint32_t count_sample_size(enum count what);

/* Return a count of the last count_set_read(). */
uint64_t count_gotten(unsigned int i);

#endif /* COUNT_H */
