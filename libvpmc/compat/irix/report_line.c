// SPDX-License-Identifier: LGPL-2.1-or-later
/* Print the parts that the lines of a report and of its statistics share. */
#include "libperfex_report.h"

double perfexint_value(const struct perfexint_counts *counts, unsigned int i)
{
	return counts->is_signed ? (double)(int64_t)counts->count[i]
				 : (double)counts->count[i];
}

void perfexint_print_name(FILE *out, const char *name)
{
	int width = fprintf(out, "%s", name);

	while (width++ < PERFEXINT_NAME_WIDTH)
		putc('.', out);
}

void perfexint_print_line(FILE *out)
{
	int width;

	for (width = 0; width < PERFEXINT_LINE_WIDTH; width++)
		putc('=', out);
	putc('\n', out);
}
