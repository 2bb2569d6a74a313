/* SPDX-License-Identifier: GPL-2.0-only */
/* This file declares how to measure how much memory the kernel has allocated. */
#ifndef MEMORY_H
#define MEMORY_H

#include <stdbool.h>

/*
 * This is the largest difference in KB that may occur without a leak, if memory_settle() was not
 * called. Each processor caches objects of each size. Some freed memory stays in pages that are
 * not empty yet. Some memory waits for a grace period that begins only when more memory is freed.
 */
#define MEMORY_NOISE 512

/*
 * Let the kernel free delayed memory and empty pages of objects. The caller must be root. The call
 * takes a second.
 */
void memory_settle(void);

/*
 * memory_objects() returns the memory of the kernel's objects. memory_free() returns the free
 * memory, including cached free pages. Both are in KB.
 */
long memory_objects(void);
long memory_free(void);

/*
 * Return whether amounts of memory can be compared. They cannot on a debug kernel, which allocates
 * memory for its own records.
 */
bool memory_is_comparable(void);

/* Give up all rights: become user "nobody", or user @uid. */
void memory_become_nobody(void);
void memory_become_user(unsigned int uid);

#endif /* MEMORY_H */
