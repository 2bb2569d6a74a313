/* SPDX-License-Identifier: GPL-2.0-only */
/* This file declares how to measure how much memory the kernel has allocated. */
#ifndef MEMORY_H
#define MEMORY_H

#include <stdbool.h>

/*
 * The difference in KB that may occur without a leak, unless memory was settled. Each
 * processor caches objects of each size, and some freed memory stays in pages that are
 * not empty yet, or waits for a grace period that does not begin before more memory is
 * freed.
 */
#define MEMORY_NOISE 512

/*
 * Let the kernel free delayed memory and empty pages of objects. This needs root, and
 * takes a second.
 */
void memory_settle(void);

/*
 * Return the memory of the kernel's objects, and the free memory, including cached
 * pages, in KB.
 */
long memory_objects(void);
long memory_free(void);

/*
 * Return whether these can be compared: a debug kernel allocates memory for its own
 * records.
 */
bool memory_is_comparable(void);

/* Give up all rights: become user "nobody", or user @uid. */
void memory_become_nobody(void);
void memory_become_user(unsigned int uid);

#endif /* MEMORY_H */
