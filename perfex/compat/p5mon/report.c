// SPDX-License-Identifier: GPL-2.0-only
/* Print run_p5mon's reports in the layout of p5mon's published reports. */
#include "report.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "run_p5mon.h"

/* Values begin in this column. */
#define COLUMN 16

void print_header(const char *path, char *const *arguments, const char *command)
{
	char *directory = getcwd(NULL, 0);
	const time_t now = time(NULL);
	char date[64] = "";
	struct tm local;

	if (localtime_r(&now, &local))
		strftime(date, sizeof(date), "%a %b %e %H:%M:%S %Y", &local);
	printf("run_p5mon started at %s\n", date);
	printf("current directory: %s\n", directory ? directory : "unknown");
	printf("parameter file: %s\n", path);
	printf("arguments:");
	for (; *arguments; arguments++)
		printf(" %s", *arguments);
	printf("\ncommand: %s\n\n", command);
	fflush(stdout);
	free(directory);
}

const char *number_text(char text[NUMBER_TEXT], int digits, double number)
{
	if (isnan(number))
		return "NaN";
	snprintf(text, NUMBER_TEXT, "%.*f", digits, number);
	return text;
}

static void print_estimate(const struct estimate *estimate)
{
	char average[NUMBER_TEXT], interval[NUMBER_TEXT], percent[NUMBER_TEXT];

	printf("%s +/- %s (%s%%)", number_text(average, 1, estimate->average),
	       number_text(interval, 1, estimate->interval),
	       number_text(percent, 3, estimate->percent));
}

static const char *name_of(const struct results *results, unsigned int event)
{
	return p5mon_event_name[results->number[event]];
}

/* Print the repetitions. Their numbers begin with @first. */
static void print_repetitions(const struct results *results,
			      unsigned int region, unsigned int event,
			      const char *indent, unsigned int first)
{
	char label[32];
	unsigned int i;

	for (i = 0; i < results->parameters->repetitions; i++) {
		snprintf(label, sizeof(label), "%srep %u:", indent, i + first);
		printf("%-*s %" PRIu64 "\n", COLUMN - 1, label,
		       *value_of(results, region, event, i));
	}
}

static void print_summary(const struct results *results)
{
	struct estimate estimate;
	unsigned int i;

	for (i = 0; i < results->nr; i++) {
		estimate = estimate_of(results, 0, i);
		printf("  %s: ", name_of(results, i));
		print_estimate(&estimate);
		putchar('\n');
	}
	putchar('\n');
}

static void print_all(const struct results *results)
{
	struct estimate estimate;
	unsigned int i;

	for (i = 0; i < results->nr; i++) {
		estimate = estimate_of(results, 0, i);
		printf("  Event: %s\n", name_of(results, i));
		print_repetitions(results, 0, i, "    ", 0);
		printf("    -----\n%-*s", COLUMN, "  Average:");
		print_estimate(&estimate);
		putchar('\n');
	}
}

static void print_region_line(const struct results *results,
			      unsigned int number)
{
	const struct region_counts *region = &results->region[number];

	printf("Region %u, entered %" PRIu64 " times and exited %" PRIu64
	       " times:\n",
	       number, region->entered, region->exited);
}

static void print_region_summary(const struct results *results,
				 unsigned int number)
{
	char per_entry[NUMBER_TEXT];
	struct estimate estimate;
	unsigned int i;

	printf("  ");
	print_region_line(results, number);
	for (i = 0; i < results->nr; i++) {
		estimate = estimate_of(results, number, i);
		printf("    %s: ", name_of(results, i));
		print_estimate(&estimate);
		printf(" [%s]\n",
		       number_text(per_entry, 1, estimate.per_entry));
	}
}

static void print_region_all(const struct results *results, unsigned int number)
{
	char per_entry[NUMBER_TEXT];
	struct estimate estimate;
	unsigned int i;

	print_region_line(results, number);
	putchar('\n');
	for (i = 0; i < results->nr; i++) {
		estimate = estimate_of(results, number, i);
		printf("Event: %s\n", name_of(results, i));
		print_repetitions(results, number, i, "", 1);
		printf("-----\n%-*s", COLUMN, "Average:");
		print_estimate(&estimate);
		printf("\n%*s%s per time region entered\n\n", COLUMN, "",
		       number_text(per_entry, 1, estimate.per_entry));
	}
}

static void print_each_region(const struct results *results)
{
	const bool all = results->parameters->output_all_results;
	unsigned int i;

	if (all)
		putchar('\n');
	for (i = 0; i < results->parameters->max_regions; i++) {
		if (!is_used(results, i))
			continue;
		if (all)
			print_region_all(results, i);
		else
			print_region_summary(results, i);
	}
	if (!all)
		putchar('\n');
}

static void print_first_line(const struct results *results)
{
	const struct parameters *parameters = results->parameters;
	const int level = parameters->level_99 ? 99 : 95;

	if (parameters->use_assembly_regions)
		printf("Results (for %u regions, %u repetitions, %d%%"
		       " confidence level):\n",
		       number_of_regions(results), parameters->repetitions,
		       level);
	else
		printf("Results (for %u repetitions with a %d%% confidence"
		       " level):\n",
		       parameters->repetitions, level);
}

int print_results(const struct results *results)
{
	print_first_line(results);
	if (results->parameters->use_assembly_regions)
		print_each_region(results);
	else if (results->parameters->output_all_results)
		print_all(results);
	else
		print_summary(results);
	printf("Total elapsed time: %.1f seconds\n", results->seconds);
	printf("(program executed %u times, with an average execution time of"
	       " %.1fs)\n",
	       results->executions, results->run_seconds / results->executions);
	if (!fflush(stdout) && !ferror(stdout))
		return 0;
	complain("cannot write the report: %s", strerror(errno));
	return PERFEX_OUTPUT;
}
