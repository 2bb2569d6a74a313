// SPDX-License-Identifier: GPL-2.0-only
/*
 * signature: print the type, family, model and stepping of the processor as CPUID
 * returns them.
 */
#include <cpuid.h>
#include <stdio.h>

int main(void)
{
	unsigned int a, b, c, d;

	__cpuid(1, a, b, c, d);
	printf("%x\n", a);
	return 0;
}
