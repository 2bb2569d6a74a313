// SPDX-License-Identifier: GPL-2.0-only
/*
 * Print the complaints of run_p5mon. It also defines complain(), which shared files of
 * perfex call.
 */
#include <stdarg.h>
#include <stdio.h>

#include "run_p5mon.h"

void complain(const char *format, ...)
{
	char sentence[2000], escaped[4 * sizeof(sentence)];
	va_list args;

	va_start(args, format);
	vsnprintf(sentence, sizeof(sentence), format, args);
	va_end(args);
	vpmc_escape(sentence, escaped, sizeof(escaped));
	fprintf(stderr, PROGRAM ": %s\n", escaped);
}

int complain_memory(void)
{
	complain("out of memory");
	return PERFEX_SYSTEM;
}
