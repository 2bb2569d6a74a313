// SPDX-License-Identifier: GPL-2.0-only
/* Replace macros in the values of a parameter file. */
#include "macro.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "run_p5mon.h"

/* Return the length of the macro's name at the beginning of @text, or 0 if there is none. */
static size_t macro_length(const char *text)
{
	size_t length = 0;

	if (*text != '$')
		return 0;
	while (isalnum((unsigned char)text[1 + length]) ||
	       text[1 + length] == '_')
		length++;
	return text[1 + length] == '$' ? length : 0;
}

/* Find the value of a macro. If the command line has several values, use the last one. */
static const char *find_macro(const struct setting *macros, const char *name)
{
	const char *value = NULL;

	for (; macros; macros = macros->next) {
		if (!strcmp(macros->name, name))
			value = macros->value;
	}
	return value ? value : getenv(name);
}

void put_value(FILE *out, const char *value)
{
	for (; *value; value++) {
		if (strchr("\\#$", *value))
			putc('\\', out);
		putc(*value == '\n' ? ' ' : *value, out);
	}
}

static int put_macro(FILE *out, const char *text, size_t length,
		     const struct setting *macros, const char *place)
{
	char *name = strndup(text, length);
	const char *value;
	int status = 0;

	if (!name)
		return complain_memory();
	value = find_macro(macros, name);
	if (value) {
		put_value(out, value);
	} else {
		complain("%s: the macro $%s$ has no value: give -D%s=VALUE, set"
			 " the environment variable, or write \\$ for a $",
			 place, name, name);
		status = PERFEX_INPUT;
	}
	free(name);
	return status;
}

static int put_line(FILE *out, const char *text, const struct setting *macros,
		    const char *place)
{
	size_t length;
	int status = 0;

	for (; !status && *text && *text != '#'; text++) {
		length = macro_length(text);
		if (length) {
			status =
				put_macro(out, text + 1, length, macros, place);
			text += length + 1;
			continue;
		}
		putc(*text, out);
		if (*text == '\\' && text[1])
			putc(*++text, out);
	}
	return status;
}

int expand_macros(const char *text, const struct setting *macros,
		  char **expanded, const char *place)
{
	size_t size;
	FILE *out;
	int status;

	*expanded = NULL;
	out = open_memstream(expanded, &size);
	if (!out)
		return complain_memory();
	status = put_line(out, text, macros, place);
	if (fclose(out) && !status)
		status = complain_memory();
	if (status) {
		free(*expanded);
		*expanded = NULL;
	}
	return status;
}
