// SPDX-License-Identifier: GPL-2.0-only
/* This file fills the page from which user mode reads its counts. */
#include <linux/gfp.h>
#include <linux/lockdep.h>
#include <linux/mm.h>
#include <linux/slab.h>

#include "kernel/account.h"
#include "cpu/cpu.h"
#include "thread/page.h"
#include "thread/thread_counters.h"

/*
 * Store the upper half of a word. The lower half is always 0, so a reader cannot find
 * half a change. Returns the bits that have changed.
 */
static u32 page_store(u64 *high, u32 value)
{
	u32 *half = (u32 *)high + 1;
	u32 changed = *half ^ value;

	WRITE_ONCE(*half, value);
	return changed;
}

static void page_invalidate(struct vpmc_page_count *c)
{
	page_store(&c->high[0], VPMC_PAGE_INVALID >> 32);
	page_store(&c->high[1], VPMC_PAGE_INVALID >> 32);
}

/* The initial content of a page. */
static const struct vpmc_page page_empty = {
	.size = sizeof(page_empty),
	.state = VPMC_STATE_STOPPED,
	.count = { [0 ... VPMC_MAX_EVENTS - 1] = {
		.high = { VPMC_PAGE_INVALID, VPMC_PAGE_INVALID } } },
};

struct vpmc_user_page *vpmc_page_create(void)
{
	struct vpmc_user_page *u = kzalloc(sizeof(*u), GFP_KERNEL_ACCOUNT);

	if (!u)
		return NULL;
	kref_init(&u->ref);
	u->blocked = VPMC_PAGE_UNDESCRIBED;
	return u;
}

int vpmc_page_alloc(struct vpmc_user_page *u)
{
	struct vpmc_page *content;

	if (READ_ONCE(u->content))
		return 0;
	content = (struct vpmc_page *)get_zeroed_page(GFP_KERNEL_ACCOUNT);
	if (!content)
		return -ENOMEM;
	*content = page_empty;
	content->sequence = u->sequence;
	/*
	 * Two threads of the process may read the page for the first time at the same
	 * time.
	 */
	if (cmpxchg(&u->content, NULL, content))
		free_page((unsigned long)content);
	return 0;
}

struct user_struct *vpmc_page_user(const struct vpmc_user_page *u)
{
	unsigned long holder = READ_ONCE(u->holder);

	return holder & VPMC_PAGE_CHARGED ? (void *)(holder & ~VPMC_PAGE_CHARGED) : NULL;
}

static void page_free(struct kref *ref)
{
	struct vpmc_user_page *u = container_of(ref, struct vpmc_user_page, ref);
	unsigned long holder = u->holder;

	if (unlikely(holder & VPMC_PAGE_CHARGED))
		vpmc_account_unpages(vpmc_page_user(u), 1);
	free_page((unsigned long)u->content);
	kfree(u);
}

void vpmc_page_put(struct vpmc_user_page *u)
{
	if (u)
		kref_put(&u->ref, page_free);
}

/*
 * Return how often the low 32 bits of a count have wrapped at @sum. The hardware shows
 * these bits.
 */
static u32 page_round_of(u64 sum)
{
	return sum >> VPMC_PAGE_BITS;
}

/*
 * Set the upper bits of a count. @high[0] is for readers whose low 32 bits are in the upper half,
 * and @high[1] for readers whose low 32 bits are in the lower half. Each of the two changes while
 * the counter is in the middle of the other half, so that a read that is interrupted after RDPMC
 * still finds the right upper bits. See docs/internals/design.md. Returns the bits that have
 * changed.
 */
static u32 page_set_high(struct vpmc_page_count *c, u64 sum)
{
	u64 quarter = 1ULL << (VPMC_PAGE_BITS - 2);

	return page_store(&c->high[0], page_round_of(sum - quarter)) |
	       page_store(&c->high[1], page_round_of(sum + quarter));
}

/* Set the upper bits of all counts. Returns the bits that have changed. */
static u32 page_set_counts(struct vpmc_thread *t)
{
	const struct vpmc_counter *counter = vpmc_thread_counters(t);
	struct vpmc_page *content = t->page->content;
	u32 i, nr = content->nr_counts, changed = 0;

	for (i = 0; i < nr; i++) {
		u8 index = vpmc_events_index(t->events, i);

		changed |= page_set_high(&content->count[i],
					 counter[index].sum);
	}
	return changed;
}

