/* SPDX-License-Identifier: GPL-2.0-only */
/* This header declares a line on the terminal that shows the progress of several runs. */
#ifndef PERFEX_PROGRESS_H
#define PERFEX_PROGRESS_H

#include <stdint.h>

/**
 * struct progress - progress of several runs; zeroed before the first run
 * @total: number of runs; set by the caller
 * @nr: number of the present run, from 1
 * @begin: time of now() at which the first run began
 */
struct progress {
	unsigned int total;
	unsigned int nr;
	uint64_t begin;
};

/**
 * show_progress() - show the progress; call it before each run
 * @progress: progress of the runs
 *
 * The function shows a line only if standard error is a terminal and standard output is not.
 * Otherwise the line would be mixed with the command's output.
 */
void show_progress(struct progress *progress);

/* hide_progress() - erase the line; call it after each run, before anything else is printed */
void hide_progress(const struct progress *progress);

#endif /* PERFEX_PROGRESS_H */
