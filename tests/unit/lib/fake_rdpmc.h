/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This file fakes the Pentium's counters: RDPMC, which the host does not permit, reads
 * what a test sets.
 */
#ifndef TESTS_UNIT_FAKE_RDPMC_H
#define TESTS_UNIT_FAKE_RDPMC_H

#include <stdint.h>

#include "vpmc.h"

/**
 * struct fake_rdpmc - the counters
 * @counter: values of the counters, 40 bits each
 * @reads: out, how often RDPMC was executed
 * @then: called after each RDPMC has read, as if the thread were interrupted
 *	there, or NULL
 */
struct fake_rdpmc {
	uint64_t counter[VPMC_COUNTS_MAX];
	unsigned int reads;
	void (*then)(void);
};

extern struct fake_rdpmc fake_rdpmc;

/*
 * fake_rdpmc_begin() - let RDPMC work from now on, with all counters 0. Tests call it
 * themselves, because cmocka installs its own signal handlers before each test.
 */
void fake_rdpmc_begin(void);

/**
 * fake_page() - set the page that the next VPMC_MAP maps
 * @nr: events; the first is counted on counter 0, the second on counter 1, and so on
 *
 * Return: the page, in which all counts are those of the counters, of generation 7
 * and of start 21.
 */
struct vpmc_own_page *fake_page(unsigned int nr);

/* fake_take_away() - let a page show no counts. */
void fake_take_away(struct vpmc_own_page *page);

#endif /* TESTS_UNIT_FAKE_RDPMC_H */
