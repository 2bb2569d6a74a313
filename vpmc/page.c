// SPDX-License-Identifier: GPL-2.0-only
/* What is in the page from which user mode reads its counts. See page.h. */
#include <linux/gfp.h>
#include <linux/lockdep.h>
#include <linux/mm.h>
#include <linux/slab.h>

#include "cpu.h"
#include "hooks.h"
#include "page.h"
#include "thread_counters.h"

static void page_invalidate(struct vpmc_page_count *c)
{
	WRITE_ONCE(c->high[0], VPMC_PAGE_INVALID);
	WRITE_ONCE(c->high[1], VPMC_PAGE_INVALID);
}

struct vpmc_user_page *vpmc_page_create(void)
{
	struct vpmc_user_page *u = kzalloc(sizeof(*u), GFP_KERNEL_ACCOUNT);
	u32 i;

	if (!u)
		return NULL;
	u->page = alloc_page(GFP_KERNEL_ACCOUNT | __GFP_ZERO);
	if (!u->page) {
		kfree(u);
		return NULL;
	}
	/*
	 * The hooks must hide other tasks' events as long as RDPMC is allowed.
	 */
	vpmc_hooks_use();
	kref_init(&u->ref);
	u->content = page_address(u->page);
	u->content->size = sizeof(*u->content);
	u->content->state = VPMC_STATE_STOPPED;
	for (i = 0; i < VPMC_MAX_EVENTS; i++)
		page_invalidate(&u->content->count[i]);
	return u;
}

static void page_free(struct kref *ref)
{
	struct vpmc_user_page *u = container_of(ref, struct vpmc_user_page, ref);

	vpmc_hooks_unuse();
	__free_page(u->page);
	kfree(u);
}

void vpmc_page_put(struct vpmc_user_page *u)
{
	if (u)
		kref_put(&u->ref, page_free);
}

/* How often the hardware counter has wrapped at @sum, shifted for EDX. */
static u32 page_round_of(u64 sum)
{
	return (u32)(sum >> VPMC_PAGE_BITS) << (VPMC_PAGE_BITS - 32);
}

/*
 * @high[0] is for the lower half of the hardware counter, @high[1] for the
 * upper one. Each changes while the counter is in the middle of the other half,
 * so a read that is interrupted after RDPMC still finds the right one. See
 * docs/design.md.
 */
static void page_set_high(struct vpmc_page_count *c, u64 sum)
{
	u64 quarter = 1ULL << (VPMC_PAGE_BITS - 2);

	WRITE_ONCE(c->high[0], page_round_of(sum + quarter));
	WRITE_ONCE(c->high[1], page_round_of(sum - quarter));
}

void vpmc_page_advance(struct vpmc_thread *t)
{
	const struct vpmc_user_page *u = t->page;
	u32 i;

	for (i = 0; u->valid && i < u->content->nr_counts; i++)
		page_set_high(&u->content->count[i], vpmc_thread_count(t, i));
}

static void page_change_state(struct vpmc_user_page *u, enum vpmc_state state)
{
	lockdep_assert_irqs_disabled();
	u->valid = state == VPMC_STATE_RUNNING;
	WRITE_ONCE(u->content->state, state);
	WRITE_ONCE(u->content->sequence, u->content->sequence + 1);
}

void vpmc_page_show(struct vpmc_thread *t, u64 tsc)
{
	struct vpmc_user_page *u = t->page;

	if (!READ_ONCE(t->accepted) || u->suspended)
		return;
	u->content->tsc = t->tsc - tsc;
	page_change_state(u, VPMC_STATE_RUNNING);
	vpmc_page_advance(t);
}

void vpmc_page_hide(const struct vpmc_thread *t)
{
	struct vpmc_user_page *u = t->page;
	u32 i;

	if (!u->valid)
		return;
	for (i = 0; i < u->content->nr_counts; i++)
		page_invalidate(&u->content->count[i]);
	page_change_state(u, VPMC_STATE_STOPPED);
}

/* Counts whose events share counters cannot be read from the hardware. */
static bool page_can_show(const struct vpmc_thread *t)
{
	return t->events && !vpmc_events_multiplex(t->events) &&
	       vpmc_pmu->counter_bits == VPMC_PAGE_BITS;
}

void vpmc_page_describe(struct vpmc_thread *t, bool may)
{
	struct vpmc_page *content = t->page->content;
	u32 i;

	t->accepted = may && page_can_show(t);
	content->generation = t->accepted ? t->generation : 0;
	content->start = t->accepted ? t->identity : 0;
	content->nr_counts = t->accepted ? t->events->nr : 0;
	for (i = 0; i < content->nr_counts; i++)
		content->count[i].counter = t->events->slot[i].event.counter;
}

void vpmc_page_drop(struct vpmc_thread *t)
{
	struct vpmc_user_page *u = t->page;
	unsigned long flags;

	if (!u)
		return;
	local_irq_save(flags);
	vpmc_page_hide(t);
	t->page = NULL;
	local_irq_restore(flags);
	vpmc_page_put(u);
}
