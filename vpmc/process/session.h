/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This file declares a session, which is what an open file collects: the counts of a
 * process and of all its descendants, whether or not a process waits for them, and on
 * request a record of each thread.
 *
 * A process joins the session of the file on which it is started, or at fork the
 * session of its parent. It stays a member. After the file has been closed, another
 * file may collect it. The file and each member hold a reference to the session.
 */
#ifndef VPMC_SESSION_H
#define VPMC_SESSION_H

#include <linux/kref.h>
#include <linux/list.h>
#include <linux/rcupdate.h>
#include <linux/spinlock.h>
#include <linux/types.h>

#include "process/access.h"
#include "kernel/account.h"
#include "cpu/events.h"
#include "thread/sum.h"

struct mem_cgroup;
struct pid_namespace;
struct task_struct;
struct wait_queue_head;

/**
 * struct vpmc_session - what an open file collects
 * @ref: holders
 * @lock: protects everything below. Taken in process context only, outside
 *	the locks of the member processes.
 * @members: struct vpmc_process that have threads, by member
 * @generation: of the counts, and @identity: of the start that began them
 * @epoch: while it is vpmc_epoch, it is that of all members. They are looked at
 *	only when it is not.
 * @events: what @sum counts
 * @access: to whom @sum and the records may be shown
 * @sum: of the members' threads that are gone
 * @cred: with which these and the records were counted, see vpmc_access_note()
 * @closed: the file is closed: nobody reads this any more
 * @keep_records: whether to keep records
 * @nr_records: how many there are, at most VPMC_MAX_RECORDS
 * @lost: records that were not kept
 * @limited: some of these for RLIMIT_MEMLOCK
 * @account: to whom the records are charged: the user who started to collect
 * @nr_occupied: members that a call occupies, see vpmc_process_give_way()
 * @nr_waiting: tasks that wait until there are none, see vpmc_process_lock_in_turn()
 * @records: struct vpmc_kept_record, oldest first
 * @ready: who waits for records of the file; NULL when it is closed
 * @ns: the pid namespace of the numbers in records
 * @memcg: the memory cgroup that records are charged to, that of who made it: an
 *	exiting thread has none any more. A reference, or NULL.
 * @rcu: to free it; others may still try to take @lock, see process.c
 */
struct vpmc_session {
	struct kref ref;
	spinlock_t lock;	/* see above */
	struct list_head members;
	u64 generation;
	u64 identity;
	unsigned int epoch;
	struct vpmc_events *events;
	struct vpmc_access access;
	struct vpmc_sum sum;
	const struct cred *cred;
	bool closed;
	bool keep_records;
	bool limited;
	u32 nr_records;
	u32 lost;
	struct vpmc_account account;
	u32 nr_occupied;
	u32 nr_waiting;
	struct list_head records;
	struct wait_queue_head *ready;
	struct pid_namespace *ns;
	struct mem_cgroup *memcg;
	struct rcu_head rcu;
};

/**
 * struct vpmc_kept_record - what a thread has counted
 * @node: in vpmc_session.records, or in vpmc_prealloc.records
 * @pid: its process
 * @tid: the thread
 * @comm: its name
 * @what: VPMC_RECORD_* bits
 * @nr: events
 * @closed: shown only to readers with CAP_PERFMON
 * @nr_large: how many pairs of a large set @large has memory for
 * @sum: what it counted
 * @large: of @sum
 */
struct vpmc_kept_record {
	struct list_head node;
	pid_t pid;
	pid_t tid;
	char comm[TASK_COMM_LEN];
	u8 what;
	u8 nr;
	bool closed;
	u8 nr_large;
	struct vpmc_sum sum;
	struct vpmc_large_counts large;
};

/* A new session with one holder, which wakes @ready up; or NULL. May sleep. */
struct vpmc_session *vpmc_session_create(struct wait_queue_head *ready);

static inline struct vpmc_session *vpmc_session_get(struct vpmc_session *s)
{
	kref_get(&s->ref);
	return s;
}

