/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This header declares the redirection of standard output and standard error to a file
 * while perfex draws on the terminal.
 */
#ifndef PERFEX_TTY_REDIRECT_H
#define PERFEX_TTY_REDIRECT_H

/* There are three standard descriptors: input, output and error. */
#define NR_STANDARD 3

/**
 * struct aside - the redirected descriptors
 * @saved: copies of the redirected descriptors of the terminal; -1 for a descriptor that is not
 *	redirected
 * @file: the file that receives the output, or -1
 */
struct aside {
	int saved[NR_STANDARD];
	int file;
};

/**
 * put_aside() - redirect the standard descriptors that are the terminal: output and error to a
 * file, and input from /dev/null
 * @aside: receives the redirected descriptors
 *
 * Processes that perfex creates later, such as the command, inherit the redirected descriptors.
 * The file has no name, and is in the directory that TMPDIR names.
 *
 * Return: 0, or an enum perfex_status after a complaint.
 */
int put_aside(struct aside *aside);

/*
 * bring_back() - undo the redirection, and write the file's content to the terminal. A second
 * call has no effect.
 */
void bring_back(struct aside *aside);

#endif /* PERFEX_TTY_REDIRECT_H */
