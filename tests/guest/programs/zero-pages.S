/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rule: demand-zero page faults add nothing
 *
 * 64 fresh pages: read at each (the shared zero page), then write at each (a
 * page of its own). Then 64 others: inc at each. Each loop: mov, 64 times
 * (access, add, cmp, jb).
 *
 * expect:
 *   0x16 = 3*(1 + 64*4) + 3 = 774
 *   0x12 = 3*64 + 1 = 193
 *   0x00 = 64 + 64 + 5 = 133
 *   0x01 = 64 + 64 + 5 = 133
 *   0x0f = 2
 */
#include "prog.h"

#define SIZE (64 * 4096)

	.macro	EACH area, access:vararg
	movl	$\area, %ebx
8:	\access
	addl	$4096, %ebx
	cmpl	$\area + SIZE, %ebx
	jb	8b
	.endm

_start:
	EACH	one, movl (%ebx), %eax
	EACH	one, movl %eax, (%ebx)
	EACH	two, incl (%ebx)
	EXIT

	.bss
	.balign	4096
one:	.space	SIZE
two:	.space	SIZE
