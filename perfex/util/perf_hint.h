/* SPDX-License-Identifier: GPL-2.0-only */
/* This header declares hints for users of perf(1), whose options have other names in perfex. */
#ifndef PERFEX_PERF_HINT_H
#define PERFEX_PERF_HINT_H

#include <stdbool.h>

/**
 * option_hint() - find perfex's equivalent of an option of perf
 * @word: the word that contains the option
 * @letter: the letter of the unknown option, or 0 if it is a long option
 *
 * Return: the text to write instead, or NULL if it is not an option of perf.
 */
const char *option_hint(const char *word, int letter);

/**
 * command_hint() - find the option that the user may have wanted with a word of the command line
 * @command: the word, which perfex took for a command, but no program has this name
 *
 * Return: a sentence for people, or NULL.
 */
const char *command_hint(const char *command);

/**
 * is_subcommand() - tell whether a program has the name of perf's subcommand
 * @command: the program
 */
bool is_subcommand(const char *command);

#endif /* PERFEX_PERF_HINT_H */
