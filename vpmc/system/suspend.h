/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This file declares suspend and resume of the machine. The driver reads the counters before a
 * suspend. It sets up the registers after the resume, because a suspend loses their contents. All
 * processors but the first go offline before the suspend and come online after it, see cpu.h and
 * system.h.
 */
#ifndef VPMC_SUSPEND_H
#define VPMC_SUSPEND_H

void vpmc_suspend_init(void);
void vpmc_suspend_exit(void);

#endif /* VPMC_SUSPEND_H */
