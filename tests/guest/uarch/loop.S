/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rule: the end of a loop is mispredicted, and nothing else of it
 *
 * An inner loop of ten: its branch is taken nine times and then not. It stays
 *  in the BTB with a state that predicts it taken, so that all ten are hits and
 *  the last is wrong. A history of four outcomes, with MMX, is too short to see
 *  the end. The outer branch is the eleventh, always taken.
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
