/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This header declares a program with labelled instructions, for tests of the names of code. It
 * is compiled in its own directory, which becomes the working directory.
 */
#ifndef TESTS_UNIT_LABELLED_H
#define TESTS_UNIT_LABELLED_H

#include <stddef.h>
#include <stdint.h>

/**
 * make_program() - compile "program" and read its labels
 *
 * Return: 0, or -1 if there can be no directory.
 */
int make_program(void);

/* remove_program() - remove the directory */
void remove_program(void);

/* program_directory() - name the directory */
const char *program_directory(void);

/* run_shell() - run a command of the shell, which must succeed */
__attribute__((format(printf, 1, 2))) void run_shell(const char *format, ...);

/* read_labels() - read the labels of a file instead of the labels of "program" */
void read_labels(const char *file);

/* offset_of() - find the offset of a label in the file; the label must exist */
uint64_t offset_of(const char *label);

/* nr_labels() - count the labels */
size_t nr_labels(void);

/* nth_offset() - find the offset of label number @n */
uint64_t nth_offset(size_t index);

#endif /* TESTS_UNIT_LABELLED_H */
