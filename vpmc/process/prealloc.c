// SPDX-License-Identifier: GPL-2.0-only
/* This file allocates memory that is needed under locks, before the locks are taken. */
#include <linux/slab.h>

#include "thread/large.h"
#include "process/prealloc.h"
#include "process/session.h"
#include "thread/thread_counters.h"

void vpmc_prealloc_use(struct vpmc_prealloc *pre)
{
	if (pre->used)
		return;
	*pre = (struct vpmc_prealloc){ .used = true };
	INIT_LIST_HEAD(&pre->records);
}

int vpmc_prealloc_sums(struct vpmc_prealloc *pre,
		       const struct vpmc_events *events)
{
	int err;
	u32 i;

	vpmc_prealloc_use(pre);
	if (!vpmc_events_are_large(events))
		return 0;
	pre->children = vpmc_sum_create(GFP_KERNEL);
	if (!pre->children)
		return -ENOMEM;
	err = vpmc_sum_alloc_large(events, &pre->session);
	for (i = 0; !err && i < VPMC_PROCESS_SUMS; i++)
		err = vpmc_sum_alloc_large(events, &pre->process[i]);
	return err;
}

int vpmc_prealloc_threads(struct vpmc_prealloc *pre,
			  struct vpmc_events *events, u32 nr)
{
	struct vpmc_large *l;

	vpmc_prealloc_use(pre);
	while (vpmc_events_are_large(events) && nr--) {
		l = vpmc_large_create(events);
		if (!l)
			return -ENOMEM;
		l->next = pre->threads;
		pre->threads = l;
	}
	return 0;
}

int vpmc_prealloc_records(struct vpmc_prealloc *pre,
			  const struct vpmc_session *s, u32 nr_large, u32 nr)
{
	struct vpmc_kept_record *record;

	vpmc_prealloc_use(pre);
	while (nr--) {
		record = vpmc_session_alloc_record(s, nr_large);
		if (!record)
			return -ENOMEM;
		list_add(&record->node, &pre->records);
	}
	return 0;
}

void vpmc_prealloc_drop_records(struct vpmc_prealloc *pre)
{
	struct vpmc_kept_record *record, *next;

	vpmc_prealloc_use(pre);
	list_for_each_entry_safe(record, next, &pre->records, node)
		kfree(record);
	INIT_LIST_HEAD(&pre->records);
}

void vpmc_prealloc_free_used(struct vpmc_prealloc *pre)
{
	struct vpmc_large *l;
	u32 i;

	while ((l = pre->threads)) {
		pre->threads = l->next;
		kfree(l);
	}
	for (i = 0; i < VPMC_PROCESS_SUMS; i++)
		kfree(pre->process[i]);
	vpmc_sum_free(pre->children);
	kfree(pre->session);
	vpmc_prealloc_drop_records(pre);
	vpmc_prealloc_init(pre);
}

void vpmc_prealloc_take_thread(struct vpmc_prealloc *pre,
			       struct vpmc_thread *t)
{
	if (t->kind) {
		kfree(t->large);
		t->is_new = false;
	}
	/* @t may have memory for large events that it counted before. */
	t->kind = t->events ? t->events->kind : VPMC_SMALL;
	if (!t->kind) {
		memset(t->counter, 0, sizeof(t->counter));
		return;
	}
	t->large = pre->threads;
	pre->threads = t->large->next;
}
