// SPDX-License-Identifier: GPL-2.0-only
/* Add up the samples of each function, line or instruction. */
#include "profile/rows.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysmacros.h>

#define ANONYMOUS "[anonymous]"

/*
 * The name of an inlined function, with the functions around it, is cut off after this many
 * bytes.
 */
#define NAMES_MAX 4096

const char *name_of_object(const struct object *object)
{
	return *object->name ? object->name : ANONYMOUS;
}

static bool is_file(const struct object *object)
{
	return object->inode != 0;
}

/*
 * Call symbols_expect() for all mapped files, so that names are not taken from a different file.
 */
static bool expect_files(const struct objects *names, struct symbols *symbols)
{
	const struct object *object = names->object;
	const struct object *end = object + names->nr;

	for (; object < end; object++) {
		if (is_file(object) &&
		    symbols_expect(symbols, object->name,
				   makedev(object->device_major,
					   object->device_minor),
				   object->inode, object->mapped))
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

static int look_up(const struct rows *rows, const struct object *object,
		   const struct spot *spot, struct symbols *symbols,
		   struct symbols_place *place)
{
	if (spot->object == OBJECT_KERNEL)
		return symbols_find_kernel(symbols, spot->offset, place);
	if (is_file(object) && rows->detail == PROFILE_FUNCTIONS)
		return symbols_find_function(symbols, object->name,
					     spot->offset, place);
	if (is_file(object))
		return symbols_find(symbols, object->name, spot->offset, place);
	*place = (struct symbols_place){ .address = spot->offset,
					 .build_id = "",
					 .result = SYMBOLS_NO_FUNCTION };
	return SYMBOLS_NO_FUNCTION;
}

/*
 * Return the name of an inlined function with the functions that it is inlined in, or NULL if
 * memory is short.
 */
static const char *name_inlined(struct rows *rows,
				const struct symbols_place *place)
{
	char names[NAMES_MAX];
	size_t length = 0, i;
	uint32_t number;

	for (i = 0; i < place->nr_frames && length < sizeof(names); i++)
		length +=
			(size_t)snprintf(names + length, sizeof(names) - length,
					 "%s%s", i ? " in " : "",
					 place->frames[i].function);
	number = number_name(&rows->inlined, names);
	return number == NO_OBJECT ? NULL : rows->inlined.object[number].name;
}

/* Fill in the fields of an instruction's row that the detail needs. */
static bool describe(struct rows *rows, struct row *row,
		     const struct symbols_place *place)
{
	const struct symbols_frame *frame = place->frames;

	if (rows->detail == PROFILE_INSTRUCTIONS)
		row->address = place->address;
	if (!place->nr_frames)
		return true;
	row->start = place->start;
	row->function = frame[place->nr_frames - 1].function;
	if (rows->detail == PROFILE_FUNCTIONS)
		return true;
	row->file = frame->file;
	row->line = frame->line;
	if (place->nr_frames > 1)
		row->function = name_inlined(rows, place);
	return row->function;
}

/* Compare texts. Most equal texts have the same address, so compare the addresses first. */
static int compare_texts(const char *a, const char *b)
{
	return a == b ? 0 : strcmp(a ? a : "", b ? b : "");
}

static int compare_numbers(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

/* Compare rows by their programs, regions and files. */
static int compare_objects(const struct row *one, const struct row *other)
{
	int order = compare_numbers(one->event, other->event);

	if (!order)
		order = compare_texts(one->program, other->program);
	if (!order)
		order = compare_texts(one->region, other->region);
	if (!order)
		order = compare_texts(one->object, other->object);
	return order;
}

/* Compare rows by function, line or instruction. Fields that the detail does not need are 0. */
static int compare_places(const void *a, const void *b)
{
	const struct row *one = a, *other = b;
	int order = compare_objects(one, other);

	/* Instructions of a function stay together, even if other functions are inlined in it. */
	if (!order)
		order = compare_numbers(one->start, other->start);
	if (!order)
		order = compare_numbers(one->offset, other->offset);
	if (!order)
		order = compare_texts(one->function, other->function);
	if (!order)
		order = compare_texts(one->file, other->file);
	return order ? order : compare_numbers(one->line, other->line);
}

static int compare_weights(const void *a, const void *b)
{
	const struct row *one = a, *other = b;

	if (one->event == other->event && one->weight != other->weight)
		return one->weight > other->weight ? -1 : 1;
	return compare_places(a, b);
}

/*
 * Add the samples of an instruction to the previous row if it has the same place, else to a new
 * row.
 */
static bool add_spot(struct rows *rows, const struct collection *collection,
		     const struct spot *spot, struct symbols *symbols)
{
	const struct object *names = collection->names.object;
	const struct object *object = &names[spot->object];
	struct row *row = &rows->row[rows->nr];
	struct symbols_place place;
	int result = look_up(rows, object, spot, symbols, &place);

	*row = (struct row){ .event = spot->event,
			     .program = names[spot->program].name,
			     .object = name_of_object(object),
			     .samples = spot->samples };
	if (spot->region)
		row->region = names[spot->region - 1].name;
	if (rows->detail == PROFILE_INSTRUCTIONS)
		row->offset = spot->offset;
	if (result && result != SYMBOLS_NO_FUNCTION)
		note_nameless(rows, row->object, result);
	if (!describe(rows, row, &place))
		return false;
	if (rows->nr && !compare_places(row - 1, row))
		row[-1].samples += row->samples;
	else
		rows->nr++;
	return true;
}

/* Merge rows that have the same place. */
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
}

/* Return how many consecutive rows from @first on stay together. */
static size_t count_together(const struct rows *rows, size_t first)
{
	const struct row *row = &rows->row[first];
	size_t nr = 1;

	if (rows->detail != PROFILE_INSTRUCTIONS)
		return 1;
	while (first + nr < rows->nr && row[nr].start == row->start &&
	       !compare_objects(&row[nr], row))
		nr++;
	return nr;
}

static void weigh_rows(struct rows *rows)
{
	size_t first, nr, i;

	for (first = 0; first < rows->nr; first += nr) {
		struct row *row = &rows->row[first];
		uint64_t weight = 0;

		nr = count_together(rows, first);
		for (i = 0; i < nr; i++)
			weight += row[i].samples;
		for (i = 0; i < nr; i++)
			row[i].weight = weight;
	}
}

static bool add_spots(struct rows *rows, const struct collection *collection,
		      struct symbols *symbols)
{
	size_t nr, i;
	const struct spot **spot = order_spots(&collection->spots, &nr);
	bool complete = spot;

	for (i = 0; complete && i < nr; i++)
		complete = add_spot(rows, collection, spot[i], symbols);
	free(spot);
	return complete;
}

bool make_rows(struct rows *rows, enum profile_detail detail,
	       const struct collection *collection, struct symbols *symbols)
{
	*rows = (struct rows){
		.detail = detail,
		.row = calloc(collection->spots.nr + 1, sizeof(*rows->row)),
		.nameless = calloc(collection->names.nr + 1,
				   sizeof(*rows->nameless)),
	};
	if (!rows->row || !rows->nameless ||
	    !expect_files(&collection->names, symbols) ||
	    !add_spots(rows, collection, symbols)) {
		free_rows(rows);
		return false;
	}
	merge_rows(rows);
	weigh_rows(rows);
	qsort(rows->row, rows->nr, sizeof(*rows->row), compare_weights);
	return true;
}

void free_rows(struct rows *rows)
{
	free(rows->row);
	free(rows->nameless);
	free_objects(&rows->inlined);
	*rows = (struct rows){ .nr = 0 };
}
