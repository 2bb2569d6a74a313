/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rule: the precision control rounds results of x87 arithmetic, but not operands, and not FRNDINT
 *
 * The program executes these instructions. All operands are aligned.
 *
 *	fninit; fldcw				1 read
 *	fld, fstp of 8 bytes			1 read, 1 write
 *	twice mov, cmp, jne			4 reads
 *	fbld; fistp of 8 bytes			2 reads (8 bytes and 2 bytes), 1 write
 *	twice mov, cmp, jne			4 reads
 *	fild; frndint; ficomp of 4 bytes	2 reads
 *	fnstsw %ax; test; jz
 *	fld, fadd, fcomp of 8 bytes		3 reads
 *	fnstsw %ax; test; jnz
 *
 * The last two lines check that the processor rounds the sum of 1/3 and 0.
 *
 * expect:
 *   0x16 = 2 + 8 + 8 + 6 + 6 + 3 = 33
 *   0x12 = 2 + 2 + 1 + 1 + 1 = 7
 *   0x00 = 1 + (1 + 4) + (2 + 4) + 2 + 3 + 5 = 22
 *   0x01 = 1 + 1 + 5 = 7
 *   0x0f = 2
 */
#include "prog.h"

#define SINGLE	0x007f
#define EQUAL	0x4000

	.macro	SAME a, b
	.irp	part, 0, 4
	movl	\a + \part, %eax
	cmpl	\b + \part, %eax
	jne	fail
	.endr
	.endm

_start:
	fninit
	fldcw	single
	fldl	third
	fstpl	result
	SAME	third, result
	fbld	decimal
	fistpll	result
	SAME	binary, result
	fildl	integer
	frndint
	ficompl	integer
	fnstsw	%ax
	testl	$EQUAL, %eax
	jz	fail
	fldl	third
	faddl	zero
	fcompl	third
	fnstsw	%ax
	testl	$EQUAL, %eax
	jnz	fail
	EXIT
fail:	FAIL

	.data
	.balign	8
third:	.double	0.3333333333333333
zero:	.double	0
binary:	.quad	123456789012345
decimal:
	.byte	0x45, 0x23, 0x01, 0x89, 0x67, 0x45, 0x23, 0x01, 0, 0
	.balign	8
integer:
	.long	0x7fffffff
single:	.word	SINGLE
	.bss
	.balign	8
result:	.quad	0
