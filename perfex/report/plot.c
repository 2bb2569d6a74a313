// SPDX-License-Identifier: GPL-2.0-only
/* Write the file of --plot. */
#include "report/plot.h"

#include <stdlib.h>

#include "run/target.h"
#include "util/command_line.h"

static void make_title(char title[TITLE_MAX], const struct request *request)
{
	if (request->count.separator)
		snprintf(title, TITLE_MAX, "commands compared by perfex");
	else if (request->count.nr_pids)
		name_targets(title, TITLE_MAX, &request->count);
	else if (request->count.cgroup)
		join_words(title, TITLE_MAX,
			   (char *[]){ "cgroup", (char *)request->count.cgroup,
				       NULL });
	else if (!request->count.command[0])
		snprintf(title, TITLE_MAX, "the whole system");
	else
		join_words(title, TITLE_MAX, request->count.command);
}

int open_plot(struct plot *plot, const struct request *request,
	      struct output *report)
{
	int status;

	*plot = (struct plot){ .file = { .is_own = false } };
	if (!request->report.plot)
		return 0;
	status = open_another_output(&plot->file, request->report.plot,
				     "--plot", report);
	if (status)
		return status;
	make_title(plot->chart.title, request);
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
