// SPDX-License-Identifier: GPL-2.0-only
/* Draw the picture of --plot. */
#include "chart/chart.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "chart/axis.h"
#include "stats/compare_ratios.h"
#include "stats/event_value.h"
#include "stats/run_series.h"
#include "util/command_line.h"
#include "util/stream.h"

/* Lengths are in pixels. */
#define WIDTH	     800
#define MARGIN	     20
#define LINE_HEIGHT  18
#define TITLE_BOTTOM 28
#define PANEL_HEAD   30
#define PANEL_HEIGHT 150
#define PANEL_FOOT   44
#define PANEL	     (PANEL_HEAD + PANEL_HEIGHT + PANEL_FOOT)

/* Dots fill this part of a command's width. RADIUS is the radius of a dot. */
#define FILLED 0.8
#define RADIUS 3

/**
 * struct picture - a picture in progress
 * @out: stream to write to
 * @events: the events that are counted
 * @legend: number of lines in the legend
 * @left: left border of all panels
 */
struct picture {
	FILE *out;
	const struct events *events;
	size_t legend;
	double left;
};

static double first_panel(const struct picture *picture)
{
	return TITLE_BOTTOM + (double)picture->legend * LINE_HEIGHT;
}

static struct frame frame_of(const struct picture *picture, size_t event)
{
	const double top =
		first_panel(picture) + (double)event * PANEL + PANEL_HEAD;

	return (struct frame){ .left = picture->left,
			       .right = WIDTH - MARGIN,
			       .top = top,
			       .bottom = top + PANEL_HEIGHT };
}

static void draw_head(const struct picture *picture, const char *title)
{
	begin_picture(picture->out, WIDTH,
		      first_panel(picture) +
			      (double)picture->events->nr * PANEL,
		      title);
	draw_text(picture->out, MARGIN, TITLE_BOTTOM - 6, "title", title);
}

/* Draw line @line of the legend, counted from 0. */
static void draw_legend(const struct picture *picture, size_t line,
			size_t colour, const char *text)
{
	const double y = TITLE_BOTTOM + (double)(line + 1) * LINE_HEIGHT - 4;

	if (colour < NR_COLOURS)
		fprintf(picture->out,
			"<rect class=\"s%zu\" x=\"%d\" y=\"%.1f\" width=\"10\""
			" height=\"10\"/>\n",
			colour, MARGIN, y - 9);
	draw_text(picture->out, MARGIN + 16, y, NULL, text);
}

/* Print the meaning of the numbers of a panel. */
static void draw_name(const struct picture *picture, size_t event,
		      const struct frame *frame, const char *unit)
{
	char name[EVENT_NAME_MAX], text[EVENT_NAME_MAX + 40];

	event_name(picture->events, event, name);
	snprintf(text, sizeof(text), "%s, %s", name, unit);
	draw_text(picture->out, frame->left, frame->top - 10, NULL, text);
}

static void draw_nothing(const struct picture *picture,
			 const struct frame *frame, const char *why)
{
	draw_text(picture->out, (frame->left + frame->right) / 2,
		  (frame->top + frame->bottom) / 2, "middle", why);
}

/*
 * The following functions draw intervals: a line for each event, with a step for each interval.
 */

static double largest_rate(const struct samples *samples, size_t event)
{
	double rate, largest = -1;
	size_t i;

	for (i = 0; i < samples->nr; i++) {
		rate = rate_in(samples, i, event);
		if (rate > largest)
			largest = rate;
	}
	return largest;
}

static void draw_steps(FILE *out, const struct samples *samples, size_t event,
		       const struct axis *x, const struct axis *y)
{
	double begin = 0, rate;
	bool is_drawn = false;
	size_t i;

	fprintf(out, "<path class=\"s%zu line\" d=\"", event % NR_COLOURS);
	for (i = 0; i < samples->nr; i++) {
		rate = rate_in(samples, i, event);
		if (!isnan(rate) && is_drawn)
			fprintf(out, "V%.1f", place_on(y, rate));
		else if (!isnan(rate))
			fprintf(out, "M%.1f %.1f", place_on(x, begin),
				place_on(y, rate));
		is_drawn = !isnan(rate);
		begin = samples->end[i];
		if (is_drawn)
			fprintf(out, "H%.1f", place_on(x, begin));
	}
	fputs("\"/>\n", out);
}

