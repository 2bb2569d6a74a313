/* SPDX-License-Identifier: GPL-2.0-only */
/* This header declares commands as text. */
#ifndef PERFEX_COMMAND_LINE_H
#define PERFEX_COMMAND_LINE_H

#include <stddef.h>

/* The text of a command has at most this many bytes. */
#define WORDS_MAX 240

/**
 * join_words() - compose a command as it could be typed
 * @text: receives the words, quoted if need be, without control characters. If the text is too
 *	long, the result is its beginning and three dots.
 * @size: size of @text, up to WORDS_MAX
 * @words: the words, ended by NULL
 */
void join_words(char *text, size_t size, char **words);

#endif /* PERFEX_COMMAND_LINE_H */
