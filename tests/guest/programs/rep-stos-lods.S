/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rule: REP STOS writes and REP LODS reads once per iteration, and STOS and LODS do so once
 *
 * The program has 6 cases of STOS and 6 cases of LODS, each with two movs and the REP = 3
 * instructions. The iterations of the 6 cases are 0, 1, 64 with bytes; 33 with words; 1, 20 with
 * long words. The sum is 119, and one of the 6 cases has 0 iterations. Then the program executes
 * mov, stosl, stosb, mov, lodsl, lodsb without REP.
 *
 * expect:
 *   0x16 = 6*3 + 6*3 + 2 + 4 + 3 = 45
 *   0x12 = 1
 *   0x00 = 0+1+64+33+1+20 + 2 + 5 = 126
 *   0x01 = 0+1+64+33+1+20 + 2 + 5 = 126
 *   0x0f = 2
 *   clocks = 12*2 + (119+1) + (119+1) + 2 + 4 + 3 = 273
 */
#include "prog.h"

	.macro	STOS insn, count
	movl	$buf, %edi
	movl	$\count, %ecx
	rep \insn
	.endm

	.macro	LODS insn, count
	movl	$buf, %esi
	movl	$\count, %ecx
	rep \insn
	.endm

_start:
	STOS	stosb, 0
	STOS	stosb, 1
	STOS	stosb, 64
	STOS	stosw, 33
	STOS	stosl, 1
	STOS	stosl, 20
	LODS	lodsb, 0
	LODS	lodsb, 1
	LODS	lodsb, 64
	LODS	lodsw, 33
	LODS	lodsl, 1
	LODS	lodsl, 20
	movl	$buf, %edi
	stosl
	stosb
	movl	$buf, %esi
	lodsl
	lodsb
	EXIT

	.data
	.balign	16
buf:	.fill	128, 1, 'a'
