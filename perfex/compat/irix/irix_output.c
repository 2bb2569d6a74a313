// SPDX-License-Identifier: GPL-2.0-only
/* See irix_output.h. */
#include "irix_output.h"

#include <errno.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

#define NO_TURN "its turn never came"

int irix_load_costs(const struct vpmc_pmu *pmu,
		    const struct irix_options *options,
		    struct perfexint_costs *costs)
{
	struct vpmc_error err;

	if (!perfexint_default_costs(pmu, costs, &err) &&
	    (!options->costs ||
	     !perfexint_load_costs(costs, options->costs, &err)))
		return 0;
	complain("%s", err.text);
	return PERFEX_INPUT;
}

static int prepare_times(struct irix_output *output)
{
	int status = irix_load_costs(output->events->pmu, output->options,
				     &output->costs);

	output->times = (struct perfexint_times){
		.costs = &output->costs,
		.mhz = perfexint_mhz(PERFEXINT_CPUINFO),
	};
	if (status || output->times.mhz > 0)
		return status;
	complain("%s does not say how many MHz the processor has: count without"
		 " -y",
		 PERFEXINT_CPUINFO);
	return PERFEX_UNSUPPORTED;
}

/* What the file has stays until it is emptied. */
static int open_file(FILE **file, const char *path)
{
	*file = fopen(path, "ae");
	if (*file)
		return 0;
	complain("cannot open the output %s: %s", path, strerror(errno));
	return PERFEX_OUTPUT;
}

int irix_open_output(struct irix_output *output)
{
	int status = 0;

	output->file = stderr;
	output->samples = 0;
	if (output->options->times)
		status = prepare_times(output);
	if (status || !output->options->output)
		return status;
	return open_file(&output->file, output->options->output);
}

static int close_file(FILE *file, const char *path)
{
	const bool failed = ferror(file);

	if (!(file == stderr ? fflush(file) : fclose(file)) && !failed)
		return 0;
	complain("cannot write to %s: %s", path ? path : "standard error",
		 strerror(errno));
	return PERFEX_OUTPUT;
}

/* What is no file, as a pipe, cannot be emptied. */
static void empty_file(FILE *file)
{
	if (ftruncate(fileno(file), 0))
		clearerr(file);
}

void irix_empty_output(struct irix_output *output)
{
	if (output->file != stderr)
		empty_file(output->file);
}

int irix_close_output(struct irix_output *output)
{
	return close_file(output->file, output->options->output);
}

/* The count of an event that shared its counter is projected. */
static void set_count(struct perfexint_counts *counts, unsigned int i,
		      uint64_t count, uint64_t time, uint64_t tsc)
{
	counts->count[i] = time == tsc ? count : vpmc_project(count, time, tsc);
	if (!counts->unknown[i] && !time && tsc)
		counts->unknown[i] = NO_TURN;
}

static struct perfexint_counts begin_counts(const struct events *events)
{
	struct perfexint_counts counts = { .pmu = events->pmu,
					   .nr = (unsigned int)events->nr };
	unsigned int i;

	for (i = 0; i < counts.nr; i++) {
		counts.sel[i] = events->sel[i];
		counts.unknown[i] = events->never[i];
	}
	return counts;
}

static struct perfexint_counts counts_of(const struct events *events,
					 const struct vpmc_counts *from)
{
	struct perfexint_counts counts = begin_counts(events);
	unsigned int i;

	for (i = 0; i < counts.nr; i++) {
		if (events->shared)
			set_count(&counts, i, from->count[i], from->time[i],
				  from->tsc);
		else
			counts.count[i] = from->count[i];
	}
	return counts;
}

static struct perfexint_counts counts_of_record(const struct events *events,
						const struct record *record)
{
	struct perfexint_counts counts = begin_counts(events);
	const uint64_t *time = record->value + events->nr;
	unsigned int i;

	for (i = 0; i < counts.nr; i++) {
		if (events->shared)
			set_count(&counts, i, record->value[i], time[i],
				  time[events->nr]);
		else
			counts.count[i] = record->value[i];
	}
	return counts;
}

static void write_counts(FILE *file, const struct irix_output *output,
			 const struct perfexint_counts *counts)
{
	if (output->options->times)
		perfexint_print_times(file, counts, &output->times);
	else
		perfexint_print_counts(file, counts);
}

