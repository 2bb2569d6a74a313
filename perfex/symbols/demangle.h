/* SPDX-License-Identifier: GPL-2.0-only */
/* This header declares the names of C++ and Rust as their sources have them. */
#ifndef PERFEX_SYMBOLS_DEMANGLE_H
#define PERFEX_SYMBOLS_DEMANGLE_H

/**
 * demangle() - make the name of the source of a symbol
 * @symbol: name of the symbol
 *
 * The library of C++ does it. It is loaded at the first symbol that needs it; a perfex that is
 * linked statically cannot load it.
 *
 * Return: the name, which the caller frees, or NULL if the symbol has no other name.
 */
char *demangle(const char *symbol);

#endif /* PERFEX_SYMBOLS_DEMANGLE_H */
