/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This file fakes, for tests of regions, a thread that counts one or two events, by a
 * fake driver and RDPMC.
 */
#ifndef TESTS_UNIT_FAKE_REGIONS_H
#define TESTS_UNIT_FAKE_REGIONS_H

#include <vpmc_region.h>

/* The first of these events is counted, or both. */
extern const struct vpmc_event_sel regions_events[2];

/* The thread's page, and a handle. */
extern struct vpmc_own_page *regions_page;
extern struct vpmc *regions_vpmc;

/* These run before and after each test. */
int regions_setup(void **state);
int regions_teardown(void **state);

/* regions_renew() - the next start is of so many events, and of a new generation */
void regions_renew(unsigned int nr);

/* regions_start() - the same, and the start */
void regions_start(unsigned int nr);

/*
 * regions_work() - the first event occurs so often, the second ten times as often; no
 * signal comes in between
 */
void regions_work(unsigned int events);

#endif /* TESTS_UNIT_FAKE_REGIONS_H */
