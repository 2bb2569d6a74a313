/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This header declares how the command that is to be counted is divided into words.
 *
 * A command of words, quotes and redirections is executed as it is, so that its counts
 * are the program's alone. All else that shells know takes a shell, which is counted
 * with it.
 */
#ifndef P5MON_WORDS_H
#define P5MON_WORDS_H

#include <stdbool.h>
#include <stddef.h>

/**
 * struct redirection - of a descriptor
 * @fd: the descriptor
 * @path: of a file to open, or NULL
 * @flags: for open(2)
 * @from: the descriptor to copy, if there is no @path
 */
struct redirection {
	int fd;
	char *path;
	int flags;
	int from;
};

/**
 * struct words - a command
 * @argv: its words, ends with NULL
 * @nr: how many
 * @redirection: in the order given
 * @nr_redirections: how many
 * @by_shell: /bin/sh executes it
 */
struct words {
	char **argv;
	size_t nr;
	struct redirection *redirection;
	size_t nr_redirections;
	bool by_shell;
};

/**
 * split_command() - split a command into words
 * @words: receives them, for free_words(), also after a failure
 * @command: as it is given to a shell
 *
 * Return: 0, or PERFEX_SYSTEM after a complaint.
 */
int split_command(struct words *words, const char *command);

/* free_words() - what split_command() has filled in */
void free_words(struct words *words);

#endif /* P5MON_WORDS_H */
