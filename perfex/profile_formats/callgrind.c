// SPDX-License-Identifier: GPL-2.0-only
/*
 * Write callgrind's format, which KCachegrind and callgrind_annotate read. A block of "ob=",
 * "fl=" and "fn=" names a function. Each line after it has the number of a source line and its
 * events. "fi=" and "fe=" name the file of lines that are inlined from another file. The format
 * cannot distinguish programs.
 *
 * A call is written in three parts. "cob=", "cfi=" and "cfn=" name the called function. "calls="
 * has the number of samples in it. The last line has the number of the call's source line, and
 * the events in the called function and its callees.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "profile_formats/frames.h"

#define UNKNOWN_FILE "???"

/**
 * struct line - the events of a line of a function
 * @object: path of the function's file
 * @function: name of the function
 * @function_file: source file that declares it
 * @file: source file of the line
 * @number: number of the line, 0 if unknown
 * @event: index of the event
 * @events: number of events
 */
struct line {
	const char *object;
	const char *function;
	const char *function_file;
	const char *file;
	uint32_t number;
	uint32_t event;
	uint64_t events;
};

/**
 * struct call - the events in a function that is called from a line
 * @from: the line of the call; it has the index of the event
 * @to: the function's first line
 * @samples: number of samples
 * @events: number of events that the samples stand for
 */
struct call {
	struct line from;
	struct line to;
	uint64_t samples;
	uint64_t events;
};

/**
 * struct costs - all lines and calls
 * @line: the lines; a line with calls also has an entry without events
 * @nr_lines: number of @line
 * @call: the calls
 * @nr_calls: number of @call
 */
struct costs {
	struct line *line;
	size_t nr_lines;
	struct call *call;
	size_t nr_calls;
};

static struct line make_line(const struct profile_data *data,
			     const struct profile_spot *spot)
{
	struct line line = { .object = spot->object,
			     .function = NULL,
			     .function_file = UNKNOWN_FILE,
			     .file = UNKNOWN_FILE,
			     .event = spot->event,
			     .events = spot_events(data, spot) };
	struct symbols_place place;

	find_place(data, spot, &place);
	if (!place.nr_frames)
		return line;
	line.function = place.frames[place.nr_frames - 1].function;
	if (place.first_file)
		line.function_file = place.first_file;
	else if (place.frames[place.nr_frames - 1].file)
		line.function_file = place.frames[place.nr_frames - 1].file;
	line.file = line.function_file;
	if (place.frames[0].file)
		line.file = place.frames[0].file;
	line.number = place.frames[0].line;
	return line;
}

/*
 * Make the line of a call, or the first line of an instruction's function. Inlined functions are
 * part of the called function.
 */
static struct line make_outer_line(const struct profile_data *data,
				   const struct profile_spot *spot,
				   bool is_call)
{
	struct line line = make_line(data, spot);
	struct symbols_place place;

	find_place(data, spot, &place);
	line.file = line.function_file;
	line.number = is_call && place.nr_frames
			      ? place.frames[place.nr_frames - 1].line
			      : place.first_line;
	line.events = 0;
	return line;
}

static int compare_texts(const char *a, const char *b)
{
	return strcmp(a ? a : "", b ? b : "");
}

static int compare_functions(const struct line *a, const struct line *b)
{
	int order = strcmp(a->object, b->object);

	if (!order)
		order = strcmp(a->function_file, b->function_file);
	if (!order)
		order = compare_texts(a->function, b->function);
	return order;
}

/* The lines in the function's own file precede its other lines. */
static int compare_lines(const void *first, const void *second)
{
	const struct line *a = first;
	const struct line *b = second;
	int order = compare_functions(a, b);

	if (!order)
		order = (strcmp(a->file, a->function_file) != 0) -
			(strcmp(b->file, b->function_file) != 0);
	if (!order)
		order = strcmp(a->file, b->file);
	if (order)
		return order;
	if (a->number != b->number)
		return a->number < b->number ? -1 : 1;
	return (a->event > b->event) - (a->event < b->event);
}

/* Print names of events. Replace spaces, because spaces separate the names. */
static void put_event_names(FILE *out, const struct events *events)
{
	size_t i;

	fputs("events:", out);
	for (i = 0; i < events->nr; i++) {
		if (!events->period[i])
			continue;
		putc(' ', out);
		put_event(out, events, i, " ");
	}
	putc('\n', out);
}

static void put_costs(FILE *out, const struct events *events,
		      const uint64_t *costs)
{
	size_t i;

	for (i = 0; i < events->nr; i++) {
		if (events->period[i])
			fprintf(out, " %" PRIu64, costs[i]);
	}
	putc('\n', out);
}

static void put_header(FILE *out, const struct profile_data *data)
{
	uint64_t totals[EVENTS_MAX] = { 0 };
	size_t i;

	fputs("# callgrind format\nversion: 1\ncreator: perfex\npositions: line\n",
	      out);
	put_event_names(out, data->events);
	for (i = 0; i < data->nr_spots; i++)
		totals[data->spot[i].event] +=
			spot_events(data, &data->spot[i]);
	fputs("summary:", out);
	put_costs(out, data->events, totals);
}

static void put_name(FILE *out, const char *key, const char *name)
{
	fputs(key, out);
	put_words(out, name, "");
	putc('\n', out);
}

/* Begin a function. If its name is unknown, use the name of its file. */
static void put_function(FILE *out, const struct line *line)
{
	putc('\n', out);
	put_name(out, "ob=", line->object);
	put_name(out, "fl=", line->function_file);
	if (line->function) {
		put_name(out, "fn=", line->function);
		return;
	}
	fputs("fn=", out);
	put_unknown(out, line->object, "");
	putc('\n', out);
}

