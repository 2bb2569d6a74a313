/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This file declares how the driver notices programs that write to the registers of the counters,
 * by /dev/cpu/N/msr. Such writes make counts wrong. At each tick, a processor that counts for a
 * thread compares its registers with the values that the driver wrote to them. If the values
 * differ, the driver writes the registers again. All counts of all processes then end as if system
 * mode had taken the counters; see vpmc_system_hold(). Switches and reads do not compare the
 * registers, because the comparison would slow them down.
 *
 * System mode compares the registers when it reads the counters (system.c).
 */
#ifndef VPMC_GUARD_H
#define VPMC_GUARD_H

struct task_struct;

/*
 * Implement the hook of the tick (vpmc_hooks.h): compare the registers, and then call
 * vpmc_count_tick().
 */
void vpmc_guard_tick(struct task_struct *curr);

/* Cancel scheduled work, after the last tick. May sleep. */
void vpmc_guard_exit(void);

#endif /* VPMC_GUARD_H */
