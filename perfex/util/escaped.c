// SPDX-License-Identifier: GPL-2.0-only
/* Print texts that come from programs and files. */
#include "util/escaped.h"

#include <stdlib.h>
#include <string.h>

#include <vpmc.h>

void print_escaped(FILE *out, const char *text,
		   void (*print)(FILE *out, const char *text))
{
	/* Each byte becomes at most four. */
	const size_t size = 4 * strlen(text) + 1;
	char *escaped = malloc(size);

	if (escaped)
		vpmc_escape(text, escaped, size);
	print(out, escaped ? escaped : "?");
	free(escaped);
}

void print_plain(FILE *out, const char *text)
{
	fputs(text, out);
}
