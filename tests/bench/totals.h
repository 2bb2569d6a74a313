/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This file has the numbers of the totals that the emulator keeps in CPUID leaf 40000003h: see
 * docs/guide/events.md.
 */
#ifndef TOTALS_H
#define TOTALS_H

#define LEAF_TOTALS 0x40000003
#define LEAF_MAGIC  0x434d5056 /* "VPMC" */

#define TOTAL_KERNEL	  0 /* instructions */
#define TOTAL_USER	  1
#define TOTAL_KERNEL_REP  2 /* clocks of string instructions beyond one */
#define TOTAL_USER_REP	  3
#define TOTAL_RDMSR_CESR  4 /* accesses */
#define TOTAL_RDMSR_CTR	  5
#define TOTAL_RDMSR_OTHER 6
#define TOTAL_WRMSR_CESR  7
#define TOTAL_WRMSR_CTR	  8
#define TOTAL_WRMSR_OTHER 9
#define TOTAL_RDPMC	  10
#define TOTAL_RDTSC	  11
#define TOTAL_WRITE_CR4	  12
#define NR_TOTALS	  13

#endif /* TOTALS_H */
