// SPDX-License-Identifier: GPL-2.0-only
/* Add up the samples of each function. */
#include "profile/rows.h"

#include <stdlib.h>
#include <string.h>
#include <sys/sysmacros.h>

#define ANONYMOUS "[anonymous]"

const char *name_of_object(const struct object *object)
{
	return *object->name ? object->name : ANONYMOUS;
}

static bool is_file(const struct object *object)
{
	return object->inode != 0;
}

/* Say which files were mapped, so that no other file's names are used for them. */
static bool expect_files(const struct objects *names, struct symbols *symbols)
{
	const struct object *object = names->object;
	const struct object *end = object + names->nr;

	for (; object < end; object++) {
		if (is_file(object) &&
		    symbols_expect(symbols, object->name,
				   makedev(object->device_major,
					   object->device_minor),
				   object->inode))
			return false;
	}
	return true;
}

static void note_nameless(struct rows *rows, const char *object, int result)
{
	size_t i;

	for (i = 0; i < rows->nr_nameless; i++) {
		if (rows->nameless[i].object == object)
			return;
	}
	rows->nameless[rows->nr_nameless++] = (struct nameless){
		.object = object,
		.reason = symbols_reason((enum symbols_result)result),
	};
}

/* Find the function of a spot: the one that is called, not those that are inlined in it. */
static void name_function(struct rows *rows, struct row *row,
			  const struct object *object, const struct spot *spot,
			  struct symbols *symbols)
{
	struct symbols_place place;
	int result;

	if (spot->object == OBJECT_KERNEL)
		result = symbols_find_kernel(symbols, spot->offset, &place);
	else if (is_file(object))
		result = symbols_find(symbols, object->name, spot->offset,
				      &place);
	else
		return;
	if (!result && place.nr_frames) {
		row->function = place.frames[place.nr_frames - 1].function;
		row->start = place.start;
	} else if (result != SYMBOLS_NO_FUNCTION) {
		note_nameless(rows, row->object, result);
	}
}

static void add_spot(struct rows *rows, const struct collection *collection,
		     const struct spot *spot, struct symbols *symbols)
{
	const struct object *object = collection->names.object;
	struct row *row = &rows->row[rows->nr++];

	*row = (struct row){ .event = spot->event,
			     .program = object[spot->program].name,
			     .object = name_of_object(&object[spot->object]),
			     .samples = spot->samples };
	name_function(rows, row, &object[spot->object], spot, symbols);
}

static int compare_texts(const char *a, const char *b)
{
	return strcmp(a ? a : "", b ? b : "");
}

/* Compare rows by what they are about. */
static int compare_places(const void *a, const void *b)
{
	const struct row *one = a, *other = b;
	int order;

	if (one->event != other->event)
		return one->event < other->event ? -1 : 1;
	order = strcmp(one->program, other->program);
	if (!order)
		order = strcmp(one->object, other->object);
	if (!order)
		order = compare_texts(one->function, other->function);
	if (order || one->start == other->start)
		return order;
	return one->start < other->start ? -1 : 1;
}

static int compare_samples(const void *a, const void *b)
{
	const struct row *one = a, *other = b;

	if (one->event == other->event && one->samples != other->samples)
		return one->samples > other->samples ? -1 : 1;
	return compare_places(a, b);
}

/* Make one row of those that are about the same function. */
static void merge_rows(struct rows *rows)
{
	struct row *row = rows->row;
	size_t i, nr = 0;

	qsort(row, rows->nr, sizeof(*row), compare_places);
	for (i = 0; i < rows->nr; i++) {
		if (nr && !compare_places(&row[nr - 1], &row[i]))
			row[nr - 1].samples += row[i].samples;
		else
			row[nr++] = row[i];
	}
	rows->nr = nr;
	qsort(row, rows->nr, sizeof(*row), compare_samples);
}

bool make_rows(struct rows *rows, const struct collection *collection,
	       struct symbols *symbols)
{
	const struct spots *spots = &collection->spots;
	size_t i;

	*rows = (struct rows){
		.row = calloc(spots->nr + 1, sizeof(*rows->row)),
		.nameless = calloc(collection->names.nr + 1,
				   sizeof(*rows->nameless)),
	};
	if (!rows->row || !rows->nameless ||
	    !expect_files(&collection->names, symbols)) {
		free_rows(rows);
		return false;
	}
	for (i = 0; i < spots->room; i++) {
		if (spots->slot[i].samples)
			add_spot(rows, collection, &spots->slot[i], symbols);
	}
	merge_rows(rows);
	return true;
}

void free_rows(struct rows *rows)
{
	free(rows->row);
	free(rows->nameless);
	*rows = (struct rows){ .nr = 0 };
}
