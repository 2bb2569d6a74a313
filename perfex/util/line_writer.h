/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This header declares a writer for files of millions of lines. It takes some hundred
 * instructions for what takes printf(3) some thousand.
 */
#ifndef PERFEX_LINE_WRITER_H
#define PERFEX_LINE_WRITER_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define LINES_ROOM 131072

/* The most bytes of a number, and of a time. */
#define NUMBER_MAX 20
#define TIME_MAX   (NUMBER_MAX + 4)

/**
 * struct lines - a file that is being written
 * @fd: of the file
 * @error: errno of the first failure, 0 without any. Nothing is written after it.
 * @used: bytes of @text
 * @text: what has not been written yet
 */
struct lines {
	int fd;
	int error;
	size_t used;
	char text[LINES_ROOM];
};

/**
 * reserve_line() - make room at the end
 * @lines: the file
 * @size: how much room, LINES_ROOM at most
 *
 * Return: where to write, or NULL if @size is more. The caller adds what it has written
 * to @lines->used.
 */
char *reserve_line(struct lines *lines, size_t size);

/* add_text() - add a text that is shorter than LINES_ROOM */
void add_text(struct lines *lines, const char *text);

/* flush_lines() - write what has been added; errno is @error from then on */
void flush_lines(struct lines *lines);

/* put_bytes() - write some bytes; like those that follow it returns what is behind them */
static inline char *put_bytes(char *at, const char *bytes, size_t size)
{
	memcpy(at, bytes, size);
	return at + size;
}

/* put_number() - write a number */
char *put_number(char *at, uint64_t number);

/* put_time() - write a time in nanoseconds as microseconds with three places */
char *put_time(char *at, uint64_t ns);

#endif /* PERFEX_LINE_WRITER_H */
