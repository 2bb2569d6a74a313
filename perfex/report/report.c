// SPDX-License-Identifier: GPL-2.0-only
/* Compose the contents of a report, and print it in the wanted form. */
#include "report/report.h"

#include "report/csv.h"
#include "report/json.h"
#include "report/openmetrics.h"
#include "report/text.h"

/* Make a report that names the process or the command that is counted. */
static struct report report_without_counts(const struct count_spec *spec)
{
	const int id = spec->nr_pids ? spec->pids[0] : 0;

	return (struct report){
		.pid = spec->thread ? 0 : id,
		.tid = spec->thread ? id : 0,
		.program =
			spec->system || spec->cgroup ? NULL : spec->command[0],
	};
}

struct report report_of(const struct count_spec *spec, struct result *result)
{
	struct report report = report_without_counts(spec);

	report.events = result->records.events;
	report.counts = &result->counted.counts;
	report.spread = &result->counted.spread;
	report.records = spec->processes ? &result->records : NULL;
	report.missing = &result->records;
	report.threads = spec->threads;
	report.running = result->running;
	report.parts = &result->parts;
	return report;
}

struct report report_of_lost(const struct count_spec *spec)
{
	struct report report = report_without_counts(spec);

	report.is_lost = true;
	return report;
}

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
