// SPDX-License-Identifier: GPL-2.0-only
/* See line.h. */
#include "line.h"

#include <string.h>

#define DIGITS_MAX 20

/* Processors without 64-bit registers divide numbers below this at once. */
#define PART	    1000000000U
#define PART_DIGITS 9

static void add_bytes(struct line *line, const char *bytes, size_t size)
{
	if (size > sizeof(line->text) - line->used)
		return;
	memcpy(line->text + line->used, bytes, size);
	line->used += size;
}

void add_text(struct line *line, const char *text)
{
	add_bytes(line, text, strlen(text));
}

/* Write digits in front of @end; returns where they begin. */
static char *put_digits(char *end, uint32_t number, unsigned int digits)
{
	char *const least = end - digits;

	while (number || end > least) {
		*--end = (char)('0' + number % 10);
		number /= 10;
	}
	return end;
}

void add_number(struct line *line, uint64_t number, unsigned int digits)
{
	char text[DIGITS_MAX + PART_DIGITS];
	char *const end = text + sizeof(text);
	char *begin = end;

	while (number >= PART) {
		begin = put_digits(begin, (uint32_t)(number % PART),
				   PART_DIGITS);
		number /= PART;
	}
	if (begin > end - digits)
		begin = put_digits(begin, (uint32_t)number,
				   digits - (unsigned int)(end - begin));
	else
		begin = put_digits(begin, (uint32_t)number, 0);
	add_bytes(line, begin, (size_t)(end - begin));
}
