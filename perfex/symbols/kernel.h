/* SPDX-License-Identifier: GPL-2.0-only */
/* This header declares the functions of the kernel, as kallsyms lists them. */
#ifndef PERFEX_SYMBOLS_KERNEL_H
#define PERFEX_SYMBOLS_KERNEL_H

#include "symbols/symbols.h"

struct kernel_symbols;

/**
 * read_kernel_symbols() - read a list of the kernel's symbols
 * @path: a file in the form of /proc/kallsyms
 * @result: receives SYMBOLS_FOUND, or the reason why there are no names
 *
 * Return: the symbols, for free_kernel_symbols(), or NULL.
 */
struct kernel_symbols *read_kernel_symbols(const char *path,
					   enum symbols_result *result);

/**
 * free_kernel_symbols() - free the symbols
 * @symbols: from read_kernel_symbols(), or NULL
 */
void free_kernel_symbols(struct kernel_symbols *symbols);

/**
 * find_kernel_symbol() - find the function of an address
 * @symbols: from read_kernel_symbols()
 * @address: the address
 * @place: empty; receives the function
 */
void find_kernel_symbol(struct kernel_symbols *symbols, uint64_t address,
			struct symbols_place *place);

#endif /* PERFEX_SYMBOLS_KERNEL_H */
