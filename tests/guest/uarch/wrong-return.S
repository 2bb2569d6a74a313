/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rule: a return to an address other than its call's is predicted, and the prediction is wrong
 * cpu: mmx
 *
 * round:
 *   0x15 = 1
 *   0x37@0 = 1
 *   0x37@1 = 1
 *   0x39@0 = 1
 */
#include "uarch.h"

_start:
	BEGIN_ROUNDS
	call	1f
1:	movl	$2f, (%esp)
	ret
	nop
2:	END_ROUNDS
