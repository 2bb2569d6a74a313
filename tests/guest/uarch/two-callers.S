/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rule: the return of a function that is called from two places is predicted on a Pentium with MMX
 *
 * The P5 predicts that a function returns to the place to which it returned the last time. With
 * MMX, the return stack has the right place.
 *
 * round (p5):
 *   0x15 = 2
 *   0x13 = 5
 * round (mmx):
 *   0x15 = 0
 *   0x37@0 = 0
 *   0x37@1 = 2
 *   0x39@0 = 2
 *   0x39@1 = 0
 */
#include "uarch.h"

_start:
	BEGIN_ROUNDS
	call	function
	call	function
	END_ROUNDS

function:
	ret
