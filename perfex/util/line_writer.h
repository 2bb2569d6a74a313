/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This header declares a writer for files of millions of lines. It executes about a tenth
 * of the instructions that printf(3) would.
 */
#ifndef PERFEX_LINE_WRITER_H
#define PERFEX_LINE_WRITER_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define LINES_ROOM 131072

/* A number and a time have at most this many bytes. */
#define NUMBER_MAX 20
#define TIME_MAX   (NUMBER_MAX + 4)

/**
 * struct lines - a file in progress
 * @fd: descriptor of the file
 * @error: errno of the first failure, 0 if there is none. After a failure nothing is
 *	written.
 * @used: number of bytes in @text
 * @text: text that has not been written yet
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
 * @size: size of the room, LINES_ROOM at most
 *
 * Return: the address to write to, or NULL if @size is larger. The caller adds the number
 * of bytes written to @lines->used.
 */
char *reserve_line(struct lines *lines, size_t size);

/* add_text() - add a text that is shorter than LINES_ROOM */
void add_text(struct lines *lines, const char *text);

/* flush_lines() - write the text that has been added; later calls fail with @error */
void flush_lines(struct lines *lines);

/*
 * put_bytes() - write some bytes. This and the following functions return the address after
 * the written bytes.
 */
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
