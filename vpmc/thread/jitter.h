/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This file declares jitter, which makes the distances of samples pseudo-random. Without it, a loop
 * whose length divides the period would always be sampled at the same instruction. VPMC_SAMPLES
 * explains the rule.
 */
#ifndef VPMC_JITTER_H
#define VPMC_JITTER_H

#include <linux/math64.h>

#include "thread/point.h"

static inline u32 vpmc_jitter_mix(u32 x)
{
	x ^= x >> 16;
	x *= 0x85ebca6b;
	x ^= x >> 13;
	x *= 0xc2b2ae35;
	return x ^ x >> 16;
}

/* Change the distance to the next sample of @point. */
static inline void vpmc_jitter_apply(struct vpmc_point *point)
{
	u32 range = 2 * point->jitter + 1;

	if (!point->jitter)
		return;
	point->random += 0x9e3779b9;
	point->next -= point->jitter;
	point->next += mul_u32_u32(vpmc_jitter_mix(point->random), range) >> 32;
}

/*
 * Let the jitter of @samples begin with @seed. @counter has the @nr counters of the samples, which
 * have not left samples yet.
 */
static inline void vpmc_jitter_begin(struct vpmc_thread_samples *samples,
				     struct vpmc_counter *counter, u32 nr, u32 seed)
{
	struct vpmc_point *point;

	samples->seed = seed;
	for (point = samples->point; point < samples->point + nr; point++, counter++) {
		if (!point->period)
			continue;
		point->random = vpmc_jitter_mix(seed + vpmc_point_event(point));
		point->next = point->period;
		vpmc_jitter_apply(point);
		vpmc_point_set_start(point, counter);
	}
}

#endif /* VPMC_JITTER_H */
