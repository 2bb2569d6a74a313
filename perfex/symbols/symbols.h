/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This header declares the names of code: the function, the inlined functions and the line of an
 * instruction, which is given by a file and an offset in it. elfutils reads the files. A perfex
 * that was built without elfutils knows the names of kernel functions only.
 */
#ifndef PERFEX_SYMBOLS_H
#define PERFEX_SYMBOLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct symbols;

/*
 * enum symbols_result - whether a function was found, or why not
 *
 * symbols_reason() says the same in words.
 */
enum symbols_result {
	SYMBOLS_FOUND, /* the function is known, and its lines if @frames[0].file is set */
	SYMBOLS_NO_FUNCTION, /* no function or symbol of the file is at this offset */
	SYMBOLS_NO_NAMES, /* the file has neither symbols nor debug information */
	SYMBOLS_NO_FILE, /* the file is not there any more, or is not a file at all */
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
 * struct symbols_frame - a function, and the place in it
 * @function: its name, of C++ the name of the source without the linker's decoration where debug
 *	information has it
 * @file: the source file as the compiler wrote it, with its directory; NULL if it is unknown
 * @line: line of the instruction in @file, or of the call of the frame before it; 0 if unknown
 * @column: column of @line, 0 if unknown
 */
struct symbols_frame {
	const char *function;
	const char *file;
	uint32_t line;
	uint32_t column;
};

/**
 * struct symbols_place - what is known of an instruction
 * @frames: the functions that the instruction belongs to, the innermost first. Only the last one
 *	is a function that is called; those before it are inlined in the next one.
 * @nr_frames: number of @frames; 0 unless the result is SYMBOLS_FOUND
 * @start: offset in the file of the function's first byte; of the kernel, its address
 * @size: bytes from @start on, 0 if unknown. Rarely executed code of the function may be elsewhere.
 * @address: address of the instruction in the file as the linker chose it, which objdump(1) prints;
 *	of the kernel, its address; 0 if no part of the file that can be executed has it
 * @first_line: the line where the function is declared, 0 if unknown
 * @first_file: the file of @first_line, NULL if unknown
 * @build_id: the file's build-id in hexadecimal digits, or an empty text
 * @result: the function's return value
 *
 * All texts belong to the struct symbols, and are valid until it is closed. Places in the same
 * function have the same pointers of @function, @file and @build_id, so that callers may compare
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
 * symbols_open() - begin to look for names
 *
 * Files are opened at the first place in them, and are kept until symbols_close().
 *
 * Return: the caller's, for symbols_close(), or NULL if memory is short.
 */
struct symbols *symbols_open(void);

/**
 * symbols_close() - forget all places and their texts
 * @symbols: of symbols_open(), or NULL
 */
void symbols_close(struct symbols *symbols);

/**
 * symbols_expect() - say which file was mapped under a path
 * @symbols: of symbols_open()
 * @path: path of the file
 * @device: its device as stat(2) has it, of makedev(3)
 * @inode: its inode, not 0
 *
 * If another file has this path when the first place in it is looked for, its places are
 * SYMBOLS_OTHER_FILE: the names of another program would be wrong. Call this before the first
 * symbols_find() of @path. Once two different files are expected at a path, it has no names, for
 * only one of them can be there.
 *
 * Return: 0, or -1 if memory is short.
 */
int symbols_expect(struct symbols *symbols, const char *path, uint64_t device,
		   uint64_t inode);

/**
 * symbols_expect_build_id() - say which build of a file was mapped under a path
 * @symbols: of symbols_open()
 * @path: path of the file
 * @build_id: its build-id in hexadecimal digits
 *
 * This is like symbols_expect(), for callers that know a build-id, as from a file of samples.
 *
 * Return: 0, or -1 if memory is short.
 */
int symbols_expect_build_id(struct symbols *symbols, const char *path,
			    const char *build_id);

/**
 * symbols_debug_path() - say where separate debug files are
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
 * Separate debug files are found by their build-id or .gnu_debuglink as elfutils does it, below
 * /usr/lib/debug and next to the file. No file is trusted: a damaged one has fewer names.
 *
 * Return: 0 if the function is known, else an enum symbols_result, which is @place->result, too.
 */
int symbols_find(struct symbols *symbols, const char *path, uint64_t offset,
		 struct symbols_place *place);

/**
 * symbols_find_function() - find the function that an instruction belongs to
 * @symbols: of symbols_open()
 * @path: path of the file, as the caller sees it
 * @offset: offset in the file
 * @place: receives what is known; it has one frame, of the function that is called, without a line
 *
 * This is like symbols_find(), and takes less time and memory for many functions: the lines of their
 * files are not read.
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
 * The names are from /proc/kallsyms at the first call. The kernel hides the addresses from users
 * without CAP_SYSLOG; the result is then SYMBOLS_NOT_READABLE.
 *
 * Return: like symbols_find().
 */
int symbols_find_kernel(struct symbols *symbols, uint64_t address,
			struct symbols_place *place);

/**
 * symbols_reason() - say why there is no name
 * @result: of symbols_find() or symbols_find_kernel()
 *
 * Return: words that follow the name of a file, as in "/bin/true: the file ...".
 */
const char *symbols_reason(enum symbols_result result);

/**
 * has_elfutils() - tell whether perfex was built with elfutils
 *
 * Return: whether symbols_find() can find anything.
 */
bool has_elfutils(void);

#endif /* PERFEX_SYMBOLS_H */
