/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What an open file collects: the counts of a process and of all its
 * descendants, whether or not anybody waits for them, and a record of each
 * thread if that is wanted.
 *
 * A process joins the session of the file that it starts on, or its creator's
 * at fork, and stays in it; when the file is closed, until another one collects
 * the process. The file and each member hold the session.
 */
#ifndef VPMC_SESSION_H
#define VPMC_SESSION_H

#include <linux/kref.h>
#include <linux/list.h>
#include <linux/rcupdate.h>
#include <linux/spinlock.h>

#include "access.h"
#include "events.h"
#include "sum.h"

struct pid_namespace;
struct task_struct;

/**
 * struct vpmc_session - what an open file collects
 * @ref: holders
 * @lock: protects everything below. Taken in process context only, outside
 *	the locks of the member processes.
 * @members: struct vpmc_process that have threads, by member
 * @generation: of the counts, and @identity: of the start that began them
 * @events: what @sum counts
 * @access: to whom @sum and the records may be shown
 * @sum: of the members' threads that are gone
 * @closed: nobody reads it any more
 * @keep_records: whether there are to be any
 * @nr_records: how many there are, at most VPMC_MAX_RECORDS
 * @lost: records that were not kept
 * @records: struct vpmc_kept_record, oldest first
 * @ns: where processes and threads have the numbers that records say
 * @rcu: to free it; whoever goes for @lock may come too late
 */
struct vpmc_session {
	struct kref ref;
	spinlock_t lock;	/* see above */
	struct list_head members;
	u64 generation;
	u64 identity;
	struct vpmc_events *events;
	struct vpmc_access access;
	struct vpmc_sum sum;
	bool closed;
	bool keep_records;
	u32 nr_records;
	u32 lost;
	struct list_head records;
	struct pid_namespace *ns;
	struct rcu_head rcu;
};

/**
 * struct vpmc_kept_record - what a thread has counted
 * @node: in vpmc_session.records, or in the list of those that are to be used
 * @pid: its process
 * @tid: the thread
 * @comm: its name
 * @what: VPMC_RECORD_* bits
 * @nr: events
 * @closed: only for who has CAP_PERFMON when it is taken
 * @room: for how many events that share counters there is memory
 * @sum: what it counted
 * @mux: of @sum
 */
struct vpmc_kept_record {
	struct list_head node;
	pid_t pid;
	pid_t tid;
	char comm[TASK_COMM_LEN];
	u8 what;
	u8 nr;
	bool closed;
	u8 room;
	struct vpmc_sum sum;
	struct vpmc_mux_counts mux;
};

/* A new session with one holder, or NULL. May sleep. */
struct vpmc_session *vpmc_session_create(void);

static inline struct vpmc_session *vpmc_session_get(struct vpmc_session *s)
{
	kref_get(&s->ref);
	return s;
}

/* May sleep no more than kfree(). @s may be NULL. */
void vpmc_session_put(struct vpmc_session *s);

/*
 * The file is closed: nobody will read @s any more, so keep no records. Gives
 * the file's reference back. May sleep; @s may be NULL.
 */
void vpmc_session_close(struct vpmc_session *s);

/*
 * Begin at zero of @events, with memory at @mux if they share counters, for
 * whoever @access says. Returns the memory of the former ones. @s->lock held.
 */
struct vpmc_mux_counts *
vpmc_session_restart(struct vpmc_session *s, bool keep_records, u64 generation,
		     u64 identity, struct vpmc_events *events,
		     const struct vpmc_access *access,
		     struct vpmc_mux_counts *mux);

/*
 * Memory for the record of a thread that counts @events, which may be NULL, or
 * NULL. May sleep.
 */
struct vpmc_kept_record *
vpmc_session_alloc_record(const struct vpmc_events *events);

/*
 * Keep a record of @tsk, which counted @sum of @events (either may be NULL) for
 * whoever @access says. @what: VPMC_RECORD_* bits. Takes the first of @spare
 * that has room for it; without one, the record is lost. @s->lock held.
 */
void vpmc_session_record(struct vpmc_session *s, struct task_struct *tsk,
			 u32 what, const struct vpmc_sum *sum,
			 const struct vpmc_events *events,
			 const struct vpmc_access *access,
			 struct list_head *spare);

/*
 * VPMC_RECORD in two steps, so that none is lost if the answer cannot be
 * written: fill @out, which is zeroed but for its size, from the oldest record,
 * and drop that and the number of those that were lost. The first returns 0,
 * -ENODATA, or -EINVAL if the record has times for which there is no room. Who
 * may not see what @s collects finds no counts in it. @own: @s collects current's
 * process. The caller is the only one who takes records. May sleep.
 */
int vpmc_session_peek(struct vpmc_session *s, bool own, struct vpmc_record *out);
void vpmc_session_drop(struct vpmc_session *s, const struct vpmc_record *out);

#endif /* VPMC_SESSION_H */
