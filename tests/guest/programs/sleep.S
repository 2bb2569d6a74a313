/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rule: sleeping adds nothing
 *
 * 20 times nanosleep for 1 ms: mov, xor, SYSCALL 2, dec, jnz.
 *
 * expect:
 *   0x16 = 1 + 20*6 + 3 = 124
 *   0x12 = 20*2 + 1 = 41
 *   0x00 = 20*5 + 5 = 105
 *   0x01 = 20*5 + 5 = 105
 *   0x0f = 20*2 + 2 = 42
 */
#include "prog.h"

_start:
	movl	$20, %edi
1:	movl	$time, %ebx
	xorl	%ecx, %ecx
	SYSCALL	SYS_nanosleep
	decl	%edi
	jnz	1b
	EXIT

	.data
	.balign	8
time:	.long	0, 1000000
