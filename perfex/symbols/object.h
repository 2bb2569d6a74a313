/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This header declares the names of one ELF file: its symbols, and its debug information. All
 * texts are in elfutils' mapping of the file, and are valid as long as the object exists.
 */
#ifndef PERFEX_SYMBOLS_OBJECT_H
#define PERFEX_SYMBOLS_OBJECT_H

#include "symbols/symbols.h"

struct object;

/**
 * struct expected - the file that is expected at a path
 * @device: its device, as in stat(2)
 * @inode: its inode, 0 to accept any file
 * @mapped: when it was mapped, in nanoseconds since 1970, if @inode is not 0
 * @build_id: its build-id in hexadecimal digits, NULL to accept any build-id
 * @debug_path: directories of debug files, separated by colons, NULL for the default of elfutils;
 *	the text must remain valid as long as the object exists
 */
struct expected {
	uint64_t device;
	uint64_t inode;
	uint64_t mapped;
	const char *build_id;
	const char *debug_path;
};

/**
 * open_object() - open an ELF file
 * @path: path of the file
 * @expected: the file that is expected at @path
 * @result: receives SYMBOLS_FOUND, or the reason why there are no names
 *
 * Return: the file, for close_object(), or NULL.
 */
struct object *open_object(const char *path, const struct expected *expected,
			   enum symbols_result *result);

/**
 * close_object() - close a file, and free its texts
 * @object: from open_object(), or NULL
 */
void close_object(struct object *object);

/**
 * find_in_object() - find the names of an instruction
 * @object: from open_object()
 * @offset: offset in the file
 * @with_lines: true to also find inlined functions and lines
 * @place: empty; receives the names
 */
void find_in_object(struct object *object, uint64_t offset, bool with_lines,
		    struct symbols_place *place);

#endif /* PERFEX_SYMBOLS_OBJECT_H */
