/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The commands of --compare on the command line, and commands as a text.
 */
#ifndef PERFEX_COMMAND_LINE_H
#define PERFEX_COMMAND_LINE_H

#include "cli/options.h"

/* The longest text of a command. */
#define WORDS_MAX 240

/**
 * separate_commands() - find the commands of --compare
 * @options: the command line. Its commands are filled in; the words that separate them
 *	become NULL.
 *
 * Return: 0, or an enum perfex_status after a complaint.
 */
int separate_commands(struct options *options);

/**
 * join_words() - a command as it could be typed
 * @text: receives its words, quoted if need be, without control characters. If it is
 *	too long, only the beginning, and three dots.
 * @size: of @text, up to WORDS_MAX
 * @words: ends with NULL
 */
void join_words(char *text, size_t size, char **words);

#endif /* PERFEX_COMMAND_LINE_H */