/* Only for vpmc_session_put(). */
void vpmc_session_free(struct kref *ref);

/* May sleep no more than kfree(). @s may be NULL. */
static inline void vpmc_session_put(struct vpmc_session *s)
{
	if (s)
		kref_put(&s->ref, vpmc_session_free);
}

/* Only for vpmc_session_lock(). */
bool vpmc_session_await(struct vpmc_session *s)
	__must_hold(&s->lock);

/*
 * Take @s->lock when nobody occupies a member: their locks may be taken then, too. May
 * sleep. Returns false, with the lock held, if current is being killed and one is occupied:
 * then release it, and fail with -EINTR.
 */
static inline bool __must_check vpmc_session_lock(struct vpmc_session *s)
	__acquires(&s->lock)
{
	spin_lock(&s->lock);
	return likely(!s->nr_occupied) || vpmc_session_await(s);
}

/* One member more is occupied, or one less. @s->lock held. */
void vpmc_session_occupy(struct vpmc_session *s);
void vpmc_session_leave(struct vpmc_session *s);

/*
 * The file is closed: drop the records, keep no more, and put the file's
 * reference. May sleep; @s may be NULL.
 */
void vpmc_session_close(struct vpmc_session *s);

/*
 * Begin at zero with @events, with memory @large if they are large. @access:
 * to whom this may be shown. Records are charged to current's user from now on.
 * Returns the old memory. @s->lock held.
 */
struct vpmc_large_counts *
vpmc_session_restart(struct vpmc_session *s, bool keep_records, u64 generation,
		     u64 identity, struct vpmc_events *events,
		     const struct vpmc_access *access,
		     struct vpmc_large_counts *large);

/* How many pairs a record of @events needs; 0 if it is NULL or small. */
static inline u32 vpmc_session_nr_large(const struct vpmc_events *events)
{
	return vpmc_events_are_large(events) ?
		       vpmc_sum_rows(events) * events->nr : 0;
}

/* Memory for a record of @s with so many pairs, or NULL. May sleep. */
struct vpmc_kept_record *vpmc_session_alloc_record(const struct vpmc_session *s,
						   u32 nr_large);

/*
 * Keep a record of @tsk, which counted @events (NULL if nothing). @shown: the thread
 * whose counts are in the record, or NULL if they must not be. @access: to whom it may
 * be shown. @what: VPMC_RECORD_* bits. Takes the first of @spare that has room for it;
 * without one, or at the limit of the user who is charged, the record is lost. @s->lock
 * held.
 */
void vpmc_session_record(struct vpmc_session *s, struct task_struct *tsk,
			 u32 what, const struct vpmc_thread *shown,
			 const struct vpmc_events *events,
			 const struct vpmc_access *access,
			 struct list_head *spare);

/* A process is no member any more. @s->lock held. */
void vpmc_session_left(struct vpmc_session *s);

/*
 * The part of struct vpmc_record that is needed unless events share counters. What follows
 * is large.
 */
#define VPMC_RECORD_SHORT offsetof(struct vpmc_record, nr_turns)

/* What poll(2) is told: EPOLLIN and EPOLLRDNORM, EPOLLHUP, as VPMC_RECORD documents. */
__poll_t vpmc_session_poll(struct vpmc_session *s);

/*
 * VPMC_RECORD in two steps, so that no record is lost if the answer cannot be
 * written. The first fills @out, which is zero except for its size, from the
 * oldest record. The second drops that record and the number of lost ones. The
 * first returns 0, -ENODATA, or as vpmc_sum_report() for want of room, @s->lock held;
 * @out has VPMC_RECORD_SHORT bytes, unless its size is VPMC_SIZE_LONG. The caller is the
 * only one who takes records.
 */
int vpmc_session_peek(struct vpmc_session *s, bool own, struct vpmc_record *out);
void vpmc_session_drop(struct vpmc_session *s, const struct vpmc_record *out);

#endif /* VPMC_SESSION_H */
