// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The CPUID instruction, where there is one.
 */
#include "internal.h"

#if defined(__i386__) || defined(__x86_64__)

#include <cpuid.h>

int vpmcint_cpuid(uint32_t leaf, uint32_t regs[4])
{
	/*
	 * EAX of the first leaf of a range (0, 40000000h) is its last leaf.
	 * Above it processors answer with something else.
	 */
	if (__get_cpuid_max(leaf & 0xf0000000, NULL) < leaf)
		return 0;
	__cpuid(leaf, regs[0], regs[1], regs[2], regs[3]);
	return 1;
}

#else

int vpmcint_cpuid(uint32_t leaf, uint32_t regs[4])
{
	(void)leaf;
	(void)regs;
	return 0;
}

#endif
