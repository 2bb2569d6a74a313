/* SPDX-License-Identifier: GPL-2.0-only */
/* This file declares how to measure how much memory the kernel has allocated. */
#ifndef MEMORY_H
#define MEMORY_H

#include <stdbool.h>

/*
 * What may differ without anything having been kept, in KB, unless the memory was
 * settled: each processor keeps objects of each size at hand, and some of what is
 * freed stays in pages that are not yet empty, or waits for a grace period of which
 * there is none until more has come.
 */
#define MEMORY_NOISE 512

/*
 * Have the kernel free what it has put off, and empty pages of objects. Takes root,
 * and a second.
 */
void memory_settle(void);

/* What the kernel's objects take, and what is free, pages at hand included, in KB. */
long memory_objects(void);
long memory_free(void);

/* Whether that can be compared: a kernel that checks itself takes notes of all. */
bool memory_is_comparable(void);

/* No rights, as any user; and as that one. */
void memory_become_nobody(void);
void memory_become_user(unsigned int uid);

#endif /* MEMORY_H */
