/* SPDX-License-Identifier: GPL-2.0-only */
/* This header declares the events that run_p5mon has parameters for. */
#ifndef P5MON_EVENTS_H
#define P5MON_EVENTS_H

#include <libp5mon.h>

#define NR_EVENTS 39U

/**
 * struct event - an event that can be counted
 * @parameter: parameter that selects the event
 * @number: its number in libp5mon
 */
struct event {
	const char *parameter;
	EVENT number;
};

/* The events are in the order of counting and reporting. */
extern const struct event events[NR_EVENTS];

#endif /* P5MON_EVENTS_H */
