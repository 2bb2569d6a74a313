// SPDX-License-Identifier: GPL-2.0-only
/* Write profiles, and read them back. */
#include "profile/saved_profile.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define HEAD "perfex profile 2\n"
#define END  "end\n"

/* All paths and names of regions are shorter. */
#define TEXT_MAX 65536

/*
 * A file has at most this many names, and at most this many callers, so that the size of their
 * memory fits into 32 bits.
 */
#define NAMES_MAX 100000000

/* Write the modes of an event as a number, so that a reader need not parse their names. */
static void print_events(FILE *out, const struct profile_report *report)
{
	const struct events *events = report->events;
	size_t i;

	fprintf(out, "events %zu\n", events->nr);
	for (i = 0; i < events->nr; i++) {
		const struct event_samples *event =
			&report->collection->event[i];
		const char *title = event_title(events, i);

		fprintf(out,
			"event %" PRIu32 " %" PRIu32 " %u %" PRIu64 " %" PRIu64
			" %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64
			" %zu %s\n",
			events->period[i], events->jitter[i],
			events->sel[i].modes,
			report->counts ? report->counts[i] : 0, event->nr,
			(uint64_t)event->pairs, event->late, event->unknown,
			event->cut, strlen(title), title);
	}
}

static void print_names(FILE *out, const struct objects *names)
{
	uint32_t i;

	fprintf(out, "names %" PRIu32 "\n", names->nr);
	for (i = 0; i < names->nr; i++) {
		const struct object *object = &names->object[i];

		fprintf(out,
			"name %" PRIu64 " %" PRIu32 " %" PRIu32 " %" PRIu64
			" %zu %s\n",
			object->inode, object->device_major,
			object->device_minor, object->mapped,
			strlen(object->name), object->name);
	}
}

/* Print the callers. The caller of a caller's function precedes it. */
static void print_callers(FILE *out, const struct stacks *stacks)
{
	uint32_t i;

	fprintf(out, "callers %" PRIu32 "\n", stacks->nr);
	for (i = 0; i < stacks->nr; i++) {
		const struct caller *caller = &stacks->caller[i];

		fprintf(out, "from %" PRIu32 " %" PRIu64 " %" PRIu32 "\n",
			caller->object, caller->offset, caller->next);
	}
}

static void print_spots(FILE *out, const struct spots *spots)
{
	size_t i;

	fprintf(out, "instructions %zu\n", spots->nr);
	for (i = 0; i < spots->room; i++) {
		const struct spot *spot = &spots->slot[i];

		if (spot->samples)
			fprintf(out,
				"at %" PRIu32 " %" PRIu32 " %" PRIu32
				" %" PRIu32 " %" PRIu32 " %" PRIu64 " %" PRIu64
				"\n",
				spot->event, spot->program, spot->object,
				spot->region, spot->callers, spot->offset,
				spot->samples);
	}
}

void print_saved(FILE *out, const struct profile_report *report)
{
	const struct vpmc_lost_samples *lost = &report->lost;
	const struct collection *collection = report->collection;

	fputs(HEAD, out);
	fprintf(out,
		"lost %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64
		" %d %d\n",
		lost->samples, lost->changes, lost->hidden, lost->invalid,
		collection->forgotten, collection->with_regions,
		report->at_ticks);
	print_events(out, report);
	print_names(out, &collection->names);
	print_callers(out, &collection->stacks);
	print_spots(out, &collection->spots);
	fputs(END, out);
}

/**
 * struct reader - a file that is being read
 * @saved: the sum
 * @in: the file
 * @number: number of each of the file's names in the sum
 * @nr_names: number of names
 * @caller: number of each of the file's callers in the sum, indexed from 1
 * @nr_callers: number of callers
 * @nr_events: number of events
 * @text: the last text that was read
 */
struct reader {
	struct saved_profile *saved;
	FILE *in;
	uint32_t *number;
	uint64_t nr_names;
	uint32_t *caller;
	uint64_t nr_callers;
	uint64_t nr_events;
	char text[TEXT_MAX + 1];
};

/* Read a word that must come next. */
static bool read_word(FILE *in, const char *word)
{
	for (; *word; word++) {
		if (getc(in) != *word)
			return false;
	}
	return true;
}

