/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the entries of a thread's windows mean.
 */
#ifndef PERFEX_TIMELINE_THREAD_H
#define PERFEX_TIMELINE_THREAD_H

#include "timeline_json.h"

struct replay;

/**
 * begin_replay() - begin a thread
 * @trace: where to print
 * @flaws: is added to
 * @raw: whether to leave in what the regions themselves cost
 *
 * Return: the thread, or NULL without memory.
 */
struct replay *begin_replay(struct trace *trace, struct trace_flaws *flaws,
			    bool raw);

/* replay_window() - the next one of its windows; false without memory */
bool replay_window(struct replay *replay, struct vpmc_timeline_window *window);

/* end_replay() - the thread has no more; ends what is open, and frees it */
void end_replay(struct replay *replay);

#endif /* PERFEX_TIMELINE_THREAD_H */
