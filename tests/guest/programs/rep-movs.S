/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rule: REP MOVS is one instruction, with one read, one write and one clock per iteration
 *
 * Each case: three loads and the REP = 4 instructions; the last two go down,
 * with std before and cld after. Iterations: bytes 0, 1, 100; words 0, 1, 50;
 * long words 0, 1, 25; down: bytes 7, long words 10. Sum 195. A REP with a
 * count of 0 takes its one clock all the same: 3 cases of 0 are one clock
 * each, the 8 others as many clocks as iterations.
 *
 * expect:
 *   0x16 = 11*4 + 2 + 3 = 49
 *   0x12 = 1
 *   0x00 = (0+1+100) + (0+1+50) + (0+1+25) + (7+10) + 5 = 200
 *   0x01 = (0+1+100) + (0+1+50) + (0+1+25) + (7+10) + 5 = 200
 *   0x0f = 2
 *   clocks = 11*3 + 2 + 3 + 3 + 195 = 236
 */
#include "prog.h"

	.macro	MOVS insn, count, src, dst
	movl	$\src, %esi
	movl	$\dst, %edi
	movl	$\count, %ecx
	rep \insn
	.endm

_start:
	.irp	n, 0, 1, 100
	MOVS	movsb, \n, from, to
	.endr
	.irp	n, 0, 1, 50
	MOVS	movsw, \n, from, to
	.endr
	.irp	n, 0, 1, 25
	MOVS	movsl, \n, from, to
	.endr
	std
	MOVS	movsb, 7, from + 60, to + 60
	MOVS	movsl, 10, from + 60, to + 60
	cld
	EXIT

	.data
	.balign	16
from:	.fill	128, 1, 'a'
to:	.fill	128, 1, 'b'
