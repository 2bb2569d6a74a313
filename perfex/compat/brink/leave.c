// SPDX-License-Identifier: GPL-2.0-only
/* End brink or brinkMod after an error. */
#include "leave.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "vpmc.h"

static _Noreturn void print_and_exit(int status, const char *where,
				     const char *format, va_list args)
{
	char sentence[2000], escaped[4 * sizeof(sentence)];
	int length = snprintf(sentence, sizeof(sentence), "%s", where);

	vsnprintf(sentence + length, sizeof(sentence) - (size_t)length, format,
		  args);
	vpmc_escape(sentence, escaped, sizeof(escaped));
	fprintf(stderr, "%s: %s\n", program_name, escaped);
	exit(status);
}

void leave(int status, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	print_and_exit(status, "", format, args);
	va_end(args);
}

void leave_at(const struct place *place, const char *format, ...)
{
	char where[1000];
	va_list args;

	snprintf(where, sizeof(where), "%.900s:%lu:%lu: ", place->file,
		 place->line, place->column);
	va_start(args, format);
	print_and_exit(PERFEX_INPUT, where, format, args);
	va_end(args);
}

static void *check_memory(void *memory)
{
	if (!memory)
		leave(PERFEX_SYSTEM, "out of memory");
	return memory;
}

void *allocate(size_t nr, size_t size)
{
	return check_memory(calloc(nr, size));
}

void *grow(void *memory, size_t nr, size_t size)
{
	return check_memory(reallocarray(memory, nr, size));
}

char *copy_text(const char *text)
{
	return check_memory(strdup(text));
}
