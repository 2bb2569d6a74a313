/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rule: an x87 operand of up to 8 bytes is one access, and an operand of 10 bytes is two accesses
 *
 * All operands are aligned. The program executes these 30 instructions:
 *
 *	flds, fldl, fildl, fildll, filds, fadds, fmull, fidivl, fcoms
 *						9: 1 read each
 *	fldt, fbld				2: 2 reads each
 *	fsts, fstpl, fistl, fistpll, fistps	5: 1 write each
 *	fstpt, fbstp				2: 2 writes each
 *	fldcw					1: 1 read
 *	fnstcw, fnstsw				2: 1 write each
 *	fstcw					2 (fwait and fnstcw): 1 write
 *	fninit, fld1, fxch, fadd, fnclex, 2 fstp of a register
 *						7: no access
 *
 * expect:
 *   0x16 = 30 + 3 = 33
 *   0x12 = 1
 *   0x00 = 9 + 2*2 + 1 + 5 = 19
 *   0x01 = 5 + 2*2 + 2 + 1 + 5 = 17
 *   0x0f = 2
 */
#include "prog.h"

_start:
	fninit
	flds	m32
	fldl	m64
	fldt	m80
	fbld	bcd
	fbstp	outbcd
	fstpt	out80
	filds	i16
	fistps	out16
	fildl	i32
	fistl	out32
	fildll	i64
	fistpll	out64
	fld1
	fadds	m32
	fmull	m64
	fidivl	i32
	fcoms	m32
	fsts	out32
	fstpl	out64
	fxch	%st(1)
	fadd	%st(1), %st
	fstp	%st(0)
	fstp	%st(0)
	fnstcw	cw
	fldcw	cw
	fnstsw	sw
	fstcw	cw
	fnclex
	EXIT

	.data
	.balign	16
m80:	.tfloat	2.5
	.balign	16
bcd:	.byte	0x21, 0x43, 0, 0, 0, 0, 0, 0, 0, 0
	.balign	16
out80:	.space	10
	.balign	16
outbcd:	.space	10
	.balign	8
m64:	.double	1.25
i64:	.quad	77
out64:	.space	8
m32:	.float	1.5
i32:	.long	3
out32:	.space	4
i16:	.word	5
out16:	.space	2
cw:	.space	2
sw:	.space	2