/* Read a number after a space. */
static bool read_number(FILE *in, uint64_t *number)
{
	int digit = getc(in);

	*number = 0;
	if (digit != ' ')
		return false;
	digit = getc(in);
	if (!isdigit(digit))
		return false;
	for (; isdigit(digit); digit = getc(in)) {
		if (*number > UINT64_MAX / 10 - 1)
			return false;
		*number = *number * 10 + (uint64_t)(digit - '0');
	}
	return ungetc(digit, in) != EOF;
}

/* Read a word with some numbers. */
static bool read_numbers(FILE *in, const char *word, uint64_t *number,
			 size_t nr)
{
	if (!read_word(in, word))
		return false;
	for (; nr; nr--) {
		if (!read_number(in, number++))
			return false;
	}
	return true;
}

/* Read a text of @length bytes, and the end of its line. */
static bool read_text(struct reader *reader, uint64_t length)
{
	if (length > TEXT_MAX || getc(reader->in) != ' ' ||
	    fread(reader->text, 1, length, reader->in) != length)
		return false;
	reader->text[length] = '\0';
	return strlen(reader->text) == length && getc(reader->in) == '\n';
}

static bool read_lost(struct reader *reader)
{
	struct saved_profile *saved = reader->saved;
	uint64_t number[7];

	if (!read_numbers(reader->in, "lost", number, 7))
		return false;
	if (saved->files && saved->at_ticks != (number[6] != 0))
		return false;
	saved->at_ticks = number[6] != 0;
	saved->lost.samples += number[0];
	saved->lost.changes += number[1];
	saved->lost.hidden += number[2];
	saved->lost.invalid += number[3];
	saved->collection.forgotten += number[4];
	if (number[5])
		saved->collection.with_regions = true;
	return read_word(reader->in, "\n");
}

/* Record an event of the first file. Other files must have the same events. */
static bool take_event(struct reader *reader, size_t i, uint64_t period,
		       uint64_t jitter, uint64_t modes)
{
	struct events *events = &reader->saved->events;
	const size_t size = strlen(reader->text) + 1;

	if (size > sizeof(events->name[i]) || period > VPMC_PERIOD_MAX ||
	    jitter > VPMC_PERIOD_MAX ||
	    modes > (VPMC_USER | VPMC_KERNEL | VPMC_PRECISE))
		return false;
	if (!reader->saved->files) {
		events->period[i] = (uint32_t)period;
		events->jitter[i] = (uint32_t)jitter;
		events->sel[i].modes = (unsigned int)modes;
		memcpy(events->name[i], reader->text, size);
		events->nr = i + 1;
	}
	return i < events->nr && events->period[i] == period &&
	       events->jitter[i] == jitter && events->sel[i].modes == modes &&
	       !strcmp(events->name[i], reader->text);
}

static bool read_event(struct reader *reader, size_t i)
{
	struct event_samples *to = &reader->saved->collection.event[i];
	uint64_t number[10];

	if (!read_numbers(reader->in, "event", number, 10) ||
	    !read_text(reader, number[9]) ||
	    !take_event(reader, i, number[0], number[1], number[2]))
		return false;
	reader->saved->counts[i] += number[3];
	to->nr += number[4];
	to->pairs += (double)number[5];
	to->late += number[6];
	to->unknown += number[7];
	to->cut += number[8];
	return true;
}

static bool read_events(struct reader *reader)
{
	uint64_t i;

	if (!read_numbers(reader->in, "events", &reader->nr_events, 1) ||
	    !read_word(reader->in, "\n") || !reader->nr_events ||
	    reader->nr_events > VPMC_COUNTS_MAX ||
	    (reader->saved->files &&
	     reader->nr_events != reader->saved->events.nr))
		return false;
	for (i = 0; i < reader->nr_events; i++) {
		if (!read_event(reader, i))
			return false;
	}
	return true;
}

static bool read_name(struct reader *reader, uint64_t i)
{
	struct object object = { .name = reader->text };
	uint64_t number[5];

	if (!read_numbers(reader->in, "name", number, 5) ||
	    !read_text(reader, number[4]))
		return false;
	object.inode = number[0];
	object.device_major = (uint32_t)number[1];
	object.device_minor = (uint32_t)number[2];
	object.mapped = number[3];
	reader->number[i] =
		number_object(&reader->saved->collection.names, &object);
	return reader->number[i] != NO_OBJECT;
}

