// SPDX-License-Identifier: GPL-2.0-only
/* This file writes records to rings that a process maps. */
#include <linux/build_bug.h>
#include <linux/cpumask.h>
#include <linux/err.h>
#include <linux/lockdep.h>
#include <linux/log2.h>
#include <linux/mm.h>
#include <linux/overflow.h>
#include <linux/pid.h>
#include <linux/pid_namespace.h>
#include <linux/rcupdate.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/smp.h>
#include <linux/string.h>
#include <linux/vmalloc.h>

#include "kernel/compat.h"
#include "cpu/rings.h"

static_assert(sizeof(struct vpmc_ring) == 4096);
static_assert(sizeof(struct vpmc_sample) == 3 * sizeof(u64));
static_assert(sizeof(struct vpmc_change) % sizeof(u64) == 0);
static_assert(sizeof(struct vpmc_long_sample) == 5 * sizeof(u64));
static_assert(sizeof(struct vpmc_registers) == 20 * sizeof(u64));

/* Return the size of a ring's mapping in bytes. */
static size_t rings_stride(const struct vpmc_rings *r)
{
	return sizeof(struct vpmc_ring) + r->size;
}

static void rings_free_memory(struct vpmc_rings *r)
{
	int cpu;

	for (cpu = 0; cpu < nr_cpu_ids; cpu++)
		vfree(r->end[cpu].ring);
	vpmc_account_end(&r->account);
}

static int rings_alloc_memory(struct vpmc_rings *r)
{
	int cpu;

	vpmc_account_begin(&r->account);
	/* An account has 32 bits for bytes. */
	if (rings_stride(r) > S32_MAX / nr_cpu_ids)
		return -ENOMEM;
	for (cpu = 0; cpu < nr_cpu_ids; cpu++) {
		if (!vpmc_account_add(&r->account, rings_stride(r)))
			return -ENOMEM;
		r->end[cpu].ring = __vmalloc(rings_stride(r), GFP_KERNEL_ACCOUNT | __GFP_ZERO);
		if (!r->end[cpu].ring)
			return -ENOMEM;
	}
	return 0;
}

/* Samples at ticks have neither registers nor callers, and no jitter. */
static bool rings_are_possible(const struct vpmc_samples *samples)
{
	if (samples->flags & VPMC_SAMPLES_TICKS)
		return samples->flags == VPMC_SAMPLES_TICKS && !samples->callers &&
		       !memchr_inv(samples->jitter, 0, sizeof(samples->jitter));
	return !(samples->flags & ~VPMC_SAMPLES_REGISTERS) &&
	       samples->callers <= VPMC_MAX_CALLERS;
}

struct vpmc_rings *vpmc_rings_create(const struct vpmc_samples *samples)
{
	u32 size = samples->ring_size;
	struct vpmc_rings *r;

	if (!rings_are_possible(samples))
		return ERR_PTR(-EINVAL);
	if (!is_power_of_2(size) || size < PAGE_SIZE || size > VPMC_MAX_RING)
		return ERR_PTR(-EINVAL);
	r = kzalloc(struct_size(r, end, nr_cpu_ids), GFP_KERNEL_ACCOUNT);
	if (!r)
		return ERR_PTR(-ENOMEM);
	kref_init(&r->ref);
	r->size = size;
	r->ticks = samples->flags & VPMC_SAMPLES_TICKS;
	r->registers = samples->flags & VPMC_SAMPLES_REGISTERS;
	r->callers = samples->callers;
	r->seed = samples->seed;
	memcpy(r->jitter, samples->jitter, sizeof(r->jitter));
	if (rings_alloc_memory(r)) {
		rings_free_memory(r);
		kfree(r);
		return ERR_PTR(-ENOMEM);
	}
	r->owner = get_pid(task_tgid(current));
	r->ns = get_pid_ns(task_active_pid_ns(current));
	return r;
}

static void rings_free(struct kref *ref)
{
	struct vpmc_rings *r = container_of(ref, struct vpmc_rings, ref);

	put_pid(r->owner);
	put_pid_ns(r->ns);
	kfree(r);
}

void vpmc_rings_put(struct vpmc_rings *r)
{
	if (r)
		kref_put(&r->ref, rings_free);
}

void vpmc_rings_close(struct vpmc_rings *r)
{
	if (!r)
		return;
	WRITE_ONCE(r->closed, true);
	/* A processor that still writes to a ring has interrupts off. */
	synchronize_rcu();
	rings_free_memory(r);
	vpmc_rings_put(r);
}