static void draw_rate(const struct picture *picture,
		      const struct samples *samples, size_t event)
{
	const struct frame frame = frame_of(picture, event);
	const double largest = largest_rate(samples, event);
	struct axis x = { .begin = frame.left, .end = frame.right };
	struct axis y = { .begin = frame.bottom, .end = frame.top };

	draw_name(picture, event, &frame, "per second");
	fit_axis(&x, 0, samples->end[samples->nr - 1], false);
	x.high = samples->end[samples->nr - 1];
	draw_bottom_axis(picture->out, &x, &frame, "seconds");
	if (largest < 0) {
		draw_nothing(picture, &frame, "not counted");
		return;
	}
	fit_axis(&y, 0, largest, false);
	draw_left_axis(picture->out, &y, &frame);
	draw_steps(picture->out, samples, event, &x, &y);
}

static double width_of_rates(const struct samples *samples)
{
	double width = 0;
	struct axis axis;
	size_t i;

	for (i = 0; i < samples->nr_events; i++) {
		fit_axis(&axis, 0, fmax(largest_rate(samples, i), 0), false);
		width = fmax(width, axis_width(&axis));
	}
	return width;
}

static void draw_intervals(FILE *out, const struct chart *chart)
{
	const struct samples *samples = &chart->samples;
	const struct picture picture = {
		.out = out,
		.events = chart->events,
		.legend = samples->nr_events,
		.left = 2 * MARGIN + width_of_rates(samples),
	};
	char name[EVENT_NAME_MAX];
	size_t i;

	draw_head(&picture, chart->title);
	for (i = 0; i < samples->nr_events; i++) {
		event_name(chart->events, i, name);
		draw_legend(&picture, i, i % NR_COLOURS, name);
		draw_rate(&picture, samples, i);
	}
	end_picture(out);
}

/*
 * The following functions draw runs: a dot for each run. The runs of several commands are next to
 * each other.
 */

/**
 * struct dots - the runs of a command
 * @figure: the value of the event in the runs
 * @single: the count of a single run
 * @value: the counts of all runs
 * @nr: number of @value
 */
struct dots {
	struct figure figure;
	uint64_t single;
	const uint64_t *value;
	size_t nr;
};

static size_t nr_commands(const struct report *report)
{
	return report->comparison ? report->comparison->nr : 1;
}

static void get_dots(struct dots *dots, const struct report *report,
		     size_t event, size_t command)
{
	const struct statistic *statistic;

	if (report->comparison)
		report = &report->comparison->report[command];
	dots->figure = figure_of_total(report, event);
	statistic = dots->figure.statistic;
	dots->single = dots->figure.count;
	dots->value = statistic ? statistic->values : &dots->single;
	dots->nr = statistic ? statistic->nr : 1;
	if (dots->figure.missing)
		dots->nr = 0;
}

/* Return the lower end of the interval of a mean, at least 0. */
static double lower_end(const struct statistic *statistic)
{
	return fmax(average_of(statistic) - interval_of(statistic), 0);
}

static double upper_end(const struct statistic *statistic)
{
	return average_of(statistic) + interval_of(statistic);
}

/* Fit an axis to the counts. Returns whether there is a count. */
static bool fit_counts(struct axis *axis, const struct report *report,
		       size_t event)
{
	double low = INFINITY, high = 0;
	struct dots dots;
	size_t i, j;

	for (i = 0; i < nr_commands(report); i++) {
		get_dots(&dots, report, event, i);
		for (j = 0; j < dots.nr; j++) {
			low = fmin(low, (double)dots.value[j]);
			high = fmax(high, (double)dots.value[j]);
		}
		if (dots.figure.statistic && dots.nr) {
			low = fmin(low, lower_end(dots.figure.statistic));
			high = fmax(high, upper_end(dots.figure.statistic));
		}
	}
	if (low > high)
		return false;
	fit_axis(axis, low, high, true);
	return true;
}

/* Draw the mean, and the interval in which the mean of all possible runs may be. */
static void draw_mean(FILE *out, const struct statistic *statistic,
		      const struct axis *y, size_t colour, double left,
		      double width)
{
	const double top = place_on(y, upper_end(statistic));
	const double bottom = place_on(y, lower_end(statistic));

	fprintf(out,
		"<rect class=\"s%zu interval\" x=\"%.1f\" y=\"%.1f\""
		" width=\"%.1f\" height=\"%.1f\"/>\n",
		colour, left, top, width, bottom - top);
	fprintf(out, "<path class=\"s%zu line\" d=\"M%.1f %.1fh%.1f\"/>\n",
		colour, left, place_on(y, average_of(statistic)), width);
}

