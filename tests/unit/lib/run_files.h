/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This file declares the files of a unit test. They are in a directory that exists during the
 * test.
 */
#ifndef TESTS_UNIT_RUN_FILES_H
#define TESTS_UNIT_RUN_FILES_H

#include <stddef.h>

/* These are the directory, and the names of two files in it. A test may replace the names. */
extern char directory[24];
extern char path[128], other[128];

/**
 * directory_setup() - before each test, create an empty directory and call fake_system_setup()
 * @state: passed to fake_system_setup()
 *
 * Return: 0, or -1 if the directory cannot be created.
 */
int directory_setup(void **state);

/**
 * directory_teardown() - remove the directory, and in it the files @path and @other if they
 * exist
 * @state: ignored
 *
 * Return: 0, or -1 if the directory has any other file.
 */
int directory_teardown(void **state);

/* This is an element of the array of UNIT_MAIN(), for a test that has a directory. */
#define DIRECTORY_TEST(f) \
	cmocka_unit_test_setup_teardown(f, directory_setup, directory_teardown)

/* file_setup() - call directory_setup(), and create @path as an empty file */
int file_setup(void **state);

/*
 * file_teardown() - call directory_teardown(), but also return -1 if @path does not exist any
 * more
 */
int file_teardown(void **state);

/* This is an element of the array of UNIT_MAIN(), for a test that has a file. */
#define FILE_TEST(f) \
	cmocka_unit_test_setup_teardown(f, file_setup, file_teardown)

/**
 * fill() - create a file, or replace its contents and keep its mode
 * @file: the file
 * @text: the new contents
 */
void fill(const char *file, const char *text);

/* fill_bytes() - like fill(), with @size bytes at @from */
void fill_bytes(const char *file, const void *from, size_t size);

/* fill_program() - like fill(), and let everybody execute the file */
void fill_program(const char *file, const char *text);

/**
 * content() - get the contents of a file
 * @file: the file
 *
 * Return: up to 16383 bytes of the file, zero-terminated, valid until the next call.
 */
const char *content(const char *file);

/* check_file() - fail the test unless the file has the expected contents */
void check_file(const char *file, const char *expected);

#endif /* TESTS_UNIT_RUN_FILES_H */
