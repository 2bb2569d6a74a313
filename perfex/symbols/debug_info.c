// SPDX-License-Identifier: GPL-2.0-only
/*
 * Find functions and lines in debug information. elfutils searches a compilation unit from its
 * beginning for each address, which takes too long for many addresses. So the ranges of functions
 * and of inlined functions are kept in tables. Names are read when they are needed.
 *
 * A damaged file may contain any values. So levels and tables are bounded, and the search leaves
 * a list of entries that does not proceed to its end.
 */
#include "symbols/debug_info.h"

#ifdef PERFEX_ELFUTILS

#include <stdlib.h>

#include "symbols/growing.h"

/* Compilers stay far below these bounds. */
#define LEVELS_MAX 200
#define RANGES_MAX (1u << 21)

/**
 * struct inlined - a range of an inlined function
 * @begin: address of its first byte
 * @end: address after its last byte
 * @die: its entry in the debug information
 * @depth: 1 if it is inlined in a function, 2 if in an inlined function, and so on
 * @known: whether the following fields have been read
 * @name: its name
 * @call_file: file of the call, NULL if unknown
 * @call_line: line of the call, 0 if unknown
 * @call_column: column of the call, 0 if unknown
 */
struct inlined {
	uint64_t begin;
	uint64_t end;
	Dwarf_Die die;
	uint32_t depth;
	bool known;
	const char *name;
	const char *call_file;
	uint32_t call_line;
	uint32_t call_column;
};

/**
 * struct function - a function that is called, not inlined
 * @die: its entry
 * @begin: address of its first part
 * @size: bytes of the first part; a function may have more parts, for rarely executed code
 * @first: index in the unit's @inlined of the first range that is inlined in the function
 * @end: index after the last such range
 * @known: whether the following fields have been read
 * @name: its name
 * @file: file of its declaration, NULL if unknown
 * @line: line of its declaration, 0 if unknown
 */
struct function {
	Dwarf_Die die;
	uint64_t begin;
	uint64_t size;
	size_t first;
	size_t end;
	bool known;
	const char *name;
	const char *file;
	uint32_t line;
};

/**
 * struct range - addresses of a unit or function
 * @begin: the first address
 * @end: the address after the last byte
 * @index: index of the unit or function
 */
struct range {
	uint64_t begin;
	uint64_t end;
	size_t index;
};

/**
 * struct ranges - ranges; after the last one was added, sorted by @begin
 * @range: the ranges
 * @nr: number of ranges
 * @room: number of ranges that fit into the memory
 */
struct ranges {
	struct range *range;
	size_t nr;
	size_t room;
};

/**
 * struct unit - a compilation unit
 * @die: its entry in the debug information, which has the lines
 * @split: the entry that has the functions: @die, or an entry of another file
 * @is_read: whether the following fields have been read
 * @ranges: ranges of functions
 * @function: the functions
 * @nr_functions: number of functions
 * @functions_room: number of functions that fit into the memory
 * @inlined: the ranges of inlined functions, in the order of the entries
 * @nr_inlined: number of ranges of inlined functions
 * @inlined_room: number of such ranges that fit into the memory
 */
struct unit {
	Dwarf_Die die;
	Dwarf_Die split;
	bool is_read;
	struct ranges ranges;
	struct function *function;
	size_t nr_functions;
	size_t functions_room;
	struct inlined *inlined;
	size_t nr_inlined;
	size_t inlined_room;
};

/**
 * struct debug_info - the debug information of a file
 * @elfutils: functions of elfutils
 * @ranges: ranges of the units
 * @unit: the units
 * @nr_units: number of units
 * @units_room: number of units that fit into the memory
 * @frames: the frames of the last search
 */
struct debug_info {
	const struct elfutils *elfutils;
	struct ranges ranges;
	struct unit *unit;
	size_t nr_units;
	size_t units_room;
	struct symbols_frame frames[SYMBOLS_FRAMES_MAX];
};

static bool add_range(struct ranges *ranges, uint64_t begin, uint64_t end,
		      size_t index)
{
	if (begin >= end)
		return true;
	if (ranges->nr == RANGES_MAX ||
	    !grow(&ranges->range, &ranges->room, ranges->nr,
		  sizeof(*ranges->range)))
		return false;
	ranges->range[ranges->nr++] = (struct range){ begin, end, index };
	return true;
}

/*
 * Add all ranges of an entry. Linkers set the beginning of removed code to 0, so skip such
 * ranges.
 */
