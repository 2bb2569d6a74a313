/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rule: every Jcc is one branch in both forms, taken and not taken
 *
 * Three settings of the flags under which each condition is met once and not
 * met once; in each, one of every complementary pair is taken: 8 of 16. One
 * that is not taken executes an inc. Short and near forms: 6 sweeps of push,
 * popf, 16 jumps, 8 incs. At the end cmp and jne check the number of incs.
 *
 * expect:
 *   0x16 = 1 + 6*(2 + 16 + 8) + 2 + 3 = 162
 *   0x12 = 6*16 + 1 + 1 = 98
 *   0x00 = 6 + 5 = 11
 *   0x01 = 6 + 5 = 11
 *   0x0f = 2
 */
#include "prog.h"

	.macro	SWEEP form:vararg
	.irp	cc, o, no, b, ae, e, ne, be, a, s, ns, p, np, l, ge, le, g
	\form	j\cc 9f
	incl	%ecx
9:
	.endr
	.endm

	.macro	SWEEPS form:vararg
	pushl	$0x8c7			/* OF SF ZF PF CF */
	popfl
	SWEEP	\form
	pushl	$0x002			/* none */
	popfl
	SWEEP	\form
	pushl	$0x082			/* SF */
	popfl
	SWEEP	\form
	.endm

_start:
	xorl	%ecx, %ecx
	SWEEPS	{disp8}
	SWEEPS	{disp32}
	cmpl	$48, %ecx
	jne	fail
	EXIT
fail:	hlt
