// SPDX-License-Identifier: GPL-2.0-only
/*
 * Write the result file. The line of a value begins with the region if there are regions, the
 * event, and the repetition. A line of statistics has -1 as its repetition.
 */
#include "result_file.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include "report.h"
#include "run_p5mon.h"

/*
 * These are the numbers of spaces before a value, before an average without regions, and before
 * an average with regions.
 */
#define BEFORE_VALUE	      10
#define BEFORE_AVERAGE	      9
#define BEFORE_REGION_AVERAGE 8

static void write_head(FILE *file, const struct results *results)
{
	const struct parameters *parameters = results->parameters;
	const int level = parameters->level_99 ? 99 : 95;

	fputs("# run_p5mon results file\n", file);
	if (parameters->use_assembly_regions)
		fprintf(file,
			"# Results (for %u regions, %u repetitions, %d%%"
			" confidence level):\n"
			"# Region Event Repetition Value [conf.int]"
			" [percentage]\n",
			number_of_regions(results), parameters->repetitions,
			level);
	else
		fprintf(file,
			"# Results (%u repetitions, %d%% confidence level):\n"
			"# Event Repetition Value [conf.int] [percentage]\n",
			parameters->repetitions, level);
}

/* Write an average. @prefix is the number of the region and a space, or empty. */
static void write_estimate(FILE *file, const struct results *results,
			   const char *prefix, unsigned int region,
			   unsigned int event)
{
	const struct estimate estimate = estimate_of(results, region, event);
	char text[4][NUMBER_TEXT];

	fprintf(file, "%s0x%x -1%*s%s %s %s", prefix,
		(unsigned int)results->number[event],
		*prefix ? BEFORE_REGION_AVERAGE : BEFORE_AVERAGE, "",
		number_text(text[0], 1, estimate.average),
		number_text(text[1], 1, estimate.interval),
		number_text(text[2], 3, estimate.percent));
	if (*prefix)
		fprintf(file, " %s",
			number_text(text[3], 1, estimate.per_entry));
	fputc('\n', file);
}

static void write_events(FILE *file, const struct results *results,
			 const char *prefix, unsigned int region)
{
	const struct parameters *parameters = results->parameters;
	unsigned int i, j;

	for (i = 0; i < results->nr; i++) {
		for (j = 0; parameters->output_all_results &&
			    j < parameters->repetitions;
		     j++)
			fprintf(file, "%s0x%x %u%*s%" PRIu64 "\n", prefix,
				(unsigned int)results->number[i], j,
				BEFORE_VALUE, "",
				*value_of(results, region, i, j));
		write_estimate(file, results, prefix, region, i);
	}
}

static void write_regions(FILE *file, const struct results *results)
{
	const struct region_counts *region;
	char prefix[16];
	unsigned int i;

	for (i = 0; i < results->parameters->max_regions; i++) {
		if (!is_used(results, i))
			continue;
		region = &results->region[i];
		fprintf(file,
			"# Region %u: entered %" PRIu64 " exited %" PRIu64 "\n",
			i, region->entered, region->exited);
		snprintf(prefix, sizeof(prefix), "%u ", i);
		write_events(file, results, prefix, i);
	}
}

static int fail(const char *path)
{
	complain("cannot write the result file \"%s\": %s", path,
		 strerror(errno));
	return PERFEX_OUTPUT;
}

int open_result_file(FILE **file, const char *path)
{
	*file = fopen(path, "ae");
	return *file ? 0 : fail(path);
}

int write_result_file(const struct results *results, FILE *file,
		      const char *path)
{
	int failed;

	/* Write the results even if the file cannot be emptied, as a pipe. */
	if (ftruncate(fileno(file), 0))
		clearerr(file);
	write_head(file, results);
	if (results->parameters->use_assembly_regions)
		write_regions(file, results);
	else
		write_events(file, results, "", 0);
	failed = ferror(file);
	if (!fclose(file) && !failed)
		return 0;
	return fail(path);
}