static void page_change_sequence(struct vpmc_page *content)
{
	WRITE_ONCE(content->sequence, content->sequence + 1);
}

void vpmc_page_advance(struct vpmc_thread *t)
{
	lockdep_assert_irqs_disabled();
	if (t->page->valid && page_set_counts(t))
		page_change_sequence(t->page->content);
}

static void page_change_state(struct vpmc_user_page *u, enum vpmc_state state)
{
	lockdep_assert_irqs_disabled();
	u->valid = state == VPMC_STATE_RUNNING;
	WRITE_ONCE(u->content->state, state);
	page_change_sequence(u->content);
}

static void page_describe(struct vpmc_thread *t)
{
	struct vpmc_page *content = t->page->content;
	u32 i;

	content->generation = t->accepted ? t->generation : 0;
	content->start = t->accepted ? t->identity : 0;
	content->nr_counts = t->accepted ? t->events->nr : 0;
	for (i = 0; i < content->nr_counts; i++)
		content->count[i].counter =
			vpmc_pmu->rdpmc[t->events->slot[i].event.counter];
	t->page->blocked &= ~VPMC_PAGE_UNDESCRIBED;
}

static __always_inline void page_show(struct vpmc_thread *t, u64 tsc)
{
	struct vpmc_user_page *u = t->page;

	u->content->tsc = t->tsc - tsc;
	page_change_state(u, VPMC_STATE_RUNNING);
	page_set_counts(t);
}

/* This rare case is separate because it would cost registers in vpmc_page_show(). */
static noinline void page_unblock(struct vpmc_thread *t, u64 tsc)
{
	const struct vpmc_user_page *u = t->page;

	if (u->blocked & VPMC_PAGE_SUSPENDED || !READ_ONCE(u->content))
		return;
	page_describe(t);
	page_show(t, tsc);
}

void vpmc_page_show(struct vpmc_thread *t, u64 tsc)
{
	lockdep_assert_irqs_disabled();
	if (!READ_ONCE(t->accepted))
		return;
	if (unlikely(t->page->blocked))
		page_unblock(t, tsc);
	else
		page_show(t, tsc);
}

void vpmc_page_hide(const struct vpmc_thread *t)
{
	struct vpmc_user_page *u = t->page;
	u32 i;

	lockdep_assert_irqs_disabled();
	if (!u->valid)
		return;
	for (i = 0; i < u->content->nr_counts; i++)
		page_invalidate(&u->content->count[i]);
	page_change_state(u, VPMC_STATE_STOPPED);
}

/*
 * Return whether a page can show the counts. If events share counters, or counters start others,
 * user mode cannot read the counts from the hardware.
 */
static bool page_can_show(const struct vpmc_thread *t)
{
	return t->events && !vpmc_events_multiplex(t->events) && !t->events->cascades;
}

void vpmc_page_describe(struct vpmc_thread *t, bool may)
{
	t->accepted = may && page_can_show(t);
	if (READ_ONCE(t->page->content))
		page_describe(t);
}

struct task_struct *vpmc_page_thread(const struct vpmc_user_page *u)
{
	unsigned long holder = READ_ONCE(u->holder);

	return holder & VPMC_PAGE_CHARGED ? NULL : (struct task_struct *)holder;
}

/*
 * Charge @u to a user, because its thread has exited and no longer limits the number of
 * mappings that remain.
 */
static noinline void page_charge(struct vpmc_user_page *u)
{
	struct user_struct *user = vpmc_account_pages(1);

	WRITE_ONCE(u->holder, (unsigned long)user | VPMC_PAGE_CHARGED);
}

void vpmc_page_drop(struct vpmc_thread *t)
{
	struct vpmc_user_page *u = t->page;

	lockdep_assert_irqs_disabled();
	if (u->valid)
		vpmc_page_hide(t);
	WRITE_ONCE(t->accepted, false);
	t->page = NULL;
	/* No other reference exists, and only an existing reference can be copied. */
	if (likely(kref_read(&u->ref) == 1)) {
		page_free(&u->ref);
		return;
	}
	/*
	 * Mappings may be closed at the same time, but a page without a mapping cannot
	 * get one any more.
	 */
	page_charge(u);
	vpmc_page_put(u);
}
