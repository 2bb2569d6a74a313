// SPDX-License-Identifier: GPL-2.0-only
/* Read JSON value by value. */
#include "saved/json_reader.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/stream.h"

/* No text that perfex reads has more levels of nesting. */
#define DEPTH_MAX 32

#define NOT_JSON "is not valid JSON"
#define CUT_OFF	 "is cut off"

static void fail(struct json_text *text)
{
	if (!text->why)
		text->why = *text->at ? NOT_JSON : CUT_OFF;
}

static void skip_blanks(struct json_text *text)
{
	text->at += strspn(text->at, " \t\r\n");
}

/* Skip a character if it is the next one. Returns whether it was. */
static bool take(struct json_text *text, char c)
{
	skip_blanks(text);
	if (text->why || *text->at != c)
		return false;
	text->at++;
	return true;
}

bool json_open(struct json_text *text, char bracket)
{
	if (take(text, bracket))
		return true;
	fail(text);
	return false;
}

bool json_next(struct json_text *text, unsigned int *nr, char bracket)
{
	if (take(text, bracket))
		return false;
	if ((*nr)++ && !take(text, ','))
		fail(text);
	return !text->why;
}

/* Return the value of the four hexadecimal digits after \u, or -1. */
static int hexadecimal(const char *digits)
{
	char copy[5] = "";

	strncat(copy, digits, 4);
	if (strspn(copy, "0123456789abcdefABCDEF") != 4)
		return -1;
	return (int)strtol(copy, NULL, 16);
}

static void put_utf8(FILE *out, uint32_t c)
{
	if (c < 0x80) {
		fputc((int)c, out);
		return;
	}
	if (c < 0x800) {
		fputc((int)(0xc0 | c >> 6), out);
	} else {
		if (c < 0x10000) {
			fputc((int)(0xe0 | c >> 12), out);
		} else {
			fputc((int)(0xf0 | c >> 18), out);
			fputc((int)(0x80 | (c >> 12 & 0x3f)), out);
		}
		fputc((int)(0x80 | (c >> 6 & 0x3f)), out);
	}
	fputc((int)(0x80 | (c & 0x3f)), out);
}

/* Read a character that is written as \uXXXX, or as a pair of such escapes. */
static void read_unicode(struct json_text *text, FILE *out)
{
	int first = hexadecimal(text->at), second = -1;

	if (first >= 0xd800 && first < 0xdc00 &&
	    !strncmp(text->at + 4, "\\u", 2))
		second = hexadecimal(text->at + 6);
	if (second >= 0xdc00 && second < 0xe000) {
		put_utf8(out, 0x10000 + (((uint32_t)first - 0xd800) << 10) +
				      (uint32_t)second - 0xdc00);
		text->at += 10;
	} else if (first > 0 && (first < 0xd800 || first >= 0xe000)) {
		put_utf8(out, (uint32_t)first);
		text->at += 4;
	} else {
		fail(text);
	}
}

static void read_escape(struct json_text *text, FILE *out)
{
	static const char letters[] = "\"\\/bfnrt";
	static const char meanings[] = "\"\\/\b\f\n\r\t";
	const char letter = *text->at;
	const char *found = letter ? strchr(letters, letter) : NULL;

	if (found) {
		fputc(meanings[found - letters], out);
		text->at++;
	} else if (letter == 'u') {
		text->at++;
		read_unicode(text, out);
	} else {
		fail(text);
	}
}

static void read_characters(struct json_text *text, FILE *out)
{
	while (!text->why && *text->at != '"') {
		if ((unsigned char)*text->at < ' ') {
			fail(text);
		} else if (*text->at == '\\') {
			text->at++;
			read_escape(text, out);
		} else {
			fputc(*text->at++, out);
		}
	}
}

static char *read_string(struct json_text *text)
{
	char *string = NULL;
	size_t size;
	FILE *out = open_memstream(&string, &size);

	text->at++;
	if (out)
		read_characters(text, out);
	if ((!out || !close_stream(out)) && !text->why)
		text->why = "is too much for the memory";
	if (!text->why) {
		text->at++;
		return string;
	}
	free(string);
	return NULL;
}

static char *copy(struct json_text *text, size_t length)
{
	char *string = strndup(text->at, length);

	text->at += length;
	if (!string)
		text->why = "is too much for the memory";
	return string;
}

static char *read_number(struct json_text *text)
{
	const size_t length = strspn(text->at, "0123456789.eE+-");
	char *end;

	strtod(text->at, &end);
	if (end == text->at + length && length &&
	    strchr("-0123456789", *text->at))
		return copy(text, length);
	fail(text);
	return NULL;
}

char *json_scalar(struct json_text *text)
{
	skip_blanks(text);
	if (text->why)
		return NULL;
	if (*text->at == '"')
		return read_string(text);
	if (!strncmp(text->at, "null", 4)) {
		text->at += 4;
		return copy(text, 0);
	}
	if (!strncmp(text->at, "true", 4))
		return copy(text, 4);
	if (!strncmp(text->at, "false", 5))
		return copy(text, 5);
	return read_number(text);
}

char *json_name(struct json_text *text)
{
	char *name;

	skip_blanks(text);
	if (*text->at != '"')
		fail(text);
	name = json_scalar(text);
	if (!take(text, ':'))
		fail(text);
	if (text->why) {
		free(name);
		return NULL;
	}
	return name;
}

/**
 * struct level - an object or an array that is being skipped
 * @bracket: character that ends it
 * @nr: number of members or elements so far
 */
struct level {
	char bracket;
	unsigned int nr;
};

/* Skip a value, or the beginning of an object or array. Returns the new depth. */
static size_t skip_value(struct json_text *text, struct level *levels,
			 size_t depth)
{
	char bracket = '\0';

	if (take(text, '['))
		bracket = ']';
	else if (take(text, '{'))
		bracket = '}';
	else
		free(json_scalar(text));
	if (!bracket)
		return depth;
	if (depth == DEPTH_MAX)
		text->why = "is nested too deeply";
	else
		levels[depth++] = (struct level){ .bracket = bracket };
	return depth;
}

/* Skip the ends of objects and arrays up to the next value. Returns the new depth. */
static size_t skip_ends(struct json_text *text, struct level *levels,
			size_t depth)
{
	struct level *level;

	for (; depth; depth--) {
		level = &levels[depth - 1];
		if (json_next(text, &level->nr, level->bracket)) {
			if (level->bracket == '}')
				free(json_name(text));
			break;
		}
		if (text->why)
			break;
	}
	return depth;
}

unsigned int json_skip(struct json_text *text)
{
	struct level levels[DEPTH_MAX] = { { .nr = 0 } };
	size_t depth = 0;

	do {
		depth = skip_value(text, levels, depth);
		depth = skip_ends(text, levels, depth);
	} while (depth && !text->why);
	return levels[0].bracket == ']' ? levels[0].nr : 0;
}

void json_end(struct json_text *text)
{
	skip_blanks(text);
	if (*text->at)
		fail(text);
}
