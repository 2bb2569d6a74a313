/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rule: REP MOVS is one instruction and makes one read and one write in one clock per iteration
 *
 * The program has 11 cases, each with three movs and a REP MOVS = 4 instructions. The direction of
 * the last two is down: std comes before them and cld after them. The iterations of the cases are
 * 0, 1, 100 with bytes; 0, 1, 50 with words; 0, 1, 25 with long words; 7 with bytes and 10 with
 * long words down. The sum is 195. A REP with a count of 0 takes one clock all the same. So the 3
 * cases with 0 iterations take one clock each, and the 8 others take as many clocks as they have
 * iterations.
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
