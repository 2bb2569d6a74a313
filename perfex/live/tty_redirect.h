/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This header declares the redirection of standard output and standard error to a file
 * while perfex draws on the terminal.
 */
#ifndef PERFEX_TTY_REDIRECT_H
#define PERFEX_TTY_REDIRECT_H

/* The standard descriptors are input, output and error. */
#define NR_STANDARD 3

/**
 * struct aside - the redirected descriptors
 * @saved: copies of descriptors of the terminal that are redirected; -1 for those that are
 *	not
 * @file: the file that receives the output, or -1
 */
struct aside {
	int saved[NR_STANDARD];
	int file;
};

/**
 * put_aside() - redirect standard output and standard error to a file, and standard
 *	input from /dev/null, where they are the terminal
 * @aside: receives the redirected descriptors
 *
 * Processes that inherit them, such as the command, use the redirected ones. The file has
 * no name, and is in the directory that TMPDIR names.
 *
 * Return: 0, or an enum perfex_status after a complaint.
 */
int put_aside(struct aside *aside);

/* bring_back() - undo the redirection, and write the file's content to the terminal; once */
void bring_back(struct aside *aside);

#endif /* PERFEX_TTY_REDIRECT_H */
