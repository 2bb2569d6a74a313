/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This file declares the review. A review goes through all processes, and finds the processes that
 * do not need the hardware counters any more. It runs a second after an event that may have ended a
 * process's need for the counters (due.h).
 *
 * A process gives up the counters if none of its threads counts or waits for an exec to count. Its
 * counts stay readable. A start takes the counters again, unless perf_event has taken them.
 *
 * A process whose counts could not be shown to any task is stopped, as by VPMC_STOP, if two
 * reviews, a second apart, find this. One review is not enough, because a program may close a file
 * and then open another one. VPMC_RELEASE reviews more often. The counts can be shown while
 *
 *	- an open file is bound or attached to the process, or to one of its threads;
 *	- the file of the process's session is open;
 *	- the process has a page mapped, possibly an inherited page;
 *	- the program that the process executes has started one of the process's threads, so it may
 *	  open the device at any time to read the counts;
 *	- one of these conditions holds for an ancestor to which waits would add the counts: the
 *	  parent, the parent's parent, and so on, up to the first process without threads that have
 *	  counters.
 *
 * With VPMC_START_KEEP, given at its own start or inherited, a process goes on counting in any
 * case. Events that can end one of these conditions call vpmc_due_note(). They are the close of a
 * file or mapping, an exec, and the exit of a thread that has children.
 */
#ifndef VPMC_REVIEW_H
#define VPMC_REVIEW_H

/* Review all processes now. May sleep. */
void vpmc_review_now(void);

/*
 * Set up and end the review, before and after all other calls. vpmc_review_exit() may
 * sleep.
 */
void vpmc_review_init(void);
void vpmc_review_exit(void);

#endif /* VPMC_REVIEW_H */
