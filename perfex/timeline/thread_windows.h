/* SPDX-License-Identifier: GPL-2.0-only */
/* This header declares the interpretation of the entries in a thread's windows. */
#ifndef PERFEX_THREAD_WINDOWS_H
#define PERFEX_THREAD_WINDOWS_H

#include "timeline/trace_json.h"

struct replay;

/**
 * begin_replay() - begin to read a thread
 * @trace: the timeline to print
 * @flaws: numbers of flaws; the function adds to them
 * @raw: true to include the cost of the regions themselves
 * @tid: number of the thread in the timeline
 *
 * Return: the thread, or NULL if there is no memory.
 */
struct replay *begin_replay(struct trace *trace, struct trace_flaws *flaws,
			    bool raw, int tid);

/* replay_window() - read the next window of a thread; returns false if there is no memory */
bool replay_window(struct replay *replay,
		   const struct vpmc_timeline_window *window);

/* last_stamp() - get the latest time of a thread so far */
uint64_t last_stamp(const struct replay *replay);

/**
 * end_replay() - end a thread, and free it
 * @replay: the thread
 * @stamp: time at which its open regions end, unless its latest time is later
 *
 * Return: the time at which it has ended.
 */
uint64_t end_replay(struct replay *replay, uint64_t stamp);

#endif /* PERFEX_THREAD_WINDOWS_H */
