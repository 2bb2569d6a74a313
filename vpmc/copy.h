/* SPDX-License-Identifier: GPL-2.0-only */
/* The structures of an ioctl on their way in and out. */
#ifndef VPMC_COPY_H
#define VPMC_COPY_H

#include <linux/minmax.h>
#include <linux/uaccess.h>

/*
 * Check the size of the caller's structure at @arg: it must be at least @min
 * bytes, and zero beyond the @size bytes that the driver knows. Returns 0,
 * -EFAULT, -E2BIG or -EINVAL.
 */
static inline int vpmc_copy_check_size(size_t size, size_t min,
				       void __user *arg, u32 *caller_size)
{
	int zero;

	if (get_user(*caller_size, (u32 __user *)arg))
		return -EFAULT;
	if (*caller_size > PAGE_SIZE)
		return -E2BIG;
	if (*caller_size < min)
		return -EINVAL;
	if (*caller_size <= size)
		return 0;
	zero = check_zeroed_user(arg + size, *caller_size - size);
	if (zero < 0)
		return zero;
	return zero ? 0 : -E2BIG;
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

/* Copy as much of it back as the caller has room for. */
static inline int vpmc_copy_out(void __user *arg, const void *from,
				size_t size, u32 caller_size)
{
	if (copy_to_user(arg, from, min_t(size_t, size, caller_size)))
		return -EFAULT;
	return 0;
}

/*
 * Check the size of a structure at @arg that will hold the answer, too, and
 * whether it can be written, before anything is done: its ends are put back. There
 * may be a page that cannot be written between them, but no more. Returns 0,
 * -EFAULT, -E2BIG or -EINVAL.
 */
static inline int vpmc_copy_check_answerable(size_t size, void __user *arg)
{
	u32 __user *last = arg + size - sizeof(u32);
	u32 caller_size, word;
	int err = vpmc_copy_check_size(size, size, arg, &caller_size);

	if (err)
		return err;
	if (get_user(word, last) || put_user(word, last) ||
	    put_user(caller_size, (u32 __user *)arg))
		return -EFAULT;
	return 0;
}

/* vpmc_copy_in() of a whole structure that will hold the answer, too. */
static inline int vpmc_copy_in_answerable(void *to, size_t size,
					  void __user *arg)
{
	int err = vpmc_copy_check_answerable(size, arg);

	if (!err && copy_from_user(to, arg, size))
		err = -EFAULT;
	return err;
}

#endif /* VPMC_COPY_H */
