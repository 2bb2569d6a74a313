// SPDX-License-Identifier: GPL-2.0-only
/*
 * Write callgrind's format, which KCachegrind and callgrind_annotate read. A block of "ob=", "fl="
 * and "fn=" names a function, and each line after it has the number of a line and the events there.
 * "fi=" and "fe=" name the file of lines that are inlined from another one. Programs are not told
 * apart, for the format has no place for them.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "profile_formats/frames.h"

#define UNKNOWN_FILE "???"

/**
 * struct line - the events of a line of a function
 * @object: path of the file that has the function
 * @function: name of the function
 * @function_file: source file that declares it
 * @file: source file of the line
 * @number: number of the line, 0 if unknown
 * @event: index of the event
 * @events: how many there are
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

/* The lines in the function's own file are its first ones. */
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

/* Print names of events without spaces, which separate them. */
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

/* Begin a function, whose name is that of its file if it is unknown. */
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

/* Print what changes from the line before, or all if there is none. */
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

static void put_lines(FILE *out, const struct profile_data *data,
		      const struct line *lines, size_t nr)
{
	size_t i = 0, first;

	while (i < nr) {
		uint64_t costs[EVENTS_MAX] = { 0 };

		first = i;
		for (; i < nr && same_line(&lines[i], &lines[first]); i++)
			costs[lines[i].event] += lines[i].events;
		put_position(out, &lines[first],
			     first ? &lines[first - 1] : NULL);
		fprintf(out, "%" PRIu32, lines[first].number);
		put_costs(out, data->events, costs);
	}
}

bool write_callgrind(FILE *out, struct profile_data *data)
{
	struct line *lines = calloc(data->nr_spots + 1, sizeof(*lines));
	size_t i;

	if (!lines)
		return false;
	sort_spots(data);
	for (i = 0; i < data->nr_spots; i++)
		lines[i] = make_line(data, &data->spot[i]);
	qsort(lines, data->nr_spots, sizeof(*lines), compare_lines);
	put_header(out, data);
	put_lines(out, data, lines, data->nr_spots);
	free(lines);
	return true;
}
