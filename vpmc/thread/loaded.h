/* SPDX-License-Identifier: GPL-2.0-only */
/* This file declares the thread for which a processor counts. */
#ifndef VPMC_LOADED_H
#define VPMC_LOADED_H

#include <linux/percpu.h>

#include <asm/tsc.h>

#include "cpu/cpu.h"
#include "thread/thread_counters.h"

struct vpmc_process;

/*
 * If this processor counts for current, these are the counters of current and of its process; else
 * both are NULL. Other processors only compare the process, or read its @session under RCU. The
 * process may be freed, unless the reader holds the lock of @session.
 */
DECLARE_PER_CPU(struct vpmc_thread *, vpmc_loaded);
DECLARE_PER_CPU(struct vpmc_process *, vpmc_loaded_process);

/*
 * Bring @t up to date. This processor must count for @t. @counter points to its
 * counters. Interrupts off.
 */
static __always_inline void vpmc_loaded_advance(struct vpmc_thread *t,
						struct vpmc_counter *counter)
{
	u64 tsc;

	raw_write_seqcount_begin(&t->seq);
	vpmc_pmu->exchange(t->events->load.used, counter, counter);
	tsc = rdtsc();
	t->tsc += tsc - t->tsc_start;
	t->tsc_start = tsc;
	raw_write_seqcount_end(&t->seq);
}

#endif /* VPMC_LOADED_H */
