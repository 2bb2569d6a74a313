// SPDX-License-Identifier: GPL-2.0-only
/* Print a timeline as JSON. */
#include "timeline/trace_json.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "report/json.h"

/* A name with each byte escaped fits into this many bytes; longer names are cut off. */
#define NAME_MAX_ESCAPED 2048

/* The name of a command with each byte escaped fits into this many bytes. */
#define COMMAND_MAX (4 * 16 + 1)

/* The text of an event around its name fits into this many bytes. */
#define AROUND_NAME 160

/* Times are limited to this value, because a program can write any stamp to its windows. */
#define MOST_NS 1e18

#define DURATION ",\"dur\":"
#define ARGS	 ",\"args\":{"
#define NOTE	 "\"note\":\""

/*
 * Write @text with quotes to @quoted, which has room for twice the length of @text and three
 * bytes more. Returns the end of the written text.
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

void begin_trace(struct trace *trace)
{
	add_text(trace->lines, "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[");
}

/*
 * Get the name of an event. If a program starts its counts by itself, perfex may not know the
 * names of its events. Returns the reason why the event cannot happen in its modes, or NULL.
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

/* Choose distinct names of events, because the names of an object's members must differ. */
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

/* Prepare the text before the counts of each event. */
static void quote_events(struct trace_thread *thread)
{
	char name[EVENT_NAME_MAX + 32];
	unsigned int i;

	for (i = 0; i < thread->nr; i++) {
		thread->member[i][0] = ',';
		memcpy(quote(thread->member[i] + (i > 0), thread->event[i]),
		       ":", 2);
		snprintf(name, sizeof(name), "%s exclusive", thread->event[i]);
		thread->exclusive[i][0] = ',';
		memcpy(quote(thread->exclusive[i] + 1, name), ":", 2);
		thread->member_size[i] = strlen(thread->member[i]);
		thread->exclusive_size[i] = strlen(thread->exclusive[i]);
	}
}

static void print_name(struct trace *trace, const struct trace_thread *thread,
		       const char *what, const char *name)
{
	char escaped[COMMAND_MAX], quoted[2 * COMMAND_MAX + 3];
	char text[sizeof(quoted) + AROUND_NAME];

	if (!trace->lines)
		return;
	vpmc_escape(name, escaped, sizeof(escaped));
	quote(quoted, escaped);
	snprintf(text, sizeof(text),
		 "%s\n{\"ph\":\"M\",\"cat\":\"__metadata\",\"pid\":%d,"
		 "\"tid\":%d,\"name\":\"%s\",\"args\":{\"name\":%s}}",
		 trace->has_event ? "," : "", thread->pid, thread->tid, what,
		 quoted);
	trace->has_event = true;
	add_text(trace->lines, text);
}

/* Return the largest size of a region: with all members and numbers, and the longest note. */
static size_t most_bytes(const struct trace_thread *thread)
{
	size_t most = sizeof(DURATION ARGS NOTE) + AROUND_NAME + 2UL * TIME_MAX;
	unsigned int i;

	for (i = 0; i < thread->nr; i++) {
		most += thread->member_size[i] + NUMBER_MAX;
		most += thread->exclusive_size[i] + NUMBER_MAX;
		if (thread->never[i])
			most += strlen(thread->never[i]) + 2;
	}
	return most;
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
	quote_events(thread);
	thread->most = most_bytes(thread);
	snprintf(command, sizeof(command), "%.*s", (int)sizeof(window->command),
		 window->command);
	/* The process gets the name of its first thread if that thread has regions. */
	if (thread->pid == window->tid || thread->pid != trace->pid)
		print_name(trace, thread, "process_name", command);
	trace->pid = thread->pid;
	print_name(trace, thread, "thread_name", command);
}

struct trace_head *make_head(const struct trace_thread *thread,
			     const char *category, const char *name)
{
	char escaped[NAME_MAX_ESCAPED], quoted[2 * NAME_MAX_ESCAPED + 3];
	char text[sizeof(quoted) + AROUND_NAME];
	struct trace_head *head;
	size_t size;

	vpmc_escape(name, escaped, sizeof(escaped));
	quote(quoted, escaped);
	/* The name of the thread has already been printed, so a comma can begin the text. */
	size = (size_t)snprintf(text, sizeof(text),
				",\n{\"ph\":\"X\",\"cat\":\"%s\",\"pid\":%d,"
				"\"tid\":%d,\"name\":%s,\"ts\":",
				category, thread->pid, thread->tid, quoted);
	head = malloc(sizeof(*head) + size);
	if (head) {
		head->size = size;
		memcpy(head->text, text, size);
	}
	return head;
}

