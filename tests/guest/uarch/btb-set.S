/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rule: the BTB keeps at most as many branches of one set as it has ways
 *
 * 17 jumps that are 256 bytes apart share a set, which has four ways, or 16 with MMX. LRU displaces
 * the entry of each jump before the jump is executed again, so each jump is mispredicted. The
 * branch of the loop has its entry in another set, and hits.
 *
 * round:
 *   0x12 = 18
 *   0x13 = 1
 *   0x14 = 18
 *   0x15 = 17
 */
#include "uarch.h"

_start:
	movl	$ROUNDS, %ebp
	jmp	1f
	.balign	PAGE
1:
	.rept	17
	jmp	2f
	.balign	256
2:
	.endr
	.skip	64, 0x90
	.fill	32, 1, 0x90
	decl	%ebp
	jnz	1b
	EXIT
