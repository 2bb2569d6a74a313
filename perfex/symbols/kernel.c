// SPDX-License-Identifier: GPL-2.0-only
/*
 * Find functions of the kernel. A line of kallsyms is "ADDRESS TYPE NAME", with "\t[MODULE]"
 * after the name for a module. Symbols of code have a type of "tTwW". They have no sizes, so each
 * function extends to the next function.
 */
#include "symbols/kernel.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "symbols/growing.h"

/**
 * struct kernel_symbol - a function of the kernel
 * @begin: its address
 * @name: offset of its name in the text of all names
 */
struct kernel_symbol {
	uint64_t begin;
	size_t name;
};

/**
 * struct kernel_symbols - the functions of the kernel
 * @symbol: the functions, sorted by address
 * @nr: number of functions
 * @room: number of functions that fit into the memory
 * @names: their names, one after the other
 * @size: bytes of @names
 * @names_room: number of bytes that fit into the memory of @names
 * @frame: the frame of the last search
 */
struct kernel_symbols {
	struct kernel_symbol *symbol;
	size_t nr;
	size_t room;
	char *names;
	size_t size;
	size_t names_room;
	struct symbols_frame frame;
};

static bool add_text(struct kernel_symbols *symbols, const char *text)
{
	do {
		if (!grow(&symbols->names, &symbols->names_room, symbols->size,
			  1))
			return false;
		symbols->names[symbols->size++] = *text;
	} while (*text++);
	return true;
}

/* Add the symbol of a line. A tab precedes a module's name. */
static bool add_line(struct kernel_symbols *symbols, char *line)
{
	char *rest, *tab;
	uint64_t address = strtoull(line, &rest, 16);

	if (!address || rest == line || rest[0] != ' ' || !rest[1] ||
	    !strchr("tTwW", rest[1]) || rest[2] != ' ' || !rest[3])
		return true;
	rest += 3;
	rest[strcspn(rest, "\n")] = '\0';
	tab = strchr(rest, '\t');
	if (tab)
		*tab = ' ';
	if (!grow(&symbols->symbol, &symbols->room, symbols->nr,
		  sizeof(*symbols->symbol)))
		return false;
	symbols->symbol[symbols->nr++] =
		(struct kernel_symbol){ address, symbols->size };
	return add_text(symbols, rest);
}

/* Keep the order of the file for symbols with the same address. */
static int compare_symbols(const void *first, const void *second)
{
	const struct kernel_symbol *a = first;
	const struct kernel_symbol *b = second;

	if (a->begin != b->begin)
		return a->begin < b->begin ? -1 : 1;
	return (a->name > b->name) - (a->name < b->name);
}

static enum symbols_result read_lines(struct kernel_symbols *symbols,
				      FILE *file)
{
	char *line = NULL;
	size_t room = 0;
	bool fits = true;

	while (fits && getline(&line, &room, file) > 0)
		fits = add_line(symbols, line);
	free(line);
	if (!fits)
		return SYMBOLS_NO_MEMORY;
	if (!symbols->nr)
		return SYMBOLS_NOT_READABLE;
	qsort(symbols->symbol, symbols->nr, sizeof(*symbols->symbol),
	      compare_symbols);
	return SYMBOLS_FOUND;
}

struct kernel_symbols *read_kernel_symbols(const char *path,
					   enum symbols_result *result)
{
	struct kernel_symbols *symbols = calloc(1, sizeof(*symbols));
	FILE *file;

	*result = SYMBOLS_NO_MEMORY;
	if (!symbols)
		return NULL;
	file = fopen(path, "re");
	if (file) {
		*result = read_lines(symbols, file);
		fclose(file);
	} else {
		*result = errno == ENOENT ? SYMBOLS_NO_FILE
					  : SYMBOLS_NOT_READABLE;
	}
	if (*result == SYMBOLS_FOUND)
		return symbols;
	free_kernel_symbols(symbols);
	return NULL;
}

void free_kernel_symbols(struct kernel_symbols *symbols)
{
	if (!symbols)
		return;
	free(symbols->symbol);
	free(symbols->names);
	free(symbols);
}

void find_kernel_symbol(struct kernel_symbols *symbols, uint64_t address,
			struct symbols_place *place)
{
	size_t low = 0, high = symbols->nr;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (symbols->symbol[middle].begin <= address)
			low = middle + 1;
		else
			high = middle;
	}
	place->address = address;
	place->result = SYMBOLS_NO_FUNCTION;
	if (!low)
		return;
	place->start = symbols->symbol[low - 1].begin;
	/* Take the first symbol if several have the same address. */
	while (low > 1 && symbols->symbol[low - 2].begin == place->start)
		low--;
	symbols->frame.function =
		symbols->names + symbols->symbol[low - 1].name;
	place->frames = &symbols->frame;
	place->nr_frames = 1;
	place->result = SYMBOLS_FOUND;
}
