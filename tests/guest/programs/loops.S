/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rule: a conditional jump counts as one branch whether it is taken or not
 *
 * The program runs 50 rounds of a mov, 200 times dec and jnz, and one more dec and jnz.
 *
 * expect:
 *   0x16 = 1 + 50*(1 + 200*2 + 2) + 3 = 20154
 *   0x12 = 50*(200 + 1) + 1 = 10051
 *   0x00 = 5
 *   0x01 = 5
 *   0x0f = 2
 */
#include "prog.h"

_start:
	movl	$50, %edx
1:	movl	$200, %ecx
2:	decl	%ecx
	jnz	2b
	decl	%edx
	jnz	1b
	EXIT
