/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This file declares the rings of an open file. Its process maps the rings, and each processor
 * writes samples and changes to its own ring. See VPMC_SAMPLES.
 */
#ifndef VPMC_RINGS_H
#define VPMC_RINGS_H

#include <linux/kref.h>
#include <linux/smp.h>
#include <linux/types.h>

#include <asm/barrier.h>

#include "kernel/account.h"
#include "uapi/linux/vpmc.h"

struct pid;
struct pid_namespace;
struct vm_area_struct;

/**
 * struct vpmc_ring_end - the driver's state of a ring
 * @ring: the ring, which the process can write to
 * @head: the right value of the ring's head. Only the ring's processor writes the fields, with
 *	interrupts off.
 * @lost: the ring's lost
 * @lost_changes: the ring's lost_changes
 * @hidden: the ring's hidden
 */
struct vpmc_ring_end {
	struct vpmc_ring *ring;
	u32 head;
	u32 lost;
	u32 lost_changes;
	u32 hidden;
};

/**
 * struct vpmc_rings - the rings of a file
 * @ref: references by the file and by sets of events that leave samples
 * @size: bytes of records in each ring, a power of two
 * @owner: the process that may map them, with a reference
 * @ns: the pid namespace of the ids in records, with a reference
 * @ticks: whether samples are taken at clock ticks, without interrupts
 * @closed: whether the file is closed, so that the rings are not written any more
 * @registers: whether samples have registers
 * @callers: the largest number of callers of a sample
 * @seed: vpmc_samples.seed
 * @jitter: vpmc_samples.jitter
 * @account: the user to whom the memory is charged
 * @end: one entry per possible processor
 */
struct vpmc_rings {
	struct kref ref;
	u32 size;
	struct pid *owner;
	struct pid_namespace *ns;
	bool ticks;
	bool closed;
	bool registers;
	u8 callers;
	u32 seed;
	u32 jitter[VPMC_MAX_EVENTS];
	struct vpmc_account account;
	struct vpmc_ring_end end[];
};

/*
 * Create rings of current's process according to @samples, with one reference. Returns
 * ERR_PTR(-EINVAL) if @samples is not valid, or ERR_PTR(-ENOMEM). May sleep.
 */
struct vpmc_rings *vpmc_rings_create(const struct vpmc_samples *samples);

/* Map the ring at the offset of @vma. Returns 0 or an error of mmap(2). */
int vpmc_rings_mmap(const struct vpmc_rings *r, struct vm_area_struct *vma);

/*
 * Close the rings with the file, and drop the file's reference. The memory is freed when it is not
 * mapped any more. Later records are dropped. @r may be NULL. May sleep.
 */
void vpmc_rings_close(struct vpmc_rings *r);

static inline struct vpmc_rings *vpmc_rings_get(struct vpmc_rings *r)
{
	kref_get(&r->ref);
	return r;
}

/* Drop a reference. @r may be NULL. Any context but NMI. */
void vpmc_rings_put(struct vpmc_rings *r);

/* Only this file and rings.c use the following two functions. */

/*
 * Return whether a ring of @size bytes has room for @bytes at @head. The owner can write to @ring,
 * so this only reads the tail. No value of the tail can make this processor write outside the ring.
 */
static __always_inline bool vpmc_rings_have_room(const struct vpmc_ring *ring, u32 size,
						 u32 head, u32 bytes)
{
	u32 used = head - READ_ONCE(ring->tail);

	if (unlikely(bytes > size || used > size - bytes))
		return false;
	/* The owner has read the bytes that are overwritten before it has changed the tail. */
	smp_mb();
	return true;
}

/* Let the owner of the ring @end read the records before @head. */
static __always_inline void vpmc_rings_advance(struct vpmc_ring_end *end, struct vpmc_ring *ring,
					       u32 head)
{
	end->head = head;
	/* The reader finds the records when it finds the head. */
	smp_store_release(&ring->head, head);
}

/* Increment the number of lost samples. Only vpmc_rings_write_sample() uses this. */
void vpmc_rings_lose_sample(struct vpmc_rings *r);

/*
 * Write a sample to this processor's ring, or count it as lost. @ids is vpmc_sample.pid and, in the
 * high half, vpmc_sample.tid. Interrupts off. An NMI that interrupts this function must not call
 * it.
 */
static __always_inline void vpmc_rings_write_sample(struct vpmc_rings *r, u64 where, u64 tsc,
						    u64 ids)
{
	struct vpmc_ring_end *end = &r->end[smp_processor_id()];
	u32 head = end->head, size = r->size, mask = size / sizeof(u64) - 1;
	struct vpmc_ring *ring = end->ring;
	u64 *data = (u64 *)(ring + 1);
	u32 at = head / sizeof(u64);

	if (unlikely(READ_ONCE(r->closed)))
		return;
	if (!vpmc_rings_have_room(ring, size, head, sizeof(struct vpmc_sample))) {
		vpmc_rings_lose_sample(r);
		return;
	}
	data[at & mask] = where;
	data[(at + 1) & mask] = tsc;
	data[(at + 2) & mask] = ids;
	vpmc_rings_advance(end, ring, head + sizeof(struct vpmc_sample));
}

/* Write a change of @words words of 8 bytes, or count it as lost. The context is the same. */
void vpmc_rings_write_change(struct vpmc_rings *r, const struct vpmc_change *change, u32 words);

/**
 * struct vpmc_long_record - a record that is being written word by word
 * @end: the end of its ring
 * @data: the words of the ring
 * @mask: the number of words in the ring - 1
 * @begin: the word at which the record begins, modulo the words of the ring
 * @at: the word to be written next, also modulo the words of the ring
 */
struct vpmc_long_record {
	struct vpmc_ring_end *end;
	u64 *data;
	u32 mask;
	u32 begin;
	u32 at;
};

/*
 * Begin a record of at most @words words. vpmc_rings_end_long() writes the first word. If there is
 * no room, count a sample as lost and return false. The context is the same as for
 * vpmc_rings_write_sample().
 */
bool vpmc_rings_begin_long(struct vpmc_rings *r, struct vpmc_long_record *record, u32 words);

static inline void vpmc_rings_add(struct vpmc_long_record *record, u64 word)
{
	record->data[record->at++ & record->mask] = word;
}

/* Write the first word, for a record of @type, and let the owner read the record. */
void vpmc_rings_end_long(struct vpmc_long_record *record, enum vpmc_change_type type);

/* Write a VPMC_CHANGE_SAMPLES like vpmc_rings_write_change(), or count its samples as lost. */
void vpmc_rings_write_samples(struct vpmc_rings *r, const struct vpmc_change *change, u32 words);

/*
 * Count samples that the observer may not see, or a change that is lost because memory was short.
 */
void vpmc_rings_hide_samples(struct vpmc_rings *r, u64 nr);
void vpmc_rings_lose_change(struct vpmc_rings *r);

#endif /* VPMC_RINGS_H */
