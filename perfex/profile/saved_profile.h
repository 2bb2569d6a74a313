/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This header declares profiles in files, which --merge adds up. A file has a line for each
 * event, name and instruction. Names are written with their lengths and without escapes, because
 * they may contain any bytes.
 */
#ifndef PERFEX_PROFILE_SAVED_PROFILE_H
#define PERFEX_PROFILE_SAVED_PROFILE_H

#include "profile/profile_table.h"

/* print_saved() - print a profile for read_saved(), without the rows of @report */
void print_saved(FILE *out, const struct profile_report *report);

/**
 * struct saved_profile - the sum of profiles; zeroed before the first profile
 * @files: number of files that were read
 * @events: their events; only name, modes and period are set
 * @counts: the counts of the events
 * @at_ticks: true if the samples were taken at clock ticks
 * @lost: numbers of lost samples and changes
 * @collection: the samples, from begin_collection()
 */
struct saved_profile {
	size_t files;
	struct events events;
	uint64_t counts[VPMC_COUNTS_MAX];
	bool at_ticks;
	struct vpmc_lost_samples lost;
	struct collection collection;
};

/**
 * read_saved() - add the profile of a file
 * @saved: receives the profile, which must have the same events as the profiles in @saved
 * @file: path of the file, which print_saved() has written
 *
 * Return: 0, or an enum perfex_status after a complaint.
 */
int read_saved(struct saved_profile *saved, const char *file);

#endif /* PERFEX_PROFILE_SAVED_PROFILE_H */
