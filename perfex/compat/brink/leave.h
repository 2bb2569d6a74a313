/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This header declares how brink and brinkMod end after an error. Both programs read and check
 * all of their input before they write a file, so a function that reads a file may end the
 * program.
 */
#ifndef BRINK_LEAVE_H
#define BRINK_LEAVE_H

#include <stddef.h>

#include "util/status.h"

/* Each program defines its name, which begins its error messages. */
extern const char program_name[];

/**
 * struct place - the position of an element in a file
 * @file: name of the file
 * @line: line, from 1
 * @column: column in bytes, from 1
 */
struct place {
	const char *file;
	unsigned long line;
	unsigned long column;
};

/**
 * leave() - print an error on standard error output, and exit
 * @status: an enum perfex_status
 * @format: the error, as for printf(3). Control characters are escaped, because names of files
 *	may contain them.
 */
_Noreturn __attribute__((format(printf, 2, 3))) void
leave(int status, const char *format, ...);

/* leave_at() - leave(PERFEX_INPUT) with an error that begins with file, line and column */
_Noreturn __attribute__((format(printf, 2, 3))) void
leave_at(const struct place *place, const char *format, ...);

/* allocate() - allocate zeroed memory for @nr objects of @size bytes, or exit */
void *allocate(size_t nr, size_t size);

/* grow() - reallocate @memory for @nr objects of @size bytes, or exit */
void *grow(void *memory, size_t nr, size_t size);

/* copy_text() - allocate a copy of @text, or exit */
char *copy_text(const char *text);

#endif /* BRINK_LEAVE_H */
