// SPDX-License-Identifier: GPL-2.0-only
/*
 * This file replaces counters.c: the n-th reading has 1000 n clocks, and event i has counted
 * n (i + 1). It prints the events with which the count begins, if FAKE_SHOW is set.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "p4pm_events.h"

static uint64_t readings;

void p4pm_start(const struct p4pm_event *event, unsigned int nr)
{
	unsigned int i;

	readings = 0;
	for (i = 0; i < nr && getenv("FAKE_SHOW"); i++)
		printf("%s %s %08" PRIx32 " %08" PRIx32 " %u %" PRIx32
		       " %" PRIx32 "\n",
		       event[i].is_count ? "count" : "tag", event[i].name,
		       event[i].escr, event[i].cccr, event[i].counter,
		       event[i].pebs_enable, event[i].pebs_matrix_vert);
}

void p4pm_read(struct p4pm_reading *reading)
{
	unsigned int i;

	readings++;
	reading->tsc = 1000 * readings;
	for (i = 0; i < P4PM_CONTADORES; i++)
		reading->count[i] = readings * (i + 1);
}
