/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This file declares how to take the counters from all processes, and how to list the
 * processes that have them.
 */
#ifndef VPMC_RELEASE_H
#define VPMC_RELEASE_H

#include <linux/types.h>

/*
 * Carry out VPMC_RELEASE: end the counts of all threads and of system mode, with new
 * generations, and give the counters back. Returns 0, or -EBUSY if too many calls hold
 * reservations of earlier releases. May sleep.
 */
int vpmc_release_counters(void);

/*
 * Write the contents of the file "holders" into @buf, which is a page: a line for each process that
 * has the counters, see vpmc.4. Returns the length of the text. May sleep.
 */
ssize_t vpmc_release_holders(char *buf);

#endif /* VPMC_RELEASE_H */
