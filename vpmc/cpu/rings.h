/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This file declares the rings of an open file: memory that its process maps, to which each
 * processor writes samples and what they belong to. See VPMC_SAMPLES.
 */
#ifndef VPMC_RINGS_H
#define VPMC_RINGS_H

#include <linux/kref.h>
#include <linux/types.h>

#include "kernel/account.h"
#include "uapi/linux/vpmc.h"

struct pid;
struct pid_namespace;
struct vm_area_struct;

/**
 * struct vpmc_ring_end - the driver's end of a ring
 * @ring: the ring, which the process can write to
 * @head: what the ring's head must be. All fields are written by the ring's processor only, with
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
 * @closed: whether the file is closed, so that nothing is written any more
 * @account: the user to whom the memory is charged
 * @end: one entry per possible processor
 */
struct vpmc_rings {
	struct kref ref;
	u32 size;
	struct pid *owner;
	struct pid_namespace *ns;
	bool closed;
	struct vpmc_account account;
	struct vpmc_ring_end end[];
};

/*
 * Create rings of current's process, with one reference. Returns ERR_PTR(-EINVAL) if @size is not
 * allowed, or ERR_PTR(-ENOMEM). May sleep.
 */
struct vpmc_rings *vpmc_rings_create(u32 size);

/* Map the ring that @vma asks for. Returns 0 or an error of mmap(2). */
int vpmc_rings_mmap(const struct vpmc_rings *r, struct vm_area_struct *vma);

/*
 * Free the memory with the file, when it is not mapped any more, and drop the file's reference.
 * Later records are dropped. @r may be NULL. May sleep.
 */
void vpmc_rings_close(struct vpmc_rings *r);

static inline struct vpmc_rings *vpmc_rings_get(struct vpmc_rings *r)
{
	kref_get(&r->ref);
	return r;
}

/* Drop a reference. @r may be NULL. Any context but NMI. */
void vpmc_rings_put(struct vpmc_rings *r);

/*
 * Write a sample, or a change of @words words of 8 bytes, to this processor's ring, or count it as
 * lost. Interrupts off, and no NMI that interrupts this may call it.
 */
void vpmc_rings_write_sample(struct vpmc_rings *r, const struct vpmc_sample *sample);
void vpmc_rings_write_change(struct vpmc_rings *r, const struct vpmc_change *change, u32 words);

/* Count a sample that the observer may not see, or a change for want of memory. */
void vpmc_rings_hide_sample(struct vpmc_rings *r);
void vpmc_rings_lose_change(struct vpmc_rings *r);

#endif /* VPMC_RINGS_H */
