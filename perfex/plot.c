// SPDX-License-Identifier: GPL-2.0-only
/* See plot.h. */
#include "plot.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "separate.h"

/* Devices take both. */
static bool is_same_file(const struct output *first,
			 const struct output *second)
{
	struct stat one, other;

	return !fstat(first->fd, &one) && !fstat(second->fd, &other) &&
	       !S_ISCHR(one.st_mode) && one.st_dev == other.st_dev &&
	       one.st_ino == other.st_ino;
}

static void make_title(char title[TITLE_MAX], const struct options *options)
{
	if (options->separator)
		snprintf(title, TITLE_MAX, "Commands compared by perfex");
	else if (options->pid)
		snprintf(title, TITLE_MAX, "Process %d", options->pid);
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
	status = open_output(&plot->file, options->plot, "--plot", false,
			     FORMAT_TEXT);
	if (status)
		return status;
	if (options->output && is_same_file(&plot->file, report)) {
		complain("cannot write report and plot to %s: give -o and"
			 " --plot a FILE each",
			 options->plot);
		close_output(&plot->file);
		return PERFEX_USAGE;
	}
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
