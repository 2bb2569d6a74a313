/* SPDX-License-Identifier: GPL-2.0-only */
/* This header declares the rows of the table: the samples of each function, line or instruction. */
#ifndef PERFEX_PROFILE_ROWS_H
#define PERFEX_PROFILE_ROWS_H

#include "profile/collection.h"
#include "stats/report_spec.h"
#include "symbols/symbols.h"

/**
 * struct row - the samples of an event in a part of a program
 * @program: name of the program
 * @region: name of the innermost region, NULL if none was open
 * @object: path of the part's file, or the name of other memory
 * @function: name of the function, NULL if it is unknown. If the part is inlined, the table of
 *	functions has the name of the called function. The other tables have all names: "INNER in
 *	OUTER".
 * @start: offset of the function in the file
 * @file: source file of the part, NULL if it is unknown or the row is a function
 * @offset: offset of the instruction in the file, or its address in other memory
 * @address: address of the instruction in the output of objdump(1), 0 if unknown
 * @samples: number of samples
 * @weight: samples of all rows that stay together in the table
 * @event: index of the event
 * @line: line in @file, 0 if unknown
 */
struct row {
	const char *program;
	const char *region;
	const char *object;
	const char *function;
	uint64_t start;
	const char *file;
	uint64_t offset;
	uint64_t address;
	uint64_t samples;
	uint64_t weight;
	uint32_t event;
	uint32_t line;
};

/**
 * struct nameless - a file whose functions are not known
 * @object: path of the file
 * @reason: reason why its functions are not known, to print after the path and a colon
 */
struct nameless {
	const char *object;
	const char *reason;
};

/**
 * struct rows - the rows of all events
 * @detail: what each row stands for
 * @row: the rows, sorted by event, and then by descending weight. In the table of instructions,
 *	the rows of one function are sorted by address.
 * @nr: number of rows
 * @nameless: files without names
 * @nr_nameless: number of files without names
 * @inlined: names of inlined functions with the functions around them
 */
struct rows {
	enum profile_detail detail;
	struct row *row;
	size_t nr;
	struct nameless *nameless;
	size_t nr_nameless;
	struct objects inlined;
};

/* name_of_object() - name a file or other memory in a report */
const char *name_of_object(const struct object *object);

/**
 * make_rows() - add up the samples of each part
 * @rows: receives the rows, for free_rows(). Their texts belong to @collection and @symbols.
 * @detail: what a row stands for
 * @collection: the samples
 * @symbols: the names of functions
 *
 * Return: false if memory is short.
 */
bool make_rows(struct rows *rows, enum profile_detail detail,
	       const struct collection *collection, struct symbols *symbols);

/* free_rows() - free the memory of rows */
void free_rows(struct rows *rows);

#endif /* PERFEX_PROFILE_ROWS_H */
