/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rule: only the branch that ends a loop is mispredicted, and only when the loop ends
 *
 * The branch of an inner loop of ten rounds is taken nine times, and then not taken. It stays in
 * the BTB with a state that predicts it as taken. So all ten executions hit, and the last one is
 * mispredicted. With MMX, a history of four outcomes is too short to predict the end. The branch of
 * the outer loop is the eleventh, and is always taken.
 *
 * round:
 *   0x13 = 11
 *   0x14 = 11
 *   0x15 = 1
 *   0x12 = 11
 */
#include "uarch.h"

_start:
	BEGIN_ROUNDS
	movl	$10, %ecx
1:	decl	%ecx
	jnz	1b
	END_ROUNDS