void irix_write_sample(struct irix_output *output,
		       const struct vpmc_counts *counts, uint64_t ms)
{
	const struct perfexint_counts sum = counts_of(output->events, counts);

	fprintf(output->file, "Sample %u at %llu ms\n\n", ++output->samples,
		(unsigned long long)ms);
	write_counts(output->file, output, &sum);
	putc('\n', output->file);
	fflush(output->file);
}

/* The number of a thread in its process, from 1, in the order in which they were made. */
static unsigned int number_of(const struct records *records,
			      const struct record *record)
{
	const struct record *other;
	unsigned int number = 1;
	size_t i;

	for (i = 0; record->tid != record->pid && i < records->nr; i++) {
		other = record_at(records, i);
		if (other->pid == record->pid &&
		    (other->tid == other->pid || other->tid < record->tid))
			number++;
	}
	return number;
}

static void write_thread(FILE *file, const struct irix_output *output,
			 const struct record *record, unsigned int number)
{
	const struct perfexint_counts counts =
		counts_of_record(output->events, record);
	char command[4 * sizeof(record->command) + 1];

	vpmc_escape(record->command, command, sizeof(command));
	fprintf(file, "Process %d, thread %u (%d), %s\n\n", record->pid, number,
		record->tid, command);
	if (record->is_counted)
		write_counts(file, output, &counts);
	else
		fputs("# not counted: it has counted other events by itself,"
		      " or executed a privileged program\n",
		      file);
	putc('\n', file);
}

static int write_thread_file(const struct irix_output *output,
			     const struct record *record, unsigned int number)
{
	char path[PATH_MAX];
	FILE *file;
	int status;

	if (!output->options->output) {
		write_thread(output->file, output, record, number);
		return 0;
	}
	snprintf(path, sizeof(path), "%s.%d", output->options->output,
		 record->tid);
	status = open_file(&file, path);
	if (status)
		return status;
	empty_file(file);
	write_thread(file, output, record, number);
	return close_file(file, path);
}

int irix_write_threads(const struct irix_output *output,
		       const struct records *records)
{
	const unsigned int wanted = output->options->thread;
	const struct record *record;
	unsigned int number;
	int status = 0;
	size_t i;

	for (i = 0; !status && i < records->nr; i++) {
		record = record_at(records, i);
		number = number_of(records, record);
		if (!wanted || number == wanted)
			status = write_thread_file(output, record, number);
	}
	if (records->lost || records->dropped)
		fprintf(output->file, "# %u threads more are not listed\n",
			records->lost + records->dropped);
	return status;
}

/* The words as they were given, but fit for a terminal. */
static void write_command(FILE *file, char *const *argv)
{
	char word[4096];

	fputs("Summary for execution of", file);
	for (; *argv; argv++) {
		vpmc_escape(*argv, word, sizeof(word));
		fprintf(file, " %s", word);
	}
	fputs("\n\n", file);
}

static bool is_projected(const struct vpmc_counts *counts)
{
	unsigned int i;

	for (i = 0; i < counts->nr; i++) {
		if (vpmc_is_projected(counts, i))
			return true;
	}
	return false;
}

static void write_notes(const struct irix_output *output,
			const struct vpmc_counts *counts)
{
	if (output->left_out)
		fprintf(output->file,
			"# %u events more do not fit into one count: count them"
			" with -e\n",
			output->left_out);
	print_note(output->file, counts->other_events, "thread is",
		   "threads are", "not counted: other events, by themselves");
	print_note(output->file, counts->revoked, "thread is", "threads are",
		   "not counted: privileged programs, or system mode");
}

void irix_write_summary(const struct irix_output *output,
			const struct vpmc_counts *counts, bool never_started)
{
	const struct perfexint_counts sum = counts_of(output->events, counts);

	if (never_started) {
		fputs("WARNING: nothing was counted, for no SIGUSR1 has come\n",
		      output->file);
		return;
	}
	if (is_projected(counts))
		fputs("WARNING: Multiplexing events to project totals--"
		      "inaccuracy possible.\n",
		      output->file);
	write_command(output->file, output->options->command);
	write_counts(output->file, output, &sum);
	write_notes(output, counts);
}
