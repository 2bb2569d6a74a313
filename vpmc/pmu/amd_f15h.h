/* SPDX-License-Identifier: GPL-2.0-only */
/* AMD's family 15h: which of its six counters an event needs. */
#ifndef VPMC_AMD_F15H_H
#define VPMC_AMD_F15H_H

#include <linux/types.h>

/*
 * The counters that can count an event which is not of the northbridge, one bit
 * each. @event: bits 11:0 of the event select; @units: its unit mask. Returns 0 if
 * there is no such event. Any context.
 */
u32 vpmc_amd_f15h_counters(u32 event, u32 units);

#endif /* VPMC_AMD_F15H_H */
