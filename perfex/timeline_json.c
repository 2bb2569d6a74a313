// SPDX-License-Identifier: GPL-2.0-only
/* See timeline_json.h. */
#include "timeline_json.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "json.h"

/* Room for any name with each byte escaped. */
#define NAME_MAX_ESCAPED 2048

/* Room for the name of a command with each byte escaped. */
#define COMMAND_MAX (4 * 16 + 1)

#define NS_PER_US 1000U

/*
 * Write @text into @quoted, which has room for twice its length and three bytes more.
 * Returns the end of that.
 */
static char *quote(char *quoted, const char *text)
{
	*quoted++ = '"';
	for (; *text; text++) {
		if (is_json_special(*text))
			*quoted++ = '\\';
		*quoted++ = *text;
	}
	*quoted++ = '"';
	*quoted = '\0';
	return quoted;
}

char *quote_name(const char *name)
{
	char escaped[NAME_MAX_ESCAPED];
	const size_t size = 2 * vpmc_escape(name, escaped, sizeof(escaped)) + 3;
	char *quoted = malloc(size);

	if (quoted)
		quote(quoted, escaped);
	return quoted;
}

/* What every event begins with. */
static void open_event(struct trace *trace, const struct trace_thread *thread,
		       const char *phase, const char *category,
		       const char *name)
{
	struct line *line = &trace->line;

	line->used = 0;
	add_text(line, trace->has_event ? ",\n{\"ph\":\"" : "\n{\"ph\":\"");
	trace->has_event = true;
	add_text(line, phase);
	add_text(line, "\",\"cat\":\"");
	add_text(line, category);
	add_text(line, thread->numbers);
	add_text(line, name);
}

static void close_event(struct trace *trace)
{
	add_text(&trace->line, "}");
	fwrite(trace->line.text, 1, trace->line.used, trace->out);
}

/*
 * Viewers sort by time. They lose the order of nested regions that begin or end at
 * equal times, so each event of a thread is a nanosecond after the one before it at least.
 */
static void add_time(struct trace *trace, struct trace_thread *thread,
		     uint64_t stamp)
{
	const double us = (double)(stamp - trace->base) / trace->ticks_per_us;
	uint64_t ns = (uint64_t)(us * NS_PER_US + 0.5);

	if (ns < thread->next_ns)
		ns = thread->next_ns;
	thread->next_ns = ns + 1;
	add_text(&trace->line, ",\"ts\":");
	add_number(&trace->line, ns / NS_PER_US, 1);
	add_text(&trace->line, ".");
	add_number(&trace->line, ns % NS_PER_US, 3);
	add_text(&trace->line, ",\"tsc\":");
	add_number(&trace->line, stamp, 1);
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

/* What the counts of each event begin with. */
static void quote_events(struct trace_thread *thread)
{
	char name[EVENT_NAME_MAX + 32];
	unsigned int i;

	for (i = 0; i < thread->nr; i++) {
		memcpy(quote(thread->member[i], thread->event[i]), ":", 2);
		snprintf(name, sizeof(name), "%s exclusive", thread->event[i]);
		thread->exclusive[i][0] = ',';
		memcpy(quote(thread->exclusive[i] + 1, name), ":", 2);
	}
}

static void print_name(struct trace *trace, const struct trace_thread *thread,
		       const char *what, const char *name)
{
	char escaped[COMMAND_MAX], quoted[2 * COMMAND_MAX + 3];

	vpmc_escape(name, escaped, sizeof(escaped));
	quote(quoted, escaped);
	open_event(trace, thread, "M", "__metadata", what);
	add_text(&trace->line, ",\"args\":{\"name\":");
	add_text(&trace->line, quoted);
	add_text(&trace->line, "}");
	close_event(trace);
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
	snprintf(thread->numbers, sizeof(thread->numbers),
		 "\",\"pid\":%d,\"tid\":%d,\"name\":", thread->pid,
		 thread->tid);
	name_events(thread, trace->events, window);
	quote_events(thread);
	snprintf(command, sizeof(command), "%.*s", (int)sizeof(window->command),
		 window->command);
	/* The first thread has the name of the process, if it has regions. */
	if (thread->pid == window->tid || thread->pid != trace->pid)
		print_name(trace, thread, "\"process_name\"", command);
	trace->pid = thread->pid;
	print_name(trace, thread, "\"thread_name\"", command);
}

void trace_begin(struct trace *trace, struct trace_thread *thread,
		 const char *category, const char *name, uint64_t stamp)
{
	open_event(trace, thread, "B", category, name);
	add_time(trace, thread, stamp);
	close_event(trace);
}

/* The counts of an event, and what separates them from those before. */
static void add_counts(struct line *line, const struct trace_thread *thread,
		       const struct trace_counts *counts, unsigned int i)
{
	if (i)
		add_text(line, ",");
	add_text(line, thread->member[i]);
	if (thread->never[i]) {
		add_text(line, "\"");
		add_text(line, thread->never[i]);
		add_text(line, "\"");
		return;
	}
	add_number(line, counts->inclusive[i], 1);
	if (counts->no_exclusive)
		return;
	add_text(line, thread->exclusive[i]);
	add_number(line, counts->exclusive[i], 1);
}

/*
 * Beginnings have no arguments, and the tick is none: a viewer may take regions with
 * other arguments for other regions.
 */
void trace_end(struct trace *trace, struct trace_thread *thread,
	       const char *category, const char *name, uint64_t stamp,
	       const struct trace_counts *counts, const char *note)
{
	struct line *line = &trace->line;
	unsigned int i;

	open_event(trace, thread, "E", category, name);
	add_time(trace, thread, stamp);
	add_text(line, ",\"args\":{");
	for (i = 0; counts && i < thread->nr; i++)
		add_counts(line, thread, counts, i);
	if (note) {
		add_text(line,
			 counts && thread->nr ? ",\"note\":\"" : "\"note\":\"");
		add_text(line, note);
		add_text(line, "\"");
	}
	add_text(line, "}");
	close_event(trace);
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
