/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This file declares the review: the look at all processes a second after one of them
 * may have ceased to need the hardware counters (due.h).
 *
 * A process none of whose threads counts, or waits for an exec to do so, gives them up. Its
 * counts stay; a start takes them again, if perf_event has not got them since.
 *
 * A process whose counts nobody could be shown is stopped, as by VPMC_STOP, if two looks, a
 * second apart, find it so: a file may be closed only to open another one. VPMC_RELEASE looks
 * more often. The counts can be shown while
 *
 *	- an open file is bound or attached to it, or to one of its threads;
 *	- the file of its session is open;
 *	- it has a page mapped;
 *	- the program that it executes has itself started one of its threads, and so may open
 *	  the device at any time to read them;
 *	- or one of these holds for an ancestor, to whom waits would add them: its parent, the
 *	  parent of that, and so on, as far as these processes have threads with counters.
 *
 * A start with VPMC_START_KEEP, or one from which it is inherited, lets it count on all the
 * same. All that ends such a reason notes it: the close of a file or mapping, an exec, and
 * the exit of a thread that has children.
 */
#ifndef VPMC_REVIEW_H
#define VPMC_REVIEW_H

/* Look now. May sleep. */
void vpmc_review_now(void);

/* Before and after all others are called. vpmc_review_exit() may sleep. */
void vpmc_review_init(void);
void vpmc_review_exit(void);

#endif /* VPMC_REVIEW_H */
