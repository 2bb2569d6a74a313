/* SPDX-License-Identifier: GPL-2.0-only */
/* Numbers that stay at the largest, rather than begin again at zero. */
#ifndef VPMC_SATURATE_H
#define VPMC_SATURATE_H

#include <linux/types.h>

/* @a + @b, but at most @most. @a is not above that. */
static inline u32 vpmc_saturate(u32 a, u32 b, u32 most)
{
	return b > most - a ? most : a + b;
}

#endif /* VPMC_SATURATE_H */
