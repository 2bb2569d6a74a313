/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This header declares how the command to count is divided into words.
 *
 * A command of words, quotes and redirections is executed directly, so that only the program is
 * counted. Any other command needs a shell, which is counted with the command.
 */
#ifndef P5MON_WORDS_H
#define P5MON_WORDS_H

#include <stdbool.h>
#include <stddef.h>

/**
 * struct redirection - a redirection of a descriptor
 * @fd: the descriptor
 * @path: path of a file to open, or NULL
 * @flags: for open(2)
 * @from: the descriptor to copy if @path is NULL
 */
struct redirection {
	int fd;
	char *path;
	int flags;
	int from;
};

/**
 * struct words - a command
 * @argv: its words, ended by NULL
 * @nr: number of words
 * @redirection: its redirections, in the order of the command
 * @nr_redirections: number of redirections
 * @by_shell: true if /bin/sh executes the command
 */
struct words {
	char **argv;
	size_t nr;
	struct redirection *redirection;
	size_t nr_redirections;
	bool by_shell;
};

/**
 * split_command() - divide a command into words
 * @words: receives the words, for free_words(), even after a failure
 * @command: the command in the form for a shell
 *
 * Return: 0, or PERFEX_SYSTEM after a complaint.
 */
int split_command(struct words *words, const char *command);

/* free_words() - free the memory of split_command() */
void free_words(struct words *words);

#endif /* P5MON_WORDS_H */
