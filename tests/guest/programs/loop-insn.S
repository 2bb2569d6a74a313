/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rule: LOOP, LOOPE, LOOPNE, JECXZ and JCXZ count as branches whether they are taken or not
 *
 * The program executes these instructions:
 *
 *	mov; loop, 10 times			1 + 10
 *	mov; cmp; loope, 5 times		2 + 5
 *	mov; cmp; loopne, once			2 + 1: ZF is set and ends the loop at once
 *	mov; cmp; loopne, 5 times		2 + 5: ZF is clear
 *	mov of 1; jecxz, not taken		2
 *	xor; jecxz, taken			2
 *	mov of 65536; jcxz; jecxz		3: CX is 0, so jcxz is taken, jecxz is not
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
