/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A timeline as JSON of the Trace Event Format, which Perfetto and chrome://tracing
 * open.
 */
#ifndef PERFEX_TIMELINE_JSON_H
#define PERFEX_TIMELINE_JSON_H

#include <vpmc_timeline.h>

#include "line.h"
#include "perfex.h"

/* Room for the name of an event with each byte of it escaped, and for what is around it. */
#define MEMBER_MAX (2 * (EVENT_NAME_MAX + 32) + 16)

/**
 * struct trace - what is being printed
 * @out: where to
 * @events: what perfex counts
 * @base: the stamp that is 0
 * @end: the stamp at which all that is counted has ended
 * @ticks_per_us: how fast stamps go on
 * @has_event: something has been printed
 * @pid: of the last thread
 * @line: the present event
 */
struct trace {
	FILE *out;
	const struct events *events;
	uint64_t base;
	uint64_t end;
	double ticks_per_us;
	bool has_event;
	int pid;
	struct line line;
};

/**
 * struct trace_thread - a thread in it
 * @pid: of its process
 * @tid: its own number
 * @next_ns: the earliest time of its next event, so that no two are equal
 * @nr: how many events it counts
 * @event: their names, each another one
 * @numbers: @pid and @tid as members of an object
 * @member: the name of each event as that of a member
 * @exclusive: the same of its exclusive count
 * @never: why they cannot happen as they are counted, or NULL
 */
struct trace_thread {
	int pid;
	int tid;
	uint64_t next_ns;
	unsigned int nr;
	char event[VPMC_TIMELINE_EVENTS][EVENT_NAME_MAX + 16];
	char numbers[48];
	char member[VPMC_TIMELINE_EVENTS][MEMBER_MAX];
	char exclusive[VPMC_TIMELINE_EVENTS][MEMBER_MAX];
	const char *never[VPMC_TIMELINE_EVENTS];
};

/**
 * struct trace_counts - what a region has counted
 * @inclusive: from begin to end
 * @exclusive: without the regions within it
 * @no_exclusive: one of these was not counted
 */
struct trace_counts {
	uint64_t inclusive[VPMC_TIMELINE_EVENTS];
	uint64_t exclusive[VPMC_TIMELINE_EVENTS];
	bool no_exclusive;
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

/* quote_name() - a name as JSON, which the caller frees; NULL without memory */
char *quote_name(const char *name);

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

/* trace_begin() - a region, or something of perfex's own, begins; @name is quoted */
void trace_begin(struct trace *trace, struct trace_thread *thread,
		 const char *category, const char *name, uint64_t stamp);

/**
 * trace_end() - it ends
 * @trace: where to print
 * @thread: whose it is
 * @category: the same as at its begin
 * @name: likewise
 * @stamp: when
 * @counts: of it, or NULL without any
 * @note: why there are none, or NULL
 */
void trace_end(struct trace *trace, struct trace_thread *thread,
	       const char *category, const char *name, uint64_t stamp,
	       const struct trace_counts *counts, const char *note);

/* end_trace() - print what stands behind all threads */
void end_trace(struct trace *trace, const struct trace_flaws *flaws);

#endif /* PERFEX_TIMELINE_JSON_H */
