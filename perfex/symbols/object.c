// SPDX-License-Identifier: GPL-2.0-only
/*
 * Find names in an ELF file with elfutils. Offsets in the file are converted to the linker's
 * addresses, because symbols and debug information use these addresses.
 */
#include "symbols/object.h"

#include "symbols/debug_info.h"
#include "symbols/demangle.h"

#ifdef PERFEX_ELFUTILS

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "symbols/growing.h"
#include "util/clock.h"

/* Linkers make build-ids of 16 or 20 bytes. */
#define BUILD_ID_MAX 64

/* A file has fewer segments in practice. */
#define SEGMENTS_MAX 64

/**
 * struct segment - a mapped part of the file
 * @offset: its offset in the file
 * @size: its bytes in the file
 * @address: the linker's address of its first byte
 */
struct segment {
	uint64_t offset;
	uint64_t size;
	uint64_t address;
};

/**
 * struct symbol - a symbol of a function
 * @begin: the linker's address
 * @size: its bytes, 0 if unknown
 * @end: the address after its last byte; for a symbol without a size, the address of the next
 *	symbol
 * @name: its name
 * @source_name: its name in the source if it differs from @name, else NULL
 * @is_demangled: whether @source_name is valid
 * @rank: preference of its name; of several names for an address, the highest rank wins
 */
struct symbol {
	uint64_t begin;
	uint64_t size;
	uint64_t end;
	const char *name;
	char *source_name;
	bool is_demangled;
	int rank;
};

/**
 * struct object - an ELF file
 * @elfutils: functions of elfutils
 * @debug_path: directories of debug files, NULL for the default of elfutils
 * @callbacks: the functions by which libdwfl finds files
 * @dwfl: the session of libdwfl
 * @module: the file in the session
 * @bias: number that libdwfl adds to the linker's addresses in the file
 * @segment: executable segments
 * @nr_segments: number of executable segments
 * @symbol: symbols, sorted by address
 * @nr_symbols: number of symbols
 * @symbols_room: number of symbols that fit into the memory
 * @info: debug information, or NULL
 * @info_bias: number that converts addresses of the debug information to addresses of @module
 * @frames: the frames of the last search
 * @build_id: build-id in hexadecimal digits, or empty
 */
struct object {
	const struct elfutils *elfutils;
	char *debug_path;
	Dwfl_Callbacks callbacks;
	Dwfl *dwfl;
	Dwfl_Module *module;
	uint64_t bias;
	struct segment segment[SEGMENTS_MAX];
	size_t nr_segments;
	struct symbol *symbol;
	size_t nr_symbols;
	size_t symbols_room;
	struct debug_info *info;
	uint64_t info_bias;
	struct symbols_frame frames[SYMBOLS_FRAMES_MAX];
	char build_id[2 * BUILD_ID_MAX + 1];
};

/*
 * Parse a line of /proc/self/maps, "BEGIN-END rwxp OFFSET MAJOR:MINOR INODE". Returns false
 * unless it describes memory at @begin.
 */
static bool parse_mapping(const char *line, uintptr_t begin,
			  struct expected *file)
{
	unsigned long major, minor;
	char *rest;
	int i;

	if (strtoull(line, &rest, 16) != begin || *rest != '-')
		return false;
	for (i = 0; i < 3 && rest; i++)
		rest = strchr(rest + 1, ' ');
	if (!rest)
		return false;
	major = strtoul(rest, &rest, 16);
	if (*rest != ':')
		return false;
	minor = strtoul(rest + 1, &rest, 16);
	file->device = makedev(major, minor);
	file->inode = strtoull(rest, NULL, 10);
	return true;
}

/* Find the mapping that begins at an address. */
static bool find_mapping(const void *begin, struct expected *file)
{
	FILE *maps = fopen("/proc/self/maps", "re");
	bool found = false;
	char *line = NULL;
	size_t room = 0;

	if (!maps)
		return false;
	while (!found && getline(&line, &room, maps) > 0)
		found = parse_mapping(line, (uintptr_t)begin, file);
	free(line);
	fclose(maps);
	return found;
}

/*
 * Tell whether a file is the mapped file. On btrfs and overlayfs, a mapping may show a different
 * device than stat(2), so map the file to compare it.
 */
