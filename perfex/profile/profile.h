/* SPDX-License-Identifier: GPL-2.0-only */
/* This header declares perfex --profile, which shows where the events of a command happen. */
#ifndef PERFEX_PROFILE_H
#define PERFEX_PROFILE_H

#include "report/output.h"

/* The rings of samples are emptied after at most this many milliseconds. */
#define PROFILE_MS 10

struct profile;

/**
 * open_profile() - begin a profile
 * @profile: receives the profile, for close_profile()
 * @events: the events, some with a period
 * @request: the request of the command line. The table goes to the file of --profile. If there is
 *	no file, or profile_form() finds a different form by its name, the table follows the
 *	report.
 * @report: output of the report
 *
 * Return: 0, or an enum perfex_status after a complaint.
 */
int open_profile(struct profile **profile, const struct events *events,
		 const struct request *request, struct output *report);

/**
 * add_rings() - take samples for the profile from the next start on a handle
 * @profile: from open_profile()
 * @vpmc: a handle that is neither started nor attached. There are at most PIDS_MAX such handles.
 *
 * Return: 0, or an enum perfex_status after a complaint.
 */
int add_rings(struct profile *profile, struct vpmc *vpmc);

/**
 * add_process() - record the program and the mappings of a process that runs
 * @profile: from open_profile()
 * @pid: the process, which has just been started on a handle of add_rings()
 *
 * Mappings that cannot be read are missing, and the profile shows their samples in unknown
 * memory.
 *
 * Return: 0, or an enum perfex_status after a complaint.
 */
int add_process(struct profile *profile, int pid);

/* empty_rings() - take samples from the rings, all that remain if @rest is true */
void empty_rings(struct profile *profile, bool rest);

/**
 * write_profile() - write the table. Call empty_rings() with @rest first.
 * @profile: from open_profile()
 * @counts: the counts of the events
 *
 * Return: 0, or an enum perfex_status after a complaint.
 */
int write_profile(struct profile *profile, const struct vpmc_counts *counts);

/**
 * close_profile() - close the file, and free the samples
 * @profile: from open_profile(), or NULL
 *
 * Return: 0, or an enum perfex_status after a complaint.
 */
int close_profile(struct profile *profile);

/**
 * merge_profiles() - add up saved profiles, and write the sum
 * @request: the request, whose command is the list of files
 * @beside: other outputs, or NULL
 *
 * Nothing is written unless all files can be read.
 *
 * Return: 0, or an enum perfex_status after a complaint.
 */
int merge_profiles(const struct request *request, const struct output *beside);

#endif /* PERFEX_PROFILE_H */
