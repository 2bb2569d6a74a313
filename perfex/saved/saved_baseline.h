/* SPDX-License-Identifier: GPL-2.0-only */
/* This header declares the saved reports that --compare compares commands with. */
#ifndef PERFEX_SAVED_BASELINE_H
#define PERFEX_SAVED_BASELINE_H

#include "saved/saved_report.h"
#include "stats/report_spec.h"
#include "stats/run_series.h"

/**
 * load_saved() - read the reports among the commands of --compare
 * @spec: the options of counting, with the commands separated; receives the reports
 *
 * A command that is a single word ending in ".json" is a report.
 *
 * Return: 0, or an enum perfex_status after a complaint.
 */
int load_saved(struct count_spec *spec);

/**
 * name_saved_event() - compose an event of a report as for -e
 * @report: the report, which keeps the text
 * @i: index of the event
 *
 * Return: the text, or NULL if there is no memory.
 */
const char *name_saved_event(struct saved_report *report, size_t i);

/**
 * begin_saved() - make a series from a report
 * @series: receives the series; the caller ends it with end_series()
 * @report: the report
 * @events: the events that are counted. The report must have all of them.
 * @request: the request of the command line
 *
 * Return: 0, or an enum perfex_status after a complaint.
 */
int begin_saved(struct series *series, const struct saved_report *report,
		const struct events *events, const struct request *request);

#endif /* PERFEX_SAVED_BASELINE_H */
