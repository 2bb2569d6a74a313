// SPDX-License-Identifier: GPL-2.0-only
/* See report.h. */
#include "report.h"

#include "csv.h"
#include "json.h"
#include "text.h"

void print_report(FILE *out, enum format format, bool is_begun,
		  struct report *report)
{
	switch (format) {
	case FORMAT_TEXT:
		print_text(out, report);
		break;
	case FORMAT_CSV:
		print_csv(out, is_begun, report);
		break;
	case FORMAT_JSON:
		print_json(out, report);
		break;
	}
}
