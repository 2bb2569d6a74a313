/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Suspend and resume of the machine: the counters are read before, and their
 * registers, which lose their contents, are set up again afterwards. All
 * processors but the first go off line before and come back later, see cpu.h
 * and system.h.
 */
#ifndef VPMC_SUSPEND_H
#define VPMC_SUSPEND_H

void vpmc_suspend_init(void);
void vpmc_suspend_exit(void);

#endif /* VPMC_SUSPEND_H */
