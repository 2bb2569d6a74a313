/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This header declares the redirection of standard output and standard error to a file
 * while perfex draws on the terminal.
 */
#ifndef PERFEX_TTY_REDIRECT_H
#define PERFEX_TTY_REDIRECT_H

/* Standard input, output and error. */
#define NR_STANDARD 3

/**
 * struct aside - what was put aside
 * @saved: descriptors of the terminal, in place of which others stand; -1 for those
 *	that are something else
 * @file: what was written meanwhile, or -1
 */
struct aside {
	int saved[NR_STANDARD];
	int file;
};

/**
 * put_aside() - redirect standard output and standard error to a file, and standard
 *	input from /dev/null, where they are the terminal
 * @aside: receives what they were
 *
 * Whoever inherits them, as the command, has the others. The file has no name, in the
 * directory that TMPDIR names.
 *
 * Return: 0, or an enum perfex_status after a complaint.
 */
int put_aside(struct aside *aside);

/* bring_back() - undo it, and write what the file has to the terminal; once */
void bring_back(struct aside *aside);

#endif /* PERFEX_TTY_REDIRECT_H */
