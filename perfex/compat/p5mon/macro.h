/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This header declares the macros in values of a parameter file. $NAME$ stands for the
 * value that the command line gives NAME, or else for that of the environment variable.
 */
#ifndef P5MON_MACRO_H
#define P5MON_MACRO_H

#include <stdio.h>

#include "parm_file.h"

/**
 * expand_macros() - a line of a parameter file without its macros
 * @text: the line; a $ behind a backslash, or in a comment, begins no macro
 * @macros: those of the command line
 * @expanded: receives the line, for free(); values in it are escaped as a file has them
 * @place: of the line, for a complaint
 *
 * Return: 0, PERFEX_INPUT (no such macro) or PERFEX_SYSTEM after a complaint.
 */
int expand_macros(const char *text, const struct setting *macros,
		  char **expanded, const char *place);

/**
 * put_value() - write a value so that a parameter file has it
 * @out: where to
 * @value: what has a meaning in a file is escaped; a newline becomes a blank
 */
void put_value(FILE *out, const char *value);

#endif /* P5MON_MACRO_H */
