// SPDX-License-Identifier: GPL-2.0-only
/* Print the reports of perfex.irix. */
#include "irix_output.h"

#include "irix_counts.h"
#include "irix_file.h"

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

int irix_open_output(struct irix_output *output)
{
	int status = 0;

	output->file = stderr;
	output->samples = 0;
	if (output->options->times)
		status = prepare_times(output);
	if (status || !output->options->output)
		return status;
	return irix_open_file(&output->file, output->options->output);
}

void irix_empty_output(struct irix_output *output)
{
	if (output->file != stderr)
		irix_empty_file(output->file);
}

int irix_close_output(struct irix_output *output)
{
	return irix_close_file(output->file, output->options->output);
}

void irix_write_counts(FILE *file, const struct irix_output *output,
		       const struct perfexint_counts *counts)
{
	if (output->options->times)
		perfexint_print_times(file, counts, &output->times);
	else
		perfexint_print_counts(file, counts);
}

void irix_write_sample(struct irix_output *output, const struct counted *counts,
		       uint64_t ms)
{
	const struct perfexint_counts sum =
		irix_counts_of(output->events, counts);

	fprintf(output->file, "Sample %u at %llu ms\n\n", ++output->samples,
		(unsigned long long)ms);
	irix_write_counts(output->file, output, &sum);
	putc('\n', output->file);
	irix_flush_file(output->file);
}

/* Print the words of the command line, escaped for a terminal. */
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
			" with -e, or all with perfex --runs\n",
			output->left_out);
	print_note(output->file, counts->other_events, "thread is",
		   "threads are", "not counted: other events, by themselves");
	print_note(output->file, counts->revoked, "thread is", "threads are",
		   "not counted: privileged programs, or system mode");
	print_note(output->file, counts->stopped, "time", "times",
		   "counting was stopped in between");
	print_note(output->file, counts->unwaited, "process is",
		   "processes are", "not counted: nobody has waited for them");
}

void irix_write_summary(const struct irix_output *output,
			const struct counted *counts, bool never_started)
{
	const struct perfexint_counts sum =
		irix_counts_of(output->events, counts);

	if (never_started) {
		fputs("WARNING: nothing was counted, because no SIGUSR1 has"
		      " come\n",
		      output->file);
		return;
	}
	if (is_projected(&counts->counts))
		fputs("WARNING: Multiplexing events to project totals--"
		      "inaccuracy possible.\n",
		      output->file);
	write_command(output->file, output->options->command);
	irix_write_counts(output->file, output, &sum);
	write_notes(output, &counts->counts);
}
