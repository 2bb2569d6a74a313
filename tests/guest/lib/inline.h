/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This file declares the common code of programs that read counts without system calls. The number
 * of its instructions is known, and so are the counts that it must read.
 */
#ifndef INLINE_H
#define INLINE_H

#include <vpmc.h>

#include "hold.h"

/* These are the counts of FIRST events in the order of struct cost, or of OTHER events. */
struct inline_counts {
	int64_t count[2];
};

/**
 * struct inline_span - results of inline_span()
 * @counts: the counts before the loop, and after it
 * @after: the counts after the system call
 * @result: result of the system call
 */
struct inline_span {
	struct inline_counts counts[2];
	struct inline_counts after;
	int32_t result;
};

/*
 * Read both counts, run n rounds of a loop (n is at least 1), read both counts, call VPMC_READ, and
 * read both counts again. The code is that of vpmc_count(), written in inline-32.S and inline-64.S.
 */
void inline_span(struct inline_span *span, unsigned int n, int fd,
		 struct vpmc_read *read);

/* Return whether a span is exact, for FIRST or for OTHER events. */
bool span_is_exact(enum events events, unsigned int n);

/*
 * Check two kinds of spans: some are a few instructions long, and others last several clock ticks.
 */
void check_spans(enum events events, const char *what);

/* Check that there are no counts to read in a process that may execute RDPMC. */
void check_none(const char *what);

/* Call a function in a new process. Returns whether the signal kills that process. */
bool dies_of(int signo, void (*function)(void));

/* Execute RDPMC of a counter. rdpmc_0() reads counter 0, and can be passed to dies_of(). */
uint64_t rdpmc(uint32_t counter);
void rdpmc_0(void);

/* Check the results of calls of the library, which store their errors here. */
extern struct vpmc_error error;
void must(int result, const char *what);
bool refused(int result, enum vpmc_code want, const char *what);

/* Return the two events of an enum events for vpmc_start(), on counters 0 and 1. */
const struct vpmc_event_sel *events_of(enum events events);

/*
 * open_handle() returns a new handle. started() returns one that has started FIRST events. mapped()
 * returns one that has also mapped its page.
 */
struct vpmc *open_handle(void);
struct vpmc *started(void);
struct vpmc *mapped(void);

#endif /* INLINE_H */
