// SPDX-License-Identifier: GPL-2.0-only
/* This file collects the counts of a process and its descendants for an open file. */
#include <linux/capability.h>
#include <linux/lockdep.h>
#include <linux/memcontrol.h>
#include <linux/pid_namespace.h>
#include <linux/poll.h>
#include <linux/sched.h>
#include <linux/sched/mm.h>
#include <linux/slab.h>
#include <linux/wait.h>
#include <linux/wait_bit.h>

#include "thread/count.h"
#include "thread/rotate.h"
#include "process/session.h"

struct vpmc_session *vpmc_session_create(struct wait_queue_head *ready)
{
	struct vpmc_session *s = kzalloc(sizeof(*s), GFP_KERNEL_ACCOUNT);

	if (!s)
		return NULL;
	kref_init(&s->ref);
	spin_lock_init(&s->lock);
	INIT_LIST_HEAD(&s->members);
	INIT_LIST_HEAD(&s->records);
	s->ready = ready;
	s->ns = get_pid_ns(task_active_pid_ns(current));
	s->memcg = get_mem_cgroup_from_mm(current->mm);
	return s;
}

static void session_drop_records(struct vpmc_session *s)
{
	struct vpmc_kept_record *record, *next;

	list_for_each_entry_safe(record, next, &s->records, node)
		kfree(record);
	INIT_LIST_HEAD(&s->records);
	s->nr_records = 0;
	s->lost = 0;
	s->limited = false;
	vpmc_account_end(&s->account);
}

static void session_forget_cred(struct vpmc_session *s)
{
	if (s->cred)
		put_cred(s->cred);
	s->cred = NULL;
}

void vpmc_session_free(struct kref *ref)
{
	struct vpmc_session *s = container_of(ref, struct vpmc_session, ref);

	session_drop_records(s);
	vpmc_events_put(s->events);
	vpmc_access_free(&s->access);
	session_forget_cred(s);
	put_pid_ns(s->ns);
	mem_cgroup_put(s->memcg);
	kfree(vpmc_sum_large(&s->sum));
	kfree_rcu(s, rcu);
}

bool vpmc_session_await(struct vpmc_session *s)
	__must_hold(&s->lock)
{
	bool lives;

	WRITE_ONCE(s->nr_waiting, s->nr_waiting + 1);
	do {
		spin_unlock(&s->lock);
		lives = !wait_var_event_killable(&s->nr_occupied,
						 !READ_ONCE(s->nr_occupied));
		spin_lock(&s->lock);
	} while (lives && s->nr_occupied);
	WRITE_ONCE(s->nr_waiting, s->nr_waiting - 1);
	/* Order the write before the check for waiters in wake_up_var(). */
	smp_mb();
	wake_up_var(&s->nr_waiting);
	return lives;
}

void vpmc_session_occupy(struct vpmc_session *s)
{
	lockdep_assert_held(&s->lock);
	WRITE_ONCE(s->nr_occupied, s->nr_occupied + 1);
}

void vpmc_session_leave(struct vpmc_session *s)
{
	lockdep_assert_held(&s->lock);
	WRITE_ONCE(s->nr_occupied, s->nr_occupied - 1);
	/* Order the write before the check for waiters in wake_up_var(). */
	smp_mb();
	wake_up_var(&s->nr_occupied);
}

void vpmc_session_close(struct vpmc_session *s)
{
	if (!s)
		return;
	spin_lock(&s->lock);
	WRITE_ONCE(s->closed, true);
	s->keep_records = false;
	s->ready = NULL;
	session_drop_records(s);
	spin_unlock(&s->lock);
	vpmc_session_put(s);
}

struct vpmc_large_counts *
vpmc_session_restart(struct vpmc_session *s, bool keep_records, u64 generation,
		     u64 identity, struct vpmc_events *events,
		     const struct vpmc_access *access,
		     struct vpmc_large_counts *large)
{
	struct vpmc_large_counts *old = vpmc_sum_large(&s->sum);

