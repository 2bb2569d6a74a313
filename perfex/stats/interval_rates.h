/* SPDX-License-Identifier: GPL-2.0-only */
/* This header declares how often events happened in each interval. */
#ifndef PERFEX_INTERVAL_RATES_H
#define PERFEX_INTERVAL_RATES_H

#include "stats/report_data.h"

/**
 * struct samples - the intervals so far; zeroed before the first
 * @nr_events: how many events there are
 * @nr: how many intervals
 * @room: how many there is memory for
 * @end: when each ended, in seconds since the beginning
 * @rate: of each event in each interval, per second; NAN if there is none
 */
struct samples {
	size_t nr_events;
	size_t nr;
	size_t room;
	double *end;
	double *rate;
};

/**
 * add_sample() - take one more interval in, or make the last one longer by a short rest
 * @samples: receives it
 * @report: of the interval alone
 *
 * Return: 0, or an enum perfex_status after a complaint.
 */
int add_sample(struct samples *samples, const struct report *report);

/* rate_in() - of event @event in interval @i */
double rate_in(const struct samples *samples, size_t i, size_t event);

/* free_samples() - give the memory back */
void free_samples(struct samples *samples);

#endif /* PERFEX_INTERVAL_RATES_H */
