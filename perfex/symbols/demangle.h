/* SPDX-License-Identifier: GPL-2.0-only */
/* This header declares the conversion of symbols to the names in C++ and Rust sources. */
#ifndef PERFEX_SYMBOLS_DEMANGLE_H
#define PERFEX_SYMBOLS_DEMANGLE_H

/**
 * demangle() - convert a symbol to its name in the source
 * @symbol: name of the symbol
 *
 * The C++ library converts the symbol. It is loaded for the first symbol that needs it. A
 * statically linked perfex cannot load it.
 *
 * Return: the name, which the caller frees, or NULL if the symbol is the name in the source.
 */
char *demangle(const char *symbol);

#endif /* PERFEX_SYMBOLS_DEMANGLE_H */
