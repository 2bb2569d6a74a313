/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* This header declares the events of p4pm's files, and how their counters are read. */
#ifndef P4PM_EVENTS_H
#define P4PM_EVENTS_H

#include <stdbool.h>
#include <stdint.h>

#include "p4pm.h"

/**
 * struct p4pm_event - a line of a file
 * @is_count: whether its count is in the results
 * @name: name of the event
 * @escr: value of the ESCR
 * @cccr: value of the CCCR
 * @counter: number of the counter
 * @pebs_enable: value of IA32_PEBS_ENABLE
 * @pebs_matrix_vert: value of MSR_PEBS_MATRIX_VERT
 */
struct p4pm_event {
	bool is_count;
	char name[P4PM_NOMBRE];
	uint32_t escr;
	uint32_t cccr;
	unsigned int counter;
	uint32_t pebs_enable;
	uint32_t pebs_matrix_vert;
};

/**
 * struct p4pm_reading - the counters at one moment
 * @tsc: clocks for which the thread ran
 * @count: the counts, in the order of the events
 */
struct p4pm_reading {
	uint64_t tsc;
	uint64_t count[P4PM_CONTADORES];
};

/* p4pm_leave() - print an error on standard error and exit */
_Noreturn __attribute__((format(printf, 1, 2))) void
p4pm_leave(const char *format, ...);

/**
 * p4pm_read_events() - read a file, or exit after an error
 * @path: name of the file
 * @event: receives the events, P4PM_CONTADORES elements
 *
 * Return: number of events, at least 1.
 */
unsigned int p4pm_read_events(const char *path, struct p4pm_event *event);

/**
 * p4pm_start() - begin to count in the calling thread, or exit after an error
 * @event: the events
 * @nr: number of events
 */
void p4pm_start(const struct p4pm_event *event, unsigned int nr);

/* p4pm_read() - read the counters of the calling thread, or exit after an error */
void p4pm_read(struct p4pm_reading *reading);

#endif /* P4PM_EVENTS_H */
