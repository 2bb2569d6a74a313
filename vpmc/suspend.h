/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The machine sleeps: what the processor has counted is taken out before, and
 * its registers, which forget all, are set up again afterwards. Processors other
 * than the first go off and come on line for that, see cpu.h and system.h.
 */
#ifndef VPMC_SUSPEND_H
#define VPMC_SUSPEND_H

void vpmc_suspend_init(void);
void vpmc_suspend_exit(void);

#endif /* VPMC_SUSPEND_H */
