// SPDX-License-Identifier: GPL-2.0-only
/* Print the lists of threads of perfex.irix. */
#include "irix_threads.h"

#include <stdlib.h>

#include "irix_counts.h"
#include "irix_file.h"

/**
 * struct place - the number of a thread
 * @record: index of its record
 * @pid: number of its process
 * @tid: number of the thread in the kernel
 * @number: number of the thread in its process, from 1, in the order of creation
 */
struct place {
	size_t record;
	int pid;
	int tid;
	unsigned int number;
};

/*
 * Compare threads by process, and then by number. The first thread of a process, which has the
 * number of the process, precedes the others.
 */
static int compare_threads(const void *a, const void *b)
{
	const struct place *x = a;
	const struct place *y = b;

	if (x->pid != y->pid)
		return x->pid < y->pid ? -1 : 1;
	if ((x->tid == x->pid) != (y->tid == y->pid))
		return x->tid == x->pid ? -1 : 1;
	return x->tid < y->tid ? -1 : x->tid > y->tid;
}

static int compare_records(const void *a, const void *b)
{
	const struct place *x = a;
	const struct place *y = b;

	return x->record < y->record ? -1 : x->record > y->record;
}

/*
 * Number the threads. Returns an array with an element for each record, in the order of the
 * records, or NULL if there is no memory. The caller frees it.
 */
static struct place *number_threads(const struct records *records)
{
	struct place *place = calloc(records->nr + 1, sizeof(*place));
	const struct record *record;
	size_t i;

	for (i = 0; place && i < records->nr; i++) {
		record = record_at(records, i);
		place[i] = (struct place){ .record = i,
					   .pid = record->pid,
					   .tid = record->tid };
	}
	if (!place)
		return NULL;
	qsort(place, records->nr, sizeof(*place), compare_threads);
	for (i = 0; i < records->nr; i++)
		place[i].number = i && place[i].pid == place[i - 1].pid
					  ? place[i - 1].number + 1
					  : 1;
	qsort(place, records->nr, sizeof(*place), compare_records);
	return place;
}

static int complain_memory(void)
{
	complain("out of memory: count without -mp and -pp");
	return PERFEX_SYSTEM;
}

static void write_thread(FILE *file, const struct irix_output *output,
			 const struct record *record, unsigned int number)
{
	const struct perfexint_counts counts =
		irix_counts_of_record(output->events, record);
	char command[4 * sizeof(record->command) + 1];

	vpmc_escape(record->command, command, sizeof(command));
	fprintf(file, "Process %d, thread %u (%d), %s\n\n", record->pid, number,
		record->tid, command);
	if (record->is_counted)
		irix_write_counts(file, output, &counts);
	else
		fputs("# not counted: it has counted other events by itself,"
		      " or executed a privileged program\n",
		      file);
	putc('\n', file);
}

static int write_thread_file(const struct irix_output *output,
			     const struct record *record, unsigned int number)
{
	char *path;
	FILE *file;
	int status;

	if (!output->options->output) {
		write_thread(output->file, output, record, number);
		return 0;
	}
	if (asprintf(&path, "%s.%d", output->options->output, record->tid) < 0)
		return complain_memory();
	status = irix_open_file(&file, path);
	if (!status) {
		irix_empty_file(file);
		write_thread(file, output, record, number);
		status = irix_close_file(file, path);
	}
	free(path);
	return status;
}

static int write_all(const struct irix_output *output,
		     const struct records *records, const struct place *place)
{
	const unsigned int wanted = output->options->thread;
	int status = 0;
	size_t i;

	for (i = 0; !status && i < records->nr; i++) {
		if (!wanted || place[i].number == wanted)
			status = write_thread_file(
				output, record_at(records, i), place[i].number);
	}
	return status;
}

int irix_write_threads(const struct irix_output *output,
		       const struct records *records)
{
	struct place *place = number_threads(records);
	int status;

	if (!place)
		return complain_memory();
	status = write_all(output, records, place);
	free(place);
	if (records->lost || records->dropped)
		fprintf(output->file, "# %u threads more are not listed\n",
			records->lost + records->dropped);
	return status;
}
