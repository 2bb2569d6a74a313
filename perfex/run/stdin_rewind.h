/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This header declares standard input that each of several runs reads from the same
 * position.
 */
#ifndef PERFEX_STDIN_REWIND_H
#define PERFEX_STDIN_REWIND_H

#include <stdbool.h>
#include <sys/types.h>

/**
 * struct input - where standard input was
 * @is_file: it is a file with a place
 * @offset: the place
 */
struct input {
	bool is_file;
	off_t offset;
};

/**
 * find_input() - find out whether several runs can read standard input alike
 * @input: receives where it is
 *
 * They can if it is a regular file, a terminal, /dev/null or closed.
 *
 * Return: 0, or an enum perfex_status after a complaint.
 */
int find_input(struct input *input);

/**
 * rewind_input() - go back to where standard input was
 * @input: from find_input(), or zeroed
 *
 * Return: 0, or an enum perfex_status after a complaint.
 */
int rewind_input(const struct input *input);

#endif /* PERFEX_STDIN_REWIND_H */