	lockdep_assert_held(&s->lock);
	session_drop_records(s);
	session_forget_cred(s);
	vpmc_events_put(s->events);
	s->events = vpmc_events_get(events);
	vpmc_access_copy(&s->access, access);
	s->generation = generation;
	s->identity = identity;
	s->restarts = false;
	s->keep_records = keep_records;
	if (keep_records)
		vpmc_account_begin(&s->account);
	vpmc_sum_init(&s->sum, large, events);
	return old;
}

static size_t session_record_size(u32 nr_large)
{
	return struct_size_t(struct vpmc_kept_record, large.count, nr_large);
}

/* Return the number of bytes that the allocator uses for @record. */
static u32 session_record_room(const struct vpmc_kept_record *record)
{
	return kmalloc_size_roundup(session_record_size(record->nr_large));
}

struct vpmc_kept_record *vpmc_session_alloc_record(const struct vpmc_session *s,
						   u32 nr_large)
{
	struct mem_cgroup *old = set_active_memcg(s->memcg);
	struct vpmc_kept_record *record;

	record = kzalloc(session_record_size(nr_large), GFP_KERNEL_ACCOUNT);
	set_active_memcg(old);
	if (record)
		record->nr_large = nr_large;
	return record;
}

/* Take a record of @spare that has memory for @events, or return NULL. */
static struct vpmc_kept_record *
session_take_spare(struct list_head *spare, const struct vpmc_events *events)
{
	u32 nr_large = vpmc_session_nr_large(events);
	struct vpmc_kept_record *record;

	list_for_each_entry(record, spare, node) {
		if (record->nr_large >= nr_large) {
			list_del(&record->node);
			return record;
		}
	}
	return NULL;
}

/* Like session_take_spare(), but returns NULL if @s may not keep another record. */
static struct vpmc_kept_record *
session_take(struct vpmc_session *s, struct list_head *spare,
	     const struct vpmc_events *events)
{
	struct vpmc_kept_record *record;

	if (s->nr_records >= VPMC_MAX_RECORDS)
		return NULL;
	record = session_take_spare(spare, events);
	if (!record ||
	    vpmc_account_add(&s->account, session_record_room(record)))
		return record;
	s->limited = true;
	list_add(&record->node, spare);
	return NULL;
}

static void session_wake(struct vpmc_session *s, __poll_t what)
{
	lockdep_assert_held(&s->lock);
	/* Closing the file takes the lock and clears @ready. */
	if (s->ready)
		wake_up_interruptible_poll(s->ready, what);
}

void vpmc_session_left(struct vpmc_session *s)
{
	if (list_empty(&s->members))
		session_wake(s, EPOLLHUP);
}

__poll_t vpmc_session_poll(struct vpmc_session *s)
{
	__poll_t ready = 0;

	spin_lock(&s->lock);
	if (s->nr_records || s->lost)
		ready |= EPOLLIN | EPOLLRDNORM;
	if (s->events && list_empty(&s->members))
		ready |= EPOLLHUP;
	spin_unlock(&s->lock);
	return ready;
}

void vpmc_session_record(struct vpmc_session *s, struct task_struct *tsk,
			 u32 what, const struct vpmc_thread *shown,
			 const struct vpmc_events *events,
			 const struct vpmc_access *access,
			 struct list_head *spare)
{
	struct vpmc_kept_record *record;

	lockdep_assert_held(&s->lock);
	if (!s->keep_records)
		return;
	record = session_take(s, spare, events);
	session_wake(s, EPOLLIN | EPOLLRDNORM);
	if (!record) {
		s->lost = vpmc_sum_saturate(s->lost, 1);
		return;
	}
	record->pid = task_tgid_nr_ns(tsk, s->ns);
	record->tid = task_pid_nr_ns(tsk, s->ns);
	get_task_comm(record->comm, tsk);
	record->what = what;
	record->nr = events ? events->nr : s->events->nr;
	record->closed = !vpmc_access_covers(&s->access, access);
	vpmc_sum_init(&record->sum, &record->large, events);
	if (shown) {
		vpmc_count_add(&record->sum, shown);
		record->sum.stopped = vpmc_thread_stopped(shown);
	}
	list_add_tail(&record->node, &s->records);
	s->nr_records++;
}

