/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This header declares a timeline as JSON in the Trace Event Format. Perfetto and
 * chrome://tracing open such files.
 */
#ifndef PERFEX_TRACE_JSON_H
#define PERFEX_TRACE_JSON_H

#include <vpmc_timeline.h>

#include "util/line_writer.h"
#include "util/perfex.h"

/*
 * The name of an event fits into this many bytes with each byte escaped, and with the text around
 * it.
 */
#define MEMBER_MAX (2 * (EVENT_NAME_MAX + 32) + 16)

/**
 * struct region_change - a begin or an end of a region
 * @pid: number of the process
 * @tid: number of the thread
 * @stamp: the time, which never decreases within a thread
 * @region: name of the innermost region that is open after the change, or NULL; valid during the
 *	call of the function
 */
struct region_change {
	int pid;
	int tid;
	uint64_t stamp;
	const char *region;
};

/**
 * struct trace - a timeline that is being printed, or passed to a function
 * @lines: lines to write to, or NULL
 * @change: function that is called for each begin and end, or NULL
 * @arg: second argument of @change
 * @events: the events that perfex counts
 * @base: the stamp that corresponds to time 0
 * @end: the stamp at which all counted processes had ended
 * @ticks_per_us: rate of stamps
 * @ns_per_tick: inverse of @ticks_per_us, in nanoseconds
 * @has_event: true if an event has been printed
 * @pid: process of the last thread
 */
struct trace {
	struct lines *lines;
	void (*change)(const struct region_change *change, void *arg);
	void *arg;
	const struct events *events;
	uint64_t base;
	uint64_t end;
	double ticks_per_us;
	double ns_per_tick;
	bool has_event;
	int pid;
};

/**
 * struct trace_thread - a thread of a timeline
 * @pid: number of its process
 * @tid: number of the thread
 * @next_ns: earliest time of its next begin or end, so that all times differ
 * @nr: number of events that the thread counts
 * @event: distinct names of the events
 * @member: the name of each event in the form of a member's name
 * @member_size: length of @member
 * @exclusive: like @member, for the event's exclusive count
 * @exclusive_size: length of @exclusive
 * @never: reasons why the events cannot happen in their modes, or NULL
 * @most: largest size of a region, without its head
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
 * struct trace_head - the text of all events of one name, up to their times
 * @size: length of @text
 * @text: the text, without a zero at its end
 */
struct trace_head {
	size_t size;
	char text[];
};

/**
 * struct trace_counts - the counts of a region
 * @inclusive: counts from begin to end
 * @exclusive: counts without the inner regions
 * @has_exclusive: true if there are inner regions, and each was counted
 */
struct trace_counts {
	uint64_t inclusive[VPMC_TIMELINE_EVENTS];
	uint64_t exclusive[VPMC_TIMELINE_EVENTS];
	bool has_exclusive;
};

/**
 * struct trace_flaws - the flaws of a timeline
 * @lost: number of entries that did not fit into the file
 * @earlier: number of entries with a stamp earlier than the previous entry's stamp
 * @unmatched: number of ends without a begin
 * @open: number of begins without an end
 */
struct trace_flaws {
	uint32_t lost;
	uint32_t earlier;
	uint32_t unmatched;
	uint32_t open;
};

/* begin_trace() - print the text before all threads */
void begin_trace(struct trace *trace);

/**
 * begin_trace_thread() - prepare the names of a thread's events, and print the thread's
 * name
 * @trace: the timeline to print
 * @thread: receives the data of the thread
 * @window: its first window
 * @tid: number of the thread in the timeline
 */
void begin_trace_thread(struct trace *trace, struct trace_thread *thread,
			const struct vpmc_timeline_window *window, int tid);

/**
 * make_head() - prepare the events of a region, or of perfex itself
 * @thread: the thread, after begin_trace_thread()
 * @category: category of the events
 * @name: name of the events
 *
 * Return: the beginning of their text, which the caller frees; NULL if there is no memory.
 */
struct trace_head *make_head(const struct trace_thread *thread,
			     const char *category, const char *name);

/* trace_time() - compute the time of the thread's next begin or end, in nanoseconds */
uint64_t trace_time(const struct trace *trace, struct trace_thread *thread,
		    uint64_t stamp);

/**
 * trace_region() - print a region
 * @trace: the timeline to print
 * @thread: the thread
 * @head: beginning of the region's text, from make_head()
 * @begin_ns: time of its begin, from trace_time()
 * @end_ns: time of its end, from trace_time()
 * @counts: its counts, or NULL
 * @note: reason why there are no counts, or NULL
 */
void trace_region(struct trace *trace, const struct trace_thread *thread,
		  const struct trace_head *head, uint64_t begin_ns,
		  uint64_t end_ns, const struct trace_counts *counts,
		  const char *note);

/* end_trace() - print the text after all threads */
void end_trace(struct trace *trace, const struct trace_flaws *flaws);

#endif /* PERFEX_TRACE_JSON_H */
