// SPDX-License-Identifier: GPL-2.0-only
/*
 * This program is executed by "steps". It has the start of a C library, SSE, REP, PAUSE and
 * printf().
 */
#include <stdio.h>
#include <string.h>

int main(void)
{
	char from[100] = "text", to[100];
	volatile double root = 2;
	unsigned long n = sizeof(to);
	char *s = from, *d = to;

	__asm__ volatile("rep movsb" : "+c"(n), "+S"(s), "+D"(d)::"memory");
	__asm__ volatile("pause");
	root = root / 3.25;
	printf("%s %zu %.9f %g\n", to, strlen(to), root, 1e100);
	return 0;
}