static bool is_mapped(int file, const struct expected *expected)
{
	struct expected mapped = { .inode = 0 };
	void *memory = mmap(NULL, 1, PROT_READ, MAP_PRIVATE, file, 0);
	bool found;

	if (memory == MAP_FAILED)
		return false;
	found = find_mapping(memory, &mapped);
	munmap(memory, 1);
	return found && mapped.inode == expected->inode &&
	       mapped.device == expected->device;
}

/*
 * Tell whether a file has changed since it was mapped. Compilers and cp(1) can write another program
 * to the same inode.
 */
static bool has_changed(const struct stat *status, uint64_t mapped)
{
	const struct timespec *change = &status->st_ctim;
	const uint64_t seconds = (uint64_t)change->tv_sec;

	return seconds * NS_PER_S + (uint64_t)change->tv_nsec > mapped;
}

/* Tell whether a file is the expected file. */
static bool is_expected(int file, const struct stat *status,
			const struct expected *expected)
{
	if (!expected->inode)
		return true;
	if ((status->st_ino != expected->inode ||
	     status->st_dev != expected->device) &&
	    !is_mapped(file, expected))
		return false;
	return !has_changed(status, expected->mapped);
}

/* Open a file, and check that it is the expected file. Do not wait if the name is a pipe. */
static int open_file(const char *path, const struct expected *expected,
		     enum symbols_result *result)
{
	struct stat status;
	int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);

	if (file < 0) {
		*result = errno == ENOENT || errno == ENOTDIR
				  ? SYMBOLS_NO_FILE
				  : SYMBOLS_NOT_READABLE;
		return -1;
	}
	if (fstat(file, &status) || !S_ISREG(status.st_mode))
		*result = SYMBOLS_NO_FILE;
	else if (!is_expected(file, &status, expected))
		*result = SYMBOLS_OTHER_FILE;
	else
		return file;
	close(file);
	return -1;
}

/* Pass the file to libdwfl, which closes it. */
static bool report_file(struct object *object, const char *path, int file)
{
	Dwfl_Callbacks *callbacks = &object->callbacks;

	callbacks->find_elf = object->elfutils->dwfl_build_id_find_elf;
	callbacks->find_debuginfo =
		object->elfutils->dwfl_standard_find_debuginfo;
	callbacks->section_address =
		object->elfutils->dwfl_offline_section_address;
	callbacks->debuginfo_path = &object->debug_path;
	object->dwfl = object->elfutils->dwfl_begin(callbacks);
	if (!object->dwfl) {
		close(file);
		return false;
	}
	object->elfutils->dwfl_report_begin(object->dwfl);
	object->module = object->elfutils->dwfl_report_elf(
		object->dwfl, path, path, file, 0, false);
	object->elfutils->dwfl_report_end(object->dwfl, NULL, NULL);
	if (!object->module)
		close(file);
	return object->module;
}

static void read_build_id(struct object *object)
{
	const unsigned char *bits;
	GElf_Addr address;
	int size = object->elfutils->dwfl_module_build_id(object->module, &bits,
							  &address);
	int i;

	for (i = 0; i < size && i < BUILD_ID_MAX; i++)
		snprintf(object->build_id + 2 * (size_t)i, 3, "%02x", bits[i]);
}

static bool read_segments(struct object *object)
{
	GElf_Addr bias;
	Elf *elf = object->elfutils->dwfl_module_getelf(object->module, &bias);
	size_t nr, i;

	if (!elf || object->elfutils->elf_getphdrnum(elf, &nr))
		return false;
	object->bias = bias;
	for (i = 0; i < nr && object->nr_segments < SEGMENTS_MAX; i++) {
		GElf_Phdr header;

		if (!object->elfutils->gelf_getphdr(elf, (int)i, &header) ||
		    header.p_type != PT_LOAD || !(header.p_flags & PF_X))
			continue;
		object->segment[object->nr_segments++] =
			(struct segment){ header.p_offset, header.p_filesz,
					  header.p_vaddr };
	}
	return true;
}

static int rank_of(const GElf_Sym *symbol, const char *name)
{
	int rank = 0;

	if (GELF_ST_BIND(symbol->st_info) == STB_GLOBAL)
		rank += 8;
	else if (GELF_ST_BIND(symbol->st_info) == STB_WEAK)
		rank += 4;
	if (symbol->st_size)
		rank += 16;
	if (name[0] != '_')
		rank += 2;
	else if (name[1] != '_')
		rank += 1;
	return rank;
}