static void draw_dots(FILE *out, const struct dots *dots, const struct axis *y,
		      size_t colour, double left, double width)
{
	const double place = width / (double)dots->nr;
	size_t i;

	if (dots->figure.statistic && dots->nr)
		draw_mean(out, dots->figure.statistic, y, colour, left, width);
	for (i = 0; i < dots->nr; i++)
		fprintf(out,
			"<circle class=\"s%zu dot\" cx=\"%.1f\" cy=\"%.1f\""
			" r=\"%d\"><title>run %zu: %" PRIu64
			"</title></circle>\n",
			colour, left + ((double)i + 0.5) * place,
			place_on(y, (double)dots->value[i]), RADIUS, i + 1,
			dots->value[i]);
}

static void draw_commands(const struct picture *picture,
			  const struct report *report, size_t event,
			  const struct frame *frame, const struct axis *y)
{
	const size_t nr = nr_commands(report);
	const double place = (frame->right - frame->left) / (double)nr;
	struct dots dots;
	char number[32];
	double left;
	size_t i;

	for (i = 0; i < nr; i++) {
		left = frame->left + ((double)i + (1 - FILLED) / 2) * place;
		get_dots(&dots, report, event, i);
		draw_dots(picture->out, &dots, y, i % NR_COLOURS, left,
			  FILLED * place);
		if (!report->comparison)
			continue;
		snprintf(number, sizeof(number), "command %zu", i + 1);
		draw_text(picture->out, left + FILLED / 2 * place,
			  frame->bottom + 18, "middle", number);
	}
	draw_text(picture->out, frame->right, frame->bottom + 34, "end",
		  "runs, the first one on the left");
}

static void draw_counts(const struct picture *picture,
			const struct report *report, size_t event)
{
	const struct frame frame = frame_of(picture, event);
	struct axis y = { .begin = frame.bottom, .end = frame.top };
	struct dots dots;

	draw_name(picture, event, &frame, "number in a run");
	if (fit_counts(&y, report, event)) {
		draw_left_axis(picture->out, &y, &frame);
		draw_commands(picture, report, event, &frame, &y);
		return;
	}
	get_dots(&dots, report, event, 0);
	draw_nothing(picture, &frame, dots.figure.missing);
}

static double width_of_counts(const struct report *report)
{
	double width = 0;
	struct axis axis;
	size_t i;

	for (i = 0; i < report->events->nr; i++) {
		if (fit_counts(&axis, report, i))
			width = fmax(width, axis_width(&axis));
	}
	return width;
}

static void draw_legend_of_runs(const struct picture *picture,
				const struct report *report)
{
	const struct comparison *comparison = report->comparison;
	const struct series *series =
		comparison ? comparison->report[0].series : report->series;
	char command[TITLE_MAX], text[TITLE_MAX + 40];
	size_t i;

	snprintf(text, sizeof(text),
		 "dots: runs; line: mean; area: its %u %% confidence interval",
		 series->resource->confidence);
	draw_legend(picture, 0, NR_COLOURS, text);
	for (i = 0; comparison && i < comparison->nr; i++) {
		join_words(command, sizeof(command),
			   comparison->report[i].words);
		snprintf(text, sizeof(text), "command %zu: %s", i + 1, command);
		draw_legend(picture, i + 1, i % NR_COLOURS, text);
	}
}

static void draw_runs(FILE *out, const struct chart *chart,
		      const struct report *report)
{
	const struct picture picture = {
		.out = out,
		.events = chart->events,
		.legend = report->comparison ? 1 + nr_commands(report) : 1,
		.left = 2 * MARGIN + width_of_counts(report),
	};
	size_t i;

	draw_head(&picture, chart->title);
	draw_legend_of_runs(&picture, report);
	for (i = 0; i < chart->events->nr; i++)
		draw_counts(&picture, report, i);
	end_picture(out);
}

/* Draw the picture. @report has several runs, or is NULL for intervals. */
static int draw(struct chart *chart, const struct report *report)
{
	FILE *out = open_memstream(&chart->text, &chart->size);
	bool is_good = out;

	if (out) {
		if (report)
			draw_runs(out, chart, report);
		else
			draw_intervals(out, chart);
		is_good = close_stream(out);
	}
	if (is_good)
		return 0;
	free(chart->text);
	chart->text = NULL;
	complain("no memory for the plot: count fewer events, or less often");
	return PERFEX_SYSTEM;
}

int add_report(struct chart *chart, const struct report *report)
{
	chart->events = report->events;
	return report->is_block ? add_sample(&chart->samples, report)
				: draw(chart, report);
}

int finish_chart(struct chart *chart)
{
	return chart->samples.nr ? draw(chart, NULL) : 0;
}
