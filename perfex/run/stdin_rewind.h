/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This header declares functions that let each of several runs read standard input from the same
 * position.
 */
#ifndef PERFEX_STDIN_REWIND_H
#define PERFEX_STDIN_REWIND_H

#include <stdbool.h>
#include <sys/types.h>

/**
 * struct input - the initial position in standard input
 * @is_file: true if it is a file with a position
 * @offset: the position
 */
struct input {
	bool is_file;
	off_t offset;
};

/**
 * find_input() - check that several runs can read the same standard input
 * @input: receives the position
 *
 * This is possible for a regular file, a terminal, /dev/null or a closed descriptor.
 *
 * Return: 0, or an enum perfex_status after a complaint.
 */
int find_input(struct input *input);

/**
 * rewind_input() - go back to the initial position
 * @input: from find_input(), or zeroed
 *
 * Return: 0, or an enum perfex_status after a complaint.
 */
int rewind_input(const struct input *input);

#endif /* PERFEX_STDIN_REWIND_H */
