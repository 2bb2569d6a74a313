/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rule: LOOP, LOOPE, LOOPNE, JECXZ and JCXZ are branches, taken or not
 *
 * mov, loop x10; mov, cmp, loope x5; mov, cmp, loopne x1 (ZF is set: leaves at
 * once); mov, cmp, loopne x5 (ZF is clear); mov of 1, jecxz not taken; xor,
 * jecxz taken; mov of 65536, jcxz taken (CX is 0), jecxz not taken.
 *
 * instructions: 1+10, 2+5, 2+1, 2+5, 2, 2, 3
 *
 * expect:
 *   0x16 = 11 + 7 + 3 + 7 + 2 + 2 + 3 + 3 = 38
 *   0x12 = 10 + 5 + 1 + 5 + 1 + 1 + 2 + 1 = 26
 *   0x00 = 5
 *   0x01 = 5
 *   0x0f = 2
 */
#include "prog.h"

_start:
	movl	$10, %ecx
1:	loop	1b

	movl	$5, %ecx
	cmpl	%ecx, %ecx
1:	loope	1b

	movl	$5, %ecx
	cmpl	%ecx, %ecx
1:	loopne	1b

	movl	$5, %ecx
	cmpl	$0, %ecx
1:	loopne	1b

	movl	$1, %ecx
	jecxz	fail

	xorl	%ecx, %ecx
	jecxz	1f
	hlt

1:	movl	$65536, %ecx
	jcxz	1f
	hlt
1:	jecxz	fail
	EXIT
fail:	hlt
