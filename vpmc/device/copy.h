/* SPDX-License-Identifier: GPL-2.0-only */
/* This file copies the structures of ioctls in and out. */
#ifndef VPMC_COPY_H
#define VPMC_COPY_H

#include <linux/minmax.h>
#include <linux/uaccess.h>

#include "uapi/linux/vpmc.h"

/*
 * Write 64 bits like unsafe_put_user(). A 32-bit kernel writes two halves, because this
 * takes fewer registers. Returns whether the bits could be written.
 */
static __always_inline bool vpmc_copy_put(u64 __user *to, u64 value)
{
#ifdef CONFIG_64BIT
	unsafe_put_user(value, to, fault);
#else
	unsafe_put_user((u32)value, (u32 __user *)to, fault);
	unsafe_put_user((u32)(value >> 32), (u32 __user *)to + 1, fault);
#endif
	return true;
fault:
	return false;
}

/*
 * Like vpmc_copy_put() for the value at @from. A 32-bit kernel holds only half of the
 * value in registers at a time.
 */
static __always_inline bool vpmc_copy_put_at(u64 __user *to, const u64 *from)
{
#ifdef CONFIG_64BIT
	unsafe_put_user(*from, to, fault);
#else
	const u32 *half = (const u32 *)from;

	unsafe_put_user(half[0], (u32 __user *)to, fault);
	unsafe_put_user(half[1], (u32 __user *)to + 1, fault);
#endif
	return true;
fault:
	return false;
}

/*
 * Check @caller_size, which was read at @arg, against the driver's structure. It must
 * be at least @min bytes, and the caller's structure must be zero beyond the @size
 * bytes that the driver knows. Returns 0, -EFAULT, -E2BIG or -EINVAL.
 */
static inline int vpmc_copy_judge_size(u32 caller_size, size_t size, size_t min,
				       void __user *arg)
{
	int zero;

	if (caller_size > PAGE_SIZE)
		return -E2BIG;
	if (caller_size < min)
		return -EINVAL;
	if (caller_size <= size)
		return 0;
	zero = check_zeroed_user(arg + size, caller_size - size);
	if (zero < 0)
		return zero;
	return zero ? 0 : -E2BIG;
}

/*
 * Read the size of the caller's structure at @arg, and check it by
 * vpmc_copy_judge_size().
 */
static inline int vpmc_copy_check_size(size_t size, size_t min,
				       void __user *arg, u32 *caller_size)
{
	if (get_user(*caller_size, (u32 __user *)arg))
		return -EFAULT;
	return vpmc_copy_judge_size(*caller_size, size, min, arg);
}

/*
 * Copy a structure of the caller's size, at least @min bytes, from @arg.
 * Returns 0, -EFAULT, -E2BIG or -EINVAL.
 */
static inline int vpmc_copy_in(void *to, size_t size, size_t min,
			       void __user *arg, u32 *caller_size)
{
	size_t known;
	int err;

	err = vpmc_copy_check_size(size, min, arg, caller_size);
	if (err)
		return err;
	known = min_t(size_t, size, *caller_size);
	if (copy_from_user(to, arg, known))
		return -EFAULT;
	memset(to + known, 0, size - known);
	return 0;
}

/* Copy a structure out, but not more than the caller's size. Returns 0 or -EFAULT. */
static inline int vpmc_copy_out(void __user *arg, const void *from,
				size_t size, u32 caller_size)
{
	if (copy_to_user(arg, from, min_t(size_t, size, caller_size)))
		return -EFAULT;
	return 0;
}

/*
 * Write the fields of @read that read(2) also has, from @other_events to the last count.
 * If @whole is set, also write the preceding answers. Returns 0 or -EFAULT.
 */
static __always_inline int vpmc_copy_counts(struct vpmc_read __user *user,
					    const struct vpmc_read *read,
					    bool whole)
{
	const size_t begin = whole ? offsetof(struct vpmc_read, state) :
				     offsetof(struct vpmc_read, other_events);
	const size_t end = offsetof(struct vpmc_read, count[read->nr_counts]);
	u32 i;

	if (!user_access_begin((void __user *)user + begin, end - begin))
		return -EFAULT;
	if (whole) {
		unsafe_put_user(read->state, &user->state, fault);
		unsafe_put_user(read->nr_counts, &user->nr_counts, fault);
		unsafe_put_user(read->running, &user->running, fault);
	}
	unsafe_put_user(read->other_events, &user->other_events, fault);
	unsafe_put_user(read->revoked, &user->revoked, fault);
	unsafe_put_user(read->stopped, &user->stopped, fault);
	unsafe_put_user(read->unwaited, &user->unwaited, fault);
	if (!vpmc_copy_put(&user->generation, read->generation) ||
	    !vpmc_copy_put(&user->start, read->start) ||
	    !vpmc_copy_put(&user->tsc, read->tsc))
		goto fault;
	for (i = 0; i < read->nr_counts; i++)
		if (!vpmc_copy_put(&user->count[i], read->count[i]))
			goto fault;
	user_access_end();
	return 0;
fault:
	user_access_end();
	return -EFAULT;
}

/*
 * Before a call acts, check the size of the structure at @arg, and check that the answer
 * can be written to it. This writes the first and the last word back. The structure is
 * smaller than a page, so both words together show whether it can be written. Returns 0,
 * -EFAULT, -E2BIG or -EINVAL.
 */
static __always_inline int vpmc_copy_check_answerable(size_t size, void __user *arg)
{
	u32 __user *last = arg + size - sizeof(u32);
	u32 caller_size, word;
	int err = vpmc_copy_check_size(size, size, arg, &caller_size);

	if (err)
		return err;
	if (!user_access_begin(arg, size))
		return -EFAULT;
	unsafe_get_user(word, last, fault);
	unsafe_put_user(word, last, fault);
	unsafe_put_user(caller_size, (u32 __user *)arg, fault);
	user_access_end();
	return 0;
fault:
	user_access_end();
	return -EFAULT;
}

/* Write the answer of a start. Returns 0 or -EFAULT. */
static __always_inline int vpmc_copy_start_out(struct vpmc_start __user *user,
					       u64 generation, u64 start,
					       u64 self_start)
{
	if (!user_write_access_begin(user, offsetof(struct vpmc_start, event)))
		return -EFAULT;
	if (!vpmc_copy_put(&user->generation, generation) ||
	    !vpmc_copy_put(&user->start, start) ||
	    !vpmc_copy_put(&user->self_start, self_start))
		goto fault;
	user_write_access_end();
	return 0;
fault:
	user_write_access_end();
	return -EFAULT;
}

/* Write the answer of a stop. Returns 0 or -EFAULT. */
static __always_inline int vpmc_copy_stop_out(struct vpmc_stop __user *user,
					      u64 generation, u64 start)
{
	if (!user_write_access_begin(user, sizeof(*user)))
		return -EFAULT;
	if (!vpmc_copy_put(&user->generation, generation) ||
	    !vpmc_copy_put(&user->start, start))
		goto fault;
	user_write_access_end();
	return 0;
fault:
	user_write_access_end();
	return -EFAULT;
}

/*
 * Copy in a whole structure that will also receive the answer. Returns 0, -EFAULT, -E2BIG
 * or -EINVAL.
 */
static __always_inline int vpmc_copy_in_answerable(void *to, size_t size,
						   void __user *arg)
{
	int err = vpmc_copy_check_answerable(size, arg);

	if (!err && copy_from_user(to, arg, size))
		err = -EFAULT;
	return err;
}

#endif /* VPMC_COPY_H */
