/* SPDX-License-Identifier: GPL-2.0-only */
/* This file declares the common code of the parts of the program "library". */
#ifndef LIBRARY_H
#define LIBRARY_H

#include <vpmc.h>

#include "hold.h"

#define ROUNDS 1000
/* This number of rounds takes several clock ticks. */
#define LONG   10000000

/* These are the two FIRST events, and the two OTHER events. */
extern struct vpmc_event_sel first[2], other[2];

/* Return the event of code_here(), on any counter. */
struct vpmc_event_sel any_counter(unsigned int which);

/*
 * Fill @sel with one event more than there are counters. The last event is clocks, and all others
 * are instructions. Returns the number of events.
 */
unsigned int one_too_many(struct vpmc_event_sel sel[VPMC_MAX_EVENTS]);

/* Calls of the library store their errors here. The next three functions use it. */
extern struct vpmc_error error;

/* Check that a call has succeeded. */
void must(int result, const char *what);

/* Check that a call has failed with code @want and with a sentence. */
void refused(int result, enum vpmc_code want, const char *what);

struct vpmc *open_handle(void);
struct vpmc_counts counts_of(struct vpmc *vpmc, enum vpmc_whose whose);

/* Check counts of FIRST events. They must be of the generation that the handle expects. */
void check_counts(struct vpmc *vpmc, enum vpmc_whose whose, struct cost want,
		  unsigned int activity, const char *what);

/* Return a new handle that is attached to a process or thread. */
struct vpmc *attached(int id, unsigned int flags);

/* These are the tests of library_events.c. */
void test_signals(void);
void test_signal_requests(void);
void test_fault(void);
void test_turns(void);
void test_fits(void);

#endif /* LIBRARY_H */
