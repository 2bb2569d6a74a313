/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rule: no more branches of one set stay in the BTB than it has ways
 *
 * 17 jumps that are 256 bytes apart share a set, which has four ways, or 16 with MMX. By LRU
 * each jump is displaced before its turn comes, and so mispredicted. The loop's branch is in
 * another set and hits.
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
