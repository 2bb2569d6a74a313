/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rule: code that is executed again and again stays in the code cache if it fits
 *
 * The code has 512 lines, which are 16 KB. Each line has a jump to the next line, and the last one
 * has a jump to the first. Each jump makes the processor read another block of 16 bytes. The cache
 * of the P5 has room for half of the lines, as in data-stride.S.
 *
 * round (p5):
 *   0x0e = 512
 *   0x0c = 512
 * round (mmx):
 *   0x0e = 0
 *   0x0c = 512
 */
#include "uarch.h"

_start:
	movl	$ROUNDS, %ebp
	jmp	1f
	.balign	PAGE
1:
	.rept	511
	jmp	2f
	.balign	LINE
2:
	.endr
	decl	%ebp
	jnz	1b
	EXIT
