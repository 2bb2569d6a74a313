/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This header declares the picture of --plot. It shows the counts of each interval or run. Each
 * event has a panel with its own scale.
 */
#ifndef PERFEX_CHART_H
#define PERFEX_CHART_H

#include "stats/interval_rates.h"

/* A title, and a line of the legend, fit into this many bytes. */
#define TITLE_MAX 92

/**
 * struct chart - a picture in progress
 * @title: name of the command or processes that are counted
 * @events: the events that are counted; NULL before the first report
 * @samples: the intervals
 * @text: the picture, NULL before it is drawn; the caller frees it
 * @size: length of @text
 */
struct chart {
	char title[TITLE_MAX];
	const struct events *events;
	struct samples samples;
	char *text;
	size_t size;
};

/**
 * add_report() - add a report to the picture
 * @chart: receives the interval, or the picture of the runs
 * @report: report of an interval, of several runs, or of a comparison
 *
 * Return: 0, or an enum perfex_status after a complaint.
 */
int add_report(struct chart *chart, const struct report *report);

/**
 * finish_chart() - draw the intervals, if there are any; the caller then calls free_samples()
 * @chart: receives the picture
 *
 * Return: 0, or an enum perfex_status after a complaint.
 */
int finish_chart(struct chart *chart);

#endif /* PERFEX_CHART_H */
