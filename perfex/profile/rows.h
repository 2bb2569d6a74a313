/* SPDX-License-Identifier: GPL-2.0-only */
/* This header declares the samples of each function, which are the rows of the table. */
#ifndef PERFEX_PROFILE_ROWS_H
#define PERFEX_PROFILE_ROWS_H

#include "profile/collection.h"
#include "symbols/symbols.h"

/**
 * struct row - the samples of an event in a function of a program
 * @event: index of the event
 * @program: name of the program
 * @object: path of the file that has the function, or the name of other memory
 * @function: name of the function, NULL if it is unknown
 * @start: offset of the function in the file
 * @samples: number of samples
 */
struct row {
	uint32_t event;
	const char *program;
	const char *object;
	const char *function;
	uint64_t start;
	uint64_t samples;
};

/**
 * struct nameless - a file whose functions are not known
 * @object: its path
 * @reason: why they are not known, to follow the path and a colon
 */
struct nameless {
	const char *object;
	const char *reason;
};

/**
 * struct rows - the rows of all events
 * @row: by event; those of an event by descending number of samples
 * @nr: number of rows
 * @nameless: files without names
 * @nr_nameless: number of files without names
 */
struct rows {
	struct row *row;
	size_t nr;
	struct nameless *nameless;
	size_t nr_nameless;
};

/* name_of_object() - name a file or other memory in a report */
const char *name_of_object(const struct object *object);

/**
 * make_rows() - add up the samples of each function
 * @rows: receives the rows, for free_rows(). Their texts are those of @collection and @symbols.
 * @collection: the samples
 * @symbols: the names of functions
 *
 * Return: false if memory is short.
 */
bool make_rows(struct rows *rows, const struct collection *collection,
	       struct symbols *symbols);

/* free_rows() - free the memory of rows */
void free_rows(struct rows *rows);

#endif /* PERFEX_PROFILE_ROWS_H */
