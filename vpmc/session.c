// SPDX-License-Identifier: GPL-2.0-only
/* What an open file collects. See session.h. */
#include <linux/pid.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/smp.h>

#include "process.h"
#include "session.h"
#include "thread.h"

struct vpmc_session *vpmc_session_create(void)
{
	struct vpmc_session *s = kzalloc(sizeof(*s), GFP_KERNEL_ACCOUNT);

	if (!s)
		return NULL;
	kref_init(&s->ref);
	spin_lock_init(&s->lock);
	INIT_LIST_HEAD(&s->members);
	INIT_LIST_HEAD(&s->records);
	return s;
}

/**
 * struct record - what a thread has counted
 * @node: in vpmc_session.records
 * @pid: its process; a reference
 * @tid: the thread; a reference
 * @comm: its name
 * @what: VPMC_RECORD_* bits
 * @nr: events
 * @sum: what it counted
 * @share: of @sum
 */
struct record {
	struct list_head node;
	struct pid *pid;
	struct pid *tid;
	char comm[TASK_COMM_LEN];
	u32 what;
	u32 nr;
	struct vpmc_sum sum;
	struct vpmc_share share[];
};

static void free_record(struct record *record)
{
	put_pid(record->pid);
	put_pid(record->tid);
	kfree(record);
}

static void drop_records(struct vpmc_session *s)
{
	struct record *record, *next;

	list_for_each_entry_safe(record, next, &s->records, node)
		free_record(record);
	INIT_LIST_HEAD(&s->records);
	s->lost = 0;
}

static void free_session(struct kref *ref)
{
	struct vpmc_session *s = container_of(ref, struct vpmc_session, ref);

	drop_records(s);
	vpmc_events_put(s->events);
	kfree(s->sum.share);
	kfree_rcu(s, rcu);
}

void vpmc_session_put(struct vpmc_session *s)
{
	if (s)
		kref_put(&s->ref, free_session);
}

void vpmc_session_close(struct vpmc_session *s)
{
	if (!s)
		return;
	spin_lock(&s->lock);
	WRITE_ONCE(s->closed, true);
	s->keep_records = false;
	drop_records(s);
	spin_unlock(&s->lock);
	vpmc_session_put(s);
}

static bool has_others(struct vpmc_session *s, struct vpmc_process *p)
{
	struct vpmc_process *member;

	list_for_each_entry(member, &s->members, member) {
		if (member != p)
			return true;
	}
	return false;
}

/* Let @p, if its session is closed, be in none. */
static void leave_closed(struct vpmc_process *p)
{
	struct vpmc_session *s;
	bool left = false;

	rcu_read_lock();
	s = READ_ONCE(p->session);
	if (s && READ_ONCE(s->closed)) {
		spin_lock(&s->lock);
		spin_lock(&p->lock);
		left = p->session == s;
		if (left) {
			list_del_init(&p->member);
			WRITE_ONCE(p->session, NULL);
		}
		spin_unlock(&p->lock);
		spin_unlock(&s->lock);
	}
	rcu_read_unlock();
	if (left)
		vpmc_session_put(s);
}

int vpmc_session_join(struct vpmc_session *s, struct vpmc_process *p)
{
	int err = 0;

	leave_closed(p);
	spin_lock(&s->lock);
	spin_lock(&p->lock);
	if ((p->session && p->session != s) || has_others(s, p))
		err = -EBUSY;
	else if (!p->session)
		vpmc_process_join(p, s);
	spin_unlock(&p->lock);
	spin_unlock(&s->lock);
	return err;
}

void vpmc_session_restart(struct vpmc_session *s, bool keep_records,
			  const struct vpmc_process *p,
			  struct vpmc_share **room)
{
	drop_records(s);
	vpmc_events_put(s->events);
	s->events = vpmc_events_get(p->events);
	s->trusted = p->hidden || p->privileged;
	s->generation = p->generation;
	s->keep_records = keep_records;
	swap(s->sum.share, *room);
	vpmc_sum_init(&s->sum, s->sum.share, vpmc_events_shared(s->events));
}