static bool add_ranges(const struct elfutils *elfutils, struct ranges *ranges,
		       Dwarf_Die *die, size_t index)
{
	Dwarf_Addr base, begin, end;
	ptrdiff_t offset = 0;

	while ((offset = elfutils->dwarf_ranges(die, offset, &base, &begin,
						&end)) > 0) {
		if (begin && !add_range(ranges, begin, end, index))
			return false;
	}
	return true;
}

static int compare_ranges(const void *first, const void *second)
{
	const struct range *a = first;
	const struct range *b = second;

	if (a->begin != b->begin)
		return a->begin < b->begin ? -1 : 1;
	/*
	 * The larger range precedes the ranges within it, because a search backwards must find
	 * the smallest.
	 */
	if (a->end != b->end)
		return a->end > b->end ? -1 : 1;
	return (a->index > b->index) - (a->index < b->index);
}

static void sort_ranges(struct ranges *ranges)
{
	if (ranges->nr)
		qsort(ranges->range, ranges->nr, sizeof(*ranges->range),
		      compare_ranges);
}

/* Few ranges overlap, so a search checks only this many ranges before the address. */
#define OVERLAPS_MAX 16

static const struct range *find_range(const struct ranges *ranges,
				      uint64_t address)
{
	size_t low = 0, high = ranges->nr, tries;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (ranges->range[middle].begin <= address)
			low = middle + 1;
		else
			high = middle;
	}
	for (tries = 0; low > 0 && tries < OVERLAPS_MAX; tries++) {
		const struct range *range = &ranges->range[--low];

		if (address < range->end)
			return range;
	}
	return NULL;
}

/* Step to the next entry of a list. */
static bool next_die(const struct elfutils *elfutils, Dwarf_Die *die)
{
	Dwarf_Off before = elfutils->dwarf_dieoffset(die);
	Dwarf_Die next;

	if (elfutils->dwarf_siblingof(die, &next) != 0 ||
	    elfutils->dwarf_dieoffset(&next) <= before)
		return false;
	*die = next;
	return true;
}

static bool add_inlined(const struct elfutils *elfutils, struct unit *unit,
			Dwarf_Die *die, uint32_t depth)
{
	Dwarf_Addr base, begin, end;
	ptrdiff_t offset = 0;

	while ((offset = elfutils->dwarf_ranges(die, offset, &base, &begin,
						&end)) > 0) {
		if (begin >= end)
			continue;
		if (unit->nr_inlined == RANGES_MAX ||
		    !grow(&unit->inlined, &unit->inlined_room, unit->nr_inlined,
			  sizeof(*unit->inlined)))
			return false;
		unit->inlined[unit->nr_inlined++] = (struct inlined){
			.begin = begin, .end = end, .die = *die, .depth = depth
		};
	}
	return true;
}

/**
 * struct level - the present entry at one depth of the tree of entries
 * @die: the entry
 * @depth: depth of inlined functions in it, 0 outside of functions
 * @function: index of the entry's function + 1, or 0
 */
struct level {
	Dwarf_Die die;
	uint32_t depth;
	size_t function;
};

/* Add a function if it has code. */
static bool add_function(const struct elfutils *elfutils, struct unit *unit,
			 struct level *level)
{
	size_t index = unit->nr_functions;
	size_t nr = unit->ranges.nr;

	if (!add_ranges(elfutils, &unit->ranges, &level->die, index))
		return false;
	if (unit->ranges.nr == nr)
		return true;
	if (!grow(&unit->function, &unit->functions_room, index,
		  sizeof(*unit->function)))
		return false;
	unit->nr_functions++;
	unit->function[index] = (struct function){
		.die = level->die,
		.begin = unit->ranges.range[nr].begin,
		.size = unit->ranges.range[nr].end -
			unit->ranges.range[nr].begin,
		.first = unit->nr_inlined,
	};

	level->function = index + 1;
	return true;
}

/*
 * Add the entry of a level. @depth receives the depth of inlined functions below it, or
 * NOTHING_BELOW. In Fortran and Ada, functions may contain functions.
 */
#define NOTHING_BELOW UINT32_MAX

