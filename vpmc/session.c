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

void vpmc_exit_destroy(struct vpmc_exit *record)
{
	put_pid(record->pid);
	put_pid(record->tid);
	kfree(record);
}

static void drop_records(struct vpmc_session *s)
{
	struct vpmc_exit *record, *next;

	list_for_each_entry_safe(record, next, &s->records, node)
		vpmc_exit_destroy(record);
	INIT_LIST_HEAD(&s->records);
	s->lost = 0;
}

static void free_session(struct kref *ref)
{
	struct vpmc_session *s = container_of(ref, struct vpmc_session, ref);

	drop_records(s);
	vpmc_events_put(s->events);
	kfree(s);
}

void vpmc_session_put(struct vpmc_session *s)
{
	if (s)
		kref_put(&s->ref, free_session);
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

int vpmc_session_join(struct vpmc_session *s, struct vpmc_process *p)
{
	int err = 0;

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
			  const struct vpmc_process *p)
{
	drop_records(s);
	vpmc_events_put(s->events);
	s->events = vpmc_events_get(p->events);
	s->generation = p->generation;
	s->keep_records = keep_records;
	memset(&s->sum, 0, sizeof(s->sum));
}

struct vpmc_exit *vpmc_exit_create(struct task_struct *tsk)
{
	struct vpmc_exit *record = kzalloc(sizeof(*record), GFP_KERNEL_ACCOUNT);

	if (!record)
		return NULL;
	record->pid = get_task_pid(tsk, PIDTYPE_TGID);
	record->tid = get_task_pid(tsk, PIDTYPE_PID);
	get_task_comm(record->comm, tsk);
	return record;
}

void vpmc_session_record(struct vpmc_session *s, struct vpmc_exit *record)
{
	if (record)
		list_add_tail(&record->node, &s->records);
	else
		s->lost++;
}

int vpmc_session_next(struct vpmc_session *s, struct vpmc_record *record)
{
	struct vpmc_exit *first;

	spin_lock(&s->lock);
	first = list_first_entry_or_null(&s->records, struct vpmc_exit, node);
	if (first) {
		list_del(&first->node);
		record->lost = s->lost;
		s->lost = 0;
	}
	spin_unlock(&s->lock);
	if (!first)
		return -ENODATA;

	record->pid = pid_vnr(first->pid);
	record->tid = pid_vnr(first->tid);
	strscpy_pad(record->comm, first->comm);
	record->state = first->state;
	record->nr_counts = first->nr;
	record->tsc = first->sum.tsc;
	memcpy(record->count, first->sum.count, sizeof(first->sum.count));
	vpmc_exit_destroy(first);
	return 0;
}

int vpmc_session_read(struct vpmc_session *s, struct vpmc_read *read)
{
	enum vpmc_state state = VPMC_STATE_EXITED;
	struct vpmc_process *p;
	struct vpmc_sum sum;

	on_each_cpu(vpmc_thread_fold, NULL, 1);

	spin_lock(&s->lock);
	if (!s->events) {
		spin_unlock(&s->lock);
		return -ENODATA;
	}
	sum = s->sum;
	read->running = 0;
	list_for_each_entry(p, &s->members, member) {
		spin_lock(&p->lock);
		state = vpmc_process_sum(p, s->events, &sum, state);
		spin_unlock(&p->lock);
		read->running++;
	}
	read->state = state;
	read->generation = s->generation;
	vpmc_sum_report(read, &sum, s->events->nr);
	spin_unlock(&s->lock);
	return 0;
}
