/* SPDX-License-Identifier: GPL-2.0-only */
/* Counting in the calling process, straight through the driver. */
#ifndef COUNT_H
#define COUNT_H

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
};

/*
 * The one that @word names: "nothing", "one", "two", "others", "kernel",
 * "kernel-other", "turns", "one-mapped", "two-mapped", "nothing-mapped".
 */
enum count count_named(const char *word);

/* Begin and end; a page stays mapped. COUNT_NOTHING needs no driver. */
void count_start(enum count what);
void count_stop(enum count what);

/*
 * Another process begins, and sleeps until this one ends. There is one also
 * for COUNT_NOTHING, so that all is alike but the counting.
 */
void count_elsewhere(enum count what);

/*
 * Prepare measured_call() to begin, with flags of the driver's, to end, to
 * read a scope of @what, and to map the page of counts.
 */
void count_set_start(enum count what, unsigned int flags);
void count_set_stop(void);
void count_set_read(enum count what, unsigned int scope);
void count_set_map(void);

#endif /* COUNT_H */
