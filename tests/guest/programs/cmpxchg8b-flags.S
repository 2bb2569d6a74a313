/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rule: CMPXCHG8B changes only ZF of the flags, whether it exchanges or not
 *
 * The program executes mov, xor, xor, and then 4 rounds of 17 instructions. The rounds differ in
 * the LOCK prefix of cmpxchg8b (without, with) and in the flags that are set before: those of an
 * addition (CF, PF, ZF, OF) or of a subtraction (CF, PF, AF, SF). Each round has 8 instructions
 * twice:
 *
 *	mov; add or sub, which sets the flags
 *	cmpxchg8b				1 read, 1 write
 *	pushf; pop; and; cmp; jne		1 write, 1 read
 *
 * The first cmpxchg8b finds another value than it expects, and clears ZF. It loads the value that
 * it has found, so the second one finds the value that it expects, and sets ZF. The last
 * instruction of the round is an xor: it changes the expected value so that the next round begins
 * in the same way.
 *
 * expect:
 *   0x16 = 3 + 4*17 + 3 = 74
 *   0x12 = 4*2 + 1 = 9
 *   0x00 = 4*2*2 + 5 = 21
 *   0x01 = 4*2*2 + 5 = 21
 *   0x0f = 2
 *   0x1c = 2*2 = 4
 */
#include "prog.h"


	.macro	EXCHANGE lock, operation, first, second, flags
	movl	$\first, %esi
	\operation $\second, %esi
	\lock cmpxchg8b value
	pushfl
	popl	%edi
	andl	$ARITHMETIC_FLAGS, %edi
	cmpl	$\flags, %edi
	jne	fail
	.endm

	.macro	BOTH lock, operation, first, second, flags
	EXCHANGE \lock, \operation, \first, \second, (\flags)
	EXCHANGE \lock, \operation, \first, \second, (\flags | ZF)
	xorl	%eax, %eax
	.endm

_start:
	movl	$1, %ebx
	xorl	%edx, %edx
	xorl	%eax, %eax
	BOTH	, addl, 0x80000000, 0x80000000, CF | PF | OF
	BOTH	lock, addl, 0x80000000, 0x80000000, CF | PF | OF
	BOTH	, subl, 0, 1, CF | PF | AF | SF
	BOTH	lock, subl, 0, 1, CF | PF | AF | SF
	EXIT
fail:	hlt

	.data
	.balign	8
value:	.quad	1
