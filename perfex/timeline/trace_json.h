/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This header declares a timeline as JSON of the Trace Event Format, which Perfetto and
 * chrome://tracing open.
 */
#ifndef PERFEX_TRACE_JSON_H
#define PERFEX_TRACE_JSON_H

#include <vpmc_timeline.h>

#include "util/line_writer.h"
#include "util/perfex.h"

/* Room for the name of an event with each byte of it escaped, and for what is around it. */
#define MEMBER_MAX (2 * (EVENT_NAME_MAX + 32) + 16)

/**
 * struct trace - what is being printed
 * @lines: where to
 * @events: what perfex counts
 * @base: the stamp that is 0
 * @end: the stamp at which all that is counted has ended
 * @ticks_per_us: how fast stamps go on
 * @ns_per_tick: the same, the other way round
 * @has_event: something has been printed
 * @pid: of the last thread
 */
struct trace {
	struct lines *lines;
	const struct events *events;
	uint64_t base;
	uint64_t end;
	double ticks_per_us;
	double ns_per_tick;
	bool has_event;
	int pid;
};

/**
 * struct trace_thread - a thread in it
 * @pid: of its process
 * @tid: its own number
 * @next_ns: the earliest time of its next begin or end, so that no two are equal
 * @nr: how many events it counts
 * @event: their names, each another one
 * @member: the name of each event as that of a member
 * @member_size: bytes of that
 * @exclusive: the same as @member of its exclusive count
 * @exclusive_size: bytes of that
 * @never: why they cannot happen as they are counted, or NULL
 * @most: the most bytes of a region, but for its head
 */
struct trace_thread {
	int pid;
	int tid;
	int64_t next_ns;
	unsigned int nr;
	char event[VPMC_TIMELINE_EVENTS][EVENT_NAME_MAX + 16];
	char member[VPMC_TIMELINE_EVENTS][MEMBER_MAX];
	size_t member_size[VPMC_TIMELINE_EVENTS];
	char exclusive[VPMC_TIMELINE_EVENTS][MEMBER_MAX];
	size_t exclusive_size[VPMC_TIMELINE_EVENTS];
	const char *never[VPMC_TIMELINE_EVENTS];
	size_t most;
};

/**
 * struct trace_head - what all events of one name begin with, up to their times
 * @size: bytes of @text
 * @text: that, without a zero at its end
 */
struct trace_head {
	size_t size;
	char text[];
};

/**
 * struct trace_counts - what a region has counted
 * @inclusive: from begin to end
 * @exclusive: without the regions within it
 * @has_exclusive: there are such regions, and each was counted
 */
struct trace_counts {
	uint64_t inclusive[VPMC_TIMELINE_EVENTS];
	uint64_t exclusive[VPMC_TIMELINE_EVENTS];
	bool has_exclusive;
};

/**
 * struct trace_flaws - what a timeline lacks
 * @lost: entries that there was no room for
 * @earlier: entries whose stamp was earlier than the one before
 * @unmatched: ends without a begin
 * @open: begins without an end
 */
struct trace_flaws {
	uint32_t lost;
	uint32_t earlier;
	uint32_t unmatched;
	uint32_t open;
};

/* begin_trace() - print what stands before all threads */
void begin_trace(struct trace *trace);

/**
 * begin_trace_thread() - find out how a thread's events are called, and print its name
 * @trace: where to print
 * @thread: receives what is known of it
 * @window: its first one
 * @tid: its number in the timeline
 */
void begin_trace_thread(struct trace *trace, struct trace_thread *thread,
			const struct vpmc_timeline_window *window, int tid);

/**
 * make_head() - prepare the events of a region, or of something of perfex's own
 * @thread: whose they are, after begin_trace_thread()
 * @category: of them
 * @name: of them
 *
 * Return: what they begin with, which the caller frees; NULL without memory.
 */
struct trace_head *make_head(const struct trace_thread *thread,
			     const char *category, const char *name);

/* trace_time() - the time of the thread's next begin or end, in nanoseconds */
uint64_t trace_time(const struct trace *trace, struct trace_thread *thread,
		    uint64_t stamp);

/**
 * trace_region() - print a region
 * @trace: where to print
 * @thread: whose it is
 * @head: of its name
 * @begin_ns: of trace_time()
 * @end_ns: likewise
 * @counts: of it, or NULL without any
 * @note: why there are none, or NULL
 */
void trace_region(struct trace *trace, const struct trace_thread *thread,
		  const struct trace_head *head, uint64_t begin_ns,
		  uint64_t end_ns, const struct trace_counts *counts,
		  const char *note);

/* end_trace() - print what stands behind all threads */
void end_trace(struct trace *trace, const struct trace_flaws *flaws);

#endif /* PERFEX_TRACE_JSON_H */
