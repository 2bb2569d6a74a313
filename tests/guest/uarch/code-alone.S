/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rule: an instruction is executed alone if the next one is in a line that has not arrived yet
 * cpu: mmx
 *
 * At five places, which are 4 KB apart, the last byte of a line is an instruction, and the next
 * line begins with a jump to the next place. The five lines that end there share a set of the
 * cache, and so do the five next lines. A set does not have room for five lines. At the target of a
 * jump, the FIFO is empty before the first instruction.
 *
 * round:
 *   0x0e = 2 * 5 = 10
 *   0x33@1 = 5
 */
#include "uarch.h"

_start:
	movl	$ROUNDS, %ebp
	jmp	1f
	.balign	PAGE
	.skip	LINE - 1
1:	nop
	.rept	4
	jmp	2f
	.balign	PAGE
	.skip	LINE - 1
2:	nop
	.endr
	decl	%ebp
	jnz	1b
	EXIT
