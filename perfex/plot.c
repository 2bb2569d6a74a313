// SPDX-License-Identifier: GPL-2.0-only
/* See plot.h. */
#include "plot.h"

#include <stdlib.h>

#include "separate.h"

static void make_title(char title[TITLE_MAX], const struct options *options)
{
	if (options->separator)
		snprintf(title, TITLE_MAX, "Commands compared by perfex");
	else if (options->nr_pids > 1)
		snprintf(title, TITLE_MAX, "%zu processes", options->nr_pids);
	else if (options->nr_pids)
		snprintf(title, TITLE_MAX, "%s %d",
			 options->thread ? "Thread" : "Process",
			 options->pids[0]);
	else if (!options->command[0])
		snprintf(title, TITLE_MAX, "The whole system");
	else
		join_words(title, TITLE_MAX, options->command);
}

int open_plot(struct plot *plot, const struct options *options,
	      struct output *report)
{
	int status;

	*plot = (struct plot){ .file = { .is_own = false } };
	if (!options->plot)
		return 0;
	status = open_beside(&plot->file, options->plot, "--plot", report);
	if (status)
		return status;
	make_title(plot->chart.title, options);
	report->chart = &plot->chart;
	return 0;
}

int close_plot(struct plot *plot)
{
	struct chart *chart = &plot->chart;
	int status = finish_chart(chart), failure;

	if (!status && chart->text)
		status = empty_output(&plot->file);
	if (!status && chart->text)
		status = write_text(&plot->file, chart->text, chart->size);
	failure = close_output(&plot->file);
	free_samples(&chart->samples);
	free(chart->text);
	return status ? status : failure;
}
