/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rule: a branch that is taken once in four times is mispredicted in three of the four on the P5
 *
 * When the branch is taken, it enters the BTB as strongly taken. Then it is not taken three times.
 * The first two times are mispredicted, and the third one removes the entry. So the branch is also
 * mispredicted when it is taken again. With MMX, the history predicts it. The branch of the inner
 * loop is taken three times, and then not taken. It is mispredicted once on the P5, and never with
 * MMX.
 *
 * round (p5):
 *   0x15 = 3 + 1 = 4
 * round (mmx):
 *   0x15 = 0
 */
#include "uarch.h"

_start:
	BEGIN_ROUNDS
	movl	$4, %ecx
1:	cmpl	$4, %ecx
	je	2f
	nop
2:	decl	%ecx
	jnz	1b
	END_ROUNDS
