/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rule: CMPXCHG8B changes no flag but ZF, whether it exchanges or not
 *
 * mov, xor, xor. Then, with and without LOCK, after the flags of an addition (CF, PF, ZF, OF)
 * and of a subtraction (CF, PF, AF, SF): mov, the operation; cmpxchg8b, which finds another
 * value and clears ZF; pushf, pop, and, cmp, jne. The same once more: cmpxchg8b finds the value
 * that it has read, and sets ZF. xor changes this value to another one. 2*8 + 1 instructions;
 * cmpxchg8b 1 read and 1 write, pushf 1 write, pop 1 read.
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
