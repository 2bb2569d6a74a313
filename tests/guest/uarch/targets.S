/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rule: a jump whose target changes each time is mispredicted
 *
 * An indirect jump to one of two places in turn, of which the BTB has the last.
 * A jump from there to a common place, and the loop's branch, are predicted; of
 * the two former each comes in every second round.
 *
 * round:
 *   0x15 = 1
 *   0x13 = 3
 *   0x12 = 3
 */
#include "uarch.h"

_start:
	BEGIN_ROUNDS
	movl	%ebp, %ecx
	andl	$1, %ecx
	jmp	*table(, %ecx, 4)
	.balign	4
1:	jmp	3f
2:	jmp	3f
3:	END_ROUNDS

	.data
table:	.long	1b, 2b
