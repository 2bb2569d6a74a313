/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rule: code that is executed again and again stays in the code cache if it fits
 *
 * Each of the 512 lines of 16 KB has a jump, and the last one goes back. Each jump leads to
 * another block of 16 bytes, which is read. As in data-stride.S, the P5 has room for half of the
 * lines.
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
