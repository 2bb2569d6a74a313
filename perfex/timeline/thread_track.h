/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This header declares the numbers of threads in a timeline. Processes in different PID
 * namespaces can have equal numbers at the same time. A viewer would merge their threads into one
 * broken thread.
 */
#ifndef PERFEX_THREAD_TRACK_H
#define PERFEX_THREAD_TRACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* This is larger than all numbers of the kernel. The largest number is PID_MAX_LIMIT - 1. */
#define TRACK_STEP (1 << 22)

struct track;

/**
 * struct tracks - the threads so far; zeroed before the first thread
 * @track: the threads
 * @nr: number of threads
 * @room: number of threads that fit into the memory
 */
struct tracks {
	struct track *track;
	size_t nr;
	size_t room;
};

/**
 * take_track() - choose a number for a thread
 * @tracks: the threads so far; receives the new thread
 * @pid: number of the process
 * @tid: number of the thread; it is increased by a multiple of TRACK_STEP if another thread
 *	with the same numbers had not ended at @since
 * @since: time at which the thread began
 *
 * Return: false if there is no memory.
 */
bool take_track(struct tracks *tracks, int pid, int *tid, uint64_t since);

/* leave_track() - set the end of the thread that the last take_track() has added */
void leave_track(struct tracks *tracks, uint64_t stamp);

#endif /* PERFEX_THREAD_TRACK_H */
