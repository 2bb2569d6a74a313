/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This header declares the names of one ELF file: its symbols, and its debug information. All
 * texts are in the file as elfutils has mapped it, and are valid as long as the object.
 */
#ifndef PERFEX_SYMBOLS_OBJECT_H
#define PERFEX_SYMBOLS_OBJECT_H

#include "symbols/symbols.h"

struct object;

/**
 * struct expected - the file that should be at a path
 * @device: its device, as stat(2) has it
 * @inode: its inode, 0 if any file will do
 * @build_id: its build-id in hexadecimal digits, NULL if any will do
 * @debug_path: directories of debug files, separated by colons, NULL for those of elfutils; it is
 *	needed as long as the object
 */
struct expected {
	uint64_t device;
	uint64_t inode;
	const char *build_id;
	const char *debug_path;
};

/**
 * open_object() - open an ELF file
 * @path: path of the file
 * @expected: the file that should be there
 * @result: receives SYMBOLS_FOUND, or why there are no names
 *
 * Return: the file, for close_object(), or NULL.
 */
struct object *open_object(const char *path, const struct expected *expected,
			   enum symbols_result *result);

/**
 * close_object() - forget a file and its texts
 * @object: of open_object(), or NULL
 */
void close_object(struct object *object);

/**
 * find_in_object() - find the names of an instruction
 * @object: of open_object()
 * @offset: offset in the file
 * @with_lines: whether inlined functions and lines are wanted, too
 * @place: receives what is known; it is empty before
 */
void find_in_object(struct object *object, uint64_t offset, bool with_lines,
		    struct symbols_place *place);

#endif /* PERFEX_SYMBOLS_OBJECT_H */
