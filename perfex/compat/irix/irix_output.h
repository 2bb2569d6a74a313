/* SPDX-License-Identifier: GPL-2.0-only */
/* This header declares the reports of perfex.irix. */
#ifndef IRIX_OUTPUT_H
#define IRIX_OUTPUT_H

#include "irix_options.h"
#include "libperfex_report.h"
#include "run/result.h"
#include "util/perfex.h"

/**
 * struct irix_output - the output of reports
 * @options: the command line
 * @events: the events that are counted
 * @left_out: from irix_choose_events()
 * @file: stream of the report
 * @samples: number of reports of -p that were written
 * @costs: costs of the events
 * @times: data for -y; it points to @costs
 */
struct irix_output {
	const struct irix_options *options;
	const struct events *events;
	unsigned int left_out;
	FILE *file;
	unsigned int samples;
	struct perfexint_costs costs;
	struct perfexint_times times;
};

/**
 * irix_open_output() - load the costs, and open the file of the report
 * @output: has @options, @events and @left_out; receives the other members
 *
 * Return: 0, or an enum perfex_status after a complaint.
 */
int irix_open_output(struct irix_output *output);

/* irix_empty_output() - remove the content of the file after the command has started */
void irix_empty_output(struct irix_output *output);

/* irix_load_costs() - load the costs of the machine and of -c; returns like irix_open_output() */
int irix_load_costs(const struct vpmc_pmu *pmu,
		    const struct irix_options *options,
		    struct perfexint_costs *costs);

/* irix_write_sample() - write a report of -p with the counts so far, and their time */
void irix_write_sample(struct irix_output *output, const struct counted *counts,
		       uint64_t ms);

/* irix_write_counts() - write a line for each event, and with -y times and statistics */
void irix_write_counts(FILE *file, const struct irix_output *output,
		       const struct perfexint_counts *counts);

/**
 * irix_write_summary() - write the final report
 * @output: from irix_open_output()
 * @counts: the counts
 * @never_started: true if no signal has started the count
 */
void irix_write_summary(const struct irix_output *output,
			const struct counted *counts, bool never_started);

/*
 * irix_close_output() - close the output; returns 0, or an enum perfex_status after a
 * complaint
 */
int irix_close_output(struct irix_output *output);

#endif /* IRIX_OUTPUT_H */
