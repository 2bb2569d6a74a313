/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This file declares a session, in which an open file collects counts. It collects the counts of a
 * process and of all its descendants, whether or not a process waits for them. On request it also
 * collects a record of each thread.
 *
 * A process joins the session of the file on which it is started, or the session of its parent when
 * it is forked. The process stays a member. After the file has been closed, another file may
 * collect the process. The file and each member hold a reference to the session.
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
struct vpmc_group;
struct pid_namespace;
struct task_struct;
struct wait_queue_head;

/**
 * struct vpmc_session - the counts that an open file collects
 * @ref: reference count
 * @lock: protects all following fields. Taken in process context only, outside the locks
 *	of the member processes.
 * @members: list of struct vpmc_process that have threads
 * @generation: generation of the counts
 * @identity: identity of the start that began the counts
 * @epoch: the epoch of all members. The members are checked only if this value differs from
 *	vpmc_epoch.
 * @events: events of @sum
 * @access: the readers to whom @sum and the records may be shown
 * @sum: sum of the members' threads that have exited
 * @cred: credentials with which @sum and the records were counted, see
 *	vpmc_access_note()
 * @closed: whether the file is closed, so that the session is not read any more
 * @keep_records: whether to keep records
 * @nr_records: number of records, at most VPMC_MAX_RECORDS
 * @lost: number of records that were not kept
 * @limited: whether some records were lost because of RLIMIT_MEMLOCK
 * @restarts: whether a start of the file is under way. It may have given way, so processes that
 *	enter @group wait for its end.
 * @account: account of the user who started to collect, to whom the records are charged
 * @nr_occupied: number of members that a call occupies, see vpmc_process_give_way()
 * @nr_waiting: number of tasks that wait until @nr_occupied is 0, see
 *	vpmc_process_lock_in_turn()
 * @group: the cgroup whose processes the file collects, or NULL. It changes only while
 *	vpmc_handle.lock of the file is also held. Do not dereference it after the file is closed.
 * @records: list of struct vpmc_kept_record, oldest first
 * @ready: tasks that wait for records of the file; NULL after it is closed
 * @ns: the pid namespace of the ids in records
 * @memcg: the memory cgroup of the task that created the session, with a reference, or
 *	NULL. Records are charged to it, because an exiting thread has no cgroup any
 *	more.
 * @rcu: frees the session after a grace period, because other tasks may still try to
 *	take @lock, see process.c
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
	bool restarts;
	u32 nr_records;
	u32 lost;
	struct vpmc_account account;
	u32 nr_occupied;
	u32 nr_waiting;
	struct vpmc_group *group;
	struct list_head records;
	struct wait_queue_head *ready;
	struct pid_namespace *ns;
	struct mem_cgroup *memcg;
	struct rcu_head rcu;
};

/**
 * struct vpmc_kept_record - the record of a thread
 * @node: entry in vpmc_session.records or vpmc_prealloc.records
 * @pid: id of its process
 * @tid: id of the thread
 * @comm: command name of the thread
 * @what: VPMC_RECORD_* bits
 * @nr: number of events
 * @closed: whether it is shown only to readers with CAP_PERFMON
 * @nr_large: number of pairs of a large set for which @large has memory
 * @sum: the counts of the thread
 * @large: memory of @sum
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

/*
 * Create a session with one reference. The session wakes up @ready. Returns NULL if
 * memory is short. May sleep.
 */
struct vpmc_session *vpmc_session_create(struct wait_queue_head *ready);

static inline struct vpmc_session *vpmc_session_get(struct vpmc_session *s)
{
	kref_get(&s->ref);
	return s;
}

/* Only vpmc_session_put() uses this. */
void vpmc_session_free(struct kref *ref);

/* Drop a reference. @s may be NULL. It is allowed in the same contexts as kfree(). */
static inline void vpmc_session_put(struct vpmc_session *s)
{
	if (s)
		kref_put(&s->ref, vpmc_session_free);
}

/* Only vpmc_session_lock() uses this. */
bool vpmc_session_await(struct vpmc_session *s)
	__must_hold(&s->lock);

