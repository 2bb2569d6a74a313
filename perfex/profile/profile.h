/* SPDX-License-Identifier: GPL-2.0-only */
/* This header declares perfex --profile, which shows where the events of a command happen. */
#ifndef PERFEX_PROFILE_H
#define PERFEX_PROFILE_H

#include "report/output.h"

/* The rings of samples are emptied after at most so many milliseconds. */
#define PROFILE_MS 10

struct profile;

/**
 * open_profile() - let the next start on a handle leave samples
 * @profile: receives the profile, for close_profile()
 * @vpmc: a handle without a start
 * @events: the events, some with a period
 * @spec: the options of the report. The table goes to the file of --profile, unless profile_form()
 *	knows its name as that of another tool; it follows the report then, and without a file.
 * @report: output of the report
 *
 * Return: 0, or an enum perfex_status after a complaint.
 */
int open_profile(struct profile **profile, struct vpmc *vpmc,
		 const struct events *events, const struct report_spec *spec,
		 struct output *report);

/* empty_rings() - take the samples that there are, all of them if @rest is true */
void empty_rings(struct profile *profile, bool rest);

/**
 * write_profile() - write the table, after the last empty_rings()
 * @profile: from open_profile()
 * @counts: how often the events happened
 *
 * Return: 0, or an enum perfex_status after a complaint.
 */
int write_profile(struct profile *profile, const struct vpmc_counts *counts);

/**
 * close_profile() - close the file, and forget the samples
 * @profile: from open_profile(), or NULL
 *
 * Return: 0, or an enum perfex_status after a complaint.
 */
int close_profile(struct profile *profile);

#endif /* PERFEX_PROFILE_H */