static bool read_entry(const struct elfutils *elfutils, struct unit *unit,
		       struct level *level, uint32_t *depth)
{
	*depth = NOTHING_BELOW;
	level->function = 0;
	switch (elfutils->dwarf_tag(&level->die)) {
	case DW_TAG_subprogram:
		if (!add_function(elfutils, unit, level))
			return false;
		if (level->function)
			*depth = 1;
		return true;
	case DW_TAG_inlined_subroutine:
		if (!level->depth)
			return true;
		*depth = level->depth + 1;
		return add_inlined(elfutils, unit, &level->die, level->depth);
	case DW_TAG_lexical_block:
	case DW_TAG_namespace:
	case DW_TAG_module:
	case DW_TAG_structure_type:
	case DW_TAG_class_type:
		*depth = level->depth;
		return true;
	default:
		return true;
	}
}

/*
 * Go to the next entry that is not below the entry of @level. It is at this level or a higher
 * level.
 */
static struct level *leave_entry(const struct elfutils *elfutils,
				 struct unit *unit, struct level *first,
				 struct level *level)
{
	for (;; level--) {
		if (level->function)
			unit->function[level->function - 1].end =
				unit->nr_inlined;
		if (next_die(elfutils, &level->die))
			return level;
		if (level == first)
			return NULL;
	}
}

/* Add the functions below the entry of a unit, until memory is short. */
static void read_tree(const struct elfutils *elfutils, struct unit *unit)
{
	struct level levels[LEVELS_MAX];
	struct level *level = levels;
	uint32_t depth;

	if (elfutils->dwarf_child(&unit->split, &level->die) != 0)
		return;
	level->depth = 0;
	while (level && read_entry(elfutils, unit, level, &depth)) {
		if (depth != NOTHING_BELOW && level + 1 < levels + LEVELS_MAX &&
		    elfutils->dwarf_child(&level->die, &level[1].die) == 0)
			(++level)->depth = depth;
		else
			level = leave_entry(elfutils, unit, levels, level);
	}
}

/* Read the functions of a unit. Functions that do not fit into memory are missing. */
static void read_unit(const struct elfutils *elfutils, struct unit *unit)
{
	if (unit->is_read)
		return;
	unit->is_read = true;
	read_tree(elfutils, unit);
	sort_ranges(&unit->ranges);
}

static const char *name_of(const struct elfutils *elfutils, Dwarf_Die *die)
{
	const char *name = elfutils->dwarf_diename(die);

	return name ? name : "(no name)";
}

static uint32_t number_of(const struct elfutils *elfutils, Dwarf_Die *die,
			  unsigned int attribute)
{
	Dwarf_Attribute attr;
	Dwarf_Word value;

	if (!elfutils->dwarf_attr_integrate(die, attribute, &attr) ||
	    elfutils->dwarf_formudata(&attr, &value) || value > UINT32_MAX)
		return 0;
	return value;
}

static const char *file_of_call(const struct elfutils *elfutils,
				struct unit *unit, Dwarf_Die *die)
{
	uint32_t number = number_of(elfutils, die, DW_AT_call_file);
	Dwarf_Files *files;
	size_t nr;

	if (elfutils->dwarf_getsrcfiles(&unit->die, &files, &nr) ||
	    number >= nr)
		return NULL;
	return elfutils->dwarf_filesrc(files, number, NULL, NULL);
}

static void read_inlined(const struct elfutils *elfutils, struct unit *unit,
			 struct inlined *inlined)
{
	if (inlined->known)
		return;
	inlined->known = true;
	inlined->name = name_of(elfutils, &inlined->die);
	inlined->call_file = file_of_call(elfutils, unit, &inlined->die);
	inlined->call_line =
		number_of(elfutils, &inlined->die, DW_AT_call_line);
	inlined->call_column =
		number_of(elfutils, &inlined->die, DW_AT_call_column);
}

static void read_function(const struct elfutils *elfutils,
			  struct function *function)
{
	int line;

	if (function->known)
		return;
	function->known = true;
	function->name = name_of(elfutils, &function->die);
	function->file = elfutils->dwarf_decl_file(&function->die);
	if (!elfutils->dwarf_decl_line(&function->die, &line) && line > 0)
		function->line = line;
}

/* Find the line of an address. */
static struct symbols_frame find_line(const struct elfutils *elfutils,
				      struct unit *unit, uint64_t address)
{
	Dwarf_Line *found = elfutils->dwarf_getsrc_die(&unit->die, address);
	struct symbols_frame frame = { .file = NULL };
	int number;

