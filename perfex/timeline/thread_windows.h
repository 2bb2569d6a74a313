/* SPDX-License-Identifier: GPL-2.0-only */
/* This header declares the interpretation of the entries in a thread's windows. */
#ifndef PERFEX_THREAD_WINDOWS_H
#define PERFEX_THREAD_WINDOWS_H

#include "timeline/trace_json.h"

struct replay;

/**
 * begin_replay() - begin a thread
 * @trace: where to print
 * @flaws: is added to
 * @raw: whether to leave in what the regions themselves cost
 * @tid: the number of the thread in the timeline
 *
 * Return: the thread, or NULL without memory.
 */
struct replay *begin_replay(struct trace *trace, struct trace_flaws *flaws,
			    bool raw, int tid);

/* replay_window() - the next one of its windows; false without memory */
bool replay_window(struct replay *replay,
		   const struct vpmc_timeline_window *window);

/* last_stamp() - the latest time of the thread so far */
uint64_t last_stamp(const struct replay *replay);

/**
 * end_replay() - end a thread, and free it
 * @replay: the thread
 * @stamp: when its open regions end, if it was not later
 *
 * Return: when it has ended.
 */
uint64_t end_replay(struct replay *replay, uint64_t stamp);

#endif /* PERFEX_THREAD_WINDOWS_H */
