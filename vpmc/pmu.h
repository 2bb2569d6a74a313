/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a family of performance monitoring units (PMU) offers to the generic
 * part. A family is one const table, and knows nothing of processes.
 */
#ifndef VPMC_PMU_H
#define VPMC_PMU_H

#include <linux/types.h>

#include "uapi/linux/vpmc.h"

/* The most counters that any supported family has. */
#define VPMC_MAX_COUNTERS	2

/**
 * struct vpmc_pmu - one family
 * @name: for users; at most 15 characters
 * @nr_counters: hardware counters per processor, at most VPMC_MAX_COUNTERS
 * @counter_bits: width of each of them
 * @counter_mask: all of these bits
 * @features: VPMC_FEATURE_* bits of this machine. Any context.
 * @encode: check @nr events, each on an existing counter of its own, and turn
 *	them into the value of the control register. Any context. On a refusal,
 *	*@bad is the index of the event at fault and *@control is unchanged. The
 *	value for several events is the OR of their single values.
 * @init_cpu: take over this processor's counters: nothing counts afterwards.
 *	Preemption off.
 * @write_control: let this processor count what @encode made @control from.
 *	Counters keep their values. Interrupts off.
 * @read_counters: read those hardware counters whose bits are set in @used
 *	into @value, indexed by counter. Interrupts off.
 * @write_counter: set one hardware counter. Interrupts off.
 */
struct vpmc_pmu {
	const char *name;
	unsigned int nr_counters;
	unsigned int counter_bits;
	u64 counter_mask;
	u32 (*features)(void);
	enum vpmc_reason (*encode)(const struct vpmc_event *event,
				   unsigned int nr, u64 *control, u32 *bad);
	void (*init_cpu)(void);
	void (*write_control)(u64 control);
	void (*read_counters)(u32 used, u64 *value);
	void (*write_counter)(unsigned int counter, u64 value);
};

/* The family of this machine's processors, or NULL. */
const struct vpmc_pmu *vpmc_p5_probe(void);

#endif /* VPMC_PMU_H */
