// SPDX-License-Identifier: GPL-2.0-only
/* Show the progress of several runs on the terminal. */
#include "run/progress.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <unistd.h>

#include "util/clock.h"

/*
 * This moves the cursor to the beginning of the line, and erases the line from there
 * (ECMA-48).
 */
#define ERASE "\r\033[K"

static bool is_shown(const struct progress *progress)
{
	return progress->total > 1 && isatty(STDERR_FILENO) &&
	       !isatty(STDOUT_FILENO);
}

/* Estimate the time left: the remaining runs take as long as the average of the past ones. */
static uint64_t seconds_left(const struct progress *progress)
{
	const unsigned int over = progress->nr - 1;
	const uint64_t time = (now() - progress->begin) / over;

	return (time * (progress->total - over) + NS_PER_S / 2) / NS_PER_S;
}

void show_progress(struct progress *progress)
{
	if (!progress->nr++)
		progress->begin = now();
	if (!is_shown(progress))
		return;
	fprintf(stderr, ERASE "run %u of %u", progress->nr, progress->total);
	if (progress->nr > 1)
		fprintf(stderr, ", %" PRIu64 " s left", seconds_left(progress));
	/* Move the cursor to the beginning, so that errors during the run overwrite the line. */
	fputc('\r', stderr);
}

void hide_progress(const struct progress *progress)
{
	if (is_shown(progress))
		fputs(ERASE, stderr);
}
