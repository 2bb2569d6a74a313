/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * This header declares the file that perfex --timeline has created: its head, and places
 * for windows.
 *
 * Threads of several processes use the file at once. The threads share only numbers in
 * its head. Each number is taken by one instruction.
 */
#ifndef LIBVPMC_REGION_TIMELINE_FILE_H
#define LIBVPMC_REGION_TIMELINE_FILE_H

#include <stdbool.h>
#include <stdint.h>
#include <vpmc_timeline.h>

/* vpmcint_timeline_take() - take a number, and increase it for the next caller */
/* NOLINTNEXTLINE(readability-non-const-parameter): it is written to */
static inline uint32_t vpmcint_timeline_take(uint32_t *number)
{
	return __atomic_fetch_add(number, 1, __ATOMIC_RELAXED);
}

/*
 * vpmcint_region_timeline_open() - open perfex's file, if it exists, before the process
 * changes its rights to open files
 */
void vpmcint_region_timeline_open(void);

/* vpmcint_timeline_is_there() - return whether this process has opened a file */
bool vpmcint_timeline_is_there(void);

/* vpmcint_timeline_number_thread() - take a number for a thread, from 1 */
uint32_t vpmcint_timeline_number_thread(void);

/* vpmcint_timeline_lose() - note that an entry is missing */
void vpmcint_timeline_lose(void);

/* vpmcint_timeline_take_window() - map a zeroed window, or return NULL if there is no space */
struct vpmc_timeline_window *vpmcint_timeline_take_window(void);

/*
 * vpmcint_timeline_copy_window() - write a copy of a window; returns false if there is no
 * space
 */
bool vpmcint_timeline_copy_window(const struct vpmc_timeline_window *window);

#endif /* LIBVPMC_REGION_TIMELINE_FILE_H */
