/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This header declares the numbers of threads in a timeline. Processes in different PID
 * namespaces can have equal numbers at one time, and a viewer would merge their threads
 * into one broken thread.
 */
#ifndef PERFEX_THREAD_TRACK_H
#define PERFEX_THREAD_TRACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Above all numbers of the kernel, whose largest is PID_MAX_LIMIT - 1. */
#define TRACK_STEP (1 << 22)

struct track;

/**
 * struct tracks - the threads so far; zeroed at first
 * @track: each of them
 * @nr: how many there are
 * @room: for how many there is memory
 */
struct tracks {
	struct track *track;
	size_t nr;
	size_t room;
};

/**
 * take_track() - choose a number for a thread
 * @tracks: the threads so far; this one is added
 * @pid: of its process
 * @tid: its own number; becomes TRACK_STEP more, or a multiple of that, if another thread
 *	with the same numbers had not ended before
 * @since: when it began
 *
 * Return: false without memory.
 */
bool take_track(struct tracks *tracks, int pid, int *tid, uint64_t since);

/* leave_track() - the thread of the last take_track() has ended at this stamp */
void leave_track(struct tracks *tracks, uint64_t stamp);

#endif /* PERFEX_THREAD_TRACK_H */
