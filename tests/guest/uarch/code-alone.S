/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rule: an instruction goes alone if the next one is in a line that has not arrived yet
 * cpu: mmx
 *
 * Five times, 4 KB apart, the last byte of a line is an instruction. The next line begins with
 * an instruction that jumps to the next place. The cache does not have room for these five lines
 * of a set. At the target of a jump, the FIFO is empty before the first instruction.
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
