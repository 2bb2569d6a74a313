/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rule: a jump whose target changes each time is mispredicted
 *
 * An indirect jump leads to two places by turns, and the BTB has the last place. Each of the two
 * places has a jump to a common place, which is executed in every second round. These two jumps
 * and the branch of the loop are predicted.
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
