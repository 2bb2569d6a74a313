/* SPDX-License-Identifier: GPL-2.0-only */
/* This header declares reports as JSON (RFC 8259), for programs. */
#ifndef PERFEX_JSON_H
#define PERFEX_JSON_H

#include "report/report.h"

/* is_json_special() - tell whether a byte needs a preceding backslash in a string */
static inline bool is_json_special(char c)
{
	return c == '"' || c == '\\';
}

/* print_json_string() - print a text without control characters, in quotes */
void print_json_string(FILE *out, const char *text);

/* print_json() - print a report as one object on one line; folds the records */
void print_json(FILE *out, const struct report *report);

#endif /* PERFEX_JSON_H */
