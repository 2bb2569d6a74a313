/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This header declares the search for the function, the inlined functions and the line of an
 * instruction. The caller passes the file of the instruction and its offset in the file. elfutils
 * reads the files. A perfex that was built without elfutils only finds names of kernel functions.
 */
#ifndef PERFEX_SYMBOLS_H
#define PERFEX_SYMBOLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct symbols;

/*
 * enum symbols_result - result of a search for a function
 *
 * symbols_reason() returns the reason as text.
 */
enum symbols_result {
	SYMBOLS_FOUND, /* function found, with lines if @frames[0].file is set */
	SYMBOLS_NO_FUNCTION, /* the offset is outside of all functions and symbols */
	SYMBOLS_NO_NAMES, /* the file has neither symbols nor debug information */
	SYMBOLS_NO_FILE, /* the file was removed, or the path is not a regular file */
	SYMBOLS_NOT_READABLE, /* permission denied, or another error of open(2) */
	SYMBOLS_OTHER_FILE,   /* the file is not the one that was mapped */
	SYMBOLS_NOT_ELF,      /* the file is not an ELF file, or is damaged */
	SYMBOLS_NO_MEMORY,    /* memory is short */
	SYMBOLS_NOT_BUILT, /* this perfex was built without elfutils, or cannot load it */
	NR_SYMBOLS_RESULTS,
};

/* A place has this many frames at most. */
#define SYMBOLS_FRAMES_MAX 128

/**
 * struct symbols_frame - a function, and a line in it
 * @function: name of the function. For C++, this is the name in the source if debug information
 *	has it.
 * @file: the source file as the compiler wrote it, with its directory; NULL if it is unknown
 * @line: line in @file of the instruction, or of the call of the previous frame's function; 0 if
 *	unknown
 * @column: column of @line, 0 if unknown
 */
struct symbols_frame {
	const char *function;
	const char *file;
	uint32_t line;
	uint32_t column;
};

/**
 * struct symbols_place - the names of an instruction
 * @frames: the functions that the instruction belongs to, the innermost first. Only the last
 *	function is called; each earlier function is inlined in the next function.
 * @nr_frames: number of @frames; 0 unless the result is SYMBOLS_FOUND
 * @start: offset in the file of the function's first byte; for the kernel, the function's address
 * @size: bytes from @start on, 0 if unknown. Rarely executed code of the function may be elsewhere.
 * @address: the linker's address of the instruction, as in the output of objdump(1); for the
 *	kernel, its address; 0 if the offset is not in an executable part of the file
 * @first_line: the line where the function is declared, 0 if unknown
 * @first_file: the file of @first_line, NULL if unknown
 * @build_id: the file's build-id in hexadecimal digits, or an empty text
 * @result: the function's return value
 *
 * All texts belong to the struct symbols, and are valid until symbols_close(). Places in the same
 * function have the same pointers in @function, @file and @build_id, so that callers may compare
 * pointers. @frames is valid until the next call.
 */
struct symbols_place {
	const struct symbols_frame *frames;
	size_t nr_frames;
	uint64_t start;
	uint64_t size;
	uint64_t address;
	uint32_t first_line;
	const char *first_file;
	const char *build_id;
	enum symbols_result result;
};

/**
 * symbols_open() - begin a search for names
 *
 * A file is opened at the first search in it, and is kept until symbols_close().
 *
 * Return: the files, for symbols_close(), or NULL if memory is short.
 */
struct symbols *symbols_open(void);

/**
 * symbols_close() - close all files, and free all places and texts
 * @symbols: of symbols_open(), or NULL
 */
void symbols_close(struct symbols *symbols);

/**
 * symbols_expect() - set the file that was mapped under a path
 * @symbols: of symbols_open()
 * @path: path of the file
 * @device: its device as in stat(2), from makedev(3)
 * @inode: its inode, not 0
 * @mapped: when it was mapped, in nanoseconds since 1970; UINT64_MAX if unknown
 *
 * If a different file has this path at the first search, or if the file has changed since @mapped,
 * the result is SYMBOLS_OTHER_FILE, because the names of a different file would be wrong. Call this
 * function before the first symbols_find() for @path. If two different files are expected at a path,
 * the path has no names, because only one of the files can exist.
 *
 * Return: 0, or -1 if memory is short.
 */
int symbols_expect(struct symbols *symbols, const char *path, uint64_t device,
		   uint64_t inode, uint64_t mapped);

/**
 * symbols_expect_build_id() - set the build-id of the file that was mapped under a path
 * @symbols: of symbols_open()
 * @path: path of the file
 * @build_id: its build-id in hexadecimal digits
 *
 * This is like symbols_expect(), for callers that have a build-id, for example from a file of
 * samples.
 *
 * Return: 0, or -1 if memory is short.
 */
int symbols_expect_build_id(struct symbols *symbols, const char *path,
			    const char *build_id);

/**
 * symbols_debug_path() - set the directories of separate debug files
 * @symbols: of symbols_open(), before the first symbols_find()
 * @path: directories, separated by colons, that are searched instead of /usr/lib/debug
 *
 * Return: 0, or -1 if memory is short.
 */
int symbols_debug_path(struct symbols *symbols, const char *path);

/**
 * symbols_find() - find the names of an instruction
 * @symbols: of symbols_open()
 * @path: path of the file, as the caller sees it
 * @offset: offset in the file: the address, minus the mapping's address, plus its offset
 * @place: receives what is known
 *
 * elfutils finds separate debug files by build-id or .gnu_debuglink, below /usr/lib/debug and
 * next to the file. Files need not be trusted: a damaged file only has fewer names.
 *
 * Return: 0 if the function is known, else an enum symbols_result, which is also in
 * @place->result.
 */
int symbols_find(struct symbols *symbols, const char *path, uint64_t offset,
		 struct symbols_place *place);

/**
 * symbols_find_function() - find the function that an instruction belongs to
 * @symbols: of symbols_open()
 * @path: path of the file, as the caller sees it
 * @offset: offset in the file
 * @place: receives one frame without a line, for the called function
 *
 * This is like symbols_find(), but takes less time and memory for many functions, because it does
 * not read the lines of files.
 *
 * Return: like symbols_find().
 */
int symbols_find_function(struct symbols *symbols, const char *path,
			  uint64_t offset, struct symbols_place *place);

/**
 * symbols_find_kernel() - find the names of an instruction of the kernel
 * @symbols: of symbols_open()
 * @address: its address
 * @place: receives the function, and for a module "name [module]"; lines are unknown
 *
 * The function reads /proc/kallsyms at the first call. The kernel hides the addresses from users
 * without CAP_SYSLOG. They get the result SYMBOLS_NOT_READABLE.
 *
 * Return: like symbols_find().
 */
int symbols_find_kernel(struct symbols *symbols, uint64_t address,
			struct symbols_place *place);

/**
 * symbols_reason() - get the reason why there is no name
 * @result: from symbols_find() or symbols_find_kernel()
 *
 * Return: a text to print after the name of a file and a colon: "/bin/true: the file ...".
 */
const char *symbols_reason(enum symbols_result result);

/**
 * has_elfutils() - tell whether perfex was built with elfutils
 *
 * Return: true if it was; otherwise symbols_find() does not find any names.
 */
bool has_elfutils(void);

#endif /* PERFEX_SYMBOLS_H */
