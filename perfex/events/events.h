/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This header declares the events that perfex counts, which it makes of those of the
 * command line.
 */
#ifndef PERFEX_EVENTS_H
#define PERFEX_EVENTS_H

#include "events/count_spec.h"

/**
 * choose_events() - choose the events, and counters for them
 * @vpmc: the handle to count on
 * @spec: what to count
 * @metrics: what groups have; their events are added, and metrics may be none
 * @events: receives them
 *
 * Return: 0, or an enum perfex_status after a complaint.
 */
int choose_events(struct vpmc *vpmc, const struct count_spec *spec,
		  struct metrics *metrics, struct events *events);

#endif /* PERFEX_EVENTS_H */
