/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This header declares the macros in values of a parameter file. $NAME$ stands for the value of
 * NAME from the command line, or else from the environment.
 */
#ifndef P5MON_MACRO_H
#define P5MON_MACRO_H

#include <stdio.h>

#include "parm_file.h"

/**
 * expand_macros() - replace the macros in a line of a parameter file
 * @text: the line; a $ after a backslash, or in a comment, does not begin a macro
 * @macros: macros of the command line
 * @expanded: receives the line, for free(); it has the values in the form of a parameter file
 * @place: position of the line, for a complaint
 *
 * Return: 0, PERFEX_INPUT (no such macro) or PERFEX_SYSTEM after a complaint.
 */
int expand_macros(const char *text, const struct setting *macros,
		  char **expanded, const char *place);

/**
 * put_value() - write a value in the form of a parameter file
 * @out: stream to write to
 * @value: the value; special characters are escaped; a newline becomes a blank
 */
void put_value(FILE *out, const char *value);

#endif /* P5MON_MACRO_H */