/*
 * Wait until no call occupies a member, and take @s->lock. The members' locks may then be
 * taken, too. May sleep. Returns false, with the lock held, if current is being killed
 * and a member is occupied. The caller must then release the lock and fail with -EINTR.
 */
static inline bool __must_check vpmc_session_lock(struct vpmc_session *s)
	__acquires(&s->lock)
{
	spin_lock(&s->lock);
	return likely(!s->nr_occupied) || vpmc_session_await(s);
}

/* Increment or decrement the number of occupied members. @s->lock must be held. */
void vpmc_session_occupy(struct vpmc_session *s);
void vpmc_session_leave(struct vpmc_session *s);

/*
 * Close the session because its file is closed. Drop the records, do not keep further
 * records, and drop the file's reference. @s may be NULL. May sleep.
 */
void vpmc_session_close(struct vpmc_session *s);

/*
 * End a start of the file. The session begins at zero with @events, with memory @large if they are
 * large. @access is the access to the counts. Records are charged to current's user from now on.
 * Returns the old memory. @s->lock must be held.
 */
struct vpmc_large_counts *
vpmc_session_restart(struct vpmc_session *s, bool keep_records, u64 generation,
		     u64 identity, struct vpmc_events *events,
		     const struct vpmc_access *access,
		     struct vpmc_large_counts *large);

/*
 * Return the number of pairs that a record of @events needs; 0 if @events is NULL or
 * not large.
 */
static inline u32 vpmc_session_nr_large(const struct vpmc_events *events)
{
	return vpmc_events_are_large(events) ?
		       vpmc_sum_rows(events) * events->nr : 0;
}

/*
 * Allocate a record of @s with @nr_large pairs. Returns NULL if memory is short. May
 * sleep.
 */
struct vpmc_kept_record *vpmc_session_alloc_record(const struct vpmc_session *s,
						   u32 nr_large);

/*
 * Keep a record of @tsk, which counted @events. @events may be NULL. @shown is the thread whose
 * counts are in the record, or NULL if they must not be shown. @access is the access to the record,
 * and @what has VPMC_RECORD_* bits. This uses the first memory in @spare that is large enough for
 * the record. If no memory is large enough, or if the user who is charged has reached the limit,
 * the record is lost. @s->lock must be held.
 */
void vpmc_session_record(struct vpmc_session *s, struct task_struct *tsk,
			 u32 what, const struct vpmc_thread *shown,
			 const struct vpmc_events *events,
			 const struct vpmc_access *access,
			 struct list_head *spare);

/*
 * Note that current is missing, because it is to be collected but cannot be started. Do nothing if
 * the file has been started again since @identity. May sleep.
 */
void vpmc_session_miss(struct vpmc_session *s, u64 identity);

/* Wake up tasks in poll(2) if the last member has left. @s->lock must be held. */
void vpmc_session_left(struct vpmc_session *s);

/*
 * Records need only this number of bytes of struct vpmc_record unless events share counters. The
 * rest is large.
 */
#define VPMC_RECORD_SHORT offsetof(struct vpmc_record, nr_turns)

/*
 * Return the result of poll(2), which is documented for VPMC_RECORD: EPOLLIN and
 * EPOLLRDNORM, and EPOLLHUP.
 */
__poll_t vpmc_session_poll(struct vpmc_session *s);

/*
 * Carry out VPMC_RECORD in two steps, so that a record is not lost if the answer cannot
 * be written. vpmc_session_peek() fills @out, which is zero except for its size, from the
 * oldest record. It returns 0, -ENODATA, or an error of vpmc_sum_report() if @out is too
 * small. @s->lock is held. @out has VPMC_RECORD_SHORT bytes, unless its size is
 * VPMC_SIZE_LONG. vpmc_session_drop() then drops this record and clears the number of
 * lost records. Calls are serialized, so no other task takes records in between.
 */
int vpmc_session_peek(struct vpmc_session *s, bool own, struct vpmc_record *out);
void vpmc_session_drop(struct vpmc_session *s, const struct vpmc_record *out);

#endif /* VPMC_SESSION_H */