/* Add a symbol that may be a function. Assembly code often leaves out the type. */
static bool add_symbol(struct object *object, int index)
{
	GElf_Sym symbol;
	GElf_Addr address;
	GElf_Word section;
	const char *name = object->elfutils->dwfl_module_getsym_info(
		object->module, index, &symbol, &address, &section, NULL, NULL);
	int type;

	if (!name || !*name || section == SHN_UNDEF || section == SHN_ABS ||
	    section == SHN_COMMON)
		return true;
	type = GELF_ST_TYPE(symbol.st_info);
	if (type != STT_FUNC && type != STT_NOTYPE && type != STT_GNU_IFUNC)
		return true;
	if (!grow(&object->symbol, &object->symbols_room, object->nr_symbols,
		  sizeof(*object->symbol)))
		return false;
	object->symbol[object->nr_symbols++] = (struct symbol){
		.begin = address - object->bias,
		.size = symbol.st_size,
		.name = name,
		.rank = rank_of(&symbol, name),
	};
	return true;
}

static int compare_symbols(const void *first, const void *second)
{
	const struct symbol *a = first;
	const struct symbol *b = second;

	if (a->begin != b->begin)
		return a->begin < b->begin ? -1 : 1;
	if (a->rank != b->rank)
		return a->rank > b->rank ? -1 : 1;
	return strcmp(a->name, b->name);
}

/* Keep the best name of each address. A symbol without a size extends to the next symbol. */
static void tidy_symbols(struct object *object)
{
	size_t nr = 0, i;

	if (object->nr_symbols)
		qsort(object->symbol, object->nr_symbols,
		      sizeof(*object->symbol), compare_symbols);
	for (i = 0; i < object->nr_symbols; i++) {
		if (!nr ||
		    object->symbol[nr - 1].begin != object->symbol[i].begin)
			object->symbol[nr++] = object->symbol[i];
	}
	object->nr_symbols = nr;
	for (i = 0; i < nr; i++) {
		struct symbol *symbol = &object->symbol[i];

		if (symbol->size)
			symbol->end = symbol->begin + symbol->size;
		else
			symbol->end = i + 1 < nr ? symbol[1].begin : UINT64_MAX;
	}
}

static void read_symbols(struct object *object)
{
	int nr = object->elfutils->dwfl_module_getsymtab(object->module);
	int i;

	for (i = 0; i < nr; i++) {
		if (!add_symbol(object, i))
			break;
	}
	tidy_symbols(object);
}

static void read_debug(struct object *object)
{
	Dwarf_Addr bias;
	Dwarf *dwarf =
		object->elfutils->dwfl_module_getdwarf(object->module, &bias);

	if (!dwarf)
		return;
	object->info_bias = bias;
	object->info = read_debug_info(object->elfutils, dwarf);
}

static enum symbols_result read_object(struct object *object,
				       const struct expected *expected)
{
	if (!read_segments(object))
		return SYMBOLS_NOT_ELF;
	read_build_id(object);
	if (expected->build_id &&
	    strcasecmp(expected->build_id, object->build_id) != 0)
		return SYMBOLS_OTHER_FILE;
	read_debug(object);
	read_symbols(object);
	return object->info || object->nr_symbols ? SYMBOLS_FOUND
						  : SYMBOLS_NO_NAMES;
}

struct object *open_object(const char *path, const struct expected *expected,
			   enum symbols_result *result)
{
	const struct elfutils *elfutils = load_elfutils();
	struct object *object;
	int file;

	*result = SYMBOLS_NOT_BUILT;
	if (!elfutils)
		return NULL;
	file = open_file(path, expected, result);
	if (file < 0)
		return NULL;
	object = calloc(1, sizeof(*object));
	if (!object) {
		close(file);
		*result = SYMBOLS_NO_MEMORY;
		return NULL;
	}
	object->elfutils = elfutils;
	object->debug_path = (char *)expected->debug_path;
	*result = SYMBOLS_NOT_ELF;
	if (report_file(object, path, file))
		*result = read_object(object, expected);
	if (*result == SYMBOLS_FOUND || *result == SYMBOLS_NO_NAMES)
		return object;
	close_object(object);
	return NULL;
}

