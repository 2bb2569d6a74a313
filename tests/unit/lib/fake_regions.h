/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This file fakes a thread that counts one or two events, for tests of regions. It uses a fake
 * driver and a fake RDPMC.
 */
#ifndef TESTS_UNIT_FAKE_REGIONS_H
#define TESTS_UNIT_FAKE_REGIONS_H

#include <vpmc_region.h>

/* Tests count the first of these events, or both events. */
extern const struct vpmc_event_sel regions_events[2];

/* These are the thread's page, and a handle. */
extern struct vpmc_own_page *regions_page;
extern struct vpmc *regions_vpmc;

/* cmocka calls these functions before and after each test. */
int regions_setup(void **state);
int regions_teardown(void **state);

/* regions_renew() - prepare a next start that has @nr events and a new generation */
void regions_renew(unsigned int nr);

/* regions_start() - call regions_renew(), and start the events */
void regions_start(unsigned int nr);

/*
 * regions_work() - let the first event occur @events times, and the second event ten times as
 * often; no signal comes during the call
 */
void regions_work(unsigned int events);

/* regions_handle() - execute the regions of a signal handler: "deep" within "handler" */
void regions_handle(void);

#endif /* TESTS_UNIT_FAKE_REGIONS_H */
