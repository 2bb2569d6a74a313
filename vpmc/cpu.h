/* SPDX-License-Identifier: GPL-2.0-only */
/* The counters of the processor that runs the caller. */
#ifndef VPMC_CPU_H
#define VPMC_CPU_H

#include "events.h"
#include "extend.h"
#include "pmu.h"

/* This machine's family; set before anything else runs, then constant. */
extern const struct vpmc_pmu *vpmc_pmu;

/* All bits of a hardware counter. */
static inline u64 vpmc_cpu_mask(void)
{
	return ~0ULL >> (64 - vpmc_pmu->counter_bits);
}

/**
 * vpmc_cpu_load() - let this processor count something
 * @load: what to count, and on which counters something else was counted
 * @now: these counters, as just read; changed to what they show in the end, if
 *	that is something else
 *
 * The control register is written only if it holds something else: it is
 * left alone when nobody counts, and so suits the next task of the same kind.
 *
 * Context: interrupts off.
 */
void vpmc_cpu_load(const struct vpmc_load *load, u64 *now);

/* Nothing counts on this processor from now on. Preemption off. */
void vpmc_cpu_reset(void);

/*
 * Take over and give back the counters of every processor, those that come on
 * line later included. May sleep. vpmc_cpu_init() returns 0 or -errno.
 */
int vpmc_cpu_init(void);
void vpmc_cpu_exit(void);

#endif /* VPMC_CPU_H */
