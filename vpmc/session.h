/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What an open file collects: the counts of a process and of all its
 * descendants, whether or not anybody waits for them.
 *
 * A process joins the session of the file that it starts on, or its creator's
 * at fork, and stays in it; when the file is closed, until another one collects
 * the process. The file and each member hold the session.
 */
#ifndef VPMC_SESSION_H
#define VPMC_SESSION_H

#include <linux/kref.h>
#include <linux/list.h>
#include <linux/spinlock.h>

#include "events.h"
#include "sum.h"

struct vpmc_process;
struct vpmc_thread;

/**
 * struct vpmc_session - what an open file collects
 * @ref: holders
 * @lock: protects everything below. Taken in process context only, outside
 *	the locks of the member processes.
 * @members: struct vpmc_process that have threads, by member
 * @generation: of the counts
 * @events: what @sum counts
 * @trusted: who collects may watch any program, or raises rights itself: what
 *	is hidden from others is among them
 * @sum: of the members' threads that are gone
 * @closed: nobody reads it any more
 * @keep_records: whether there are to be any
 * @records: oldest first
 * @lost: records that were not kept for want of memory
 * @rcu: to free it; whoever goes for @lock may come too late
 */
struct vpmc_session {
	struct kref ref;
	spinlock_t lock;	/* see above */
	struct list_head members;
	u64 generation;
	struct vpmc_events *events;
	bool trusted;
	struct vpmc_sum sum;
	bool closed;
	bool keep_records;
	struct list_head records;
	u32 lost;
	struct rcu_head rcu;
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
 * Let @p be collected by @s. Returns 0, also if it is already, or -EBUSY if
 * another session collects @p, or @s others than @p. May sleep.
 */
int vpmc_session_join(struct vpmc_session *s, struct vpmc_process *p);

/*
 * Begin at zero of what @p counts, in its generation. Takes memory from @room,
 * see vpmc_room.session. @s->lock and @p->lock held.
 */
void vpmc_session_restart(struct vpmc_session *s, bool keep_records,
			  const struct vpmc_process *p,
			  struct vpmc_share **room);

/*
 * Add what @t counted to @sum of @events, which is read by others than its
 * process. @t->process->lock held.
 */
void vpmc_session_add(struct vpmc_sum *sum, const struct vpmc_thread *t,
		      const struct vpmc_events *events);

/*
 * Keep a record of what @t has counted if @s keeps any. @what: VPMC_RECORD_LAST
 * or VPMC_RECORD_RESTARTED or 0. @s->lock and @t->process->lock held.
 */
void vpmc_session_record(struct vpmc_session *s, const struct vpmc_thread *t,
			 u32 what);

/*
 * VPMC_RECORD, for an @out that is zeroed but for its size. Returns 0, -ENODATA,
 * or -EINVAL if the oldest record has times for which there is no room. May
 * sleep.
 */
int vpmc_session_next(struct vpmc_session *s, struct vpmc_record *out);

/* VPMC_SCOPE_ALL of vpmc_process_read(). May sleep. */
int vpmc_session_read(struct vpmc_session *s, struct vpmc_read *read);

#endif /* VPMC_SESSION_H */
