/* SPDX-License-Identifier: GPL-2.0-only */
/* This header declares the events that perfex.irix counts. */
#ifndef IRIX_EVENTS_H
#define IRIX_EVENTS_H

#include "irix_options.h"
#include "util/perfex.h"

/**
 * irix_choose_events() - choose the events of a command line and their counters
 * @vpmc: from vpmc_open()
 * @options: the command line
 * @events: receives the events
 * @left_out: receives the number of events that -a does not count for lack of room
 *
 * Without -a there are two events: the events of -e or, if -e is not used, of the environment.
 * Cycles replace missing events.
 *
 * Return: 0, or an enum perfex_status after a complaint.
 */
int irix_choose_events(struct vpmc *vpmc, const struct irix_options *options,
		       struct events *events, unsigned int *left_out);

#endif /* IRIX_EVENTS_H */
