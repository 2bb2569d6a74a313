/* SPDX-License-Identifier: GPL-2.0-only */
/* This header declares the file of --plot. */
#ifndef PERFEX_PLOT_H
#define PERFEX_PLOT_H

#include "chart/chart.h"
#include "report/output.h"
#include "stats/report_spec.h"

/**
 * struct plot - a picture and its file
 * @file: the output of the picture
 * @chart: the content of the picture
 */
struct plot {
	struct output file;
	struct chart chart;
};

/**
 * open_plot() - open the output of the picture, like that of -o
 * @plot: receives the picture
 * @request: the request of the command line. Without --plot the function does nothing.
 * @report: output of the reports, which is a different file. From now on, reports are also drawn.
 *
 * Return: 0, or an enum perfex_status after a complaint.
 */
int open_plot(struct plot *plot, const struct request *request,
	      struct output *report);

/**
 * close_plot() - write the picture, and close its file
 * @plot: from open_plot(). If there is nothing to draw, the content of the file is kept.
 *
 * Return: 0, or an enum perfex_status after a complaint.
 */
int close_plot(struct plot *plot);

#endif /* PERFEX_PLOT_H */
