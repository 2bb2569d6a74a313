/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rule: a branch that is taken every second time is predicted on a Pentium with MMX
 *
 * Two branches are executed twice in each round. Each is taken the first time and not taken the
 * second time. One of them is the branch of the inner loop. On the P5, both are mispredicted when
 * they are not taken, because the two bits of their entries change from strongly to weakly taken
 * and back. With MMX, the last outcomes predict the next outcome. The fifth branch of a round is
 * that of the outer loop.
 *
 * round (p5):
 *   0x15 = 2
 *   0x13 = 2 * 2 + 1 = 5
 * round (mmx):
 *   0x15 = 0
 *   0x13 = 5
 *   0x35@0 = 0
 */
#include "uarch.h"

_start:
	BEGIN_ROUNDS
	movl	$2, %ecx
1:	testl	$1, %ecx
	jz	2f
	nop
2:	decl	%ecx
	jnz	1b
	END_ROUNDS
