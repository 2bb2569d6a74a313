/* SPDX-License-Identifier: GPL-2.0-only */
/* This header declares the table of a profile. */
#ifndef PERFEX_PROFILE_PROFILE_TABLE_H
#define PERFEX_PROFILE_PROFILE_TABLE_H

#include "profile/rows.h"

/**
 * struct profile_report - the contents of a profile
 * @events: the events
 * @counts: the count of each event, or NULL if the counts are not known
 * @collection: the samples
 * @rows: the functions, lines or instructions of the samples
 * @at_ticks: true if samples were taken at clock ticks
 * @lost: numbers of lost samples and changes
 * @has_seed: whether all samples are from one run, with the seed of @events
 */
struct profile_report {
	const struct events *events;
	const uint64_t *counts;
	const struct collection *collection;
	const struct rows *rows;
	bool at_ticks;
	struct vpmc_lost_samples lost;
	bool has_seed;
};

/*
 * print_profile() - print the rows of each event that has a period, and the numbers of lost
 * samples
 */
void print_profile(FILE *out, const struct profile_report *report);

#endif /* PERFEX_PROFILE_PROFILE_TABLE_H */
