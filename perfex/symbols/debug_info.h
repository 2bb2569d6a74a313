/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This header declares the functions, inlined functions and lines of the debug information of a
 * file. Each compilation unit is read when an address in it is looked for first.
 */
#ifndef PERFEX_SYMBOLS_DEBUG_INFO_H
#define PERFEX_SYMBOLS_DEBUG_INFO_H

#include "symbols/elfutils.h"
#include "symbols/symbols.h"

#ifdef PERFEX_ELFUTILS

struct debug_info;

/**
 * read_debug_info() - find the compilation units of a file
 * @elfutils: functions of elfutils
 * @dwarf: debug information of the file
 *
 * Return: for free_debug_info(), or NULL if there is none or memory is short.
 */
struct debug_info *read_debug_info(const struct elfutils *elfutils,
				   Dwarf *dwarf);

/**
 * free_debug_info() - forget the functions
 * @info: of read_debug_info(), or NULL
 */
void free_debug_info(struct debug_info *info);

/**
 * find_debug_info() - find the functions and lines of an address
 * @info: of read_debug_info()
 * @address: address in the debug information
 * @with_lines: whether inlined functions and lines are wanted, too
 * @place: receives its frames, first line, size, and as @start the address of the function
 *
 * Return: true, or false if no function has the address, or memory is short.
 */
bool find_debug_info(struct debug_info *info, uint64_t address, bool with_lines,
		     struct symbols_place *place);

#endif /* PERFEX_ELFUTILS */

#endif /* PERFEX_SYMBOLS_DEBUG_INFO_H */
