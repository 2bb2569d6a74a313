/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This header declares perfex --timeline. It shows the begin, the end and the counts of each
 * region of a program. libvpmc leaves the timeline in a file, which vpmc_timeline.h describes.
 */
#ifndef PERFEX_TIMELINE_H
#define PERFEX_TIMELINE_H

#include "report/output.h"
#include "timeline/trace_json.h"

/**
 * struct timeline - a timeline that is being collected
 * @output: output of the timeline
 * @path: path of the file that processes write
 * @fd: descriptor of the file at @path
 * @begin_ns: time of now() at which the file was made
 * @begin_stamp: time of vpmc_timeline_stamp() at which the file was made
 * @end_stamp: stamp at which all counted processes had ended
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
 * collect_timeline() - make processes that are created later write a timeline
 * @timeline: receives the data for finish_timeline()
 * @file: name of the output. Its content does not change.
 * @report: the output of the report, which must be another file
 *
 * Return: 0, or an enum perfex_status after a complaint.
 */
int collect_timeline(struct timeline *timeline, const char *file,
		     struct output *report);

/**
 * collect_region_times() - like collect_timeline(), without an output
 * @timeline: receives the data for read_region_times()
 *
 * Return: 0, or an enum perfex_status after a complaint.
 */
int collect_region_times(struct timeline *timeline);

/**
 * read_region_times() - report each begin and end of a region, and remove the processes' file
 * @timeline: from collect_region_times()
 * @events: the events that were counted
 * @change: function that is called for each begin and end, thread by thread; NULL to remove the
 *	file only
 * @arg: second argument of @change
 *
 * Return: 0, or an enum perfex_status after a complaint: PERFEX_INVALID if something is missing.
 */
int read_region_times(struct timeline *timeline, const struct events *events,
		      void (*change)(const struct region_change *change,
				     void *arg),
		      void *arg);

/**
 * finish_timeline() - write the timeline, and remove the processes' file
 * @timeline: from collect_timeline()
 * @events: the events that were counted
 * @raw: true to include the cost of the regions themselves
 * @has_run: true if there is a timeline to write
 *
 * Return: 0, or an enum perfex_status after a complaint. PERFEX_INVALID means that a part is
 * missing, and the other parts have been written.
 */
int finish_timeline(struct timeline *timeline, const struct events *events,
		    bool raw, bool has_run);

#endif /* PERFEX_TIMELINE_H */
