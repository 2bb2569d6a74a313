/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This file declares jitter, which makes the distances of samples pseudo-random. Without it, a loop
 * whose length divides the period would always be sampled at the same instruction. VPMC_SAMPLES
 * explains the rule.
 */
#ifndef VPMC_JITTER_H
#define VPMC_JITTER_H

#include <linux/math64.h>

#include "cpu/rings.h"
#include "thread/large.h"
#include "thread/thread_counters.h"

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

/* Let the jitter of @l begin with @seed. @l has not left samples yet. */
static inline void vpmc_jitter_begin(struct vpmc_large *l, u32 nr_counters, u32 seed)
{
	struct vpmc_point *point = l->samples->point;
	struct vpmc_counter *c = l->counter;

	l->samples->seed = seed;
	for (; point < l->samples->point + nr_counters; point++, c++) {
		if (!point->period)
			continue;
		point->random = vpmc_jitter_mix(seed + vpmc_point_event(point));
		point->next = point->period;
		vpmc_jitter_apply(point);
		vpmc_point_set_start(point, c);
	}
}

/* Give jitter to @t, which @parent creates. Both count the same events. */
static inline void vpmc_jitter_inherit(struct vpmc_thread *t, const struct vpmc_thread *parent)
{
	struct vpmc_thread_samples *own = t->large->samples, *from = parent->large->samples;

	if (own && own->special)
		vpmc_jitter_begin(t->large, t->events->nr_counters,
				  vpmc_jitter_mix(from->seed - ++from->created));
}

#endif /* VPMC_JITTER_H */