/*
 * Convert a stamp into a time. Viewers sort by time and lose the order of nested regions that
 * begin or end at equal times. So each time of a thread is at least a nanosecond after the
 * previous time.
 */
uint64_t trace_time(const struct trace *trace, struct trace_thread *thread,
		    uint64_t stamp)
{
	/* Signed numbers take fewer instructions on 32-bit processors. */
	const int64_t ticks = (int64_t)(stamp - trace->base);
	const double exact = (double)ticks * trace->ns_per_tick + 0.5;
	int64_t ns = exact < MOST_NS ? (int64_t)exact : (int64_t)MOST_NS;

	if (ns < thread->next_ns)
		ns = thread->next_ns;
	thread->next_ns = ns + 1;
	return (uint64_t)ns;
}

static char *put_text(char *at, const char *text)
{
	return put_bytes(at, text, strlen(text));
}

/* Print the counts of an event, after a separator. */
static char *put_counts(char *at, const struct trace_thread *thread,
			const struct trace_counts *counts, unsigned int i)
{
	at = put_bytes(at, thread->member[i], thread->member_size[i]);
	if (thread->never[i]) {
		*at++ = '"';
		at = put_text(at, thread->never[i]);
		*at++ = '"';
		return at;
	}
	at = put_number(at, counts->inclusive[i]);
	if (!counts->has_exclusive)
		return at;
	at = put_bytes(at, thread->exclusive[i], thread->exclusive_size[i]);
	return put_number(at, counts->exclusive[i]);
}

static char *put_note(char *at, const char *note, bool has_counts)
{
	if (has_counts)
		*at++ = ',';
	at = put_bytes(at, NOTE, sizeof(NOTE) - 1);
	at = put_text(at, note);
	*at++ = '"';
	return at;
}

/*
 * Print one event for the begin and the end of a region, because some viewers drop the arguments
 * of a separate event for the end. Do not print other arguments, because a viewer may treat
 * regions with different arguments as different regions.
 */
void trace_region(struct trace *trace, const struct trace_thread *thread,
		  const struct trace_head *head, uint64_t begin_ns,
		  uint64_t end_ns, const struct trace_counts *counts,
		  const char *note)
{
	struct lines *lines = trace->lines;
	char *const begin =
		lines ? reserve_line(lines, head->size + thread->most) : NULL;
	char *at = begin;
	unsigned int i;

	if (!begin)
		return;
	at = put_bytes(at, head->text, head->size);
	at = put_time(at, begin_ns);
	at = put_bytes(at, DURATION, sizeof(DURATION) - 1);
	at = put_time(at, end_ns - begin_ns);
	at = put_bytes(at, ARGS, sizeof(ARGS) - 1);
	for (i = 0; counts && i < thread->nr; i++)
		at = put_counts(at, thread, counts, i);
	if (note)
		at = put_note(at, note, counts && thread->nr);
	at = put_bytes(at, "}}", 2);
	lines->used += (size_t)(at - begin);
}

void end_trace(struct trace *trace, const struct trace_flaws *flaws)
{
	char text[512];

	snprintf(text, sizeof(text),
		 "\n],\"otherData\":{\"writer\":\"perfex " VPMC_VERSION "\","
		 "\"clock\":\"time stamp counter\",\"first_tsc\":%" PRIu64
		 ",\"ticks_per_microsecond\":%.17g,\"lost_entries\":%" PRIu32
		 ",\"earlier_stamps\":%" PRIu32
		 ",\"ends_without_begin\":%" PRIu32
		 ",\"begins_without_end\":%" PRIu32 "}}\n",
		 trace->base, trace->ticks_per_us, flaws->lost, flaws->earlier,
		 flaws->unmatched, flaws->open);
	add_text(trace->lines, text);
	flush_lines(trace->lines);
}