/*
 * Print the fields that differ from the previous line, or all fields if there is no previous
 * line.
 */
static void put_position(FILE *out, const struct line *line,
			 const struct line *before)
{
	if (!before || compare_functions(line, before)) {
		put_function(out, line);
		if (strcmp(line->file, line->function_file) != 0)
			put_name(out, "fi=", line->file);
	} else if (strcmp(line->file, before->file) != 0) {
		put_name(out, "fi=", line->file);
	}
}

static bool same_line(const struct line *a, const struct line *b)
{
	return !compare_functions(a, b) && strcmp(a->file, b->file) == 0 &&
	       a->number == b->number;
}

static int compare_calls(const void *first, const void *second)
{
	const struct call *a = first;
	const struct call *b = second;
	int order = compare_functions(&a->from, &b->from);

	if (!order && a->from.number != b->from.number)
		return a->from.number < b->from.number ? -1 : 1;
	if (!order)
		order = compare_functions(&a->to, &b->to);
	return order;
}

static bool is_from(const struct call *call, const struct line *line)
{
	return !compare_functions(&call->from, line) &&
	       call->from.number == line->number &&
	       strcmp(line->file, line->function_file) == 0;
}

static void put_called(FILE *out, const struct line *to)
{
	put_name(out, "cob=", to->object);
	put_name(out, "cfi=", to->function_file);
	if (to->function) {
		put_name(out, "cfn=", to->function);
		return;
	}
	fputs("cfn=", out);
	put_unknown(out, to->object, "");
	putc('\n', out);
}

/* Print the calls of a line. They are the first elements of @call. Returns their number. */
static size_t put_calls(FILE *out, const struct profile_data *data,
			const struct line *line, const struct call *call,
			size_t nr)
{
	size_t i = 0, first;

	while (i < nr && is_from(&call[i], line)) {
		uint64_t costs[EVENTS_MAX] = { 0 }, samples = 0;

		first = i;
		for (; i < nr && !compare_calls(&call[i], &call[first]); i++) {
			costs[call[i].from.event] += call[i].events;
			samples += call[i].samples;
		}
		put_called(out, &call[first].to);
		fprintf(out, "calls=%" PRIu64 " %" PRIu32 "\n%" PRIu32, samples,
			call[first].to.number, line->number);
		put_costs(out, data->events, costs);
	}
	return i;
}

static void put_lines(FILE *out, const struct profile_data *data,
		      const struct costs *all)
{
	const struct line *lines = all->line;
	size_t i = 0, first, calls = 0;

	while (i < all->nr_lines) {
		uint64_t costs[EVENTS_MAX] = { 0 };

		first = i;
		for (; i < all->nr_lines && same_line(&lines[i], &lines[first]);
		     i++)
			costs[lines[i].event] += lines[i].events;
		put_position(out, &lines[first],
			     first ? &lines[first - 1] : NULL);
		fprintf(out, "%" PRIu32, lines[first].number);
		put_costs(out, data->events, costs);
		calls += put_calls(out, data, &lines[first], &all->call[calls],
				   all->nr_calls - calls);
	}
}

/* Tell whether any of the @nr calls is from the same line to the same function as @call. */
static bool has_call(const struct call *calls, size_t nr,
		     const struct call *call)
{
	while (nr--) {
		if (!compare_calls(&calls[nr], call))
			return true;
	}
	return false;
}

/* Add the calls of an instruction. If a recursion repeats a call, add its events only once. */
static void add_calls(struct costs *all, const struct profile_data *data,
		      const struct profile_spot *spot)
{
	const struct profile_caller *caller = spot->caller;
	struct profile_spot callee = *spot;
	const size_t first = all->nr_calls;
	struct call *call;

	for (; caller; caller = caller->next) {
		call = &all->call[all->nr_calls];
		call->to = make_outer_line(data, &callee, false);
		callee = spot_of_caller(spot, caller);
		call->from = make_outer_line(data, &callee, true);
		call->from.event = spot->event;
		call->samples = spot->samples;
		call->events = spot_events(data, spot);
		if (has_call(&all->call[first], all->nr_calls - first, call))
			continue;
		all->line[all->nr_lines++] = call->from;
		all->nr_calls++;
	}
}

static size_t count_callers(const struct profile_data *data)
{
	const struct profile_caller *caller;
	size_t nr = 0, i;

	for (i = 0; i < data->nr_spots; i++) {
		for (caller = data->spot[i].caller; caller;
		     caller = caller->next)
			nr++;
	}
	return nr;
}

static void add_costs(struct costs *all, struct profile_data *data)
{
	size_t i;

	sort_spots(data);
	for (i = 0; i < data->nr_spots; i++) {
		all->line[all->nr_lines++] = make_line(data, &data->spot[i]);
		add_calls(all, data, &data->spot[i]);
	}
	qsort(all->line, all->nr_lines, sizeof(*all->line), compare_lines);
	qsort(all->call, all->nr_calls, sizeof(*all->call), compare_calls);
}

bool write_callgrind(FILE *out, struct profile_data *data)
{
	const size_t callers = count_callers(data);
	struct costs all = {
		.line = calloc(data->nr_spots + callers + 1, sizeof(*all.line)),
		.call = calloc(callers + 1, sizeof(*all.call)),
	};
	const bool ok = all.line && all.call;

	if (ok) {
		add_costs(&all, data);
		put_header(out, data);
		put_lines(out, data, &all);
	}
	free(all.line);
	free(all.call);
	return ok;
}
