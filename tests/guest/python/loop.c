// SPDX-License-Identifier: GPL-2.0-only
/* This library gives Python a region of a known length: 2001 instructions. */
#include <vpmc_region.h>

void loop(void);

void loop(void)
{
	vpmc_region_begin("loop");
	__asm__ __volatile__("movl $1000, %%ecx\n"
			     "1:\tdecl %%ecx\n\t"
			     "jnz 1b"
			     :
			     :
			     : "ecx", "cc");
	vpmc_region_end("loop");
}
