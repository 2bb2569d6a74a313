/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rule: page faults that bring in zeroed pages add nothing to the counts
 *
 * The program runs three loops, each with a mov and 64 rounds of an access, add, cmp and jb. The
 * first loop reads at 64 fresh pages, which makes the kernel map the shared zero page. The second
 * loop writes to the same pages, which makes the kernel replace each with a page of the process.
 * The third loop executes inc at 64 other fresh pages.
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
