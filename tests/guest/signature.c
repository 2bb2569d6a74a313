// SPDX-License-Identifier: GPL-2.0-only
/* signature: what CPUID says of the processor's type, family and so on. */
#include <cpuid.h>
#include <stdio.h>

int main(void)
{
	unsigned int a, b, c, d;

	__cpuid(1, a, b, c, d);
	printf("%x\n", a);
	return 0;
}
