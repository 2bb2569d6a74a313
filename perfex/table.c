// SPDX-License-Identifier: GPL-2.0-only
/*
 * The tables of perfex -m and -mp: what each process and each thread counted.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "records.h"

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

/* A command name may contain any bytes: keep it on one line. */
static void print_command(FILE *out, const char *command)
{
	for (; *command; command++)
		fputc((unsigned char)*command < ' ' || *command == 0x7f
			      ? '?'
			      : *command,
		      out);
	fputc('\n', out);
}

static void print_cell(FILE *out, const struct events *events,
		       const struct vpmc_thread_record *record, size_t i)
{
	const bool projected = events->shared && record->time[i] < record->tsc;

	if (!is_counted(record) || (projected && !record->time[i]))
		fprintf(out, "  %*s", COUNT_WIDTH, NO_COUNT);
	else if (projected)
		fprintf(out, "  %*" PRIu64 "*", COUNT_WIDTH - 1,
			vpmc_project(record->count[i], record->time[i],
				     record->tsc));
	else
		fprintf(out, "  %*" PRIu64, COUNT_WIDTH, record->count[i]);
}

static void print_row(FILE *out, const struct events *events,
		      const struct vpmc_thread_record *record)
{
	size_t i;

	for (i = 0; i < events->nr; i++)
		print_cell(out, events, record, i);
	fputs("  ", out);
	print_command(out, record->command);
}

static void print_threads(FILE *out, const struct events *events,
			  const struct records *records)
{
	size_t i;

	print_head(out, "# thread       pid      tid", events);
	for (i = 0; i < records->nr; i++) {
		const struct vpmc_thread_record *record = &records->record[i];

		fprintf(out, "thread     %7d  %7d", record->pid, record->tid);
		print_row(out, events, record);
	}
}

static int print_processes(FILE *out, const struct events *events,
			   struct records *records)
{
	size_t nr, i;
	struct vpmc_thread_record **processes = fold_records(records, &nr);

	if (!processes)
		return PERFEX_SYSTEM;
	print_head(out, "# process      pid", events);
	for (i = 0; i < nr; i++) {
		fprintf(out, "process    %7d", processes[i]->pid);
		print_row(out, events, processes[i]);
	}
	free(processes);
	return 0;
}

int print_tables(FILE *out, struct records *records,
		 const struct events *events, bool threads,
		 unsigned int running)
{
	int ret;

	if (threads)
		print_threads(out, events, records);
	ret = print_processes(out, events, records);
	if (ret)
		return ret;
	if (events->shared)
		fputs("# counts with * are projected: events share counters\n",
		      out);
	print_note(out, records->lost, "thread is", "threads are",
		   "not listed: the kernel had no room for more records");
	print_note(out, running, "process is", "processes are",
		   "still running: threads that have not ended are not listed");
	return 0;
}
