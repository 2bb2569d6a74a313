/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rule: with MMX a branch that is taken every second time is predicted
 *
 * Two branches of which that is true, twice in each round: one that is taken
 * and then not, and the inner loop's. On the P5 they are mispredicted when they
 * are not taken, since the two bits go from strongly to weakly taken and back.
 * With MMX the last outcomes tell what comes next. The fifth is the loop's.
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
