/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This file declares the files of a unit test, in a directory that exists while the
 * test runs.
 */
#ifndef TESTS_UNIT_RUN_FILES_H
#define TESTS_UNIT_RUN_FILES_H

#include <stddef.h>

/* The directory, and names for two files in it; a test can give these other names. */
extern char directory[24];
extern char path[128], other[128];

/**
 * directory_setup() - an empty directory, and fake_system_setup(), for each test
 * @state: as that takes it
 *
 * Return: 0, or -1 if there is no directory.
 */
int directory_setup(void **state);

/**
 * directory_teardown() - remove the directory, and the files @path and @other if there
 * @state: ignored
 *
 * Return: 0, or -1 if there is a file that no test has made.
 */
int directory_teardown(void **state);

/* A test in a directory, for the array of UNIT_MAIN(). */
#define DIRECTORY_TEST(f) \
	cmocka_unit_test_setup_teardown(f, directory_setup, directory_teardown)

/* file_setup() - directory_setup(), and @path is an empty file */
int file_setup(void **state);

/* file_teardown() - directory_teardown(), and -1 too if @path is not there any more */
int file_teardown(void **state);

/* A test with a file. */
#define FILE_TEST(f) \
	cmocka_unit_test_setup_teardown(f, file_setup, file_teardown)

/**
 * fill() - create a file, or replace its contents and keep its mode
 * @file: the file
 * @text: the new contents
 */
void fill(const char *file, const char *text);

/* fill_bytes() - the same with anything: @size bytes at @from */
void fill_bytes(const char *file, const void *from, size_t size);

/* fill_program() - the same, and everybody may execute the file */
void fill_program(const char *file, const char *text);

/**
 * content() - get the contents of a file
 * @file: the file
 *
 * Return: up to 16383 bytes of it, zero-terminated; until the next call.
 */
const char *content(const char *file);

/* check_file() - fail the test if that is not @expected */
void check_file(const char *file, const char *expected);

#endif /* TESTS_UNIT_RUN_FILES_H */
