// SPDX-License-Identifier: GPL-2.0-only
/* Print columns and notes for people. */
#include "util/columns.h"

#include <inttypes.h>

int print_code(FILE *out, uint64_t code)
{
	/* Codes are 0x00 to 0x3b, and 0x100 for clocks. */
	return fprintf(out, "0x%02" PRIx64 "%s", code,
		       code < 0x100 ? "   " : "  ");
}

void print_note(FILE *out, unsigned int nr, const char *one, const char *many,
		const char *rest)
{
	if (nr)
		fprintf(out, "# %u %s %s\n", nr, nr == 1 ? one : many, rest);
}
