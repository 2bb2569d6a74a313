/* SPDX-License-Identifier: GPL-2.0-only */
/* The counters of the processor that runs the caller. */
#ifndef VPMC_CPU_H
#define VPMC_CPU_H

#include <linux/jump_label.h>
#include <linux/percpu.h>

#include "events.h"
#include "extend.h"
#include "pmu.h"

/* This machine's family; set before anything else runs, then constant. */
extern const struct vpmc_pmu *vpmc_pmu;

/* What this processor's control register holds. For vpmc_cpu_load(). */
DECLARE_PER_CPU(u64, vpmc_cpu_control);

/* A test lets the counters be near their wrap. For vpmc_cpu_load(). */
DECLARE_STATIC_KEY_FALSE(vpmc_cpu_seeded);

/* The rare steps of vpmc_cpu_load(), as documented there. */
void vpmc_cpu_change(const struct vpmc_load *load, u64 *now);
void vpmc_cpu_seed(const struct vpmc_load *load, u64 *now);

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
static inline void vpmc_cpu_load(const struct vpmc_load *load, u64 *now)
{
	if (__this_cpu_read(vpmc_cpu_control) != load->control)
		vpmc_cpu_change(load, now);
	if (static_branch_unlikely(&vpmc_cpu_seeded))
		vpmc_cpu_seed(load, now);
}

/* Set all counters to @value, indexed by counter. Interrupts off. */
void vpmc_cpu_write(const u64 *value);

/* Nothing counts on this processor from now on. Preemption off. */
void vpmc_cpu_reset(void);

/*
 * Take over and give back the counters of every processor, those that come on
 * line later included. May sleep. vpmc_cpu_init() returns 0 or -errno.
 */
int vpmc_cpu_init(void);
void vpmc_cpu_exit(void);

#endif /* VPMC_CPU_H */