void close_object(struct object *object)
{
	size_t i;

	if (!object)
		return;
	for (i = 0; i < object->nr_symbols; i++)
		free(object->symbol[i].source_name);
	free_debug_info(object->info);
	free(object->symbol);
	if (object->dwfl)
		object->elfutils->dwfl_end(object->dwfl);
	free(object);
}

/* Find the segment that contains the offset. */
static const struct segment *find_segment(const struct object *object,
					  uint64_t offset)
{
	size_t i;

	for (i = 0; i < object->nr_segments; i++) {
		const struct segment *segment = &object->segment[i];

		if (offset >= segment->offset &&
		    offset - segment->offset < segment->size)
			return segment;
	}
	return NULL;
}

/*
 * Few symbols overlap, and a function contains few labels, so a search checks only this many
 * symbols.
 */
#define OVERLAPS_MAX 16

/*
 * Find the function that contains the address. A label without a size may be inside a function.
 * In that case, prefer the function.
 */
static struct symbol *find_symbol(const struct object *object, uint64_t address)
{
	struct symbol *label = NULL;
	size_t low = 0, high = object->nr_symbols, tries;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (object->symbol[middle].begin <= address)
			low = middle + 1;
		else
			high = middle;
	}
	for (tries = 0; low > 0 && tries < OVERLAPS_MAX; tries++) {
		struct symbol *symbol = &object->symbol[--low];

		if (symbol->size && address < symbol->end)
			return symbol;
		if (!symbol->size && !label && address < symbol->end)
			label = symbol;
	}
	return label;
}

static const char *name_of_symbol(struct symbol *symbol)
{
	if (!symbol->is_demangled) {
		symbol->is_demangled = true;
		symbol->source_name = demangle(symbol->name);
	}
	return symbol->source_name ? symbol->source_name : symbol->name;
}

static bool find_by_symbol(struct object *object, uint64_t address,
			   struct symbols_place *place)
{
	struct symbol *symbol = find_symbol(object, address);

	if (!symbol)
		return false;
	object->frames[0] =
		(struct symbols_frame){ .function = name_of_symbol(symbol) };
	place->frames = object->frames;
	place->nr_frames = 1;
	place->start = symbol->begin;
	place->size = symbol->size;
	return true;
}

/*
 * Debug information has only the last part of a name, such as "push_back". The symbol of the
 * called function has the whole name.
 */
static void complete_name(struct object *object, struct symbols_place *place)
{
	struct symbol *symbol = find_symbol(object, place->start);
	size_t last = place->nr_frames - 1;

	memcpy(object->frames, place->frames,
	       place->nr_frames * sizeof(*object->frames));
	place->frames = object->frames;
	if (symbol && symbol->begin == place->start &&
	    name_of_symbol(symbol) == symbol->source_name)
		object->frames[last].function = symbol->source_name;
}

void find_in_object(struct object *object, uint64_t offset, bool with_lines,
		    struct symbols_place *place)
{
	const struct segment *segment = find_segment(object, offset);
	uint64_t address;

	place->build_id = object->build_id;
	place->result = object->info || object->nr_symbols ? SYMBOLS_NO_FUNCTION
							   : SYMBOLS_NO_NAMES;
	if (!segment)
		return;
	address = segment->address + (offset - segment->offset);
	place->address = address;
	if (object->info &&
	    find_debug_info(object->info,
			    address + object->bias - object->info_bias,
			    with_lines, place)) {
		place->start += object->info_bias - object->bias;
		complete_name(object, place);
	} else if (!find_by_symbol(object, address, place)) {
		return;
	}
	place->start += segment->offset - segment->address;
	place->result = SYMBOLS_FOUND;
}

#else

struct object *open_object(const char *path, const struct expected *expected,
			   enum symbols_result *result)
{
	(void)path;
	(void)expected;
	*result = SYMBOLS_NOT_BUILT;
	return NULL;
}

void close_object(struct object *object)
{
	(void)object;
}

void find_in_object(struct object *object, uint64_t offset, bool with_lines,
		    struct symbols_place *place)
{
	(void)object;
	(void)offset;
	(void)with_lines;
	place->result = SYMBOLS_NOT_BUILT;
}

#endif
