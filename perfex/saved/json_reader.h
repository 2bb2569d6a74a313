/* SPDX-License-Identifier: GPL-2.0-only */
/* This header declares a reader of JSON (RFC 8259) that proceeds value by value. */
#ifndef PERFEX_JSON_READER_H
#define PERFEX_JSON_READER_H

#include <stdbool.h>

/**
 * struct json_text - a text that is being read
 * @at: the rest of the text, which ends with a zero
 * @why: NULL, or the error in the text. After an error nothing is read.
 */
struct json_text {
	const char *at;
	const char *why;
};

/**
 * json_open() - enter an object or an array
 * @text: the text
 * @bracket: '{' or '['
 *
 * Return: true if an object or array begins here; else @text has the error.
 */
bool json_open(struct json_text *text, char bracket);

/**
 * json_next() - go to the next member or element
 * @text: the text, within an object or an array
 * @nr: number of members or elements before, 0 for the first; it is incremented
 * @bracket: '}' or ']', which is skipped after the last member or element
 *
 * Return: true if there is a next member or element.
 */
bool json_next(struct json_text *text, unsigned int *nr, char bracket);

/**
 * json_name() - read the name of a member
 * @text: the text
 *
 * Return: the name, which the caller frees, or NULL.
 */
char *json_name(struct json_text *text);

/**
 * json_scalar() - read a string, a number or a literal
 * @text: the text
 *
 * Return: the string; a number as it is written, so that it keeps all its digits; an empty text
 * for null; NULL if the value is not a scalar. The caller frees the text.
 */
char *json_scalar(struct json_text *text);

/* json_skip() - skip any value; returns the number of elements if it is an array */
unsigned int json_skip(struct json_text *text);

/* json_end() - check that the text ends here */
void json_end(struct json_text *text);

#endif /* PERFEX_JSON_READER_H */
