/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rule: a sleep adds nothing to the counts
 *
 * The program runs 20 rounds of 8 instructions: nanosleep for 1 ms (mov, xor, SYSCALL 2), test,
 * jnz, which is taken when nanosleep has failed, dec, jnz.
 *
 * expect:
 *   0x16 = 1 + 20*8 + 3 = 164
 *   0x12 = 20*3 + 1 = 61
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
	testl	%eax, %eax
	jnz	fail
	decl	%edi
	jnz	1b
	EXIT
fail:	hlt

	.data
	.balign	8
time:	.long	0, 1000000
