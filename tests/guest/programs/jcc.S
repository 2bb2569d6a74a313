/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rule: each Jcc, in its short and long form, counts as one branch whether it is taken or not
 *
 * The program tests all 16 conditions under 3 settings of the flags, such that each condition holds
 * under at least one setting and fails under at least one. Under each setting, one condition of
 * every complementary pair holds, so 8 of the 16 jumps are taken. Each jump that is not taken is
 * followed by an inc, which a taken jump skips. With the short and the near form, this makes 6
 * sweeps, each with push, popf, 16 jumps and 8 incs. At the end, cmp and jne check the number of
 * incs.
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
