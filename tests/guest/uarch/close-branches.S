/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rule: branches that end in the same four bytes share an entry of the BTB on a Pentium with MMX
 *
 * Two jumps end in the same four bytes and lead to different places. Each finds the target of the
 * other jump in the entry.
 *
 * round (p5):
 *   0x15 = 0
 *   0x13 = 3
 * round (mmx):
 *   0x15 = 2
 *   0x13 = 3
 */
#include "uarch.h"

_start:
	BEGIN_ROUNDS
	.balign	4
	jmp	1f
1:	jmp	2f
	.balign	16
2:	END_ROUNDS