static bool read_names(struct reader *reader)
{
	uint64_t nr, i;

	if (!read_numbers(reader->in, "names", &nr, 1) ||
	    !read_word(reader->in, "\n") || nr > NAMES_MAX)
		return false;
	reader->number = calloc(nr + 1, sizeof(*reader->number));
	if (!reader->number)
		return false;
	reader->nr_names = nr;
	for (i = 0; i < nr; i++) {
		if (!read_name(reader, i))
			return false;
	}
	/* The first names belong to memory that is not a file. */
	for (i = 0; i < NR_SPECIAL_OBJECTS; i++) {
		if (i >= nr || reader->number[i] != i)
			return false;
	}
	return true;
}

/*
 * A caller has a larger number than the caller of its function, so a file cannot have a cycle of
 * callers.
 */
static bool read_caller(struct reader *reader, uint64_t i)
{
	uint64_t number[3];
	struct caller caller;

	if (!read_numbers(reader->in, "from", number, 3) ||
	    !read_word(reader->in, "\n") || number[0] >= reader->nr_names ||
	    number[2] > i)
		return false;
	caller = (struct caller){ .object = reader->number[number[0]],
				  .offset = number[1],
				  .next = reader->caller[number[2]] };
	reader->caller[i + 1] =
		number_caller(&reader->saved->collection.stacks, &caller);
	return reader->caller[i + 1] != NO_CALLER;
}

static bool read_callers(struct reader *reader)
{
	uint64_t nr, i;

	if (!read_numbers(reader->in, "callers", &nr, 1) ||
	    !read_word(reader->in, "\n") || nr > NAMES_MAX)
		return false;
	reader->caller = calloc((size_t)nr + 1, sizeof(*reader->caller));
	if (!reader->caller)
		return false;
	reader->nr_callers = nr;
	for (i = 0; i < nr; i++) {
		if (!read_caller(reader, i))
			return false;
	}
	return true;
}

/* Read an instruction: the numbers of its event, program, file, region and caller. */
static bool read_spot(struct reader *reader)
{
	const uint32_t *names = reader->number;
	uint64_t number[7];
	struct spot spot;

	if (!read_numbers(reader->in, "at", number, 7) ||
	    !read_word(reader->in, "\n") || number[0] >= reader->nr_events ||
	    number[1] >= reader->nr_names || number[2] >= reader->nr_names ||
	    number[3] > reader->nr_names || number[4] > reader->nr_callers ||
	    !number[6])
		return false;
	spot = (struct spot){ .event = (uint32_t)number[0],
			      .program = names[number[1]],
			      .object = names[number[2]],
			      .callers = reader->caller[number[4]],
			      .offset = number[5],
			      .samples = number[6] };
	if (number[3])
		spot.region = names[number[3] - 1] + 1;
	return count_at(&reader->saved->collection.spots, &spot);
}

static bool read_spots(struct reader *reader)
{
	uint64_t nr;

	if (!read_numbers(reader->in, "instructions", &nr, 1) ||
	    !read_word(reader->in, "\n"))
		return false;
	for (; nr; nr--) {
		if (!read_spot(reader))
			return false;
	}
	return true;
}

int read_saved(struct saved_profile *saved, const char *file)
{
	static struct reader reader;
	bool is_valid;

	reader = (struct reader){ .saved = saved, .in = fopen(file, "re") };
	if (!reader.in) {
		complain("cannot merge %s: %s", file, strerror(errno));
		return PERFEX_INPUT;
	}
	is_valid = read_word(reader.in, HEAD) && read_lost(&reader) &&
		   read_events(&reader) && read_names(&reader) &&
		   read_callers(&reader) && read_spots(&reader) &&
		   read_word(reader.in, END);
	fclose(reader.in);
	free(reader.number);
	free(reader.caller);
	saved->files++;
	if (is_valid)
		return 0;
	complain(
		"cannot merge %s: it is not a whole profile with the events and"
		" periods of the others (perfex --profile=FILE.profile writes"
		" one)",
		file);
	return PERFEX_INPUT;
}
