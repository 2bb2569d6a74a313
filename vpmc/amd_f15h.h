/* SPDX-License-Identifier: GPL-2.0-only */
/* AMD's family 15h: which of its six counters an event needs. */
#ifndef VPMC_AMD_F15H_H
#define VPMC_AMD_F15H_H

#include "pmu.h"

/**
 * vpmc_amd_f15h_find_counters() - which counters can count an event
 * @event: bits 11:0 of the event select
 * @units: its unit mask
 * @counters: receives them, one bit each
 *
 * Context: any.
 * Return: why none can, or VPMC_REASON_NONE.
 */
enum vpmc_reason vpmc_amd_f15h_find_counters(u32 event, u32 units,
					     u32 *counters);

#endif /* VPMC_AMD_F15H_H */
