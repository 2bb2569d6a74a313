/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rule: the return stack has four entries
 * cpu: mmx
 *
 * Six calls are nested. Two return addresses are lost, and these two returns are mispredicted.
 *
 * round:
 *   0x15 = 2
 *   0x37@0 = 2
 *   0x37@1 = 4
 *   0x39@0 = 6
 *   0x39@1 = 2
 */
#include "uarch.h"

_start:
	BEGIN_ROUNDS
	call	1f
	END_ROUNDS

	.rept	5
1:	call	1f
	ret
	.endr
1:	ret
