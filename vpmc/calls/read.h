/* SPDX-License-Identifier: GPL-2.0-only */
/* This file declares how to read counts and the events that they belong to. */
#ifndef VPMC_READ_H
#define VPMC_READ_H

#include "thread/sum.h"

struct vpmc_process;
struct vpmc_session;
struct vpmc_thread;

/**
 * struct vpmc_subject - whose counts are to be read, by scope
 * @thread: for VPMC_SCOPE_THREAD, or NULL if it never had counters
 * @process: for VPMC_SCOPE_SELF and VPMC_SCOPE_CHILDREN, or NULL likewise
 * @session: for VPMC_SCOPE_ALL, or NULL if nothing is collected
 */
struct vpmc_subject {
	union {
		struct vpmc_thread *thread;
		struct vpmc_process *process;
		struct vpmc_session *session;
	};
};

/*
 * The part of struct vpmc_read that reads have on the stack. What follows is large, and
 * needed only of events that share counters.
 */
#define VPMC_READ_SHORT offsetof(struct vpmc_read, nr_turns)

/**
 * struct vpmc_long_read - a read with memory for turns
 * @read: the answer; its @size is VPMC_SIZE_LONG
 * @memory: for a sum with all rows
 */
struct vpmc_long_read {
	struct vpmc_read read;
	u8 memory[VPMC_LARGE_COUNTS_SIZE(VPMC_ROWS)] __aligned(8);
};

/**
 * vpmc_read_counts() - VPMC_READ
 * @subject: whose counts; the caller holds references
 * @read: @size and @scope are set; receives the rest. It has VPMC_READ_SHORT bytes, unless
 *	it is that of a struct vpmc_long_read.
 *
 * Context: may sleep.
 * Return: 0, -ENODATA if there is nothing that ever counted, -EPERM if the
 * caller must not see it, -EINVAL for an unknown scope or if there is no room
 * for times, -ENOBUFS if a struct vpmc_long_read is needed.
 */
int vpmc_read_counts(const struct vpmc_subject *subject,
		     struct vpmc_read *read);

/* The same of VPMC_SCOPE_THREAD for the calling thread. */
int vpmc_read_own(struct vpmc_read *read);

/* VPMC_QUERY, likewise. */
int vpmc_read_events(const struct vpmc_subject *subject,
		     struct vpmc_query *query);

/*
 * The generation of @p's counts, and the identity of the start that began them;
 * if @t, one of its threads, is not NULL, that of the thread's start. Both are 0
 * for what never counted, and if current must not watch it. May sleep.
 */
void vpmc_read_numbers(struct vpmc_process *p, const struct vpmc_thread *t,
		       u64 *generation, u64 *identity);

/* The oldest record of @s, as vpmc_session_peek(). */
int vpmc_read_record(struct vpmc_session *s, struct vpmc_record *record);

#endif /* VPMC_READ_H */
