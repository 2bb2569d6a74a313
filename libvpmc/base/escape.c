// SPDX-License-Identifier: LGPL-2.1-or-later
/* Escape text that comes from outside, so that it can be printed on a terminal. */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/internal.h"

/* One byte becomes at most \xNN. */
#define ESCAPED_BYTE 4

/*
 * Returns the number of bytes of the UTF-8 character that begins with @first, or 0 if
 * @first cannot begin a character.
 */
static size_t length_of(unsigned char first)
{
	if (first < 0x80)
		return 1;
	if (first < 0xc2 || first > 0xf4)
		return 0;
	return first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
}

/*
 * Return whether bytes have the form of a character but are not a character. The form may be longer
 * than necessary, or the code may be too large, a surrogate or a noncharacter, which XML refuses.
 */
static bool is_none(const unsigned char *bytes)
{
	return (bytes[0] == 0xe0 && bytes[1] < 0xa0) ||
	       (bytes[0] == 0xed && bytes[1] >= 0xa0) ||
	       (bytes[0] == 0xf0 && bytes[1] < 0x90) ||
	       (bytes[0] == 0xf4 && bytes[1] >= 0x90) ||
	       (bytes[0] == 0xef && bytes[1] == 0xbf && bytes[2] >= 0xbe);
}

/* Returns the number of bytes of the printable character at @text, or 0 if there is none. */
static size_t printable(const char *text)
{
	const unsigned char *bytes = (const unsigned char *)text;
	const size_t length = length_of(bytes[0]);
	size_t i;

	if (bytes[0] < ' ' || bytes[0] == 0x7f)
		return 0;
	for (i = 1; i < length; i++) {
		if ((bytes[i] & 0xc0) != 0x80)
			return 0;
	}
	/* These are the control characters of ISO 8859. */
	if (bytes[0] == 0xc2 && bytes[1] < 0xa0)
		return 0;
	return is_none(bytes) ? 0 : length;
}

size_t vpmc_escape(const char *text, char *escaped, size_t size)
{
	size_t used = 0;

	while (*text) {
		const size_t length = printable(text);

		if (used + (length ? length : ESCAPED_BYTE) >= size)
			break;
		if (length)
			memcpy(escaped + used, text, length);
		else
			snprintf(escaped + used, ESCAPED_BYTE + 1, "\\x%02x",
				 (unsigned char)*text);
		used += length ? length : ESCAPED_BYTE;
		text += length ? length : 1;
	}
	escaped[used] = '\0';
	return used;
}
