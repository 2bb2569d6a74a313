/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * This header defines the control and event select register. Counter n has 6 bits of event, 3 bits
 * of counter control and 1 bit of pin control, from bit 16 * n on. (Intel, Pentium Processor Family
 * Developer's Manual, vol. 3, 25.3)
 */
#ifndef P5MON_CESR_H
#define P5MON_CESR_H

#include <stdint.h>

#define CESR_EVENT	   0x3fU
#define CESR_CONTROL_SHIFT 6
#define CESR_CONTROL	   (7U << CESR_CONTROL_SHIFT)
#define CESR_COUNTER	   (CESR_EVENT | CESR_CONTROL)
#define CESR_KERNEL	   (1U << CESR_CONTROL_SHIFT)
#define CESR_USER	   (2U << CESR_CONTROL_SHIFT)
#define CESR_CLOCKS	   (4U << CESR_CONTROL_SHIFT)

/* Returns the bits of a counter that belong to its event and control. */
static inline uint32_t cesr_half(uint32_t cesr, unsigned int counter)
{
	return cesr >> 16 * counter & CESR_COUNTER;
}

#endif /* P5MON_CESR_H */
