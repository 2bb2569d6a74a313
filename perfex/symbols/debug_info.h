/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This header declares the functions, inlined functions and lines of the debug information of a
 * file. A compilation unit is read at the first search for an address in it.
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
 * Return: the debug information, for free_debug_info(), or NULL if there is none or memory is
 * short.
 */
struct debug_info *read_debug_info(const struct elfutils *elfutils,
				   Dwarf *dwarf);

/**
 * free_debug_info() - free the functions
 * @info: from read_debug_info(), or NULL
 */
void free_debug_info(struct debug_info *info);

/**
 * find_debug_info() - find the functions and lines of an address
 * @info: from read_debug_info()
 * @address: address in the debug information
 * @with_lines: true to also find inlined functions and lines
 * @place: receives the frames, the first line and size of the function, and its address in @start
 *
 * Return: true, or false if no function has the address, or memory is short.
 */
bool find_debug_info(struct debug_info *info, uint64_t address, bool with_lines,
		     struct symbols_place *place);

#endif /* PERFEX_ELFUTILS */

#endif /* PERFEX_SYMBOLS_DEBUG_INFO_H */
