/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This header declares how perfex prints texts that come from programs and files. Such a text may
 * have any bytes. It must not control the terminal or make a report invalid UTF-8.
 */
#ifndef PERFEX_ESCAPED_H
#define PERFEX_ESCAPED_H

#include <stdio.h>

/**
 * print_escaped() - print a text from outside as vpmc_escape() changes it
 * @out: where to print
 * @text: a text of any length
 * @print: prints the escaped text, in the form of a report
 *
 * If there is no memory, the function prints "?".
 */
void print_escaped(FILE *out, const char *text,
		   void (*print)(FILE *out, const char *text));

/* print_plain() - print a text as it is, for print_escaped() */
void print_plain(FILE *out, const char *text);

#endif /* PERFEX_ESCAPED_H */
