/* SPDX-License-Identifier: GPL-2.0-only */
/* This header declares how perfex chooses the events to count from the command line. */
#ifndef PERFEX_EVENTS_H
#define PERFEX_EVENTS_H

#include "events/count_spec.h"

/**
 * choose_events() - choose the events, and counters for them
 * @vpmc: the handle to count on
 * @spec: the options of counting
 * @metrics: the metrics of groups, whose events are added; may be empty
 * @events: receives the events
 *
 * Return: 0, or an enum perfex_status after a complaint.
 */
int choose_events(struct vpmc *vpmc, const struct count_spec *spec,
		  struct metrics *metrics, struct events *events);

#endif /* PERFEX_EVENTS_H */
