// SPDX-License-Identifier: GPL-2.0-only
/* Write files of many lines with few instructions. */
#include "util/line_writer.h"

#include <errno.h>
#include <unistd.h>

/* A processor without 64-bit registers divides numbers below this limit with one instruction. */
#define PART	    1000000000U
#define PART_DIGITS 9

/* A time has this many digits after the decimal point. */
#define PLACES_UNIT 1000U
#define PLACES	    3

static const char pairs[] = "0001020304050607080910111213141516171819"
			    "2021222324252627282930313233343536373839"
			    "4041424344454647484950515253545556575859"
			    "6061626364656667686970717273747576777879"
			    "8081828384858687888990919293949596979899";

/* Write a number with exactly @digits digits. The caller knows that they suffice. */
static char *put_digits(char *at, uint32_t number, unsigned int digits)
{
	char *const end = at + digits;

	for (; digits >= 2; digits -= 2) {
		memcpy(at + digits - 2, &pairs[(size_t)(number % 100) * 2], 2);
		number /= 100;
	}
	if (digits)
		*at = (char)('0' + number);
	return end;
}

/* Return the number of digits of a number below PART. */
static unsigned int count_digits(uint32_t number)
{
	static const uint32_t powers[] = { 10,	     100,	1000,
					   10000,    100000,	1000000,
					   10000000, 100000000, PART };
	unsigned int digits = 1;

	while (number >= powers[digits - 1])
		digits++;
	return digits;
}

static char *put_part(char *at, uint32_t number)
{
	return put_digits(at, number, count_digits(number));
}

char *put_number(char *at, uint64_t number)
{
	uint64_t high;

	if (number < PART)
		return put_part(at, (uint32_t)number);
	high = number / PART;
	if (high < PART) {
		at = put_part(at, (uint32_t)high);
	} else {
		at = put_part(at, (uint32_t)(high / PART));
		at = put_digits(at, (uint32_t)(high % PART), PART_DIGITS);
	}
	return put_digits(at, (uint32_t)number - (uint32_t)high * PART,
			  PART_DIGITS);
}

char *put_time(char *at, uint64_t ns)
{
	uint64_t high;
	uint32_t low;

	if (ns < PART) {
		low = (uint32_t)ns;
		at = put_number(at, low / PLACES_UNIT);
	} else {
		high = ns / PART;
		low = (uint32_t)ns - (uint32_t)high * PART;
		at = put_digits(put_number(at, high), low / PLACES_UNIT,
				PART_DIGITS - PLACES);
	}
	*at = '.';
	return put_digits(at + 1, low % PLACES_UNIT, PLACES);
}

void flush_lines(struct lines *lines)
{
	const char *at = lines->text;
	ssize_t written;

	while (lines->used && !lines->error) {
		written = write(lines->fd, at, lines->used);
		if (written > 0) {
			at += written;
			lines->used -= (size_t)written;
		} else if (written == 0 || errno != EINTR) {
			lines->error = written ? errno : EIO;
		}
	}
	lines->used = 0;
	errno = lines->error;
}

char *reserve_line(struct lines *lines, size_t size)
{
	if (size > LINES_ROOM)
		return NULL;
	if (size > LINES_ROOM - lines->used)
		flush_lines(lines);
	return lines->text + lines->used;
}

void add_text(struct lines *lines, const char *text)
{
	const size_t size = strlen(text);
	char *at = reserve_line(lines, size);

	if (!at)
		return;
	put_bytes(at, text, size);
	lines->used += size;
}
