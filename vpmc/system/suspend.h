/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This file declares suspend and resume of the machine. The driver reads the counters
 * before suspend, and sets up their registers, which lose their contents, afterwards.
 * All processors but the first go offline before that and come back later, see cpu.h
 * and system.h.
 */
#ifndef VPMC_SUSPEND_H
#define VPMC_SUSPEND_H

void vpmc_suspend_init(void);
void vpmc_suspend_exit(void);

#endif /* VPMC_SUSPEND_H */