	if (!found)
		return frame;
	frame.file = elfutils->dwarf_linesrc(found, NULL, NULL);
	if (!elfutils->dwarf_lineno(found, &number) && number > 0)
		frame.line = number;
	if (!elfutils->dwarf_linecol(found, &number) && number > 0)
		frame.column = number;
	return frame;
}

/*
 * Find the functions that are inlined at an address, the outermost first. The entry of a function
 * precedes the entries of the functions inlined in it. So a range at the next depth is inside the
 * previous range.
 */
static size_t find_inlined(struct unit *unit, const struct function *function,
			   uint64_t address, struct inlined **path, size_t max)
{
	size_t nr = 0, i;

	for (i = function->first; i < function->end; i++) {
		struct inlined *inlined = &unit->inlined[i];

		if (inlined->depth == nr + 1 && nr < max &&
		    inlined->begin <= address && address < inlined->end)
			path[nr++] = inlined;
	}
	return nr;
}

/*
 * Set the frames. The innermost frame has the line of the address. Each other frame has the line
 * of a call.
 */
static void set_frames(struct debug_info *info, struct unit *unit,
		       const struct function *function, uint64_t address,
		       struct symbols_place *place)
{
	struct inlined *path[SYMBOLS_FRAMES_MAX - 1];
	size_t nr = find_inlined(unit, function, address, path,
				 SYMBOLS_FRAMES_MAX - 1);
	struct symbols_frame line = find_line(info->elfutils, unit, address);
	size_t i;

	for (i = 0; i < nr; i++) {
		struct inlined *inlined = path[nr - 1 - i];

		read_inlined(info->elfutils, unit, inlined);
		line.function = inlined->name;
		info->frames[i] = line;
		line = (struct symbols_frame){ .file = inlined->call_file,
					       .line = inlined->call_line,
					       .column = inlined->call_column };
	}
	line.function = function->name;
	info->frames[nr] = line;
	place->frames = info->frames;
	place->nr_frames = nr + 1;
}

/* Set the only frame, without its line. */
static void set_frame(struct debug_info *info, const struct function *function,
		      struct symbols_place *place)
{
	info->frames[0] = (struct symbols_frame){ .function = function->name };
	place->frames = info->frames;
	place->nr_frames = 1;
}

bool find_debug_info(struct debug_info *info, uint64_t address, bool with_lines,
		     struct symbols_place *place)
{
	const struct range *range = find_range(&info->ranges, address);
	struct function *function;
	struct unit *unit;

	if (!range)
		return false;
	unit = &info->unit[range->index];
	read_unit(info->elfutils, unit);
	range = find_range(&unit->ranges, address);
	if (!range)
		return false;
	function = &unit->function[range->index];
	read_function(info->elfutils, function);
	if (with_lines)
		set_frames(info, unit, function, address, place);
	else
		set_frame(info, function, place);
	place->start = function->begin;
	place->size = function->size;
	place->first_file = function->file;
	place->first_line = function->line;
	return true;
}

static bool add_unit(struct debug_info *info, Dwarf_Die *die, Dwarf_Die *split)
{
	size_t index = info->nr_units;

	if (!grow(&info->unit, &info->units_room, index, sizeof(*info->unit)))
		return false;
	info->nr_units++;
	info->unit[index] =
		(struct unit){ .die = *die,
			       .split = split->addr ? *split : *die };
	return add_ranges(info->elfutils, &info->ranges, die, index);
}

struct debug_info *read_debug_info(const struct elfutils *elfutils,
				   Dwarf *dwarf)
{
	struct debug_info *info = calloc(1, sizeof(*info));
	Dwarf_CU *unit = NULL;
	Dwarf_Die die, split;

	if (!info)
		return NULL;
	info->elfutils = elfutils;
	while (elfutils->dwarf_get_units(dwarf, unit, &unit, NULL, NULL, &die,
					 &split) == 0) {
		if (elfutils->dwarf_tag(&die) != DW_TAG_partial_unit &&
		    !add_unit(info, &die, &split))
			break;
	}
	sort_ranges(&info->ranges);
	if (info->ranges.nr)
		return info;
	free_debug_info(info);
	return NULL;
}

void free_debug_info(struct debug_info *info)
{
	size_t i;

	if (!info)
		return;
	for (i = 0; i < info->nr_units; i++) {
		free(info->unit[i].ranges.range);
		free(info->unit[i].function);
		free(info->unit[i].inlined);
	}
	free(info->ranges.range);
	free(info->unit);
	free(info);
}

#endif /* PERFEX_ELFUTILS */
