/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rule: an MMX operand of 8 bytes is one access, misaligned if it crosses an 8-byte boundary
 *
 * cpu: mmx
 *
 * The program runs 10 rounds of 14 instructions:
 *
 *	movq, paddb, pand, psllq from memory	4 reads
 *	movd from memory; movd to memory	1 read, 1 write
 *	movq to memory				1 write
 *	paddw of registers
 *	movq from an address 4 off		1 read, misaligned
 *	movq to an address 1 off		1 write, misaligned
 *	movd from an address 2 off		1 read of 4 bytes, misaligned
 *	emms; dec; jnz
 *
 * expect:
 *   0x16 = 1 + 10*14 + 3 = 144
 *   0x12 = 10 + 1 = 11
 *   0x00 = 10*(4 + 1 + 2 + 2) + 5 = 95
 *   0x01 = 10*(1 + 1 + 2) + 5 = 45
 *   0x0b = 10*3 = 30
 *   0x0f = 2
 *
 * expect-no-errata:
 *   0x00 = 10*(4 + 1 + 1 + 1) + 5 = 75
 *   0x01 = 10*(1 + 1 + 1) + 5 = 35
 */
#include "prog.h"

_start:
	movl	$10, %edi
1:	movq	buf, %mm0
	paddb	buf + 8, %mm0
	pand	buf + 16, %mm0
	psllq	buf, %mm1
	movd	buf + 4, %mm2
	movd	%mm2, buf + 4
	movq	%mm0, buf + 24
	paddw	%mm1, %mm2
	movq	buf + 12, %mm3
	movq	%mm3, buf + 17
	movd	buf + 10, %mm4
	emms
	decl	%edi
	jnz	1b
	EXIT

	.data
	.balign	16
buf:	.fill	32, 1, 'a'