void vpmc_session_miss(struct vpmc_session *s, u64 identity)
{
	struct vpmc_kept_record *record = vpmc_session_alloc_record(s, 0), *next;
	LIST_HEAD(spare);

	if (record)
		list_add(&record->node, &spare);
	spin_lock(&s->lock);
	if (!s->closed && s->identity == identity) {
		vpmc_sum_add_missing(&s->sum, 1, 0);
		vpmc_session_record(s, current, VPMC_RECORD_MISSING, NULL, NULL,
				    &s->access, &spare);
	}
	spin_unlock(&s->lock);
	list_for_each_entry_safe(record, next, &spare, node)
		kfree(record);
}

static void session_describe(struct vpmc_record *out,
			     const struct vpmc_kept_record *record,
			     bool may)
{
	out->pid = record->pid;
	out->tid = record->tid;
	strscpy_pad(out->comm, record->comm, sizeof(out->comm));
	out->what |= record->what;
	if (!may) {
		/*
		 * The value 1 distinguishes this record from a record that only reports
		 * lost records. The number of events is hidden, too.
		 */
		out->nr_counts = 1;
		out->what |= VPMC_RECORD_REVOKED;
		return;
	}
	out->nr_counts = record->nr;
	if (!record->sum.added)
		return;
	out->stopped = record->sum.stopped;
	out->tsc = record->sum.tsc;
	vpmc_sum_values(&record->sum, record->nr, out->count, out->time);
	if (out->size != VPMC_SIZE_LONG || !vpmc_sum_has_times(&record->sum))
		return;
	out->nr_turns = vpmc_sum_turns(&record->sum, out->turn);
	out->turn_shift = vpmc_rotate_shift;
}

static int session_check_fit(const struct vpmc_record *out,
			     const struct vpmc_kept_record *record)
{
	if (!vpmc_sum_has_times(&record->sum))
		return 0;
	if (out->size < offsetof(struct vpmc_record, time[record->nr]))
		return -EINVAL;
	if (out->size >= sizeof(*out) && out->size != VPMC_SIZE_LONG)
		return -ENOBUFS;
	return 0;
}

int vpmc_session_peek(struct vpmc_session *s, bool own, struct vpmc_record *out)
{
	struct vpmc_kept_record *record;
	bool may;
	int err;

	lockdep_assert_held(&s->lock);
	record = list_first_entry_or_null(&s->records, struct vpmc_kept_record,
					  node);
	/*
	 * At this point, the access of the session has been restricted to the access of its
	 * records.
	 */
	may = vpmc_access_may_see(&s->access, own);
	out->lost = s->lost;
	out->what = s->limited ? VPMC_RECORD_LIMITED : 0;
	out->generation = s->generation;
	out->start = s->identity;
	if (!record)
		return out->lost ? 0 : -ENODATA;
	may = may && vpmc_access_may_see_part(s->cred) &&
	      (!record->closed || perfmon_capable());
	err = may ? session_check_fit(out, record) : 0;
	if (err)
		return err;
	session_describe(out, record, may);
	return 0;
}

void vpmc_session_drop(struct vpmc_session *s, const struct vpmc_record *out)
{
	struct vpmc_kept_record *record = NULL;

	spin_lock(&s->lock);
	if (out->nr_counts) {
		record = list_first_entry(&s->records, struct vpmc_kept_record,
					  node);
		list_del(&record->node);
		s->nr_records--;
		vpmc_account_sub(&s->account, session_record_room(record));
	}
	s->lost -= out->lost;
	/* Records that were lost since the first step are reported next. */
	s->limited &= s->lost > 0;
	spin_unlock(&s->lock);
	kfree(record);
}
