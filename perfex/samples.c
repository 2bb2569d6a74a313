// SPDX-License-Identifier: GPL-2.0-only
/* See samples.h. */
#include "samples.h"

#include <math.h>
#include <stdlib.h>

#include "clock.h"
#include "figure.h"

/* How many more intervals there is room for with each allocation at first. */
#define FIRST_ROOM 64

static bool make_room(struct samples *samples, size_t nr_events)
{
	const size_t room = samples->room ? 2 * samples->room : FIRST_ROOM;
	double *end, *rate;

	if (samples->nr < samples->room)
		return true;
	end = reallocarray(samples->end, room, sizeof(*end));
	if (end)
		samples->end = end;
	rate = reallocarray(samples->rate, room, nr_events * sizeof(*rate));
	if (rate)
		samples->rate = rate;
	if (!end || !rate)
		return false;
	samples->room = room;
	samples->nr_events = nr_events;
	return true;
}

/* There is none of an interval in which the count was stopped. */
static double rate_of(const struct report *report, size_t event)
{
	const struct figure figure = figure_of_total(report, event);
	const double seconds = (double)report->elapsed_us / (double)US_PER_S;

	return figure.missing || !report->elapsed_us
		       ? NAN
		       : (double)figure.count / seconds;
}

int add_sample(struct samples *samples, const struct report *report)
{
	const double end = (double)report->us / (double)US_PER_S;
	const size_t nr_events = report->events->nr;
	size_t i;

	/* It would have no width. */
	if (end <= (samples->nr ? samples->end[samples->nr - 1] : 0))
		return 0;
	if (!make_room(samples, nr_events)) {
		complain("no memory for the plot of %zu intervals: make them"
			 " longer",
			 samples->nr + 1);
		return PERFEX_SYSTEM;
	}
	samples->end[samples->nr] = end;
	for (i = 0; i < nr_events; i++)
		samples->rate[samples->nr * nr_events + i] = rate_of(report, i);
	samples->nr++;
	return 0;
}

double rate_in(const struct samples *samples, size_t i, size_t event)
{
	return samples->rate[i * samples->nr_events + event];
}

void free_samples(struct samples *samples)
{
	free(samples->end);
	free(samples->rate);
}
