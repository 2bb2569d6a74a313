/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This file declares the common code of programs that read counts without system calls:
 * code whose instructions are known, and the counts that it must read.
 */
#ifndef INLINE_H
#define INLINE_H

#include <vpmc.h>

#include "hold.h"

/* Counts of FIRST events, as struct cost, or of OTHER events. */
struct inline_counts {
	int64_t count[2];
};

/**
 * struct inline_span - what inline_span() reads
 * @counts: before the loop, after it, and after the system call
 * @result: result of the system call
 */
struct inline_span {
	struct inline_counts counts[2];
	struct inline_counts after;
	int32_t result;
};

/*
 * Read both counts, run n rounds of a loop (n at least 1), read both counts,
 * call VPMC_READ, read both counts. As vpmc_count() does, but in inline-32.S or inline-64.S.
 */
void inline_span(struct inline_span *span, unsigned int n, int fd,
		 struct vpmc_read *read);

/* Return whether a span is exact, for FIRST or for OTHER events. */
bool span_is_exact(enum events events, unsigned int n);

/* Check spans, of some instructions and of some clock ticks. */
void check_spans(enum events events, const char *what);

/* Check that there is nothing to read, with the process free to execute RDPMC. */
void check_none(const char *what);

/* Return whether a function, called in a process of its own, ends by this signal. */
bool dies_of(int signo, void (*function)(void));

/* Execute RDPMC of counter 0 or 1; of counter 0 for dies_of(). */
uint64_t rdpmc(uint32_t counter);
void rdpmc_0(void);

/* For the calls of the library. */
extern struct vpmc_error error;
void must(int result, const char *what);
bool refused(int result, enum vpmc_code want, const char *what);

/* The two events of enum events, for vpmc_start(), on counters 0 and 1. */
const struct vpmc_event_sel *events_of(enum events events);

/* A new handle; one that has started FIRST events; and has its page. */
struct vpmc *open_handle(void);
struct vpmc *started(void);
struct vpmc *mapped(void);

#endif /* INLINE_H */
