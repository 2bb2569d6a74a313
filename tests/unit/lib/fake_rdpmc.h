/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This file fakes the Pentium's counters: RDPMC, which the host does not permit, reads values
 * that a test chooses.
 */
#ifndef TESTS_UNIT_FAKE_RDPMC_H
#define TESTS_UNIT_FAKE_RDPMC_H

#include <stdint.h>

#include "vpmc.h"

/**
 * struct fake_rdpmc - the counters
 * @counter: values of the counters, 40 bits each
 * @reads: out, number of executed RDPMC
 * @then: function that is called after each RDPMC, as if it interrupted the thread; or NULL
 */
struct fake_rdpmc {
	uint64_t counter[VPMC_COUNTS_MAX];
	unsigned int reads;
	void (*then)(void);
};

extern struct fake_rdpmc fake_rdpmc;

/*
 * fake_rdpmc_begin() - let RDPMC work from now on, with all counters 0. Each test calls it,
 * because cmocka installs its own signal handlers before each test.
 */
void fake_rdpmc_begin(void);

/**
 * fake_page() - set the page that the next VPMC_MAP maps
 * @nr: number of events; counter 0 counts the first event, counter 1 the second event, and so on
 *
 * Return: the page. Its counts equal the counters; its generation is 7 and its start is 21.
 */
struct vpmc_own_page *fake_page(unsigned int nr);

/* fake_take_away() - let a page show no counts, as if the counters had been taken away */
void fake_take_away(struct vpmc_own_page *page);

#endif /* TESTS_UNIT_FAKE_RDPMC_H */
