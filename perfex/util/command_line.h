/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A command as a text.
 */
#ifndef PERFEX_COMMAND_LINE_H
#define PERFEX_COMMAND_LINE_H

#include <stddef.h>

/* The text of a command has at most so many bytes. */
#define WORDS_MAX 240

/**
 * join_words() - a command as it could be typed
 * @text: receives its words, quoted if need be, without control characters. If it is
 *	too long, only the beginning, and three dots.
 * @size: of @text, up to WORDS_MAX
 * @words: ends with NULL
 */
void join_words(char *text, size_t size, char **words);

#endif /* PERFEX_COMMAND_LINE_H */
