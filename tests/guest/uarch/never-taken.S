/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rule: a branch that is never taken does not enter the BTB
 *
 * Three branches are never taken. The fourth one is the branch of the loop.
 *
 * round:
 *   0x12 = 4
 *   0x13 = 1
 *   0x14 = 1
 *   0x15 = 0
 */
#include "uarch.h"

_start:
	BEGIN_ROUNDS
	cmpl	$0, %esp
	jz	1f
	jz	1f
	jz	1f
1:	END_ROUNDS
