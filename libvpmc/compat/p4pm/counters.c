// SPDX-License-Identifier: LGPL-2.1-or-later
/* Count the calling thread for p4pm, with libvpmc. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "p4pm_events.h"
#include "vpmc.h"

/* libvpmc itself sets the modes and thread bits of an ESCR, and these bits of a CCCR. */
#define ESCR_MODES  0xfU
#define ESCR_USER   0x4U
#define ESCR_KERNEL 0x8U
#define CCCR_DRIVER (1U << 12 | 3U << 16)

/**
 * struct counters - the counters of the thread
 * @vpmc: the handle, or NULL
 * @nr: number of events
 * @is_mapped: whether the counters can be read without a system call
 */
static struct {
	struct vpmc *vpmc;
	unsigned int nr;
	bool is_mapped;
} counters;

static const char *modes_of(const struct p4pm_event *event)
{
	if (event->escr & ESCR_USER)
		return event->escr & ESCR_KERNEL ? "uk" : "u";
	if (!(event->escr & ESCR_KERNEL))
		p4pm_leave("the event %s counts nothing: set bit 2 or 3 of its"
			   " ESCR",
			   event->name);
	return "k";
}

static void select_event(const struct p4pm_event *event,
			 struct vpmc_event_sel *sel)
{
	struct vpmc_error err;
	char text[160], replay[64] = "";

	if (event->pebs_enable || event->pebs_matrix_vert)
		snprintf(replay, sizeof(replay),
			 ":pebs=0x%" PRIx32 ":matrix=0x%" PRIx32,
			 event->pebs_enable, event->pebs_matrix_vert);
	snprintf(text, sizeof(text),
		 "escr=0x%" PRIx32 ":cccr=0x%" PRIx32 "%s@%u:%s",
		 event->escr & ~ESCR_MODES, event->cccr & ~CCCR_DRIVER, replay,
		 event->counter, modes_of(event));
	if (vpmc_event_parse(vpmc_pmu_of(counters.vpmc), text, VPMC_USER, sel,
			     &err))
		p4pm_leave("%s: %s", event->name, err.text);
}

void p4pm_start(const struct p4pm_event *event, unsigned int nr)
{
	struct vpmc_event_sel sel[P4PM_CONTADORES];
	struct vpmc_error err;
	unsigned int i;

	vpmc_close(counters.vpmc);
	if (vpmc_open(&counters.vpmc, &err))
		p4pm_leave("%s", err.text);
	for (i = 0; i < nr; i++)
		select_event(&event[i], &sel[i]);
	if (vpmc_start(counters.vpmc, sel, nr, VPMC_FORCE, &err))
		p4pm_leave("%s", err.text);
	counters.nr = nr;
	counters.is_mapped = !vpmc_map(counters.vpmc, NULL);
}

void p4pm_read(struct p4pm_reading *reading)
{
	struct vpmc_snapshot mark;
	struct vpmc_counts counts;
	struct vpmc_error err;

	if (counters.is_mapped && !vpmc_mark(&mark)) {
		reading->tsc = mark.tsc;
		memcpy(reading->count, mark.count, sizeof(reading->count));
		return;
	}
	if (vpmc_read(counters.vpmc, VPMC_THREAD, &counts, &err))
		p4pm_leave("%s", err.text);
	reading->tsc = counts.tsc;
	memcpy(reading->count, counts.count, sizeof(reading->count));
}
