/* SPDX-License-Identifier: GPL-2.0-only */
/* This file declares how to read counts and their events. */
#ifndef VPMC_READ_H
#define VPMC_READ_H

#include "thread/sum.h"

struct vpmc_process;
struct vpmc_session;
struct vpmc_thread;

/**
 * struct vpmc_subject - the owner of the counts to read, by scope
 * @thread: the thread for VPMC_SCOPE_THREAD, or NULL if it never had counters
 * @process: the process for VPMC_SCOPE_SELF and VPMC_SCOPE_CHILDREN, or NULL if it never
 *	had counters
 * @session: the session for VPMC_SCOPE_ALL, or NULL if the file does not collect
 */
struct vpmc_subject {
	union {
		struct vpmc_thread *thread;
		struct vpmc_process *process;
		struct vpmc_session *session;
	};
};

/*
 * Reads have this number of bytes of struct vpmc_read on the stack. The rest is large, and is
 * needed only for events that share counters.
 */
#define VPMC_READ_SHORT offsetof(struct vpmc_read, nr_turns)

/**
 * struct vpmc_long_read - a read with memory for turns
 * @read: the answer; its @size is VPMC_SIZE_LONG
 * @memory: memory for a sum with all rows
 */
struct vpmc_long_read {
	struct vpmc_read read;
	u8 memory[VPMC_LARGE_COUNTS_SIZE(VPMC_ROWS)] __aligned(8);
};

/**
 * vpmc_read_counts() - carry out VPMC_READ
 * @subject: the owner of the counts; the caller holds references
 * @read: receives the answer; @size and @scope are set. It has VPMC_READ_SHORT bytes,
 *	unless it is part of a struct vpmc_long_read.
 *
 * Context: may sleep. Return: 0, -ENODATA if the subject never counted, -EPERM if the
 * caller must not see the counts, -EINVAL for an unknown scope or if there is no room
 * for times, -ENOBUFS if a struct vpmc_long_read is needed, or -EINTR if current is
 * being killed.
 */
int vpmc_read_counts(const struct vpmc_subject *subject,
		     struct vpmc_read *read);

/* Like vpmc_read_counts() with VPMC_SCOPE_THREAD, for the calling thread. */
int vpmc_read_own(struct vpmc_read *read);

/* Carry out VPMC_QUERY. The errors are the same as for vpmc_read_counts(). May sleep. */
int vpmc_read_events(const struct vpmc_subject *subject,
		     struct vpmc_query *query);

/*
 * Return the generation of @p's counts, and the identity of the start that began them. If
 * @t, a thread of @p, is not NULL, return the identity of this thread's start instead. A
 * number is 0 if its counts do not exist. Both are 0 if current must not see the counts.
 * May sleep.
 */
void vpmc_read_numbers(struct vpmc_process *p, const struct vpmc_thread *t,
		       u64 *generation, u64 *identity);

/* Copy the oldest record of @s, like vpmc_session_peek(). May sleep. */
int vpmc_read_record(struct vpmc_session *s, struct vpmc_record *record);

#endif /* VPMC_READ_H */
