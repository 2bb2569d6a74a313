// SPDX-License-Identifier: GPL-2.0-only
/* Find names by the path of a file. Each file is opened once. */
#include "symbols/symbols.h"

#include <stdlib.h>
#include <string.h>

#include "symbols/growing.h"
#include "symbols/kernel.h"
#include "symbols/object.h"

#define KERNEL_SYMBOLS "/proc/kallsyms"

/**
 * struct file - a mapped file
 * @path: its path
 * @expected: the file that is expected at @path; the build-id is a copy
 * @object: its names, or NULL
 * @is_open: whether perfex has already tried to open the file
 * @result: SYMBOLS_FOUND if @object is set, else the reason why there are no names
 */
struct file {
	char *path;
	struct expected expected;
	struct object *object;
	bool is_open;
	enum symbols_result result;
};

/**
 * struct symbols - all files, and the kernel
 * @file: the files, sorted by path
 * @nr: number of files
 * @room: number of files that fit into the memory
 * @debug_path: directories of debug files, NULL for the default of elfutils
 * @last: the file of the last search, or NULL
 * @kernel: the functions of the kernel, or NULL
 * @kernel_is_read: whether perfex has tried to read the functions of the kernel
 * @kernel_result: reason why @kernel is NULL
 */
struct symbols {
	struct file **file;
	size_t nr;
	size_t room;
	char *debug_path;
	struct file *last;
	struct kernel_symbols *kernel;
	bool kernel_is_read;
	enum symbols_result kernel_result;
};

struct symbols *symbols_open(void)
{
	return calloc(1, sizeof(struct symbols));
}

static void free_file(struct file *file)
{
	close_object(file->object);
	free((char *)file->expected.build_id);
	free(file->path);
	free(file);
}

void symbols_close(struct symbols *symbols)
{
	size_t i;

	if (!symbols)
		return;
	for (i = 0; i < symbols->nr; i++)
		free_file(symbols->file[i]);
	free(symbols->file);
	free_kernel_symbols(symbols->kernel);
	free(symbols->debug_path);
	free(symbols);
}

int symbols_debug_path(struct symbols *symbols, const char *path)
{
	char *copy = strdup(path);

	if (!copy)
		return -1;
	free(symbols->debug_path);
	symbols->debug_path = copy;
	return 0;
}

/* Find the index of @path, or the index at which to insert it. */
static size_t find_path(const struct symbols *symbols, const char *path)
{
	size_t low = 0, high = symbols->nr;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (strcmp(symbols->file[middle]->path, path) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static struct file *make_file(const char *path)
{
	struct file *file = calloc(1, sizeof(*file));

	if (!file)
		return NULL;
	file->path = strdup(path);
	if (file->path)
		return file;
	free(file);
	return NULL;
}

static struct file *get_file(struct symbols *symbols, const char *path)
{
	size_t index;
	struct file *file;

	if (symbols->last && strcmp(symbols->last->path, path) == 0)
		return symbols->last;
	index = find_path(symbols, path);
	if (index < symbols->nr &&
	    strcmp(symbols->file[index]->path, path) == 0)
		return symbols->last = symbols->file[index];
	if (!grow(&symbols->file, &symbols->room, symbols->nr,
		  sizeof(struct file *)))
		return NULL;
	file = make_file(path);
	if (!file)
		return NULL;
	memmove(symbols->file + index + 1, symbols->file + index,
		(symbols->nr - index) * sizeof(struct file *));
	symbols->file[index] = file;
	symbols->nr++;
	return symbols->last = file;
}

/*
 * Do not search names in a file if two different files are expected at its path, because at most
 * one of them can exist.
 */
static void expect_two(struct file *file)
{
	file->is_open = true;
	file->result = SYMBOLS_OTHER_FILE;
}

int symbols_expect(struct symbols *symbols, const char *path, uint64_t device,
		   uint64_t inode, uint64_t mapped)
{
	struct file *file = get_file(symbols, path);

	if (!file)
		return -1;
	if (!file->expected.inode) {
		file->expected.inode = inode;
		file->expected.device = device;
		file->expected.mapped = mapped;
	} else if (file->expected.inode != inode ||
		   file->expected.device != device) {
		expect_two(file);
	}
	return 0;
}

int symbols_expect_build_id(struct symbols *symbols, const char *path,
			    const char *build_id)
{
	struct file *file = get_file(symbols, path);

	if (!file)
		return -1;
	if (file->expected.build_id) {
		if (strcasecmp(file->expected.build_id, build_id) != 0)
			expect_two(file);
		return 0;
	}
	file->expected.build_id = strdup(build_id);
	return file->expected.build_id ? 0 : -1;
}

static int find_instruction(struct symbols *symbols, const char *path,
			    uint64_t offset, bool with_lines,
			    struct symbols_place *place)
{
	struct file *file = get_file(symbols, path);

	*place = (struct symbols_place){ .build_id = "",
					 .result = SYMBOLS_NO_MEMORY };
	if (!file)
		return place->result;
	if (!file->is_open) {
		file->is_open = true;
		file->expected.debug_path = symbols->debug_path;
		file->object =
			open_object(path, &file->expected, &file->result);
	}
	place->result = file->result;
	if (file->result != SYMBOLS_OTHER_FILE && file->object)
		find_in_object(file->object, offset, with_lines, place);
	return place->result;
}

int symbols_find(struct symbols *symbols, const char *path, uint64_t offset,
		 struct symbols_place *place)
{
	return find_instruction(symbols, path, offset, true, place);
}

int symbols_find_function(struct symbols *symbols, const char *path,
			  uint64_t offset, struct symbols_place *place)
{
	return find_instruction(symbols, path, offset, false, place);
}

int symbols_find_kernel(struct symbols *symbols, uint64_t address,
			struct symbols_place *place)
{
	*place = (struct symbols_place){ .build_id = "" };
	if (!symbols->kernel_is_read) {
		symbols->kernel_is_read = true;
		symbols->kernel = read_kernel_symbols(KERNEL_SYMBOLS,
						      &symbols->kernel_result);
	}
	place->result = symbols->kernel_result;
	if (symbols->kernel)
		find_kernel_symbol(symbols->kernel, address, place);
	return place->result;
}

const char *symbols_reason(enum symbols_result result)
{
	static const char *const reasons[NR_SYMBOLS_RESULTS] = {
		[SYMBOLS_FOUND] = "the function is known",
		[SYMBOLS_NO_FUNCTION] = "no function has this address",
		[SYMBOLS_NO_NAMES] =
			"the file has neither symbols nor debug information (strip "
			"removed them, and no debug file is installed)",
		[SYMBOLS_NO_FILE] = "the file is not there any more",
		[SYMBOLS_NOT_READABLE] =
			"the file cannot be read (root can read it)",
		[SYMBOLS_OTHER_FILE] =
			"the file has changed since it was executed",
		[SYMBOLS_NOT_ELF] =
			"the file is not an ELF file, or is damaged",
		[SYMBOLS_NO_MEMORY] = "memory is short",
		[SYMBOLS_NOT_BUILT] =
			"perfex was built without elfutils, or elfutils (libdw1) is "
			"not installed",
	};

	if ((unsigned int)result >= NR_SYMBOLS_RESULTS)
		return "the reason is unknown";
	return reasons[result];
}
