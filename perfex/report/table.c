// SPDX-License-Identifier: GPL-2.0-only
/* Print the tables of processes and threads. */
#include "report/table.h"

#include <inttypes.h>

#include "stats/event_value.h"

static void print_head(FILE *out, const char *columns,
		       const struct events *events)
{
	char name[EVENT_NAME_MAX];
	size_t i;

	fputs(columns, out);
	for (i = 0; i < events->nr; i++) {
		event_name(events, i, name);
		fprintf(out, "  %*s", COUNT_WIDTH, name);
	}
	fputs("  command\n", out);
}

/* Print a command name on one line. It may contain any bytes. */
static void print_command(FILE *out, const char *command)
{
	for (; *command; command++)
		fputc((unsigned char)*command < ' ' || *command == 0x7f
			      ? '?'
			      : *command,
		      out);
	fputc('\n', out);
}

static void print_cell(FILE *out, const struct figure *figure)
{
	if (figure->missing)
		fprintf(out, "  %*s", COUNT_WIDTH, NO_COUNT);
	else if (figure->share < WHOLE)
		fprintf(out, "  %*" PRIu64 "*", COUNT_WIDTH - 1, figure->count);
	else
		fprintf(out, "  %*" PRIu64, COUNT_WIDTH, figure->count);
}

static void print_row(FILE *out, const struct events *events,
		      const struct record *record)
{
	struct figure figure;
	size_t i;

	for (i = 0; i < events->nr; i++) {
		figure = figure_of_record(events, record, i);
		print_cell(out, &figure);
	}
	fputs("  ", out);
	print_command(out, record->command);
}

static void print_threads(FILE *out, const struct events *events,
			  const struct records *records)
{
	size_t i;

	print_head(out, "# thread       pid      tid", events);
	for (i = 0; i < records->nr; i++) {
		const struct record *record = record_at(records, i);

		fprintf(out, "thread     %7d  %7d", record->pid, record->tid);
		print_row(out, events, record);
	}
}

static void print_processes(FILE *out, const struct events *events,
			    const struct records *records)
{
	size_t i;

	print_head(out, "# process      pid", events);
	for (i = 0; i < records->nr; i++) {
		const struct record *record = record_at(records, i);

		fprintf(out, "process    %7d", record->pid);
		print_row(out, events, record);
	}
}

void print_tables(FILE *out, const struct report *report)
{
	if (report->threads)
		print_threads(out, report->events, report->records);
	fold_records(report->records);
	print_processes(out, report->events, report->records);
	if (report->events->shared)
		fputs("# counts with * are projected: events share counters\n",
		      out);
}
