// SPDX-License-Identifier: LGPL-2.1-or-later
/* Project counts of events that shared counters to the whole time. */
#include "base/internal.h"

int vpmc_is_projected(const struct vpmc_counts *counts, unsigned int i)
{
	return counts->time[i] < counts->tsc;
}

/* Add @more to @sum, both of which are below @modulus. Returns the carry. */
static unsigned int add_modulo(uint64_t *sum, uint64_t more, uint64_t modulus)
{
	if (*sum < modulus - more) {
		*sum += more;
		return 0;
	}
	*sum -= modulus - more;
	return 1;
}

/*
 * Returns @part * @tsc / @time, rounded, for a @part below @time. The product may have 128 bits,
 * and compilers for 32-bit processors do not have such a type. So the product is computed and
 * divided bit by bit.
 */
static uint64_t scale(uint64_t part, uint64_t time, uint64_t tsc)
{
	uint64_t quotient = 0;
	uint64_t rest = 0;
	int bit;

	for (bit = 63; bit >= 0; bit--) {
		quotient <<= 1;
		quotient += add_modulo(&rest, rest, time);
		if (tsc >> bit & 1)
			quotient += add_modulo(&rest, part, time);
	}
	return quotient + add_modulo(&rest, rest, time);
}

uint64_t vpmc_project(uint64_t count, uint64_t time, uint64_t tsc)
{
	uint64_t whole, projected;

	if (!time)
		return 0;
	if (time >= tsc)
		return count;
	if (__builtin_mul_overflow(count / time, tsc, &whole) ||
	    __builtin_add_overflow(whole, scale(count % time, time, tsc),
				   &projected))
		return UINT64_MAX;
	return projected;
}