/* Is what @t counts nothing for whoever collects it? */
static bool is_hidden(const struct vpmc_thread *t)
{
	return t->process->hidden && !t->process->session->trusted;
}

void vpmc_session_add(struct vpmc_sum *sum, const struct vpmc_thread *t,
		      const struct vpmc_events *events)
{
	if (is_hidden(t))
		sum->revoked++;
	else
		vpmc_thread_add(sum, t, events);
}

static u32 why_not_added(const struct vpmc_session *s,
			 const struct vpmc_thread *t)
{
	if (t->state == VPMC_STATE_REVOKED || is_hidden(t))
		return VPMC_RECORD_REVOKED;
	if (!t->events)
		return 0;
	return vpmc_events_equal(t->events, s->events) ? 0 : VPMC_RECORD_OTHER;
}

void vpmc_session_record(struct vpmc_session *s, const struct vpmc_thread *t,
			 u32 what)
{
	const struct vpmc_events *events = t->events ?: s->events;
	u32 nr_shares = vpmc_events_shared(events);
	struct record *record;

	if (!s->keep_records)
		return;
	record = kzalloc(struct_size(record, share, nr_shares),
			 GFP_ATOMIC | __GFP_ACCOUNT);
	if (!record) {
		s->lost++;
		return;
	}
	record->pid = get_task_pid(t->task, PIDTYPE_TGID);
	record->tid = get_task_pid(t->task, PIDTYPE_PID);
	get_task_comm(record->comm, t->task);
	record->what = what | why_not_added(s, t);
	record->nr = events->nr;
	vpmc_sum_init(&record->sum, record->share, nr_shares);
	/* What is of an earlier generation has been recorded at its end. */
	if (t->generation == t->process->generation && !is_hidden(t))
		vpmc_thread_counts(&record->sum, t);
	list_add_tail(&record->node, &s->records);
}

static void describe(struct vpmc_record *out, const struct record *record)
{
	out->pid = pid_vnr(record->pid);
	out->tid = pid_vnr(record->tid);
	strscpy_pad(out->comm, record->comm);
	out->what = record->what;
	out->nr_counts = record->nr;
	out->tsc = record->sum.tsc;
	vpmc_sum_values(&record->sum, record->nr, out->count, out->time);
}

static bool has_room(const struct vpmc_record *out, const struct record *record)
{
	return !record->sum.nr_shares ||
	       out->size >= offsetof(struct vpmc_record, time[record->nr]);
}

int vpmc_session_next(struct vpmc_session *s, struct vpmc_record *out)
{
	struct record *record;

	spin_lock(&s->lock);
	record = list_first_entry_or_null(&s->records, struct record, node);
	if (record && !has_room(out, record)) {
		spin_unlock(&s->lock);
		return -EINVAL;
	}
	if (record)
		list_del(&record->node);
	out->lost = s->lost;
	s->lost = 0;
	spin_unlock(&s->lock);

	if (record) {
		describe(out, record);
		free_record(record);
		return 0;
	}
	return out->lost ? 0 : -ENODATA;
}

int vpmc_session_read(struct vpmc_session *s, struct vpmc_read *read)
{
	enum vpmc_state state = VPMC_STATE_EXITED;
	struct vpmc_share share[VPMC_MAX_EVENTS];
	struct vpmc_process *p;
	struct vpmc_sum sum;
	int err;

	on_each_cpu(vpmc_thread_fold, NULL, 1);

	spin_lock(&s->lock);
	if (!s->events) {
		spin_unlock(&s->lock);
		return -ENODATA;
	}
	vpmc_sum_init(&sum, share, vpmc_events_shared(s->events));
	vpmc_sum_add(&sum, &s->sum);
	read->running = 0;
	list_for_each_entry(p, &s->members, member) {
		spin_lock(&p->lock);
		vpmc_process_settle(p);
		state = vpmc_process_sum(p, vpmc_session_add, s->events, &sum,
					 state);
		spin_unlock(&p->lock);
		read->running++;
	}
	read->state = state;
	read->generation = s->generation;
	err = vpmc_sum_report(read, &sum, s->events->nr);
	spin_unlock(&s->lock);
	return err;
}
