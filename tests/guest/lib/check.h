/* SPDX-License-Identifier: GPL-2.0-only */
/* This file prints the result of each check of a test program in a line, "ok" or "FAIL". */
#ifndef CHECK_H
#define CHECK_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

/*
 * Print the return addresses up the stack, except the one in the caller of main(). The host
 * translates them into the source lines from which the function with the check was called. The walk
 * ends at the environment, because all frames are below it and the C library does not use frame
 * pointers.
 */
static inline void check_callers(void)
{
	extern char **environ;
	void **frame = __builtin_frame_address(0), **next = *frame;

	for (; next > frame && next < (void **)environ; next = *next) {
		printf(" [%p]", frame[1]);
		frame = next;
	}
}

/* All source files of a program share this count. */
__attribute__((weak)) unsigned int check_failures;

/*
 * Print the result of a check. The arguments after @ok are the format and its values, which
 * describe the check. Returns @ok.
 */
#define check(ok, ...) check_line(ok, __FILE__, __LINE__, __VA_ARGS__)

__attribute__((format(printf, 4, 5))) static inline bool
check_line(bool ok, const char *file, int line, const char *format, ...)
{
	__builtin_va_list args;

	if (ok) {
		printf("ok ");
	} else {
		check_failures++;
		printf("FAIL %s:%d: ", file, line);
	}
	__builtin_va_start(args, format);
	vprintf(format, args);
	__builtin_va_end(args);
	if (!ok)
		check_callers();
	putchar('\n');
	fflush(stdout);
	return ok;
}

/* Return the exit status, which says whether all checks passed. */
static inline int check_status(void)
{
	return check_failures ? EXIT_FAILURE : EXIT_SUCCESS;
}

#endif /* CHECK_H */
