/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This header declares perfex --timeline, which shows when the regions of a program begin
 * and end, and what they count. libvpmc leaves the timeline in a file, which
 * vpmc_timeline.h describes.
 */
#ifndef PERFEX_TIMELINE_H
#define PERFEX_TIMELINE_H

#include "report/output.h"

/**
 * struct timeline - what is collected
 * @output: where it is to be written
 * @path: of the file in which processes leave it
 * @fd: of that
 * @begin_ns: when that was made, of now()
 * @begin_stamp: the same, of vpmc_timeline_stamp()
 * @end_stamp: when all that is counted had ended
 */
struct timeline {
	struct output output;
	char *path;
	int fd;
	uint64_t begin_ns;
	uint64_t begin_stamp;
	uint64_t end_stamp;
};

/**
 * collect_timeline() - make processes that are created from now on leave a timeline
 * @timeline: receives what finish_timeline() needs
 * @file: where it is to be written. Its content is left alone.
 * @report: where the report goes, which is another file
 *
 * Return: 0, or an enum perfex_status after a complaint.
 */
int collect_timeline(struct timeline *timeline, const char *file,
		     struct output *report);

/**
 * finish_timeline() - write what has been collected, and remove the processes' file
 * @timeline: from collect_timeline()
 * @events: what was counted
 * @raw: whether with what the regions themselves cost
 * @has_run: whether there is something to write
 *
 * Return: 0, or an enum perfex_status after a complaint: PERFEX_INVALID if something is
 * missing. All else has been written then.
 */
int finish_timeline(struct timeline *timeline, const struct events *events,
		    bool raw, bool has_run);

#endif /* PERFEX_TIMELINE_H */
