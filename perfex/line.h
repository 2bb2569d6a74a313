/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A line that is put together. Files of millions of lines are written with this: printf(3)
 * takes some thousand instructions for what takes some hundred here.
 */
#ifndef PERFEX_LINE_H
#define PERFEX_LINE_H

#include <stddef.h>
#include <stdint.h>

#define LINE_ROOM 16384

/**
 * struct line - a line; without what there was no room for
 * @used: bytes of @text
 * @text: what it has so far, without a zero at its end
 */
struct line {
	size_t used;
	char text[LINE_ROOM];
};

/* add_text() - add a text */
void add_text(struct line *line, const char *text);

/* add_number() - add a number with @digits digits at least */
void add_number(struct line *line, uint64_t number, unsigned int digits);

#endif /* PERFEX_LINE_H */
