// SPDX-License-Identifier: GPL-2.0-only
/* See timeline_json.h. */
#include "timeline_json.h"

#include <inttypes.h>
#include <string.h>

#include "json.h"

/* Room for any name with each byte escaped. */
#define NAME_MAX_ESCAPED 2048

#define NS_PER_US 1000U

static void print_text(FILE *out, const char *text)
{
	char escaped[NAME_MAX_ESCAPED];

	vpmc_escape(text, escaped, sizeof(escaped));
	print_json_string(out, escaped);
}

/* What every event begins with. */
static void open_event(struct trace *trace, const struct trace_thread *thread,
		       const char *phase, const char *category,
		       const char *name)
{
	fputs(trace->has_event ? ",\n" : "\n", trace->out);
	trace->has_event = true;
	fprintf(trace->out,
		"{\"ph\":\"%s\",\"cat\":\"%s\",\"pid\":%d,\"tid\":%d,\"name\":",
		phase, category, thread->pid, thread->tid);
	print_text(trace->out, name);
}

/*
 * Viewers sort by time. They lose the order of nested regions that begin or end at
 * equal times, so each event of a thread is a nanosecond after the one before it at least.
 */
static void print_time(struct trace *trace, struct trace_thread *thread,
		       uint64_t stamp)
{
	const double us = (double)(stamp - trace->base) / trace->ticks_per_us;
	uint64_t ns = (uint64_t)(us * NS_PER_US + 0.5);

	if (ns < thread->next_ns)
		ns = thread->next_ns;
	thread->next_ns = ns + 1;
	fprintf(trace->out, ",\"ts\":%" PRIu64 ".%03u,\"tsc\":%" PRIu64,
		ns / NS_PER_US, (unsigned int)(ns % NS_PER_US), stamp);
}

void begin_trace(struct trace *trace)
{
	fputs("{\"displayTimeUnit\":\"ns\",\"traceEvents\":[", trace->out);
}

/*
 * A program that starts its counts by itself may count what perfex has no name for.
 * Returns why the event cannot happen as it is counted, if that is known, or NULL.
 */
static const char *name_event(char name[EVENT_NAME_MAX],
			      const struct events *events,
			      const struct vpmc_timeline_event *event)
{
	const struct vpmc_event_sel *sel = events->sel;
	size_t i;

	for (i = 0; i < events->nr; i++, sel++) {
		if (sel->code == event->code && sel->modes == event->modes &&
		    (sel->counter == VPMC_ANY_COUNTER ||
		     sel->counter == event->counter)) {
			event_name(events, i, name);
			return events->never[i];
		}
	}
	snprintf(name, EVENT_NAME_MAX, "0x%02" PRIx64 ":%s%s", event->code,
		 event->modes & VPMC_USER ? "u" : "",
		 event->modes & VPMC_KERNEL ? "k" : "");
	return NULL;
}

/* A name stands once among the members of an object. */
static void name_events(struct trace_thread *thread,
			const struct events *events,
			const struct vpmc_timeline_window *window)
{
	char name[EVENT_NAME_MAX];
	unsigned int i, j;

	for (i = 0; i < thread->nr; i++) {
		thread->never[i] = name_event(name, events, &window->event[i]);
		snprintf(thread->event[i], sizeof(thread->event[i]), "%s",
			 name);
		for (j = 0; j < i; j++) {
			if (!strcmp(thread->event[i], thread->event[j]))
				snprintf(thread->event[i],
					 sizeof(thread->event[i]), "%s #%u",
					 name, i + 1);
		}
	}
}

static void print_name(struct trace *trace, const struct trace_thread *thread,
		       const char *what, const char *name)
{
	open_event(trace, thread, "M", "__metadata", what);
	fputs(",\"args\":{\"name\":", trace->out);
	print_text(trace->out, name);
	fputs("}}", trace->out);
}

void begin_trace_thread(struct trace *trace, struct trace_thread *thread,
			const struct vpmc_timeline_window *window, int tid)
{
	char command[sizeof(window->command) + 1];

	thread->pid = window->pid;
	thread->tid = tid;
	thread->nr = window->events < VPMC_TIMELINE_EVENTS
			     ? window->events
			     : VPMC_TIMELINE_EVENTS;
	name_events(thread, trace->events, window);
	snprintf(command, sizeof(command), "%.*s", (int)sizeof(window->command),
		 window->command);
	/* The first thread has the name of the process, if it has regions. */
	if (thread->pid == window->tid || thread->pid != trace->pid)
		print_name(trace, thread, "process_name", command);
	trace->pid = thread->pid;
	print_name(trace, thread, "thread_name", command);
}

void trace_begin(struct trace *trace, struct trace_thread *thread,
		 const char *category, const char *name, uint64_t stamp)
{
	open_event(trace, thread, "B", category, name);
	print_time(trace, thread, stamp);
	fputc('}', trace->out);
}

/* The counts of an event, and what separates them from those before. */
static void print_counts(struct trace *trace, const struct trace_thread *thread,
			 const struct trace_counts *counts, unsigned int i)
{
	if (i)
		fputc(',', trace->out);
	print_json_string(trace->out, thread->event[i]);
	if (thread->never[i]) {
		fprintf(trace->out, ":\"%s\"", thread->never[i]);
		return;
	}
	fprintf(trace->out, ":%" PRIu64, counts->inclusive[i]);
	if (!counts->no_exclusive)
		fprintf(trace->out, ",\"%s exclusive\":%" PRIu64,
			thread->event[i], counts->exclusive[i]);
}

/*
 * Beginnings have no arguments, and the tick is none: a viewer may take regions with
 * other arguments for other regions.
 */
void trace_end(struct trace *trace, struct trace_thread *thread,
	       const char *category, const char *name, uint64_t stamp,
	       const struct trace_counts *counts, const char *note)
{
	unsigned int i;

	open_event(trace, thread, "E", category, name);
	print_time(trace, thread, stamp);
	fputs(",\"args\":{", trace->out);
	for (i = 0; counts && i < thread->nr; i++)
		print_counts(trace, thread, counts, i);
	if (note)
		fprintf(trace->out, "%s\"note\":\"%s\"",
			counts && thread->nr ? "," : "", note);
	fputs("}}", trace->out);
}

void end_trace(struct trace *trace, const struct trace_flaws *flaws)
{
	fprintf(trace->out,
		"\n],\"otherData\":{\"writer\":\"perfex " VPMC_VERSION "\","
		"\"clock\":\"time stamp counter\",\"first_tsc\":%" PRIu64
		",\"ticks_per_microsecond\":%.6f,\"lost_entries\":%" PRIu32
		",\"earlier_stamps\":%" PRIu32
		",\"ends_without_begin\":%" PRIu32
		",\"begins_without_end\":%" PRIu32 "}}\n",
		trace->base, trace->ticks_per_us, flaws->lost, flaws->earlier,
		flaws->unmatched, flaws->open);
}
