// SPDX-License-Identifier: GPL-2.0-only
/* Memory that is needed under locks. See prealloc.h. */
#include <linux/slab.h>

#include "count.h"
#include "prealloc.h"
#include "rotate.h"
#include "session.h"

int vpmc_prealloc_sums(struct vpmc_prealloc *pre,
		       const struct vpmc_events *events)
{
	int err = vpmc_sum_alloc_mux(events, &pre->session);
	u32 i;

	pre->used = true;
	for (i = 0; !err && i < VPMC_PROCESS_SUMS; i++)
		err = vpmc_sum_alloc_mux(events, &pre->process[i]);
	return err;
}

int vpmc_prealloc_threads(struct vpmc_prealloc *pre,
			  struct vpmc_events *events, u32 nr)
{
	struct vpmc_multiplex *m;

	pre->used = true;
	while (vpmc_events_multiplex(events) && nr--) {
		m = vpmc_rotate_create(events);
		if (!m)
			return -ENOMEM;
		m->next = pre->threads;
		pre->threads = m;
	}
	return 0;
}

int vpmc_prealloc_records(struct vpmc_prealloc *pre,
			  const struct vpmc_session *s, u32 room, u32 nr)
{
	struct vpmc_kept_record *record;

	pre->used = true;
	while (nr--) {
		record = vpmc_session_alloc_record(s, room);
		if (!record)
			return -ENOMEM;
		list_add(&record->node, &pre->records);
	}
	return 0;
}

void vpmc_prealloc_free_used(struct vpmc_prealloc *pre)
{
	struct vpmc_kept_record *record, *next;
	struct vpmc_multiplex *m;
	u32 i;

	while ((m = pre->threads)) {
		pre->threads = m->next;
		kfree(m);
	}
	for (i = 0; i < VPMC_PROCESS_SUMS; i++) {
		kfree(pre->process[i]);
		pre->process[i] = NULL;
	}
	kfree(pre->session);
	pre->session = NULL;
	list_for_each_entry_safe(record, next, &pre->records, node)
		kfree(record);
	INIT_LIST_HEAD(&pre->records);
	pre->used = false;
}

void vpmc_prealloc_take_thread(struct vpmc_prealloc *pre,
			       struct vpmc_thread *t)
{
	kfree(t->multiplex);
	t->multiplex = pre->threads;
	t->multiplexed = t->multiplex;
	if (t->multiplex)
		pre->threads = t->multiplex->next;
}
