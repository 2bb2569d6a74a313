// SPDX-License-Identifier: GPL-2.0-only
/* The counters of a thread whose set of events is large. See large.h. */
#include <linux/overflow.h>
#include <linux/seqlock.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "large.h"
#include "rotate.h"
#include "thread_counters.h"

static size_t large_size(const struct vpmc_events *events)
{
	size_t each = sizeof(struct vpmc_counter) + sizeof(u8);

	return struct_size_t(struct vpmc_large, counts.count, events->nr) +
	       events->nr_counters * each +
	       vpmc_events_nr_selects(events) * sizeof(u64);
}

struct vpmc_large *vpmc_large_create(struct vpmc_events *events)
{
	struct vpmc_large *l = kzalloc(large_size(events), GFP_KERNEL_ACCOUNT);

	if (!l)
		return NULL;
	l->counts.nr = events->nr;
	l->counts.multiplex = vpmc_events_multiplex(events);
	l->counter = (struct vpmc_counter *)&l->counts.count[events->nr];
	l->select = (u64 *)&l->counter[events->nr_counters];
	l->present = (u8 *)&l->select[vpmc_events_nr_selects(events)];
	vpmc_rotate_begin(l, events);
	return l;
}

/* Add what each counter has counted since the last rotation to its event. */
static void large_add_present(struct vpmc_large_count *count,
			      const struct vpmc_thread *t)
{
	const struct vpmc_large *l = t->large;
	u32 i;

	for (i = 0; i < t->events->nr_counters; i++) {
		count[l->present[i]].count += l->counter[i].sum;
		count[l->present[i]].time += t->tsc - l->since;
	}
}

void vpmc_large_add(struct vpmc_sum *sum, const struct vpmc_thread *t)
{
	u8 memory[VPMC_LARGE_COUNTS_SIZE] __aligned(8) __uninitialized;
	struct vpmc_large_counts *large = (void *)memory;
	struct vpmc_sum counts = { .is_large = true, .large = large, .added = 1 };
	unsigned int seq;

	large->nr = t->events->nr;
	do {
		seq = read_seqcount_begin(&t->seq);
		memcpy(large->count, t->large->counts.count,
		       large->nr * sizeof(*large->count));
		large_add_present(large->count, t);
		counts.tsc = t->tsc;
	} while (read_seqcount_retry(&t->seq, seq));
	vpmc_sum_add(sum, &counts);
}
