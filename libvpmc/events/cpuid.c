// SPDX-License-Identifier: LGPL-2.1-or-later
/* Execute the CPUID instruction, on processors that have it. */
#include "base/internal.h"

#if defined(__i386__) || defined(__x86_64__)

#include <cpuid.h>

int vpmcint_cpuid(uint32_t leaf, uint32_t subleaf, uint32_t regs[4])
{
	uint32_t eax, ebx, ecx, edx;

	/*
	 * EAX of the first leaf of a range (0, 40000000h) is the range's last leaf. For
	 * higher leaves, processors return unrelated values.
	 */
	if ((uint32_t)__get_cpuid_max(leaf & 0xf0000000, NULL) < leaf)
		return 0;
	__cpuid_count(leaf, subleaf, eax, ebx, ecx, edx);
	regs[0] = eax;
	regs[1] = ebx;
	regs[2] = ecx;
	regs[3] = edx;
	return 1;
}

#else

int vpmcint_cpuid(uint32_t leaf, uint32_t subleaf, uint32_t regs[4])
{
	(void)leaf;
	(void)subleaf;
	(void)regs;
	return 0;
}

#endif
