// SPDX-License-Identifier: GPL-2.0-only
/* See report.h. */
#include "report/report.h"

#include "report/csv.h"
#include "report/json.h"
#include "report/openmetrics.h"
#include "report/text.h"

bool is_exposition(enum format format)
{
	return format == FORMAT_OPENMETRICS || format == FORMAT_PROMETHEUS;
}

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
	case FORMAT_OPENMETRICS:
	case FORMAT_PROMETHEUS:
		print_openmetrics(out, format, report);
		break;
	}
}
