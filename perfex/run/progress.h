/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This header declares the line on the terminal that shows which of several runs is under
 * way.
 */
#ifndef PERFEX_PROGRESS_H
#define PERFEX_PROGRESS_H

#include <stdint.h>

/**
 * struct progress - runs under way; zeroed before
 * @total: how many there are to be; set by the caller
 * @nr: which one it is, from 1
 * @begin: when the first one began, as now() has it
 */
struct progress {
	unsigned int total;
	unsigned int nr;
	uint64_t begin;
};

/**
 * show_progress() - before each run
 * @progress: of the runs
 *
 * Shows a line if standard error output is a terminal, and standard output is none: what
 * the command prints there would be mixed with it, and shows that it runs.
 */
void show_progress(struct progress *progress);

/* hide_progress() - after each run, before anything else is printed */
void hide_progress(const struct progress *progress);

#endif /* PERFEX_PROGRESS_H */
