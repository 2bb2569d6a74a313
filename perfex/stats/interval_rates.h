/* SPDX-License-Identifier: GPL-2.0-only */
/* This header declares the rates of events in each interval. */
#ifndef PERFEX_INTERVAL_RATES_H
#define PERFEX_INTERVAL_RATES_H

#include "stats/report_data.h"

/**
 * struct samples - the intervals so far; zeroed before the first interval
 * @nr_events: number of events
 * @nr: number of intervals
 * @room: number of intervals that fit into the allocated memory
 * @end: end of each interval, in seconds since the beginning
 * @rate: rate of each event in each interval, per second; NAN if it is not known
 */
struct samples {
	size_t nr_events;
	size_t nr;
	size_t room;
	double *end;
	double *rate;
};

/**
 * add_sample() - add an interval, or extend the previous interval by a short rest
 * @samples: receives the interval
 * @report: report of this interval
 *
 * Return: 0, or an enum perfex_status after a complaint.
 */
int add_sample(struct samples *samples, const struct report *report);

/* rate_in() - get the rate of event @event in interval @i */
double rate_in(const struct samples *samples, size_t i, size_t event);

/* free_samples() - free the memory of the intervals */
void free_samples(struct samples *samples);

#endif /* PERFEX_INTERVAL_RATES_H */