/* Map a ring. Memory of vmalloc_user() would not be charged to the memory cgroup. */
static int rings_insert(struct vm_area_struct *vma, const struct vpmc_ring *ring)
{
	unsigned long at;
	int err = 0;

	for (at = vma->vm_start; !err && at < vma->vm_end; at += PAGE_SIZE)
		err = vm_insert_page(vma, at,
				     vmalloc_to_page((const char *)ring + at - vma->vm_start));
	return err;
}

int vpmc_rings_mmap(const struct vpmc_rings *r, struct vm_area_struct *vma)
{
	unsigned long pages = rings_stride(r) >> PAGE_SHIFT;
	unsigned long ring = vma->vm_pgoff / pages - 1;

	mmap_assert_write_locked(vma->vm_mm);
	if (vma->vm_pgoff % pages || ring >= nr_cpu_ids || vma_pages(vma) != pages ||
	    !(vma->vm_flags & VM_SHARED))
		return -EINVAL;
	if (task_tgid(current) != r->owner)
		return -EACCES;
	vm_flags_mod(vma, VM_DONTCOPY | VM_DONTEXPAND | VM_DONTDUMP, VM_EXEC | VM_MAYEXEC);
	return rings_insert(vma, r->end[ring].ring);
}

static void rings_count(u32 *number, u32 *shown, u64 more)
{
	*number = more > U32_MAX - *number ? U32_MAX : *number + more;
	WRITE_ONCE(*shown, *number);
}

/* Return this processor's ring, or NULL if the file is closed. */
static struct vpmc_ring_end *rings_find(struct vpmc_rings *r)
{
	return READ_ONCE(r->closed) ? NULL : &r->end[smp_processor_id()];
}

void vpmc_rings_lose_sample(struct vpmc_rings *r)
{
	struct vpmc_ring_end *end = rings_find(r);

	if (end)
		rings_count(&end->lost, &end->ring->lost, 1);
}

/* Write words to the ring @end. Returns false if there is no room. */
static bool rings_write(const struct vpmc_rings *r, struct vpmc_ring_end *end, const void *words,
			u32 nr)
{
	u32 i, at, bytes = nr * sizeof(u64), mask = r->size / sizeof(u64) - 1;
	const u64 *word = words;
	u64 *data;

	if (!vpmc_rings_have_room(end->ring, r->size, end->head, bytes))
		return false;
	data = (u64 *)(end->ring + 1);
	at = end->head / sizeof(u64);
	for (i = 0; i < nr; i++)
		data[(at + i) & mask] = word[i];
	vpmc_rings_advance(end, end->ring, end->head + bytes);
	return true;
}

void vpmc_rings_write_change(struct vpmc_rings *r, const struct vpmc_change *change, u32 words)
{
	struct vpmc_ring_end *end = rings_find(r);

	if (end && !rings_write(r, end, change, words))
		rings_count(&end->lost_changes, &end->ring->lost_changes, 1);
}

bool vpmc_rings_begin_long(struct vpmc_rings *r, struct vpmc_long_record *record, u32 words)
{
	struct vpmc_ring_end *end = rings_find(r);

	if (!end)
		return false;
	if (!vpmc_rings_have_room(end->ring, r->size, end->head, words * sizeof(u64))) {
		rings_count(&end->lost, &end->ring->lost, 1);
		return false;
	}
	record->end = end;
	record->data = (u64 *)(end->ring + 1);
	record->mask = r->size / sizeof(u64) - 1;
	record->begin = end->head / sizeof(u64);
	record->at = record->begin + 1;
	return true;
}

void vpmc_rings_end_long(struct vpmc_long_record *record, enum vpmc_change_type type)
{
	u32 bytes = (record->at - record->begin) * sizeof(u64);

	record->data[record->begin & record->mask] =
		VPMC_WHERE_OTHER | bytes | (u64)type << VPMC_CHANGE_TYPE_SHIFT;
	vpmc_rings_advance(record->end, record->end->ring, record->end->head + bytes);
}

void vpmc_rings_write_samples(struct vpmc_rings *r, const struct vpmc_change *change, u32 words)
{
	struct vpmc_ring_end *end = rings_find(r);

	if (end && !rings_write(r, end, change, words))
		rings_count(&end->lost, &end->ring->lost, change->end);
}

void vpmc_rings_hide_samples(struct vpmc_rings *r, u64 nr)
{
	struct vpmc_ring_end *end = rings_find(r);

	if (end)
		rings_count(&end->hidden, &end->ring->hidden, nr);
}

void vpmc_rings_lose_change(struct vpmc_rings *r)
{
	struct vpmc_ring_end *end = rings_find(r);

	if (end)
		rings_count(&end->lost_changes, &end->ring->lost_changes, 1);
}
