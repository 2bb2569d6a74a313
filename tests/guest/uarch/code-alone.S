/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rule: an instruction goes alone if the one after it is in a line that has not come yet
 * cpu: mmx
 *
 * Five times, 4 KB apart, the last byte of a line is an instruction, and one that jumps to
 *  the next place follows in the next line. Five lines of a set are more than the cache
 *  has room for. The target of a jump had nothing before it in the FIFO.
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
