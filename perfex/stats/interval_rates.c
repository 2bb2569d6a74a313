// SPDX-License-Identifier: GPL-2.0-only
/* Compute the rates of events in each interval. */
#include "stats/interval_rates.h"

#include <math.h>
#include <stdlib.h>

#include "stats/event_value.h"
#include "util/clock.h"

/* The first allocation has room for this many intervals. */
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

/* Return the rate of an event, or NAN if the count was stopped during the whole interval. */
static double rate_of(const struct report *report, size_t event)
{
	const struct figure figure = figure_of_total(report, event);
	const double seconds = (double)report->elapsed_us / (double)US_PER_S;

	return figure.missing || !report->elapsed_us
		       ? NAN
		       : (double)figure.count / seconds;
}

static double length_of(const struct samples *samples, size_t i)
{
	return samples->end[i] - (i ? samples->end[i - 1] : 0);
}

/*
 * Tell whether this is the last interval, and shorter than half of the previous interval. Its
 * rate would distort the plot, because a few milliseconds do not represent the program.
 */
static bool is_short_rest(const struct samples *samples,
			  const struct report *report, double end)
{
	const size_t last = samples->nr - 1;

	return report->is_last && samples->nr &&
	       end - samples->end[last] < length_of(samples, last) / 2;
}

/* Extend the previous interval by the rest. Its rate becomes the rate over both. */
static void extend_last(struct samples *samples, const struct report *report,
			double end)
{
	const size_t last = samples->nr - 1;
	const double length = length_of(samples, last);
	const double rest = end - samples->end[last];
	double *const rate = samples->rate + last * samples->nr_events;
	double more;
	size_t i;

	for (i = 0; i < samples->nr_events; i++) {
		more = rate_of(report, i);
		if (!isnan(rate[i]) && !isnan(more))
			rate[i] = (rate[i] * length + more * rest) /
				  (length + rest);
	}
	samples->end[last] = end;
}

int add_sample(struct samples *samples, const struct report *report)
{
	const double end = (double)report->us / (double)US_PER_S;
	const size_t nr_events = report->events->nr;
	size_t i;

	/* Skip an interval of length 0, which has no rate. */
	if (end <= (samples->nr ? samples->end[samples->nr - 1] : 0))
		return 0;
	if (is_short_rest(samples, report, end)) {
		extend_last(samples, report, end);
		return 0;
	}
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
