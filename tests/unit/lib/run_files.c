// SPDX-License-Identifier: GPL-2.0-only
#include "run_files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fake_system.h"
#include "run_perfex.h"
#include "unit.h"

char directory[24];
char path[128], other[128];

int directory_setup(void **state)
{
	snprintf(directory, sizeof(directory), "/tmp/perfex-test-XXXXXX");
	if (!mkdtemp(directory))
		return -1;
	snprintf(path, sizeof(path), "%s/file", directory);
	snprintf(other, sizeof(other), "%s/other", directory);
	return fake_system_setup(state);
}

int directory_teardown(void **state)
{
	unlink(path);
	unlink(other);
	return rmdir(directory);
}

int file_setup(void **state)
{
	if (directory_setup(state))
		return -1;
	fill(path, "");
	return 0;
}

int file_teardown(void **state)
{
	const int is_gone = access(path, F_OK);

	return directory_teardown(state) || is_gone ? -1 : 0;
}

void fill(const char *file, const char *text)
{
	fill_bytes(file, text, strlen(text));
}

void fill_bytes(const char *file, const void *from, size_t size)
{
	FILE *stream = fopen(file, "w");

	assert_non_null(stream);
	assert_int_equal(fwrite(from, 1, size, stream), size);
	assert_int_equal(fclose(stream), 0);
}

void fill_program(const char *file, const char *text)
{
	fill(file, text);
	assert_int_equal(chmod(file, 0755), 0);
}

const char *content(const char *file)
{
	static char text[16384];
	FILE *stream = fopen(file, "r");

	assert_non_null(stream);
	read_back(stream, text, sizeof(text));
	return text;
}

void check_file(const char *file, const char *expected)
{
	assert_string_equal(content(file), expected);
}
